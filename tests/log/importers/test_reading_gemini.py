"""Gemini CLI: two files of one session, rewound turns, masked output, subagents."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rhizome.log.sessions import says, sessions
from rhizome.model import Part

SESSION = "gemini-cli:7cab6d16-a733-4d43-9757-504337dd4a92"


@pytest.fixture
def pair(samples: Path) -> Sequence[Path]:
    """The file of old and the append log of one session."""
    return sorted((samples / "gemini-cli/tmp/orchard-labels/chats").glob("session-*"))


@pytest.mark.parametrize("old_first", [True, False])
def test_two_files_of_one_session_add_no_second_copy(archive: Any, pair: Sequence[Path], old_first: bool) -> None:
    for path in pair if old_first else pair[::-1]:
        archive.take(path)

    assert len({event.id for event in archive.records}) == 17
    assert len(archive.records) == 19


def test_a_log_alone_has_the_expected_events_and_revisions(archive: Any, pair: Sequence[Path]) -> None:
    counts = archive.counts(pair[1])

    assert (counts.new, counts.revised, counts.unparsed, counts.pending) == (17, 2, 0, 0)


@pytest.mark.parametrize("old_first", [True, False])
def test_importing_again_appends_nothing(archive: Any, pair: Sequence[Path], old_first: bool) -> None:
    for path in pair if old_first else pair[::-1]:
        archive.take(path)
    head = archive.log.head
    archive.forget_cursors()
    for path in pair:
        archive.take(path)

    assert head == archive.log.head


def test_a_rewound_turn_is_kept_and_flagged(archive: Any, samples: Path) -> None:
    archive.take(samples / "gemini-cli")
    rewound = [m.text for m in archive.messages(SESSION) if "rewound" in m.flags]

    assert rewound == ["Validate the label JSON with zod.", "Added zod and a schema for labels."]


def test_output_that_was_masked_later_is_read_in_full(archive: Any, pair: Sequence[Path]) -> None:
    archive.take(pair[1])
    returned = [m for m in archive.messages(SESSION) if m.part is Part.RETURNED]

    assert [m.text for m in returned] == ["Packages: +214\nDone in 3.1s"]
    assert "Packages: +214" in says(archive.log.get(returned[0].event))


def test_a_context_nobody_typed_is_the_harnesss(archive: Any, samples: Path) -> None:
    archive.take(samples / "gemini-cli")

    assert [text[:17] for text in archive.said("harness", SESSION)] == ["<session_context>"]
    assert not [text for text in archive.said("human", SESSION) if "session_context" in text]


def test_a_subagent_belongs_to_its_parents_turn(archive: Any, samples: Path) -> None:
    archive.take(samples / "gemini-cli")
    *_, last = archive.turns(SESSION)
    aside = [m for m in last.messages if "sidechain" in m.flags]

    assert last.messages[0].text.startswith("Correction: the stock is die-cut")
    assert [m.text for m in aside if m.part is Part.SAID and m.origin == "model"] == [
        "Find which printer driver file sets the margins.",
        "Margins are set in src/driver/brother.ts, constant MARGIN_MM = 3."]


def test_the_project_is_known_by_the_list_of_projects(archive: Any, samples: Path) -> None:
    archive.take(samples / "gemini-cli")
    [info] = sessions(archive.log)

    assert (info.scope, info.cwd, info.title) == (
        "orchard-labels", "/home/kai/src/orchard-labels", "Label printing setup")


def test_rewinding_to_what_is_not_there_takes_everything_back(archive: Any, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    rows = [{"sessionId": "s", "projectHash": "h"},
            {"id": "1", "timestamp": "2026-10-25T10:00:00Z", "type": "user", "content": "ship from main"},
            {"$rewindTo": "gone"},
            {"id": "2", "timestamp": "2026-10-25T10:01:00Z", "type": "user", "content": "ship from release"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    archive.take(path)

    assert [(m.text, set(m.flags)) for m in archive.messages() if m.origin == "human"] == [
        ("ship from main", {"rewound"}), ("ship from release", set())]


def test_a_file_of_old_that_is_half_written_is_named_and_read_when_it_is_whole(archive: Any, copied: Path) -> None:
    path = next((copied / "gemini-cli").rglob("session-*.json"))
    whole = path.read_bytes()
    path.write_bytes(whole[:900])
    report = archive.take(path)
    path.write_bytes(whole)

    assert [name for name, _ in report.problems] == [str(path)]
    assert archive.counts(path).new == 4


def test_what_was_typed_is_told_from_what_was_made_of_it(archive: Any, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    rows = [{"sessionId": "s", "projectHash": "h"},
            {"id": "1", "timestamp": "2026-10-25T10:00:00Z", "type": "user", "content": "read @a.md\n--- a.md ---\nnpm",
             "displayContent": "read @a.md"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    archive.take(path)

    assert archive.said("human") == ["read @a.md"]
