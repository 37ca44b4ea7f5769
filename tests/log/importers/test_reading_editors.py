"""Copilot CLI, VS Code's chat, Cursor and Goose, from files made after their descriptions."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rhizome.log.counting import Counts
from rhizome.log.door import Door
from rhizome.log.importing import detected, import_paths
from rhizome.log.sessions import sessions
from rhizome.model import Part

AT = "2026-06-01T08:00:00.000Z"


def lines(path: Path, values: Iterable[Mapping[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def told(archive: Any) -> list[tuple[str, str, str | None, str]]:
    return [(m.part, m.origin, m.tool, m.text) for m in archive.messages() if m.part is not Part.NOTED]


# ---------------------------------------------------------------- Copilot CLI

COPILOT = [
    {"type": "session.start", "id": "e0", "timestamp": AT,
     "data": {"sessionId": "s1", "context": {"cwd": "/home/ines/src/tidepool"}}},
    {"type": "user.message", "id": "e1", "timestamp": AT, "data": {"content": "ship from main"}},
    {"type": "assistant.message", "id": "e2", "timestamp": AT, "data": {
        "content": "Looking.", "reasoningText": "Find it.",
        "toolRequests": [{"toolCallId": "t1", "name": "bash", "arguments": {"command": "git branch"}}]}},
    {"type": "tool.execution_complete", "id": "e3", "timestamp": AT,
     "data": {"toolCallId": "t1", "success": False, "result": {"content": "no branch"}}},
    {"type": "session.aurora", "id": "e4", "timestamp": AT, "data": {}},
]


def test_copilots_events_say_what_they_are(archive: Any, tmp_path: Path) -> None:
    counts = archive.counts(lines(tmp_path / "session-state/s1/events.jsonl", COPILOT))

    assert (counts.new, counts.unparsed) == (5, 0)
    assert told(archive) == [
        ("said", "human", None, "ship from main"), ("thought", "model", None, "Find it."),
        ("said", "model", None, "Looking."), ("called", "model", "bash", "bash\ncommand: git branch"),
        ("returned", "tool", "bash", "no branch")]
    assert [(info.id, info.scope) for info in sessions(archive.log)] == [("copilot-cli:s1", "tidepool")]


def test_copilots_older_file_of_a_session_adds_nothing(archive: Any, tmp_path: Path) -> None:
    archive.take(lines(tmp_path / "session-state/s1.jsonl", COPILOT[:3]))
    counts = archive.counts(lines(tmp_path / "session-state/s1/events.jsonl", COPILOT))

    assert (counts.new, counts.seen) == (2, 3)


# ---------------------------------------------------------------- Goose

GOOSE = [
    {"role": "user", "created": 1780300800, "content": [{"type": "text", "text": "ship from main"}]},
    {"role": "assistant", "created": 1780300801, "content": [
        {"type": "toolRequest", "id": "t1", "toolCall": {"status": "success", "value": {
            "name": "developer__shell", "arguments": {"command": "git branch"}}}}]},
    {"role": "user", "created": 1780300802, "content": [
        {"type": "toolResponse", "id": "t1", "toolResult": {"status": "success", "value": [
            {"type": "text", "text": "main"}]}}]},
]


def goose_file(folder: Path) -> Path:
    return lines(folder / "sessions/20260601_1.jsonl", [{"working_dir": "/home/ines/src/tidepool",
                                                         "description": "Shipping"}, *GOOSE])


def goose_database(folder: Path) -> Path:
    path = folder / "sessions/sessions.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("create table sessions (id, description, working_dir, updated_at)")
        db.execute("create table messages (id integer primary key, session_id, role, content_json, created_timestamp)")
        db.execute("insert into sessions values ('20260601_1', 'Shipping', '/home/ines/src/tidepool', 1)")
        db.executemany("insert into messages values (null, '20260601_1', ?, ?, ?)", [
            (each["role"], json.dumps(each["content"]), each["created"]) for each in GOOSE])
    return path


def test_gooses_messages_say_what_they_are(archive: Any, tmp_path: Path) -> None:
    counts = archive.counts(goose_file(tmp_path))

    assert counts.new == 4
    assert told(archive) == [
        ("said", "human", None, "ship from main"),
        ("called", "model", "developer__shell", "developer__shell\ncommand: git branch"),
        ("returned", "tool", "developer__shell", "main")]


def test_a_session_in_gooses_file_and_database_is_there_once(archive: Any, tmp_path: Path) -> None:
    archive.take(goose_file(tmp_path))
    counts = archive.counts(goose_database(tmp_path))

    assert (counts.new, counts.seen) == (0, 4)
    assert [(info.native, info.scope, info.title) for info in sessions(archive.log)] == [
        ("20260601_1", "tidepool", "Shipping")]


# ---------------------------------------------------------------- Cursor


def cursor_database(folder: Path) -> Path:
    return database(folder / "Cursor/User/globalStorage/state.vscdb", "cursorDiskKV", {
        "composerData:c1": {"composerId": "c1", "name": "Ship it", "createdAt": 1780300800000,
                            "fullConversationHeadersOnly": [{"bubbleId": "b2"}, {"bubbleId": "b1"}]},
        "bubbleId:c1:b1": {"bubbleId": "b1", "type": 2, "text": "From main.", "toolFormerData": {
            "name": "run_terminal_cmd", "toolCallId": "t1", "rawArgs": '{"command":"git branch"}', "result": "main"}},
        "bubbleId:c1:b2": {"bubbleId": "b2", "type": 1, "text": "where do we ship from?", "createdAt": AT},
        "bubbleId:c10:b9": {"bubbleId": "b9", "type": 1, "text": "of another chat"},
    })


def database(path: Path, table: str, rows: Mapping[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"create table if not exists {table} (key text primary key, value blob)")
        db.executemany(f"insert into {table} values (?, ?)", [(key, json.dumps(row)) for key, row in rows.items()])
    return path


def test_cursors_bubbles_come_in_the_order_of_their_chat(archive: Any, tmp_path: Path) -> None:
    counts = archive.counts(cursor_database(tmp_path))

    assert counts.new == 3
    assert told(archive) == [
        ("said", "human", None, "where do we ship from?"), ("said", "model", None, "From main."),
        ("called", "model", "run_terminal_cmd", "run_terminal_cmd\ncommand: git branch"),
        ("returned", "tool", "run_terminal_cmd", "main")]


def test_a_bubble_without_a_time_has_none(archive: Any, tmp_path: Path) -> None:
    archive.take(cursor_database(tmp_path))

    assert {m.text: m.at for m in archive.messages() if m.part is Part.SAID} == {
        "where do we ship from?": AT, "From main.": None}


def test_what_stands_around_a_query_is_cursors(archive: Any, tmp_path: Path) -> None:
    text = "<open_files>\na.py\n</open_files>\n<user_query>\nship from main\n</user_query>"
    archive.take(lines(tmp_path / "projects/home-ines-tidepool/agent-transcripts/s1/s1.jsonl", [
        {"role": "user", "message": {"content": [{"type": "text", "text": text}]}},
        {"role": "assistant", "message": {"content": [{"type": "text", "text": "Done."}]}}]))

    assert (archive.said("human"), archive.said("model")) == (["ship from main"], ["Done."])
    assert [info.scope for info in sessions(archive.log)] == ["home-ines-tidepool"]


TEXT = """user:
<open_files>
a.py
</open_files>
<user_query>
ship from main
</user_query>

assistant:
[Thinking] They want to ship.
I look first.
[Tool call] Shell
  command: rhizome search branch
  description: Look

[Tool result] Shell
main

assistant:
Done.

user:
<user_query>thanks</user_query>
"""


def take_later(archive: Any, path: Path) -> Counts:
    """Import at a time at which no text grows any more."""
    return import_paths(archive.log, [path], index=archive.index, key=b"k" * 32, door=Door(b"k" * 32),
                        now=datetime(2100, 1, 1, tzinfo=UTC)).total


def older_transcript(folder: Path, text: str = TEXT) -> Path:
    path = folder / "projects/home-ines-tidepool/agent-transcripts/s1.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_an_older_transcript_of_cursor_is_a_text(archive: Any, tmp_path: Path) -> None:
    path = older_transcript(tmp_path)
    first = take_later(archive, path)

    assert (first.new, first.unparsed, take_later(archive, path).new) == (4, 0, 0)
    assert [told for told in told(archive) if "open_files" not in told[3]] == [
        ("said", "human", None, "ship from main"), ("thought", "model", None, "They want to ship."),
        ("said", "model", None, "I look first."),
        ("called", "model", "Shell", "Shell\n  command: rhizome search branch\n  description: Look"),
        ("returned", "memory", "Shell", "main"), ("said", "model", None, "Done."), ("said", "human", None, "thanks")]
    assert [(info.id, info.scope) for info in sessions(archive.log)] == [("cursor:s1", "home-ines-tidepool")]


def test_an_older_transcript_that_grew_adds_what_came(archive: Any, tmp_path: Path) -> None:
    take_later(archive, older_transcript(tmp_path))
    counts = take_later(archive, older_transcript(tmp_path, TEXT + "\nassistant:\nYou are welcome.\n"))

    assert (counts.new, counts.seen, counts.revised) == (1, 4, 0)


def test_an_older_transcript_beside_the_newer_one_adds_nothing(archive: Any, tmp_path: Path) -> None:
    lines(tmp_path / "projects/home-ines-tidepool/agent-transcripts/s1/s1.jsonl", [
        {"role": "user", "message": {"content": [{"type": "text", "text": "ship from main"}]}}])
    older_transcript(tmp_path)

    assert take_later(archive, tmp_path).new == 1
    assert archive.said("human") == ["ship from main"]


def test_the_oldest_chats_hold_their_bubbles_themselves(archive: Any, tmp_path: Path) -> None:
    said = [{"bubbleId": "b1", "type": 1, "text": "where do we ship from?"},
            {"bubbleId": "b2", "type": 2, "text": "Main."}]
    path = database(tmp_path / "Cursor/User/globalStorage/state.vscdb", "cursorDiskKV", {
        "composerData:c1": {"composerId": "c1", "conversation": said[:1], "conversationMap": {"b2": said[1]}}})
    first = archive.counts(path)
    database(path, "cursorDiskKV", {f"bubbleId:c1:{each['bubbleId']}": each for each in said})

    assert (first.new, archive.counts(path).new) == (3, 0)
    assert (archive.said("human"), archive.said("model")) == (["where do we ship from?"], ["Main."])


def test_a_workspaces_chat_panel_is_a_session_a_tab(archive: Any, tmp_path: Path) -> None:
    place = tmp_path / ".config/Cursor/User/workspaceStorage/a1b2"
    path = database(place / "state.vscdb", "ItemTable", {
        "workbench.panel.aichat.view.aichat.chatdata": {"tabs": [
            {"tabId": "t1", "chatTitle": "Ship it", "bubbles": [
                {"type": "user", "id": "b1", "text": "where do we ship from?"},
                {"type": "ai", "id": "b2", "rawText": "Main."}]},
            {"tabId": "t2", "bubbles": []}]},
        "unrelated": {"tabs": 3}})
    (place / "workspace.json").write_text('{"folder": "file:///home/ines/src/tidepool"}', encoding="utf-8")

    assert archive.counts(*detected({}, tmp_path)).new == 3
    assert archive.counts(path).new == 0
    assert (archive.said("human"), archive.said("model")) == (["where do we ship from?"], ["Main."])
    assert [(info.id, info.scope, info.title) for info in sessions(archive.log)] == [
        ("cursor:t1", "tidepool", "Ship it")]


def test_a_chat_at_the_terminal_is_its_messages(archive: Any, tmp_path: Path) -> None:
    path = tmp_path / ".cursor/chats/f00d/5e55/store.db"
    path.parent.mkdir(parents=True)
    query = "<user_query>ship from main</user_query>"
    blobs = [json.dumps({"role": "user", "content": [{"type": "text", "text": query}]}).encode(), b"\x0a\x20tree",
             json.dumps({"id": "1", "role": "assistant", "content": [{"type": "text", "text": "Done."}]}).encode()]
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("create table blobs (id text primary key, data blob)")
        db.executemany("insert into blobs values (?, ?)", [(str(n), blob) for n, blob in enumerate(blobs)])

    assert archive.counts(*detected({}, tmp_path)).new == 2
    assert (archive.said("human"), archive.said("model")) == (["ship from main"], ["Done."])
    assert [info.id for info in sessions(archive.log)] == ["cursor:5e55"]


# ---------------------------------------------------------------- VS Code

REQUEST: dict[str, Any] = {"requestId": "r1", "timestamp": 1780300800000, "message": {"text": "where do we ship from?"},
                           "response": [{"value": "From "}, {"value": "main."}]}


def workspace(folder: Path) -> Path:
    place = folder / "User/workspaceStorage/a1b2"
    (place / "chatSessions").mkdir(parents=True)
    (place / "workspace.json").write_text('{"folder": "file:///home/ines/src/tide%20pool"}', encoding="utf-8")
    return place / "chatSessions"


def test_a_request_of_vs_code_is_a_record_with_its_answer(archive: Any, tmp_path: Path) -> None:
    path = workspace(tmp_path) / "s1.json"
    path.write_text(json.dumps({"sessionId": "s1", "customTitle": "Ship", "requests": [REQUEST]}), encoding="utf-8")
    counts = archive.counts(path)

    assert counts.new == 2
    assert told(archive) == [("said", "human", None, "where do we ship from?"), ("said", "model", None, "From main.")]
    assert [(info.scope, info.title) for info in sessions(archive.log)] == [("tide pool", "Ship")]


def test_a_log_of_operations_is_read_as_what_it_builds(archive: Any, tmp_path: Path) -> None:
    path = lines(workspace(tmp_path) / "s1.jsonl", [
        {"kind": 0, "v": {"sessionId": "s1", "requests": []}},
        {"kind": 2, "k": ["requests"], "v": [{**REQUEST, "response": [{"value": "Fr"}]}]},
        {"kind": 1, "k": ["requests", 0, "response"], "v": REQUEST["response"]},
        {"kind": 1, "k": ["requests", 7, "response"], "v": []}])
    first = archive.counts(path)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"kind": 2, "k": ["requests", 0, "response"], "v": [{"value": " Always."}]}) + "\n")
    second = archive.counts(path)

    assert (first.new, second.new, second.revised) == (5, 1, 1)
    assert archive.said("model") == ["From main. Always."]
