"""Chats without a harness: conversations and messages in JSON Lines, and plain text."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from rhizome.errors import RhizomeError
from rhizome.log.door import Door
from rhizome.log.importing import import_paths
from rhizome.log.sessions import sessions
from rhizome.model import Origin, Part

MEMORY = {"id": "c1", "function": {"name": "mcp__rhizome__search", "arguments": "{}"}}


def lines(path: Path, *values: Mapping[str, Any]) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


@pytest.mark.parametrize(("name", "events"), [("messages.jsonl", 5), ("flat.jsonl", 5)])
def test_a_line_is_an_event_and_equal_lines_are_two(archive: Any, samples: Path, name: str, events: int) -> None:
    counts = archive.counts(samples / "generic" / name)

    assert (counts.new, counts.seen, counts.unparsed, counts.pending) == (events, 0, 0, 0)


def test_times_are_read_from_epochs_and_text_and_never_made_up(archive: Any, samples: Path) -> None:
    archive.take(samples / "generic" / "flat.jsonl")

    assert [event.happened_at for event in archive.records] == [
        "2025-11-03T10:00:00.000000Z", "2025-11-03T10:00:03.000000Z", "2025-11-03T10:01:40.000000Z",
        "2026-11-03T10:05:00+01:00", None]


def test_results_find_their_calls_in_any_order(archive: Any, samples: Path) -> None:
    archive.take(samples / "generic" / "messages.jsonl")
    returned = [(m.tool, m.text) for m in archive.messages() if m.part is Part.RETURNED]

    assert returned == [("clock", "2026-11-02T08:00:00Z"),
                        ("oncall_lookup", '{"primary":"Noor","until":"2026-11-02T09:00:00Z"}')]


def test_what_a_memory_returned_is_nobodys_word(archive: Any, tmp_path: Path) -> None:
    archive.take(lines(tmp_path / "a.jsonl", {"messages": [
        {"role": "user", "content": "where do we ship from?"}, {"role": "assistant", "tool_calls": [MEMORY]},
        {"role": "tool", "tool_call_id": "c1", "content": "from main"}]}))

    assert [m.origin for m in archive.messages() if m.part is Part.RETURNED] == [Origin.MEMORY]


def test_the_prompts_of_one_line_are_one_turn(archive: Any, samples: Path) -> None:
    archive.take(samples / "generic" / "messages.jsonl")
    turn = archive.turns()[2]

    assert [m.text for m in turn.messages if m.origin == Origin.HUMAN] == [
        "The alert threshold for ferry delay is 20 minutes.", "Make it 12 minutes, 20 woke nobody up in time."]


def test_a_line_added_to_a_chat_is_the_only_new_one(archive: Any, copied: Path) -> None:
    path = copied / "generic" / "flat.jsonl"
    archive.take(path)
    with path.open("a", encoding="utf-8") as file:
        file.write('\n{"role":"user","content":"and the legend?"}\n')
    counts = archive.counts(path)

    assert (counts.new, counts.seen) == (1, 5)


def test_lines_of_a_chat_that_continue_belong_to_whoever_spoke(archive: Any, samples: Path) -> None:
    archive.take(samples / "plain-text")
    said = archive.said("human")

    assert len(said) == 5
    assert said[2] == "ok, pin 4.2 in the rollout sheet\n  (continued) and tell the warehouse"


def test_a_record_of_a_text_names_its_place(archive: Any, samples: Path) -> None:
    archive.take(samples / "plain-text")
    event = archive.records[1]
    file = (samples / "plain-text" / event.source.path).read_bytes()

    assert file[event.source.offset : event.source.offset + event.source.length].decode() == event.body
    assert event.happened_at == "2026-11-05 09:01"


def test_chats_that_lie_together_are_one_project(archive: Any, samples: Path) -> None:
    archive.take(samples / "generic", samples / "plain-text")

    assert {info.native: info.scope for info in sessions(archive.log)} == {
        "flat": "generic", "messages": "generic", "standup-2026-11-05": "plain-text"}


def test_named_text_without_speakers_is_nobodys_word(archive: Any, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Ship from main.\n\nNever on a Friday.\n", encoding="utf-8")
    archive.take(path)

    assert [(m.origin, m.text) for m in archive.messages()] == [
        (Origin.TOOL, "Ship from main."), (Origin.TOOL, "Never on a Friday.")]


def test_in_a_folder_only_texts_that_look_like_a_chat_are_taken(archive: Any, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "build.log").write_text("2026-11-05 09:00 INFO: ok\n2026-11-05 09:01 ERROR: no\n", encoding="utf-8")
    (folder / "notes.txt").write_text("Ship from main.\n", encoding="utf-8")
    report = archive.take(folder)

    assert (report.total.new, report.skipped) == (0, 2)


def test_a_named_file_that_is_no_text_is_refused(archive: Any, tmp_path: Path) -> None:
    path = tmp_path / "photo.png"
    path.write_bytes(b"\x89PNG\r\n\0")

    with pytest.raises(RhizomeError, match="not a session"):
        archive.take(path)


def test_the_end_of_a_text_waits_until_it_has_stood_still(archive: Any, tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("user: ship from main\nassistant: I wi", encoding="utf-8")
    first = archive.counts(path)
    settled = import_paths(archive.log, [path], index=tmp_path / "other", key=b"k" * 32, door=Door(b"k" * 32),
                           now=datetime(2100, 1, 1, tzinfo=UTC)).total

    assert (first.new, first.pending) == (1, 1)
    assert (settled.new, settled.seen, settled.pending) == (1, 1, 0)


def test_an_end_that_was_taken_and_grew_is_the_same_record(archive: Any, tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("user: ship from main\nassistant: I wi", encoding="utf-8")
    import_paths(archive.log, [path], index=tmp_path / "other", key=b"k" * 32, door=Door(b"k" * 32),
                 now=datetime(2100, 1, 1, tzinfo=UTC))
    path.write_text("user: ship from main\nassistant: I will.\n", encoding="utf-8")
    counts = archive.counts(path)

    assert (counts.new, counts.revised, counts.seen) == (0, 1, 1)
    assert archive.said("model") == ["I will."]
