"""A sealed segment says what the plain one said, byte for byte, and what cannot be believed of it is named."""

import io
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import msgspec
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from rhizome.errors import TooNew
from rhizome.log import chain, packing, sealed, segments
from rhizome.log.file_log import FileLog
from rhizome.log.plain import Plain
from rhizome.log.verify import verify
from rhizome.model import Event

HOME = "0a0b0c0d"
MARCH, APRIL = "2026/03/000000000001.jsonl", "2026/04/000000000041.jsonl"
Opened = Callable[..., FileLog]


def event(n: int) -> Event:
    """Every fifth event is a fact, the others are records of one of two sessions."""
    kind, session = ("fact.asserted", None) if n % 5 == 0 else ("session.record", f"s{n % 2}")
    return Event(kind=kind, id=f"{n:032x}", body={"n": n} if n % 5 == 0 else f"{n} " * 500, session=session)


@pytest.fixture
def log(opened: Opened, clock: Callable[..., None]) -> FileLog:
    """Forty events of March, not sealed yet, and two of April."""
    log = opened()
    for start in range(1, 41, 8):
        log.append([event(n) for n in range(start, start + 8)])
    clock.move(days=5)  # type: ignore[attr-defined]
    log.append([event(41), event(42)])
    return log


def everything(log: FileLog) -> tuple[object, ...]:
    return (list(log.read()), list(log.history({"fact.asserted"})), list(log.session("s1")), list(log.read(since=17)),
            list(log.span(HOME, 9, 30)), [log.get(f"{n:032x}") for n in (1, 5, 40, 42)], log.head, log.damage())


def flipped(path: Path, at: int, *, seen: bool = True) -> None:
    """Change one bit of a file, as a disk would; unless `seen`, nothing tells that it changed."""
    stamp, content = path.stat(), bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(1, stamp.st_mtime_ns + seen))


def test_a_sealed_log_answers_as_it_did_before(log: FileLog, opened: Opened, tmp_path: Path) -> None:
    before = everything(log)

    assert log.seal() == [MARCH]

    march = tmp_path / "log" / HOME / MARCH
    assert (march.exists(), segments.sealed(march)) == (False, True)
    assert everything(log) == everything(opened()) == before
    assert verify(tmp_path / "log", HOME) == []
    assert log.seal() == []


def test_a_catalog_made_from_sealed_segments_is_the_one_made_from_plain_ones(
        log: FileLog, opened: Opened, tmp_path: Path) -> None:
    before = everything(log)
    log.seal()
    log.close()
    (tmp_path / "index" / "catalog.db").unlink()

    assert everything(opened()) == before


def test_what_is_appended_after_sealing_goes_into_a_plain_segment(log: FileLog, opened: Opened, tmp_path: Path) -> None:
    log.seal()
    log.append([event(43)])
    assert (tmp_path / "log" / HOME / APRIL).read_bytes().count(b"\n") == 3

    (tmp_path / "log" / HOME / APRIL).unlink()  # the sealed one is the last now
    log.append([event(44)])

    assert [each.why for each in log.damage()] == ["seq 41 to 43 should stand here"]
    assert [each.seq for each in log.read(since=39)] == [40, 44]


def test_any_zstd_unpacks_a_sealed_segment_to_its_lines(log: FileLog, tmp_path: Path) -> None:
    march = tmp_path / "log" / HOME / MARCH
    plain = march.read_bytes()
    log.seal()

    with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(read(march)), read_across_frames=True) as lines:
        unpacked = lines.read()

    by_seq = sorted(unpacked.splitlines(keepends=True), key=lambda line: line_of(line).seq)
    assert b"".join(by_seq) == plain


def read(segment: Path) -> bytes:
    return segment.with_name(segment.name + ".zst").read_bytes()


def line_of(raw: bytes) -> chain.Line:
    line = chain.parse(raw.rstrip(b"\n"))
    assert line is not None
    return line


def test_the_ledgers_events_are_read_without_any_record(log: FileLog, tmp_path: Path) -> None:
    facts = list(log.history({"fact.asserted"}))
    log.seal()
    path = tmp_path / "log" / HOME / f"{MARCH}.zst"
    with path.open("rb", 0) as file:
        table = sealed.read_table(file)
    assert table is not None
    kinds = {frame: {table.kinds[kind] for kind in held}
             for frame, held in zip(table.in_frames, table.held, strict=True)}
    assert list(kinds.values()) == [{"session.record"}, {"fact.asserted"}]
    records = next(frame for frame, held in kinds.items() if "session.record" in held)
    at, length, _ = table.frames[records]
    stamp, content = path.stat(), path.read_bytes()
    path.write_bytes(content[:at] + bytes(length) + content[at + length:])
    os.utime(path, ns=(1, stamp.st_mtime_ns))

    assert list(log.history({"fact.asserted"})) == facts


def test_the_table_repeats_count_last_seq_and_head(log: FileLog, tmp_path: Path) -> None:
    (last,) = log.span(HOME, 40, 40)
    log.seal()

    with segments.opened(tmp_path / "log" / HOME / MARCH) as march:
        assert isinstance(march, sealed.Sealed)
        assert (march.table.first, march.table.last, march.table.count) == (1, 40, 40)
        assert march.table.h == line_of(march.read(*_place(march, last.seq))).h.hex()


def _place(march: sealed.Sealed, seq: int) -> tuple[int, int]:
    return next((at, len(raw)) for at, raw in march.lines() if line_of(raw).seq == seq)


# ---- what is not sealed


def test_a_damaged_segment_stays_plain(log: FileLog, tmp_path: Path) -> None:
    march = tmp_path / "log" / HOME / MARCH
    flipped(march, march.stat().st_size // 2)

    assert log.seal() == []
    assert march.exists()
    assert list(march.parent.iterdir()) == [march]


def test_a_segment_of_another_home_is_sealed_there(log: FileLog, opened: Opened) -> None:
    assert opened("beefbeef").seal() == []
    assert opened("beefbeef").append([event(50)]) == 1
    assert opened("beefbeef").seal() == []


# ---- two forms


def test_where_both_forms_stand_the_sealed_one_counts_and_sealing_ends_it(log: FileLog, tmp_path: Path) -> None:
    march = tmp_path / "log" / HOME / MARCH
    plain, before = march.read_bytes(), everything(log)
    log.seal()
    march.write_bytes(plain)

    assert everything(log) == before
    assert log.seal() == [MARCH]
    assert not march.exists()
    assert everything(log) == before


def test_a_plain_file_that_was_copied_while_it_grew_hides_nothing(log: FileLog, tmp_path: Path) -> None:
    march = tmp_path / "log" / HOME / MARCH
    plain, before = march.read_bytes(), everything(log)
    log.seal()
    march.write_bytes(plain[:5_000])

    assert everything(log) == before
    assert log.seal() == []
    assert verify(tmp_path / "log", HOME) == []


def test_a_sealed_file_that_was_copied_in_part_gives_way_to_the_plain_one(log: FileLog, tmp_path: Path) -> None:
    march = tmp_path / "log" / HOME / MARCH
    plain, before = march.read_bytes(), everything(log)
    log.seal()
    march.write_bytes(plain)
    march.with_name(march.name + ".zst").write_bytes(read(march)[:-100])

    assert everything(log) == before
    assert verify(tmp_path / "log", HOME) == []


# ---- damage


def test_a_table_that_is_lost_is_named_and_every_line_is_served(log: FileLog, opened: Opened, tmp_path: Path) -> None:
    *before, _ = everything(log)
    log.seal()
    flipped(tmp_path / "log" / HOME / f"{MARCH}.zst", -200)

    *after, damage = everything(opened())

    assert after == before
    assert damage == tuple(verify(tmp_path / "log", HOME))
    assert [(each.segment, each.why) for each in opened().damage()] == [(f"{HOME}/{MARCH}", sealed.UNREADABLE)]


def test_a_frame_that_is_lost_is_named_by_its_bytes_and_the_rest_is_served(
        log: FileLog, opened: Opened, tmp_path: Path) -> None:
    log.seal()
    flipped(tmp_path / "log" / HOME / f"{MARCH}.zst", 0)  # the first frame is no frame any more

    served = list(opened().read())

    assert [each for each in served if each.seq <= 40] == [event_at(log, n) for n in range(5, 41, 5)]
    found = opened().damage()
    assert found == tuple(verify(tmp_path / "log", HOME))
    assert sum(each.length for each in found) == sum(len(raw) for _, raw in _records(tmp_path / "log" / HOME / MARCH))


def event_at(log: FileLog, n: int) -> Event:
    return log.get(f"{n:032x}")


def _records(march: Path) -> list[tuple[int, bytes]]:
    """The stretches of the damaged frame, each as one line that is none."""
    return [(at, raw) for at, raw in segments.lines(march) if chain.parse(raw[:-1]) is None]


@given(where=st.floats(0, 1, exclude_max=True))
def test_no_flipped_bit_of_a_sealed_segment_changes_what_is_served(
        march: "March", where: float) -> None:
    root, content, names = march.root, march.content, march.names
    path = root / "log" / HOME / f"{MARCH}.zst"
    path.write_bytes(content)
    flipped(path, int(where * len(content)))

    found = verify(root / "log", HOME)

    with segments.opened(root / "log" / HOME / MARCH) as lines:
        steps = list(chain.walk(lines.lines(), chain.Place()))
    good = {step.line.seq: step.line.id.hex() for step in steps if step.line is not None and not step.why}
    assert good.items() <= names.items()
    assert good == names or found


class March:
    """A folder, the bytes of its one sealed segment, and the ids in there by seq."""

    def __init__(self, root: Path, content: bytes, names: dict[int, str]) -> None:
        self.root, self.content, self.names = root, content, names


@pytest.fixture(scope="module")
def march(tmp_path_factory: pytest.TempPathFactory) -> March:
    root, months, random = tmp_path_factory.mktemp("flips"), iter((3, 3, 4, 4, 4)), Random(1)
    log = FileLog(root / "log", HOME, index=root / "index", dice=random.randbytes,
                  clock=lambda: datetime(2026, next(months), 1, tzinfo=UTC))
    log.append([event(n) for n in range(1, 31)])
    log.append([event(n) for n in range(31, 41)])
    log.append([event(41)])
    assert log.seal() == [MARCH]
    names = {each.seq: each.id for each in log.read() if each.seq <= 40}
    log.close()
    return March(root, read(root / "log" / HOME / MARCH), names)


def test_a_segment_sealed_by_a_newer_program_is_not_taken_for_damage(log: FileLog, tmp_path: Path) -> None:
    log.seal()
    path = tmp_path / "log" / HOME / f"{MARCH}.zst"
    with path.open("rb", 0) as file:
        table = sealed.read_table(file)
    assert table is not None
    with path.open("ab") as file:
        file.write(sealed.foot(msgspec.structs.replace(table, sealed=2)))

    with pytest.raises(TooNew, match="sealed by a newer rhizome"):
        list(log.read())


# ---- the form itself


KINDS = st.sampled_from(["session.record", "source.attached", "fact.asserted", "note.saved"])


@given(given_=st.lists(st.tuples(KINDS, st.integers(0, 300)), min_size=1, max_size=40), frame=st.integers(1, 2_000),
       cut=st.floats(0, 1))
def test_sealed_lines_read_back_whole_by_place_and_from_any_place_on(
        tmp_path_factory: pytest.TempPathFactory, given_: list[tuple[str, int]], frame: int, cut: float) -> None:
    lines, before = [], chain.ROOT
    for seq, (kind, size) in enumerate(given_, 1):
        line = chain.sealed(before, 1, seq, bytes(16), bytes(16), bytes(16), b'{"kind":"%b"}' % (b"x" * size))
        before = line.h
        lines.append((line, kind))
    path = tmp_path_factory.mktemp("form") / "segment"
    Path(f"{path}.zst").write_bytes(b"".join(packing.packed(lines, frame_bytes=frame)))
    path.with_name("plain").write_bytes(b"".join(chain.render(line) for line, _ in lines))

    plain, other = Plain(str(path.with_name("plain"))), sealed.Sealed(f"{path}.zst")
    places = list(plain.lines())
    start = places[int(cut * (len(places) - 1))][0]
    try:
        assert list(other.lines()) == places
        assert list(other.lines(start)) == [each for each in places if each[0] >= start]
        assert [other.read(at, len(raw)) for at, raw in reversed(places)] == [raw for _, raw in reversed(places)]
        assert joined(other.chunks(start, other.size)) == joined(plain.chunks(start, plain.size))
        assert joined(other.chunks(0, start)) == joined(plain.chunks(0, start))
        assert sealed.gathered(Path(f"{path}.zst").read_bytes()) == path.with_name("plain").read_bytes()
        assert (other.size, other.table.end) == (plain.size, before)
    finally:
        plain.close()
        other.close()


def joined(chunks: object) -> list[bytes]:
    return [line for chunk in chunks for line in chunk]  # type: ignore[attr-defined]
