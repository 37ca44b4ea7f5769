"""Many small files are one append; whoever appends meanwhile costs time and nothing else."""

import json
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from rhizome.errors import Conflict
from rhizome.log.door import Door
from rhizome.log.file_log import FileLog
from rhizome.log.files import Files
from rhizome.log.importing import ImportReport, import_paths
from rhizome.log.memory_log import MemoryLog
from rhizome.log.port import EventLog
from rhizome.model import Event

KEY = b"k" * 32
FILES = 20


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Small sessions; each begins with a record that all of them share."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    for n in range(FILES):
        rows: list[dict[str, Any]] = [
            {"type": "user", "uuid": "shared", "message": {"role": "user", "content": "hello"}},
            {"type": "mode", "mode": f"m{n}"}]
        text = "".join(json.dumps({**row, "sessionId": f"s{n}", "cwd": "/nowhere/tide"}) + "\n" for row in rows)
        (folder / f"s{n:02}.jsonl").write_text(text, "utf-8")
    return folder


class Syncs(Files):
    """Files that count their syncs."""

    count = 0

    def fsync(self, file: int) -> None:
        self.count += 1
        super().fsync(file)


class Busy:
    """A log that another process appends to whenever this one is about to; in all so many times."""

    def __init__(self, log: EventLog, times: int) -> None:
        self._log, self._left = log, count(times, -1)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def append(self, events: Iterable[Event], expected_seq: int | None = None) -> int:
        given = list(events)
        if given and (left := next(self._left)) > 0:
            self._log.append([Event(kind="note.saved", id=f"{left:032x}")])
        return self._log.append(given, expected_seq)


def take(log: Any, small: Path) -> ImportReport:
    return import_paths(log, [small], index=small.parent / "index", key=KEY, door=Door(KEY))


def lineage(log: EventLog) -> dict[str, list[str]]:
    """Which records each session is said to hold."""
    told: dict[str, list[str]] = {}
    for seen in log.read(kinds={"source.seen"}):
        for home, first, last in seen.fields["members"]:
            told.setdefault(str(seen.session), []).extend(event.id for event in log.span(home, first, last))
    return told


def test_many_small_files_are_synced_together(opened: Callable[..., FileLog], small: Path) -> None:
    files = Syncs()

    report = take(opened(files=files), small)

    assert (report.total.new, report.total.seen) == (FILES + 1, FILES - 1)
    assert files.count < FILES


@pytest.mark.parametrize("times", [1, 2, 7])
def test_whoever_appends_meanwhile_costs_no_record_and_no_member(
        opened: Callable[..., FileLog], small: Path, tmp_path: Path, times: int) -> None:
    alone = opened(root=tmp_path / "alone")
    expected, log = take(alone, small), opened()
    (small.parent / "index" / "sources.db").unlink()

    report = take(Busy(log, times), small)

    assert report == expected
    assert lineage(log) == lineage(alone)
    assert all(len(ids) == 2 for ids in lineage(log).values())
    assert (take(log, small).total.new, log.damage()) == (0, ())


def test_what_was_gathered_and_never_appended_is_not_remembered(opened: Callable[..., FileLog], small: Path) -> None:
    def stop(_path: Path, done: int, _of: int) -> None:
        if done == FILES // 2:
            raise KeyboardInterrupt

    log = opened()
    with pytest.raises(KeyboardInterrupt):
        import_paths(log, [small], index=small.parent / "index", key=KEY, door=Door(KEY), on_file=stop)
    assert log.head.seq == 0

    assert take(log, small).total.new == FILES + 1


def test_a_torn_tail_is_repaired_before_places_are_counted(opened: Callable[..., FileLog], small: Path) -> None:
    log = opened()
    log.append([Event(kind="note.saved", id="a" * 32)])
    segment = next((small.parent / "log").rglob("0*.jsonl"))
    with segment.open("ab") as file:
        file.write(b'{"v":1,"seq":2,"id"')

    report = take(opened(), small)

    assert report.total.new == FILES + 1
    assert all(len(ids) == 2 for ids in lineage(log).values())
    assert [event.kind for event in log.read(kinds={"tail.repaired"})] == ["tail.repaired"]


class Losing(MemoryLog):
    """A log that takes one event less than it is given."""

    def append(self, events: Iterable[Event], expected_seq: int | None = None) -> int:
        return super().append(list(events)[:-1], expected_seq)


def test_a_log_that_takes_fewer_events_than_it_is_given_is_an_error(tmp_path: Path) -> None:
    chat = tmp_path / "chat.jsonl"
    chat.write_text('{"role": "user", "content": "one"}\n{"role": "user", "content": "two"}\n', "utf-8")

    with pytest.raises(Conflict, match=r"chat\.jsonl"):
        import_paths(Losing(), [chat], index=tmp_path, key=b"k" * 32, door=Door(b"k" * 32))
