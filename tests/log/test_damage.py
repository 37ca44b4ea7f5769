"""Damage is named, readable events are served all the same, and the catalog never hides it."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from rhizome.errors import Damaged, NotFound
from rhizome.log import chain, segments
from rhizome.log.file_log import FileLog
from rhizome.log.verify import verify
from rhizome.model import Event

HOME = "0a0b0c0d"
SEGMENT = "2026/03/000000000001.jsonl"
Opened = Callable[..., FileLog]


def event(text: str, kind: str = "session.record") -> Event:
    return Event(kind=kind, id=text.encode().hex().ljust(32, "0")[:32], body=text, session="s")


def texts(log: FileLog) -> list[object]:
    return [each.body for each in log.read(kinds={"session.record"})]


def change(path: Path, old: bytes, new: bytes) -> None:
    """Change bytes in place, as a disk or a person would, and let time pass."""
    content = path.read_bytes()
    assert old in content
    with path.open("r+b") as file:
        file.write(content.replace(old, new))
        file.truncate()
    os.utime(path, ns=(1, path.stat().st_mtime_ns + 1_000_000_000))


@pytest.fixture
def segment(opened: Opened, tmp_path: Path) -> Path:
    """A segment with the events one, two, three and four, the third of them a note.saved."""
    opened().append([event("one"), event("two"), event("three", "note.saved"), event("four")])
    return tmp_path / "log" / HOME / SEGMENT


def test_a_changed_payload_is_named_left_out_and_never_served(opened: Opened, segment: Path) -> None:
    log = opened()
    start = segment.read_bytes().index(b"\n") + 1
    change(segment, b'"two"', b'"tow"')

    (found,) = log.damage()

    assert (found.segment, found.offset) == (f"{HOME}/{SEGMENT}", start)
    assert segment.read_bytes()[found.offset + found.length - 1:][:1] == b"\n"
    assert texts(log) == texts(opened()) == ["one", "four"]
    assert [each.body for each in log.session("s")] == [each.body for each in log.history()] == ["one", "three", "four"]
    with pytest.raises(NotFound):
        log.get(event("two").id)
    assert verify(segment.parents[3], HOME) == [found]


def test_a_line_that_is_gone_is_missed_and_its_neighbours_are_served(opened: Opened, segment: Path) -> None:
    lines = segment.read_bytes().split(b"\n")
    change(segment, lines[1] + b"\n", b"")

    (found,) = opened().damage()

    assert (found.offset, found.length, found.why) == (len(lines[0]) + 1, 0, "seq 2 to 2 should stand here")
    assert texts(opened()) == ["one", "four"]


def test_damage_does_not_keep_anyone_from_appending(opened: Opened, segment: Path) -> None:
    log = opened()
    change(segment, b'"two"', b'"tow"')
    before = log.damage()

    log.append([event("five")])

    assert log.damage() == opened().damage() == before
    assert texts(log) == ["one", "four", "five"]


def test_damage_to_a_line_that_was_read_before_is_found_at_the_moment_it_is_read(opened: Opened, segment: Path) -> None:
    log = opened()
    stamp = segment.stat()
    change(segment, b'"two"', b'"tow"')
    os.utime(segment, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    assert log.damage() == ()  # nothing tells that the file is another one
    with pytest.raises(Damaged, match="has changed"):
        log.get(event("two").id)
    assert len(verify(segment.parents[3], HOME)) == 1


def test_a_segment_that_was_touched_and_is_as_it_was_is_no_damage(opened: Opened, segment: Path) -> None:
    log = opened()
    os.utime(segment, ns=(1, 1))

    assert log.damage() == ()
    assert texts(log) == ["one", "two", "four"]


def test_a_segment_that_is_gone_is_missed(opened: Opened, segment: Path) -> None:
    log = opened()
    segment.unlink()

    assert [each.why for each in log.damage()] == ["seq 1 to 4 should stand here"]
    assert list(log.read()) == []
    assert [each.why for each in verify(segment.parents[3], HOME)] == ["seq 1 to 4 should stand here"]


def forget(segment: Path, name: bytes) -> None:
    """Take salt and payload of one event away, as forgetting does."""
    lines = segment.read_bytes().split(b"\n")
    raw = next(line for line in lines if name in line)
    change(segment, raw, raw[: raw.index(b',"salt"')] + b"}")


def test_a_forgotten_event_keeps_its_place_and_nothing_else(opened: Opened, segment: Path) -> None:
    forget(segment, b'"two"')
    log = opened()
    log.append([Event(kind="forget.done", id="f" * 32, body={"events": [event("two").id]})])

    assert log.damage() == ()
    assert [each.kind for each in log.read()][:2] == ["session.record", "forgotten"]
    assert log.get(event("two").id).body is None
    assert log.knows(event("two").id)
    assert [each.body for each in log.session("s")] == ["one", "three", "four"]
    assert verify(segment.parents[3], HOME) == []


def test_a_payload_that_is_gone_without_a_forget_done_is_damage(opened: Opened, segment: Path) -> None:
    forget(segment, b'"two"')

    assert [each.why for each in opened().damage()] == ["the payload is gone and no forget.done names the event"]
    assert opened().damage() == tuple(verify(segment.parents[3], HOME))


def test_another_homes_log_is_read_and_its_damage_is_named(opened: Opened, segment: Path, tmp_path: Path) -> None:
    opened("beefbeef").append([event("theirs"), event("more")])
    change(tmp_path / "log" / "beefbeef" / SEGMENT, b'"more"', b'"less"')

    log = opened()
    assert [each.segment for each in log.damage()] == [f"beefbeef/{SEGMENT}"]
    assert [each.body for each in log.history()] == ["one", "two", "three", "four", "theirs"]
    assert texts(log) == ["one", "two", "four"]


# ---- the catalog is a projection


def spoiled(db: Path, how: str) -> None:
    if how == "missing":
        shutil.rmtree(db.parent)
    elif how == "no database":
        db.write_bytes(b"nothing SQLite knows" * 500)
    elif how == "damaged":
        with sqlite3.connect(db) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        db.write_bytes(db.read_bytes()[:4096] + b"\xff" * (db.stat().st_size - 4096))
    elif how == "of another version":
        with sqlite3.connect(db) as connection:
            connection.execute("PRAGMA user_version = 99")
        connection.close()


@pytest.mark.parametrize("how", ["missing", "no database", "damaged", "of another version"])
def test_a_catalog_that_is_no_good_is_made_again(opened: Opened, segment: Path, tmp_path: Path, how: str) -> None:
    log = opened()
    want = (list(log.read()), list(log.session("s")), log.known([event("two").id]), log.head)
    for each in (log, opened()):
        each.close()
    spoiled(tmp_path / "index" / "catalog.db", how)

    log = opened()

    assert (list(log.read()), list(log.session("s")), log.known([event("two").id]), log.head) == want
    assert log.append([event("one"), event("five")]) == 5
    assert log.damage() == opened().damage() == ()


def test_an_index_deleted_under_an_open_log_is_not_missed(opened: Opened, segment: Path, tmp_path: Path) -> None:
    log = opened()
    assert len(texts(log)) == 3
    shutil.rmtree(tmp_path / "index")

    assert log.append([event("two"), event("five")]) == 5
    assert texts(log) == texts(opened()) == ["one", "two", "four", "five"]


def test_an_index_that_cannot_be_written_costs_no_answer(opened: Opened, segment: Path, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "index")
    (tmp_path / "index").write_text("in the way")

    log = opened()

    assert texts(log) == ["one", "two", "four"]
    assert log.append([event("one"), event("five")]) == 5


def test_a_long_line_and_many_lines_are_read_alike(opened: Opened, tmp_path: Path) -> None:
    log = opened()
    log.append([event("x" * 3_000_000), *(event(f"{n}") for n in range(500)), event("y" * 100_000)])

    shutil.rmtree(tmp_path / "index")
    other = opened()

    assert texts(log) == texts(other) == ["x" * 3_000_000, *(f"{n}" for n in range(500)), "y" * 100_000]
    assert [len(str(each.body)) for each in other.read(since=500)] == [3, 100_000]
    assert [each.body for each in other.span(HOME, 3, 5)] == ["1", "2", "3"]


def test_a_whole_walk_judges_every_line_of_a_real_log(opened: Opened, segment: Path) -> None:
    steps = list(chain.walk(segments.lines(segment), chain.Place()))

    assert [step.why for step in steps] == [""] * 4
    assert steps[-1].place.h is not None
    assert steps[-1].place.h.hex() == opened().head.h
