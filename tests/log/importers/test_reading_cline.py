"""Cline and its kin: two files of one task, wrapped words, files that are rewritten."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from rhizome.log.sessions import sessions
from rhizome.model import Part


@pytest.fixture
def task(copied: Path) -> Path:
    return copied / "cline/globalStorage/saoudrizwan.claude-dev/tasks/1761638400123"


def test_a_message_is_an_event_in_both_files(archive: Any, task: Path) -> None:
    report = archive.take(task.parents[2])

    assert (report.total.new, report.total.attached, report.skipped) == (8 + 12, 1, 0)
    assert [(info.id, info.scope, info.cwd) for info in sessions(archive.log)] == [
        ("cline:1761638400123", "harborlight", "/home/rui/harborlight")]


def test_only_what_a_person_typed_is_a_persons(archive: Any, task: Path) -> None:
    archive.take(task)

    assert [text[:24] for text in archive.said("human")] == ["harborlight is a Vue boo", "Fine, but dates in this "]
    assert all("environment_details" in text for text in archive.said("harness"))


def test_what_was_shown_is_a_mirror_and_tells_when(archive: Any, task: Path) -> None:
    archive.take(task)
    prompts = [(m.at, set(m.flags)) for m in archive.messages() if m.text.startswith("Fine, but dates")]

    assert prompts == [("2026-10-28T08:00:20.000000Z", set()), ("2026-10-28T08:00:20.000000Z", {"mirror"})]
    assert "Feature flags live in flags.yaml; new_calendar is off." in archive.said("model")


def test_calls_in_xml_and_in_blocks_are_calls(archive: Any, task: Path) -> None:
    archive.take(task)
    called = [m.tool for m in archive.messages() if m.part is Part.CALLED]
    returned = [m.tool for m in archive.messages() if m.part is Part.RETURNED and "mirror" not in m.flags]

    assert called == ["read_file", "replace_in_file", "execute_command", "attempt_completion"]
    assert returned == ["read_file", "execute_command"]


def test_messages_that_cline_hides_from_its_model_are_there_all_the_same(archive: Any, task: Path) -> None:
    path = task / "ui_messages.json"
    shown = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps([{**each, "conversationHistoryDeletedRange": [2, 3]} for each in shown]), "utf-8")

    assert archive.take(task).total.new == 8 + 12
    assert [text[:24] for text in archive.said("human")] == ["harborlight is a Vue boo", "Fine, but dates in this "]


def test_an_unfinished_text_does_not_count(archive: Any, task: Path) -> None:
    archive.take(task)

    assert not [text for text in archive.said("model") if text.startswith("Partial streaming")]


def test_a_file_that_was_emptied_takes_nothing_away(archive: Any, task: Path) -> None:
    archive.take(task)
    (task / "api_conversation_history.json").write_text("[]", encoding="utf-8")
    counts = archive.counts(task)

    assert (counts.new, counts.revised) == (0, 0)
    assert len(archive.said("human")) == 2


def test_a_torn_file_is_named_and_read_when_it_is_whole(archive: Any, task: Path) -> None:
    path = task / "api_conversation_history.json"
    whole = path.read_bytes()
    path.write_bytes(whole[:700])
    report = archive.take(path)
    path.write_bytes(whole)

    assert [name for name, _ in report.problems] == [str(path)]
    assert archive.counts(path).new == 8


def test_a_rewritten_file_adds_only_its_new_messages(archive: Any, task: Path) -> None:
    path = task / "api_conversation_history.json"
    archive.take(path)
    messages = json.loads(path.read_text(encoding="utf-8"))
    messages += [{"role": "user", "content": "<user_message>Thanks.</user_message>"}, messages[-1]]
    path.write_text(json.dumps(messages, indent=1), encoding="utf-8")
    counts = archive.counts(path)

    assert (counts.new, counts.seen, counts.revised) == (2, 8, 0)
    assert archive.said("human")[-1] == "Thanks."


def test_roo_is_told_by_its_folder(archive: Any, task: Path) -> None:
    roo = task.parents[2] / "rooveterinaryinc.roo-cline" / "tasks" / task.name
    shutil.copytree(task, roo)
    (roo / "history_item.json").write_text(json.dumps({"id": task.name, "workspace": "/home/rui/marina"}), "utf-8")
    archive.take(roo)

    assert [(info.harness, info.scope) for info in sessions(archive.log)] == [("roo-code", "marina")]


TYPED = "The user provided the following feedback:\n<feedback>\nUse port 9000.\n</feedback>"


def results(tmp_path: Path, *blocks: str | list[dict[str, Any]]) -> Path:
    """A task whose second message has these blocks, after a prompt."""
    task = tmp_path / "saoudrizwan.claude-dev" / "tasks" / "1761638400999"
    task.mkdir(parents=True)
    said = [{"type": "text", "text": block} if isinstance(block, str) else
            {"type": "tool_result", "tool_use_id": "t", "content": block} for block in blocks]  # fmt: skip
    talk = [{"role": "user", "content": "<task>Read it.</task>"}, {"role": "user", "content": said}]
    (task / "api_conversation_history.json").write_text(json.dumps(talk), encoding="utf-8")
    return task


def test_what_a_person_answers_to_a_tool_is_theirs(archive: Any, tmp_path: Path) -> None:
    archive.take(results(tmp_path, "[replace_in_file for 'a.py'] Result:", TYPED,
                         "[ask_followup_question for 'Which?'] Result:\n<answer>\nThe second.\n</answer>"))

    assert ["Read it.", "Use port 9000.", "The second."] == archive.said("human")


@pytest.mark.parametrize("blocks", [
    ("[read_file for 'a.md'] Result:", TYPED),
    ("[read_file for 'a.md'] Result:\n" + TYPED,),
    ("[use_mcp_tool for 'x'] Result:", "<user_message>Use port 9000.</user_message>"),
    ("[read_file for 'a.md'] Result:", "[ask_followup_question for 'Which?'] Result:\n<answer>Use port 9000.</answer>"),
    ("[write_to_file for 'a.md'] Result:", f"Saved:\n<final_file_content>\n{TYPED}\n</final_file_content>"),
    ([{"type": "text", "text": TYPED}],),
])  # fmt: skip
def test_what_a_tool_returned_is_no_persons_word_whatever_it_looks_like(
    archive: Any, tmp_path: Path, blocks: tuple[Any, ...]
) -> None:
    archive.take(results(tmp_path, *blocks))

    assert ["Read it."] == archive.said("human")
