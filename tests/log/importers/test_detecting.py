"""Where harnesses keep their sessions on this machine, told by the environment and the person's home."""

from pathlib import Path
from typing import Any

import pytest

from rhizome.log.door import Door
from rhizome.log.importing import detected, import_paths

KEY = b"k" * 32

HOMES = {
    ".claude/projects": {}, ".codex/sessions": {}, ".gemini/tmp": {}, ".pi/agent/sessions": {},
    ".local/share/opencode/storage/session": {}, ".config/Code/User/globalStorage/saoudrizwan.claude-dev": {},
    "Library/Application Support/Cursor/User/globalStorage/rooveterinaryinc.roo-cline": {},
    "AppData/Roaming/VSCodium/User/globalStorage/kilocode.kilo-code": {},
    ".copilot/session-state": {}, ".cursor/projects": {}, ".local/share/goose/sessions": {},
    "AppData/Roaming/Block/goose/data/sessions": {}, "goose/data/sessions": {"GOOSE_PATH_ROOT": "goose"},
    ".config/Code/User/workspaceStorage/a1b2/chatSessions": {},
    "elsewhere/projects": {"CLAUDE_CONFIG_DIR": "elsewhere"}, "elsewhere/sessions": {"CODEX_HOME": "elsewhere"},
    "elsewhere/.gemini/tmp": {"GEMINI_CLI_HOME": "elsewhere"}, "pi/sessions": {"PI_CODING_AGENT_DIR": "pi"},
    "data/opencode/storage/session": {"XDG_DATA_HOME": "data"},
    "roaming/Code/User/globalStorage/saoudrizwan.claude-dev": {"APPDATA": "roaming"},
    "config/Code/User/globalStorage/saoudrizwan.claude-dev": {"XDG_CONFIG_HOME": "config"},
    ".codex/archived_sessions": {}, ".cline/data/sessions": {}, "data/goose/sessions": {"XDG_DATA_HOME": "data"},
    "roaming/Block/goose/data/sessions": {"APPDATA": "roaming"},
    "Library/Application Support/Code/User/workspaceStorage/a1b2/chatSessions": {},
    "AppData/Roaming/Code/User/globalStorage/emptyWindowChatSessions": {},
    ".cursor/chats": {},
    ".vscode-server/data/User/globalStorage/saoudrizwan.claude-dev": {},
}


@pytest.mark.parametrize(("folder", "environment"), HOMES.items(), ids=list(HOMES))
def test_a_harness_is_found_where_it_is(tmp_path: Path, folder: str, environment: dict[str, str]) -> None:
    (tmp_path / folder).mkdir(parents=True)
    told = {name: str(tmp_path / value) for name, value in environment.items()}

    assert detected(told, tmp_path) == [tmp_path / folder]


@pytest.mark.parametrize("file", [".aider.chat.history.md", ".local/share/opencode/opencode.db",
                                  ".config/Cursor/User/globalStorage/state.vscdb",
                                  ".config/Cursor/User/workspaceStorage/a1b2/state.vscdb",
                                  "Library/Application Support/Cursor/User/globalStorage/state.vscdb",
                                  "AppData/Roaming/Cursor/User/globalStorage/state.vscdb"])
def test_a_file_is_found_too(tmp_path: Path, file: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).touch()

    assert detected({}, tmp_path) == [tmp_path / file]


def test_aiders_history_is_found_where_it_is_told_to_write_it(tmp_path: Path) -> None:
    (tmp_path / "history.md").touch()

    assert detected({"AIDER_CHAT_HISTORY_FILE": str(tmp_path / "history.md")}, tmp_path) == [tmp_path / "history.md"]


def test_where_nothing_is_nothing_is_found(tmp_path: Path) -> None:
    assert detected({}, tmp_path) == []


def test_a_file_that_rhizome_found_itself_and_that_holds_no_session_keeps_nothing_out(
        archive: Any, tmp_path: Path) -> None:
    (tmp_path / "Cursor" / "User" / "globalStorage").mkdir(parents=True)
    (tmp_path / "Cursor" / "User" / "globalStorage" / "state.vscdb").touch()
    (tmp_path / ".claude" / "projects").mkdir(parents=True)
    (tmp_path / ".claude" / "projects" / "s.jsonl").write_text('{"type": "mode", "sessionId": "s"}\n', "utf-8")
    gone = tmp_path / "gone since"

    found = [gone, *detected({"XDG_CONFIG_HOME": str(tmp_path)}, tmp_path)]
    report = import_paths(archive.log, found, index=archive.index, key=KEY, door=Door(KEY), named=False)

    assert (report.total.new, report.skipped, report.problems) == (1, 1, ())
