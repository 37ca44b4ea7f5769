"""The sample trees import with exactly the counts that were worked out for them, once."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from rhizome.log.door import Door
from rhizome.log.importing import Counts, import_paths
from rhizome.log.sessions import sessions


@pytest.fixture(scope="module")
def expected(samples: Path) -> dict[str, Any]:
    return dict(json.loads((samples / "expected_import.json").read_text(encoding="utf-8")))


TREES = {
    "claude-code": (71, 4, 0), "codex": (75, 31, 0), "gemini-cli": (17 + 3, 8, 2), "opencode": (1 + 8 + 15, 0, 0),
    "pi": (21, 0, 0), "cline": (8 + 12, 0, 0), "chatgpt-export": (2 + 17, 0, 0), "generic": (5 + 5, 0, 0),
    "specstory": (1 + 4, 0, 0), "plain-text": (5, 0, 0), "aider": (20, 0, 0),
}
"""New, seen and revised of each tree. What a session says of itself (OpenCode, ChatGPT, SpecStory) is a record too."""
TAKEN_BACK = {"mirror", "meta", "summary", "aborted", "rolled_back", "rewound", "abandoned"}
NOWHERE = ("RocksDB", "with zod.", "in Redis.", "1000 reais, s")


def counted(counts: Counts, expected: dict[str, int]) -> dict[str, int]:
    return {name: value for name, value in asdict(counts).items() if name in expected}


@pytest.mark.parametrize("harness", ["claude-code", "codex"])
def test_a_tree_imports_with_the_expected_counts(
    archive: Any, samples: Path, expected: dict[str, Any], harness: str,
) -> None:
    report = archive.take(samples / harness)

    assert expected["totals"][harness] == counted(report.sources[harness], expected["totals"][harness])


@pytest.mark.parametrize("tree", TREES)
def test_every_tree_imports_with_counts_of_its_own(archive: Any, samples: Path, tree: str) -> None:
    report = archive.take(samples / tree)

    assert (report.total.new, report.total.seen, report.total.revised) == TREES[tree]
    assert report.problems == ()


def test_every_expected_fact_is_said_by_who_is_said_to_have_said_it(archive: Any, samples: Path) -> None:
    facts = json.loads((samples / "expected.json").read_text(encoding="utf-8"))
    import_paths(archive.log, [samples], index=archive.index, key=b"k" * 32, door=Door(b"k" * 32),
                 now=datetime(2100, 1, 1, tzinfo=UTC))
    said = [(m.origin, m.text.casefold()) for m in archive.messages() if not m.flags & TAKEN_BACK]
    missing = [fact["fact_key"] for fact in facts if fact.get("value_in_source", True) and not any(
        origin == fact["asserted_by"] and fact["value"].casefold() in text for origin, text in said)]

    assert missing == ["kettle-metrics|scrape_interval"]  # stands in the database only, see test_reading_opencode.py


@pytest.mark.parametrize("words", NOWHERE)
def test_what_was_taken_back_is_nobodys_last_word(archive: Any, samples: Path, words: str) -> None:
    archive.take(samples)
    flags = [m.flags & TAKEN_BACK for m in archive.messages() if words in m.text and m.origin == "human"]

    assert flags
    assert all(flags)


@pytest.mark.parametrize("with_cursors", [True, False])
def test_a_second_import_appends_nothing(archive: Any, samples: Path, with_cursors: bool) -> None:
    first, head = archive.counts(samples), archive.log.head
    if not with_cursors:
        archive.forget_cursors()
    second = archive.counts(samples)

    assert head == archive.log.head
    assert (0, first.new + first.seen + first.revised, 0) == (second.new, second.seen, second.attached)


def test_the_report_of_a_second_import_does_not_depend_on_the_index(archive: Any, samples: Path) -> None:
    archive.take(samples)
    with_cursors = archive.take(samples)
    archive.forget_cursors()

    assert with_cursors == archive.take(samples)


@pytest.mark.parametrize("fork_first", [True, False])
def test_a_fork_adds_only_its_own_records_whichever_comes_first(
    archive: Any, codex_pair: Sequence[Path], fork_first: bool,
) -> None:
    one, other = codex_pair[::-1] if fork_first else codex_pair
    first, second = archive.counts(one), archive.counts(other)

    assert (first.new + second.new, first.seen + second.seen) == (75, 31)


@pytest.mark.parametrize("fork_first", [True, False])
def test_a_fork_never_makes_a_turn_look_newer(archive: Any, codex_pair: Sequence[Path], fork_first: bool) -> None:
    for path in codex_pair[::-1] if fork_first else codex_pair:
        archive.take(path)
    at = {message.at for message in archive.messages() if "rust-version to 1.78" in message.text}

    assert {"2026-10-22T08:15:36.200Z", "2026-10-22T08:15:36.600Z"} == at


@pytest.mark.parametrize("fork_first", [True, False])
def test_a_fork_shows_its_parents_turns_under_the_same_ids(
    archive: Any, codex_pair: Sequence[Path], fork_first: bool,
) -> None:
    for path in codex_pair[::-1] if fork_first else codex_pair:
        archive.take(path)
    parent = [turn.id for turn in archive.turns("codex:019f4a23-0edd-7a9f-bf83-ac1e05773d35")]
    fork = [turn.id for turn in archive.turns("codex:019f4a4f-e51c-7059-8ed1-8904ec489fe2")]

    assert (len(parent), len(fork)) == (5, 3)
    assert parent[:2] == fork[:2]
    assert fork[2] not in parent


def test_secrets_vanish_wherever_the_record_repeats_them(archive: Any, samples: Path, expected: dict[str, Any]) -> None:
    redacted = archive.counts(samples).redacted
    kept = [str(event.body) for event in archive.log.read()]

    assert redacted == 4
    assert not [line for line in kept for each in expected["redact"] if each["literal"] in line]


def test_side_files_belong_to_the_record_that_names_them(archive: Any, samples: Path, expected: dict[str, Any]) -> None:
    archive.take(samples / "claude-code")
    lines = {event.id: event.body for event in archive.records}
    by_name = {event.fields["name"]: event.fields for event in archive.kinds("source.attached")}

    assert {Path(each["file"]).name for each in expected["attached"]} == by_name.keys()
    output = by_name["toolu_01WBMRATHAODLCGRABFVLIRT.txt"]
    assert "toolu_01WBMRATHAODLCGRABFVLIRT" in lines[output["owner"]]
    assert "test_window[000] PASSED" in output["text"]
    assert "a7c31e9" in lines[by_name["agent-a7c31e9.meta.json"]["owner"]]


def test_a_record_keeps_the_harnesss_own_line_and_where_it_stood(archive: Any, samples: Path) -> None:
    archive.take(samples / "codex")
    event = archive.records[5]
    file = samples / "codex" / event.source.path
    line = file.read_bytes()[event.source.offset : event.source.offset + event.source.length]

    assert line.decode() == event.body
    assert json.loads(line)["timestamp"] == event.happened_at


def test_what_is_no_session_is_skipped_and_counted(archive: Any, copied: Path) -> None:
    (copied / "generic" / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (copied / "generic" / "package.json").write_text('{"name": "ferrywatch"}\n', encoding="utf-8")
    report = archive.take(copied / "generic")

    assert (report.skipped, report.problems) == (2, ())


def test_sessions_know_their_project_parent_and_title(archive: Any, samples: Path) -> None:
    archive.take(samples)
    told = {info.native[:8]: (info.harness, info.scope, info.title) for info in sessions(archive.log)}
    parents = {info.id: info.parent for info in sessions(archive.log) if info.parent}

    assert told["87237015"] == ("claude-code", "tidepool", "Harbour gauge units fixed, dev port moved to 8087")
    assert told["a6fcd94d"][:2] == ("claude-code", "lantern-queue")
    assert parents == {"codex:019f4a4f-e51c-7059-8ed1-8904ec489fe2": "codex:019f4a23-0edd-7a9f-bf83-ac1e05773d35"}
