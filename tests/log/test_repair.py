"""A repair gives up what a person says is lost: its bytes are set aside, an event names it, and the rest stands."""

import os
import shutil
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhizome.errors import NotDurable
from rhizome.log import chain, segments
from rhizome.log.file_log import FileLog
from rhizome.log.lost import RANGE_LOST
from rhizome.log.verify import verify
from rhizome.model import Event
from tests.laws.faulty import Faulty, Swift

HOME, OTHER = "0a0b0c0d", "beefbeef"
MARCH = "2026/03/000000000001.jsonl"
Opened = Callable[..., FileLog]


def event(text: str, kind: str = "session.record") -> Event:
    return Event(kind=kind, id=text.encode().hex().ljust(32, "0")[:32], body=text, session="s")


def texts(log: FileLog) -> list[object]:
    return [each.body for each in log.read(kinds={"session.record"})]


def changed(path: Path, change: Callable[[bytes], bytes]) -> bytes:
    """Change a file, as a disk or a person would, and let time pass; what was in it then."""
    content = change(path.read_bytes())
    stamp = path.stat()
    path.write_bytes(content)
    os.utime(path, ns=(1, stamp.st_mtime_ns + 1_000_000_000))
    return content


@pytest.fixture
def march(opened: Opened, tmp_path: Path) -> Path:
    """A segment with the events one to five."""
    log = opened()
    log.append([event("one"), event("two")])
    log.append([event("three"), event("four"), event("five")])
    return tmp_path / "log" / HOME / MARCH


def lines(march: Path) -> list[bytes]:
    return march.read_bytes().splitlines(keepends=True)


def h_of(line: bytes) -> str:
    parsed = chain.parse(line[:-1])
    assert parsed is not None
    return parsed.h.hex()


def cut(march: Path, *numbers: int) -> Callable[[bytes], bytes]:
    """A change that takes whole lines out."""
    gone = [lines(march)[number] for number in numbers]
    return lambda content: b"".join(line for line in content.splitlines(keepends=True) if line not in gone)


DAMAGE: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "a payload is changed": (lambda march: changed(march, lambda all_: all_.replace(b'"two"', b'"tow"')),
                             ["one", "three", "four", "five"]),
    "a line is no line": (lambda march: changed(march, lambda all_: all_.replace(b'"seq":2', b'"sek":2')),
                          ["one", "three", "four", "five"]),
    "the last line is no line": (lambda march: changed(march, lambda all_: all_.replace(b'"seq":5', b'"sek":5')),
                                 ["one", "two", "three", "four"]),
    "two lines are gone": (lambda march: changed(march, cut(march, 1, 2)), ["one", "four", "five"]),
    "the end is cut off": (lambda march: changed(march, cut(march, 3, 4)), ["one", "two", "three"]),
    "the end is cut within a line": (lambda march: changed(march, lambda all_: all_[:-30]),
                                     ["one", "two", "three", "four"]),
    "a line stands twice": (lambda march: changed(
        march, lambda all_: all_.replace(lines(march)[3], lines(march)[1] + lines(march)[3])),
                            ["one", "two", "three", "four", "five"]),
    "the chain is broken": (lambda march: changed(
        march, lambda all_: all_.replace(lines(march)[2][180:200], lines(march)[1][180:200])),
                            ["one", "two", "four", "five"]),
    "a payload is gone": (lambda march: changed(march, lambda all_: all_.replace(
        lines(march)[1], lines(march)[1].partition(b',"salt"')[0] + b"}\n")), ["one", "three", "four", "five"]),
    "HEAD is gone": (lambda march: (march.parents[2] / "HEAD").unlink(), ["one", "two", "three", "four", "five"]),
    "HEAD is another one": (lambda march: (march.parents[2] / "HEAD").write_text(f"5 {'ab' * 32}\n"),
                            ["one", "two", "three", "four", "five"]),
    "the segment is gone": (lambda march: march.unlink(), []),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_after_a_repair_the_rest_stands_and_the_log_goes_on(
        what: str, opened: Opened, march: Path, tmp_path: Path) -> None:
    spoil, left = DAMAGE[what]
    spoil(march)
    spoilt = march.read_bytes() if march.exists() else b""
    log = opened()
    assert log.damage()

    done = log.repair({})

    assert log.damage() == opened().damage() == ()
    assert verify(tmp_path / "log", HOME) == []
    assert texts(log) == left
    assert log.append([event("six")]) > 5 or what == "HEAD is gone"
    assert texts(opened()) == [*left, "six"]
    assert verify(tmp_path / "log", HOME) == []
    copies = [(march.parents[2] / name).read_bytes() for name in done.aside]
    assert not copies or copies == [spoilt]
    assert [each.fields["why"] for each in log.read(kinds={RANGE_LOST})] == [each.why for each in done.lost]
    assert all(each.first for each in done.lost)


def test_a_log_that_is_sound_is_left_as_it_is(opened: Opened, march: Path) -> None:
    before = march.read_bytes()

    done = opened().repair({})

    assert (done.aside, done.lost, march.read_bytes()) == ((), (), before)
    assert not (march.parents[2] / "lost").exists()


def test_what_is_lost_after_a_repair_is_damage_again(opened: Opened, march: Path, tmp_path: Path) -> None:
    changed(march, cut(march, 1))
    log = opened()
    log.repair({})

    changed(march, lambda all_: all_.replace(b'"four"', b'"fuor"'))

    assert [each.why for each in log.damage()] == ["the payload is not what was recorded"]
    assert list(log.damage()) == verify(tmp_path / "log", HOME)
    log.repair({})
    assert log.damage() == ()
    assert texts(log) == ["one", "three", "five"]


def test_heads_that_commits_name_beyond_the_end_are_gone_on_from(opened: Opened, march: Path, tmp_path: Path) -> None:
    head = opened().head
    changed(march, cut(march, 3, 4))
    (march.parents[2] / "HEAD").write_text(f"3 {h_of(lines(march)[2])}\n")
    anchors = {HOME: [(head.seq, head.h)]}
    assert opened().damage() == ()
    assert [each.why for each in verify(tmp_path / "log", HOME, anchors=anchors[HOME])] == [
        "seq 4 to 5 should stand here"]

    log = opened()
    log.repair(anchors)

    assert verify(tmp_path / "log", HOME, anchors=anchors[HOME]) == []
    assert log.head.seq == 6
    assert texts(log) == ["one", "two", "three"]


def test_another_homes_bytes_are_left_alone_and_given_up_by_name(opened: Opened, march: Path, tmp_path: Path) -> None:
    opened(OTHER).append([event("theirs"), event("more")])
    theirs = tmp_path / "log" / OTHER / MARCH
    spoilt = changed(theirs, lambda all_: all_.replace(b'"more"', b'"less"'))
    log = opened()

    done = log.repair({})

    assert [each.segment for each in done.lost] == [f"{OTHER}/{MARCH}"]
    assert log.damage() == ()
    assert theirs.read_bytes() == spoilt
    assert verify(tmp_path / "log", OTHER, told=list(log.history({RANGE_LOST}))) == []


# ---- sealed segments


def test_a_sealed_segment_whose_frames_are_damaged_becomes_a_plain_one_of_what_can_be_read(
        opened: Opened, march: Path, tmp_path: Path, clock: Callable[..., None]) -> None:
    clock.move(days=5)  # type: ignore[attr-defined]
    log = opened()
    log.append([event("later")])
    log.seal()
    packed = march.with_name(march.name + ".zst")
    spoilt = changed(packed, lambda all_: all_[:40] + bytes([all_[40] ^ 1]) + all_[41:])
    assert log.damage()

    done = log.repair({})

    assert log.damage() == ()
    assert texts(log)[-1] == "later"
    assert [(march.parents[2] / name).read_bytes() for name in done.aside] == [spoilt]
    assert (packed.exists(), march.exists() or texts(log) == ["later"]) == (False, True)


def test_a_sealed_segment_that_lost_its_table_loses_nothing_else(
        opened: Opened, march: Path, clock: Callable[..., None]) -> None:
    clock.move(days=5)  # type: ignore[attr-defined]
    log = opened()
    log.append([event("later")])
    log.seal()
    changed(march.with_name(march.name + ".zst"), lambda all_: all_[:-1] + b"\0")

    done = log.repair({})

    assert (len(done.aside), done.lost) == (1, ())
    assert log.damage() == ()
    assert texts(log) == ["one", "two", "three", "four", "five", "later"]
    assert log.seal() == [MARCH]


# ---- laws


@given(flips=st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=4))
@settings(max_examples=settings.default.max_examples // 2)  # type: ignore[union-attr]
def test_whatever_bits_flip_a_repair_leaves_a_sound_log_of_what_was_readable(
        sound: Path, tmp_path_factory: pytest.TempPathFactory, flips: list[float]) -> None:
    root = tmp_path_factory.mktemp("flips") / "home"
    shutil.copytree(sound, root)
    march = root / "log" / HOME / MARCH
    content = bytearray(march.read_bytes())
    for where in flips:
        content[int(where * len(content))] ^= 1
    march.write_bytes(bytes(content))
    with closing(opened_at(root)) as log:
        readable = texts(log)

        log.repair({})

        kept = texts(log)
        assert kept == readable
        assert log.damage() == ()
        assert verify(root / "log", HOME) == []
        log.append([event("next")])
        assert texts(log) == [*kept, "next"]
    assert verify(root / "log", HOME) == []


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sound")
    with closing(opened_at(root)) as log:
        log.append([event(f"{n}") for n in range(6)])
        log.append([event(f"{n}") for n in range(6, 9)])
    shutil.rmtree(root / "index")
    return root


def opened_at(root: Path, files: Swift | None = None) -> FileLog:
    from datetime import UTC, datetime

    return FileLog(root / "log", HOME, index=root / "index", clock=lambda: datetime(2026, 3, 1, tzinfo=UTC),
                   dice=Random(root.name).randbytes, files=files or Swift())


@pytest.mark.parametrize(("fault", "for_good"), [("EIO", False), ("ENOSPC", True), ("lost", False)])
def test_a_repair_that_fails_anywhere_destroys_nothing_and_goes_on_next_time(
        fault: str, for_good: bool, sound: Path, tmp_path: Path) -> None:
    for at in count(1):
        root, files = tmp_path / f"{at}", Faulty(at, fault, for_good=for_good)
        shutil.copytree(sound, root)
        march = root / "log" / HOME / MARCH
        spoilt = changed(march, lambda all_: all_.replace(b'"seq":4', b'"sek":4'))
        try:
            with closing(opened_at(root, files)) as log:
                log.repair({})
        except NotDurable:
            pass

        there = [path.read_bytes() for path in (root / "log" / HOME).rglob("*") if path.is_file()]
        assert spoilt in there
        with closing(opened_at(root)) as log:
            log.repair({})
            assert log.damage() == ()
            assert texts(log) == [f"{n}" for n in range(9) if n != 3]
        assert verify(root / "log", HOME) == []
        assert segments.read_head(root / "log" / HOME)
        if files.calls < at:
            break
