"""What an append finds behind HEAD: half a line, half a batch, lines that an older HEAD forgot. Nothing is deleted."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rhizome.log import segments
from rhizome.log.file_log import FileLog
from rhizome.log.verify import verify
from rhizome.model import Event

HOME = "0a0b0c0d"
SEGMENT = "2026/03/000000000001.jsonl"
Opened = Callable[..., FileLog]


def event(text: str) -> Event:
    return Event(kind="session.record", id=text.encode().hex().ljust(32, "0")[:32], body=text)


def texts(log: FileLog) -> list[object]:
    return [each.body for each in log.read(kinds={"session.record"})]


class Home:
    """A home with three lines in one segment, and ways to spoil its end."""

    def __init__(self, root: Path) -> None:
        self.path = root / "log" / HOME
        self.segment = self.path / SEGMENT
        self.before = b""

    @property
    def torn(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in (self.path / "torn").glob("*")}

    def spoil(self, end: bytes) -> None:
        self.before = self.segment.read_bytes()
        self.segment.write_bytes(self.before + end)


@pytest.fixture
def home(opened: Opened, tmp_path: Path) -> Home:
    log = opened()
    log.append([event("a"), event("b")])
    log.append([event("c")])
    return Home(tmp_path)


@pytest.mark.parametrize("end", [b'{"v":1,"seq":4,"id"', b"\0" * 9, b"\0" * 9 + b"\n", b"x\n", b"{}\n\n\n", b"\n"])
def test_a_torn_tail_is_moved_aside_and_reported(home: Home, opened: Opened, end: bytes) -> None:
    home.spoil(end)

    opened().append([event("d")])

    (report,) = opened().read(kinds={"tail.repaired"})
    name = f"2026-03-000000000001-{len(home.before)}"
    assert report.body == {"torn": name, "segment": SEGMENT, "offset": len(home.before), "length": len(end)}
    assert home.torn == {name: end}
    assert texts(opened()) == ["a", "b", "c", "d"]
    assert verify(home.path.parent, HOME) == []


def test_a_reader_sees_nothing_of_a_line_that_is_being_written(home: Home, opened: Opened) -> None:
    log = opened()
    assert len(texts(log)) == 3
    home.spoil(b'{"v":1,"seq":4,"id":"')

    assert texts(log) == texts(opened()) == ["a", "b", "c"]
    assert log.damage() == opened().damage() == ()
    assert home.torn == {}


def test_a_torn_tail_is_repaired_also_where_everything_given_is_known(home: Home, opened: Opened) -> None:
    home.spoil(b"torn")

    assert opened().append([event("a")]) == 4
    assert opened().append([event("a")]) == 4


def test_a_tail_that_was_moved_but_not_yet_reported_is_reported_by_the_next_append(home: Home, opened: Opened) -> None:
    (home.path / "torn").mkdir()
    (home.path / "torn" / "2026-03-000000000001-77").write_bytes(b"rest")

    opened().append([event("d")])
    opened().append([event("e")])

    assert [each.fields["length"] for each in opened().read(kinds={"tail.repaired"})] == [4]


def test_two_tears_at_one_place_are_kept_apart(home: Home, opened: Opened) -> None:
    home.spoil(b"first")
    (home.path / "torn").mkdir()
    (home.path / "torn" / f"2026-03-000000000001-{len(home.before)}").write_bytes(b"older")

    opened().append([event("d")])

    assert sorted(home.torn.values()) == [b"first", b"older"]


def later_batch(home: Home, opened: Opened) -> tuple[bytes, bytes]:
    """HEAD and segment as they were before one more batch of two lines; the batch is in the segment now."""
    head, content = (home.path / "HEAD").read_bytes(), home.segment.read_bytes()
    opened().append([event("d"), event("e")])
    return head, content


def test_a_batch_whose_writer_died_before_head_goes_as_a_whole(home: Home, opened: Opened) -> None:
    head, content = later_batch(home, opened)
    (home.path / "HEAD").write_bytes(head)

    log = opened()
    assert texts(log) == ["a", "b", "c"]
    log.append([event("f")])

    assert texts(log) == ["a", "b", "c", "f"]
    assert list(home.torn) == [f"2026-03-000000000001-{len(content)}"]
    assert verify(home.path.parent, HOME) == []


def test_a_new_segment_whose_writer_died_before_head_goes_as_a_file(
        home: Home, opened: Opened, clock: Callable[..., None]) -> None:
    head = (home.path / "HEAD").read_bytes()
    clock.move(days=1)  # type: ignore[attr-defined]
    opened().append([event("d")])
    (home.path / "HEAD").write_bytes(head)

    opened().append([event("e")])

    assert list(home.torn) == ["2026-04-000000000004-0"]
    assert texts(opened()) == ["a", "b", "c", "e"]
    assert segments.names(home.path) == [SEGMENT, "2026/04/000000000004.jsonl"]


def test_lines_behind_an_older_head_are_taken_in_again(home: Home, opened: Opened) -> None:
    head, _ = later_batch(home, opened)
    (home.path / "HEAD").write_bytes(head)
    (home.path / "lock").unlink()

    log = opened()
    log.append([event("f")])

    assert texts(log) == ["a", "b", "c", "d", "e", "f"]
    assert home.torn == {}
    assert verify(home.path.parent, HOME) == []


def test_behind_an_older_head_only_what_follows_the_chain_is_taken_in(home: Home, opened: Opened) -> None:
    head, _ = later_batch(home, opened)
    (home.path / "HEAD").write_bytes(head)
    (home.path / "lock").unlink()
    home.spoil(b"x\n")

    opened().append([event("f")])

    assert texts(opened()) == ["a", "b", "c", "d", "e", "f"]
    assert list(home.torn.values()) == [b"x\n"]


def test_without_head_every_whole_line_counts(home: Home, opened: Opened) -> None:
    (home.path / "HEAD").unlink()
    home.spoil(b'{"v":1,')

    assert texts(opened()) == ["a", "b", "c"]
    assert [each.segment for each in opened().damage()] == [f"{HOME}/HEAD"]
    opened().append([event("d")])
    assert texts(opened()) == ["a", "b", "c", "d"]
    assert list(home.torn.values()) == [b'{"v":1,']
    assert opened().damage() == ()


def test_a_tail_that_head_acknowledged_and_that_is_gone_stays_missed(home: Home, opened: Opened) -> None:
    content = home.segment.read_bytes()
    home.segment.write_bytes(content[: content.index(b"\n") + 1])

    log = opened()
    before = [each.why for each in log.damage()]
    log.append([event("d")])

    assert before == ["seq 2 to 3 should stand here"]
    assert [each.why for each in log.damage()] == [each.why for each in opened().damage()] == before
    assert [each.why for each in verify(home.path.parent, HOME)] == before
    assert texts(log) == ["a", "d"]
    assert log.head.seq == 4


def test_a_last_line_cut_in_the_middle_after_head_acknowledged_it_is_damage(home: Home, opened: Opened) -> None:
    home.segment.write_bytes(home.segment.read_bytes()[:-9])

    log = opened()
    assert texts(log) == ["a", "b"]
    assert [each.why for each in log.damage()] == ["a line without an end"]

    log.append([event("d")])

    assert texts(log) == texts(opened()) == ["a", "b", "d"]
    assert log.damage() != ()
