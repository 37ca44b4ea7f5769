"""What the log keeps of the files its records came from, and what a projection of it may lose."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rhizome.log.lineage import Lineage, earlier, joined
from rhizome.log.memory_log import MemoryLog
from rhizome.log.port import EventLog
from rhizome.log.sessions import says, sessions
from rhizome.model import Event, Source


def test_spans_that_continue_each_other_are_one() -> None:
    assert joined([("a", 1, 2), ("a", 3, 3), ("b", 4, 4), ("a", 5, 6)]) == [("a", 1, 3), ("b", 4, 4), ("a", 5, 6)]


@pytest.mark.parametrize(("one", "other", "told"), [
    ("2026-01-02", "2026-01-01", "2026-01-01"),
    ("2026-01-01T00:00:00+09:00", "2026-01-01", "2026-01-01T00:00:00+09:00"),
    (None, "2026-01-01", "2026-01-01"), ("9e99", "2026-01-01", "2026-01-01"), ("2026-01-01", None, "2026-01-01"),
])
def test_the_earlier_of_two_times_is_the_earlier_instant(one: str | None, other: str | None, told: str) -> None:
    assert earlier(one, other) == told


def test_a_project_of_a_taken_name_takes_its_parents_too() -> None:
    lineage = Lineage(projects={"api": "/x/mine/api", "theirs/api": "/y/theirs/api"})

    assert [lineage.scope(path) for path in ("/x/mine/api", "/x/theirs/api", "/z/ours/api", r"C:\dev\tide")] == [
        "api", "x/theirs/api", "ours/api", "tide"]


def test_a_source_is_told_before_its_records_and_in_the_same_append(archive: Any, samples: Path) -> None:
    archive.take(samples / "codex")
    kinds = [event.kind for event in archive.log.read()]
    seen = [event for event in archive.log.read() if event.kind == "source.seen"]

    assert kinds[0] == "source.seen"
    assert all(event.fields["members"] for event in seen)


def test_members_name_each_record_of_a_file_once_in_its_order(archive: Any, samples: Path) -> None:
    archive.take(samples / "claude-code", samples / "codex")
    lineage = Lineage.of(archive.log)
    for container in lineage.containers.values():
        events = [event.id for event in container.events(archive.log)]

        assert len(events) == len(set(events))
    assert sum(len(list(c.events(archive.log))) for c in lineage.containers.values()) == 43 + 4 + 24 + 64 + 42


def test_a_tail_the_log_repairs_meanwhile_loses_no_member(archive: Any, tmp_path: Path, samples: Path) -> None:
    archive.take(samples / "claude-code")
    for segment in (tmp_path / "log").rglob("*.jsonl"):
        with segment.open("ab") as file:
            file.write(b'{"v":1,"seq":')
    archive.take(samples / "codex")
    archive.forget_cursors()

    assert archive.counts(samples / "codex").new == 0
    assert [len(archive.turns(info.id)) for info in sessions(archive.log) if info.harness == "codex"] == [5, 3]


def test_an_import_that_stopped_halfway_is_completed_by_the_next(archive: Any, samples: Path) -> None:
    class Stops:
        """A log whose second append never comes back."""

        def __init__(self) -> None:
            self.appends = 0

        def __getattr__(self, name: str) -> Any:
            return getattr(archive.log, name)

        def append(self, events: list[Event], expected_seq: int | None = None) -> int:
            self.appends += 1
            if self.appends == 2:
                raise KeyboardInterrupt
            return int(archive.log.append(events, expected_seq))

    halfway = type(archive)(Stops(), archive.index)
    with pytest.raises(KeyboardInterrupt):
        halfway.take(samples / "claude-code", samples / "codex")

    archive.take(samples / "claude-code", samples / "codex")
    assert len(archive.records) == 71 + 75


@pytest.mark.parametrize("content", [b"", b"no database at all, " * 100])
def test_cursors_that_cannot_be_read_are_begun_anew(archive: Any, samples: Path, content: bytes) -> None:
    first = archive.counts(samples)
    (archive.index / "sources.db").write_bytes(content)
    second = archive.counts(samples)

    assert (second.new, second.seen) == (0, first.new + first.seen + first.revised)


def test_a_cwd_that_turns_up_later_is_told_then(archive: Any, tmp_path: Path) -> None:
    mode = json.dumps({"type": "mode", "mode": "a", "sessionId": "s"}) + "\n"
    (tmp_path / "s.jsonl").write_text(mode, encoding="utf-8")
    archive.take(tmp_path / "s.jsonl")
    later = json.dumps({"type": "mode", "mode": "b", "sessionId": "s", "cwd": "/nowhere/tide"}) + "\n"
    (tmp_path / "s.jsonl").write_text(mode + later, encoding="utf-8")
    archive.take(tmp_path / "s.jsonl")

    assert [info.scope for info in sessions(archive.log)] == ["tide"]


def test_two_homes_that_imported_one_session_read_it_once(
    opened: Callable[..., EventLog], archive: Any, samples: Path, tmp_path: Path,
) -> None:
    one, other = opened("0a0b0c0d"), opened("11111111", root=tmp_path / "elsewhere")
    for log, index in ((one, tmp_path / "a"), (other, tmp_path / "b")):
        type(archive)(log, index).take(samples / "codex")
    shutil.copytree(tmp_path / "elsewhere" / "log" / "11111111", tmp_path / "log" / "11111111")
    both = type(archive)(one, tmp_path / "c")

    assert both.counts(samples / "codex").new == 0
    assert [len(both.turns(info.id)) for info in sessions(one)] == [5, 3]
    assert len(both.said("human")) == 4 + 3


def test_a_session_of_an_unknown_harness_is_shown_as_it_is(archive: Any) -> None:
    source = Source("new", "s")
    record = Event(kind="session.record", id="ab" * 16, session="new:s", source=source, body='{"says": "hi"}')
    seen = {"harness": "new", "container": "s", "path": "s", "members": [[archive.log.home, 2, 2]]}
    archive.log.append([Event(kind="source.seen", id="cd" * 16, session="new:s", body=seen), record])

    assert [(message.part, message.origin, message.text) for message in archive.messages()] == [
        ("unknown", "harness", '{"says": "hi"}')]
    assert says(archive.log.get(record.id)) == '{"says": "hi"}'
    assert archive.turns() == []


def test_cursors_of_a_log_that_was_set_back_are_not_believed(archive: Any, samples: Path) -> None:
    archive.take(samples / "codex")
    restored = type(archive)(MemoryLog(archive.log.home), archive.index)

    assert restored.counts(samples / "codex").new == 75
