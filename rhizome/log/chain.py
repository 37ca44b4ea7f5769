"""The chain: each line commits to its payload and to every line before it, and survives the payload's forgetting.

    c = SHA256("rhizome/payload/1" | salt16 | payload)
    h = SHA256("rhizome/link/1" | h_prev32 | v_u16 | seq_u64be | id16 | rev16 | c32)

The payload's exact bytes are hashed, so nothing ever depends on how somebody would encode them again. The salt leaves
with the payload: what is left of a forgotten four-digit pin cannot be found by trying. All fields have fixed widths.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

ROOT = bytes(32)
"""The chain value before the first line."""

_LINE = re.compile(
    rb'\{"v":([1-9][0-9]{0,4}),"seq":([1-9][0-9]{0,18}),"id":"([0-9a-f]{32})","rev":"([0-9a-f]{32})"'
    rb',"c":"([0-9a-f]{64})","h":"([0-9a-f]{64})"(?:,"salt":"([0-9a-f]{32})","p":(\{.*\}))?\}',
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a segment, taken apart and not yet believed. `salt` and `payload` are None once forgotten."""

    v: int
    seq: int
    id: bytes
    rev: bytes
    c: bytes
    h: bytes
    salt: bytes | None
    payload: bytes | None


def parse(raw: bytes) -> Line | None:
    """`raw` (without its newline) taken apart; None where one byte of the envelope is not as it is written.

    There is one way to write a line, and this is it: hex is lower-case, members stand in order, no white space. So no
    flipped bit of the envelope goes unseen, and every other byte is under `c` or `h`.
    """
    found = _LINE.fullmatch(raw)
    if found is None:
        return None
    v, seq, id_, rev, c, h, salt, payload = found.groups()
    if int(v) > 0xFFFF:
        return None
    fromhex = bytes.fromhex
    return Line(int(v), int(seq), fromhex(id_.decode()), fromhex(rev.decode()), fromhex(c.decode()),
                fromhex(h.decode()), fromhex(salt.decode()) if salt is not None else None, payload)


def render(line: Line) -> bytes:
    """The bytes of `line` with its newline; the inverse of `parse`."""
    header = f'{{"v":{line.v},"seq":{line.seq},"id":"{line.id.hex()}","rev":"{line.rev.hex()}","c":"{line.c.hex()}"'
    tail = b"" if line.payload is None or line.salt is None else b'","salt":"%b","p":%b' % (
        line.salt.hex().encode(), line.payload)
    return b'%b,"h":"%b%b}\n' % (header.encode(), line.h.hex().encode(), tail or b'"')


def commitment(salt: bytes, payload: bytes) -> bytes:
    """What a line keeps of its payload."""
    return sha256(b"rhizome/payload/1" + salt + payload).digest()


def link(before: bytes, v: int, seq: int, id_: bytes, rev: bytes, c: bytes) -> bytes:
    """The chain value of a line that stands after a line of chain value `before`."""
    return sha256(b"rhizome/link/1" + before + v.to_bytes(2, "big") + seq.to_bytes(8, "big") + id_ + rev + c).digest()


def sealed(before: bytes, v: int, seq: int, id_: bytes, rev: bytes, salt: bytes, payload: bytes) -> Line:
    """A new line after one of chain value `before`."""
    c = commitment(salt, payload)
    return Line(v, seq, id_, rev, c, link(before, v, seq, id_, rev, c), salt, payload)


@dataclass(frozen=True, slots=True)
class Place:
    """How far a walk along the chain has come; `h` is None after a line that nothing could be read from."""

    seq: int = 0
    h: bytes | None = ROOT


@dataclass(frozen=True, slots=True)
class Step:
    """One line met on a walk: where it stands, what was read, and why it is not to be believed ("" when it is).

    `missing` counts the lines that should stand before it and do not.
    """

    offset: int
    length: int
    line: Line | None
    why: str
    missing: int
    place: Place


def walk(lines: Iterable[tuple[int, bytes]], place: Place, payloads: bool = True) -> Iterator[Step]:
    """Follow the chain from `place` over (offset, line with its newline) and judge each line. Never raises.

    A line whose link or commitment does not hold is told apart from its neighbours: the walk goes on with the value
    the next readable line states, and the line after that one vouches for it. With `payloads` False commitments are
    taken on trust. Costs about 4 microseconds a line and 2 nanoseconds a byte.
    """
    for offset, raw in lines:
        line = parse(raw[:-1]) if raw.endswith(b"\n") else None
        step = _judged(offset, len(raw), line, place, payloads)
        place = step.place
        yield step


def _judged(offset: int, length: int, line: Line | None, place: Place, payloads: bool) -> Step:
    if line is None:
        return Step(offset, length, None, "not a line of a log", 0, Place(place.seq, None))
    expected = place.seq + 1
    if line.seq != expected and place.h is not None and line.h == _link(place.h, line, expected):
        return Step(offset, length, line, f"seq {line.seq} stands where {expected} was", 0, Place(expected, line.h))
    if line.seq <= place.seq:
        return Step(offset, length, line, f"seq {line.seq} stands after seq {place.seq}", 0, place)
    after = Place(line.seq, line.h)
    if line.seq == expected and place.h is not None and line.h != _link(place.h, line, expected):
        return Step(offset, length, line, "the chain does not hold", 0, after)
    missing = line.seq - expected if place.h is not None else 0
    if payloads and not _kept(line):
        return Step(offset, length, line, "the payload is not what was recorded", missing, after)
    return Step(offset, length, line, "", missing, after)


def _kept(line: Line) -> bool:
    return line.payload is None or line.salt is None or line.c == commitment(line.salt, line.payload)


def _link(before: bytes, line: Line, seq: int) -> bytes:
    return link(before, line.v, seq, line.id, line.rev, line.c)
