"""The chain finds what was changed, and does not mind what was forgotten."""

import hashlib
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rhizome.log import chain, segments
from rhizome.log.port import DamagedRange
from rhizome.log.verify import verify
from rhizome.model import Head

HOME = "0a0b0c0d"
SEGMENT = "2026/03/000000000001.jsonl"
LINES = st.lists(st.text(max_size=12), min_size=3, max_size=12)


def lines(texts: Sequence[str]) -> list[bytes]:
    made, before = [], chain.ROOT
    for seq, text in enumerate(texts, 1):
        payload = json.dumps({"kind": "session.record", "body": text}).encode()
        line = chain.sealed(before, 1, seq, seq.to_bytes(16, "big"), bytes(16), seq.to_bytes(16, "little"), payload)
        before = line.h
        made.append(chain.render(line))
    return made


def parsed(raw: bytes) -> chain.Line:
    line = chain.parse(raw[:-1])
    assert line is not None
    return line


def forgotten(raw: bytes) -> bytes:
    return chain.render(replace(parsed(raw), salt=None, payload=None))


@dataclass
class Stored:
    """A home on disk, its HEAD at the end it once had."""

    folder: Path
    anchors: list[tuple[int, str]] = field(default_factory=list)

    def put(self, raws: Sequence[bytes], head: bytes | None = None) -> "Stored":
        path = self.folder / HOME / SEGMENT
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(raws))
        if head is not None:
            line = parsed(head)
            (self.folder / HOME / "HEAD").write_bytes(segments.render_head(Head(line.seq, line.h.hex())))
        return self

    def found(self) -> list[DamagedRange]:
        return verify(self.folder, HOME, anchors=self.anchors)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Stored]:
    return lambda raws, head: Stored(tmp_path_factory.mktemp("log")).put(raws, head)


def test_a_line_is_written_as_the_design_says() -> None:
    payload, salt = b'{"kind":"x"}', bytes(range(16))
    c = hashlib.sha256(b"rhizome/payload/1" + salt + payload).hexdigest()
    h = hashlib.sha256(b"rhizome/link/1" + bytes(32) + b"\0\1" + b"\0" * 7 + b"\1" + b"\xaa" * 16 + b"\xbb" * 16
                       + bytes.fromhex(c)).hexdigest()

    line = chain.sealed(chain.ROOT, 1, 1, b"\xaa" * 16, b"\xbb" * 16, salt, payload)

    assert chain.render(line).decode() == (f'{{"v":1,"seq":1,"id":"{"aa" * 16}","rev":"{"bb" * 16}","c":"{c}",'
                                           f'"h":"{h}","salt":"{salt.hex()}","p":{{"kind":"x"}}}}\n')


@given(LINES)
def test_parse_and_render_are_inverse(texts: list[str]) -> None:
    for raw in lines(texts):
        assert chain.render(parsed(raw)) == raw
        assert chain.render(parsed(forgotten(raw))) == forgotten(raw)


@given(texts=LINES, data=st.data())
def test_forgetting_any_payloads_verifies(texts: list[str], data: st.DataObject, stored: Callable[..., Stored]) -> None:
    raws = lines(texts)
    gone = data.draw(st.sets(st.sampled_from(range(len(raws)))))
    names = [parsed(raws[n]).id.hex() for n in sorted(gone)]
    done = json.dumps({"kind": "forget.done", "body": {"events": names}}).encode()
    last = parsed(raws[-1])
    raws.append(chain.render(chain.sealed(last.h, 1, last.seq + 1, b"f" * 16, bytes(16), bytes(16), done)))
    kept = [forgotten(raw) if n in gone else raw for n, raw in enumerate(raws)]

    assert stored(kept, raws[-1]).found() == []


def flip(raws: list[bytes], data: st.DataObject) -> list[bytes]:
    n = data.draw(st.integers(0, len(raws) - 1))
    at = data.draw(st.integers(0, len(raws[n]) - 1))
    bit = 1 << data.draw(st.integers(0, 7))
    return [*raws[:n], raws[n][:at] + bytes([raws[n][at] ^ bit]) + raws[n][at + 1:], *raws[n + 1:]]


def swap(raws: list[bytes], data: st.DataObject) -> list[bytes]:
    n = data.draw(st.integers(0, len(raws) - 2))
    return [*raws[:n], raws[n + 1], raws[n], *raws[n + 2:]]


def drop(raws: list[bytes], data: st.DataObject) -> list[bytes]:
    n = data.draw(st.integers(0, len(raws) - 1))
    return raws[:n] + raws[n + 1:]


def double(raws: list[bytes], data: st.DataObject) -> list[bytes]:
    n = data.draw(st.integers(0, len(raws) - 2))
    return [*raws[:n], raws[n], *raws[n:]]


def edit(raws: list[bytes], data: st.DataObject) -> list[bytes]:
    n = data.draw(st.integers(0, len(raws) - 1))
    return [*raws[:n], raws[n].replace(b'"kind"', b'"king"'), *raws[n + 1:]]


def empty(raws: list[bytes], data: st.DataObject) -> list[bytes]:
    n = data.draw(st.integers(0, len(raws) - 1))
    return [*raws[:n], forgotten(raws[n]), *raws[n + 1:]]


def cut(raws: list[bytes], data: st.DataObject) -> list[bytes]:
    whole = b"".join(raws)
    return [whole[: data.draw(st.integers(0, len(whole) - 1))]]


def rewrite(raws: list[bytes], data: st.DataObject) -> list[bytes]:
    n = data.draw(st.integers(0, len(raws) - 1))
    before = parsed(raws[n - 1]).h if n else chain.ROOT
    out = raws[:n]
    for raw in raws[n:]:
        line = parsed(raw)
        assert line.salt is not None
        new = chain.sealed(before, 1, line.seq, line.id, line.rev, line.salt, b'{"kind":"forged"}')
        before = new.h
        out.append(chain.render(new))
    return out


@pytest.mark.parametrize("damage", [flip, swap, drop, double, edit, empty, cut, rewrite])
@given(texts=LINES, data=st.data())
def test_damage_is_found(damage: Callable[[list[bytes], st.DataObject], list[bytes]], texts: list[str],
                         data: st.DataObject, stored: Callable[..., Stored]) -> None:
    raws = lines(texts)

    assert stored(damage(raws, data), raws[-1]).found() != []


@given(texts=LINES, data=st.data())
def test_one_flipped_bit_spoils_one_line_and_no_other(texts: list[str], data: st.DataObject) -> None:
    raws = lines(texts)
    damaged = io.BytesIO(b"".join(flip(raws, data))).readlines()

    steps = chain.walk(enumerate(damaged), chain.Place())

    believed = [step for step in steps if not step.why]
    assert len(believed) == len(raws) - (2 if len(damaged) < len(raws) else 1)  # two where it was a newline


def test_a_head_noted_elsewhere_finds_what_head_itself_cannot(stored: Callable[..., Stored]) -> None:
    raws = lines("abcdef")
    log = stored(raws[:4], raws[3])
    assert log.found() == []

    log.anchors = [(2, parsed(raws[1]).h.hex()), (6, parsed(raws[5]).h.hex())]

    assert [each.why for each in log.found()] == ["seq 5 to 6 should stand here"]


def test_a_log_that_was_written_anew_does_not_fit_a_noted_head(stored: Callable[..., Stored]) -> None:
    other = lines("xyz")
    log = stored(other, other[-1])

    log.anchors = [(2, parsed(lines("abc")[1]).h.hex())]

    assert [each.why for each in log.found()] == ["seq 2 is not the line that was there when its head was noted"]


def test_a_log_without_head_is_not_taken_on_trust(stored: Callable[..., Stored]) -> None:
    assert [each.segment for each in stored(lines("abc"), None).found()] == [f"{HOME}/HEAD"]


def test_damage_is_named_by_segment_offset_and_length(stored: Callable[..., Stored]) -> None:
    raws = lines("abc")

    (found,) = stored([raws[0], raws[1].replace(b'"b"', b'"B"'), raws[2]], raws[2]).found()

    assert (found.segment, found.offset, found.length) == (f"{HOME}/{SEGMENT}", len(raws[0]), len(raws[1]))
    assert found.why == "the payload is not what was recorded"


def test_without_full_payloads_are_taken_on_trust(stored: Callable[..., Stored]) -> None:
    raws = lines("abc")
    log = stored([raws[0], raws[1].replace(b'"b"', b'"B"'), raws[2]], raws[2])

    assert verify(log.folder, HOME, full=False) == []


def test_a_line_of_a_newer_version_is_read_by_its_header() -> None:
    payload, salt = b'{"kind":"x"}', bytes(16)
    line = chain.sealed(chain.ROOT, 2, 1, b"a" * 16, b"b" * 16, salt, payload)
    raw = chain.render(line)

    newer = raw.replace(b',"salt"', b',"sig":"ed25519","salt"')

    assert chain.parse(raw[:-1]) == chain.parse(newer[:-1]) == line


def test_upper_case_hex_is_no_hex() -> None:
    raw = lines("abc")[0]

    assert chain.parse(raw[:-1].replace(parsed(raw).h.hex().encode(), parsed(raw).h.hex().upper().encode())) is None
