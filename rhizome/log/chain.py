"""The chain: each line commits to its payload and to every line before it, and survives the payload's forgetting.

    c = SHA256("rhizome/payload/1" | salt16 | payload)
    h = SHA256("rhizome/link/1" | h_prev32 | v_u16 | seq_u64be | id16 | rev16 | c32)

The payload's exact bytes are hashed, so nothing ever depends on how somebody would encode them again. The salt leaves
with the payload: what is left of a forgotten four-digit pin cannot be found by trying. All fields have fixed widths.
"""

import re
from binascii import hexlify, unhexlify
from collections.abc import Iterable, Iterator
from hashlib import sha256
from struct import Struct

import msgspec

from rhizome.log.upcast import too_new

ROOT = bytes(32)
"""The chain value before the first line."""

NO_LIMIT = 2**63 - 1
"""More than any seq."""

_V_AND_SEQ = Struct(">HQ").pack

_LINE = re.compile(
    rb'\{"v":([1-9][0-9]{0,3}),"seq":([1-9][0-9]{0,14}),"id":"([0-9a-f]{32})","rev":"([0-9a-f]{32})"'
    rb',"c":"([0-9a-f]{64})","h":"([0-9a-f]{64})"(?:,"salt":"([0-9a-f]{32})","p":(\{.*\}))?\}',
    re.DOTALL,
)

_NEWER = re.compile(
    rb'\{"v":([1-9][0-9]{0,3}),"seq":([1-9][0-9]{0,14}),"id":"([0-9a-f]{32})","rev":"([0-9a-f]{32})"'
    rb',"c":"([0-9a-f]{64})","h":"([0-9a-f]{64})"(?:,[^{]{0,1000}?"salt":"([0-9a-f]{32})","p":(\{.*\}))?.{0,1000}\}',
    re.DOTALL,
)
"""A line of a later version: the header as it is today, whatever else that version put beside it."""


class Line(msgspec.Struct, frozen=True, gc=False):
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
        found = _NEWER.fullmatch(raw)
        if found is None or not too_new(int(found[1])):
            return None
    v, seq, id_, rev, c, h, salt, payload = found.groups()
    return Line(int(v), int(seq), unhexlify(id_), unhexlify(rev), unhexlify(c), unhexlify(h),
                None if salt is None else unhexlify(salt), payload)


def render(line: Line) -> bytes:
    """The bytes of `line` with its newline; the inverse of `parse`."""
    head = b'{"v":%d,"seq":%d,"id":"%b","rev":"%b","c":"%b","h":"%b"' % (
        line.v, line.seq, hexlify(line.id), hexlify(line.rev), hexlify(line.c), hexlify(line.h))
    if line.salt is None or line.payload is None:
        return head + b"}\n"
    return b"".join((head, b',"salt":"', hexlify(line.salt), b'","p":', line.payload, b"}\n"))


def commitment(salt: bytes, payload: bytes) -> bytes:
    """What a line keeps of its payload."""
    taken = sha256(b"rhizome/payload/1" + salt)
    taken.update(payload)
    return taken.digest()


def link(before: bytes, v: int, seq: int, id_: bytes, rev: bytes, c: bytes) -> bytes:
    """The chain value of a line that stands after a line of chain value `before`."""
    return sha256(b"rhizome/link/1%b%b%b%b%b" % (before, _V_AND_SEQ(v, seq), id_, rev, c)).digest()


def sealed(before: bytes, v: int, seq: int, id_: bytes, rev: bytes, salt: bytes, payload: bytes) -> Line:
    """A new line after one of chain value `before`."""
    c = commitment(salt, payload)
    return Line(v, seq, id_, rev, c, link(before, v, seq, id_, rev, c), salt, payload)


class Place(msgspec.Struct, frozen=True, gc=False):
    """How far a walk along the chain has come.

    `h` is None after a line that nothing could be read from. After a line whose own chain value does not hold, `doubt`
    is what it should have been: the next line tells whether the value or the rest of that line was changed.
    """

    seq: int = 0
    h: bytes | None = ROOT
    doubt: bytes | None = None


class Step(msgspec.Struct, frozen=True, gc=False):
    """One line met on a walk: where it stands, what was read, and why it is not to be believed ("" when it is).

    `missing` counts the lines that should stand before it and do not; `unfinished` is a line without its newline.
    """

    offset: int
    length: int
    line: Line | None
    why: str
    missing: int
    place: Place
    unfinished: bool = False


def walk(lines: Iterable[tuple[int, bytes]], place: Place, *, until: int = NO_LIMIT,
         payloads: bool = True) -> Iterator[Step]:
    """Follow the chain from `place` over (offset, line with its newline) and judge each line. Never raises.

    A line whose link or commitment does not hold is told apart from its neighbours: the walk goes on with the value
    the next readable line states, and the line after that one vouches for it; but what claims to be the very next line
    of the last sure one has to follow that. A seq beyond `until` is no line's. With
    `payloads` False commitments are taken on trust. Costs about 4 microseconds a line and 2 nanoseconds a byte.
    """
    sure = place
    for offset, raw in lines:
        if raw.endswith(b"\n"):
            step = _judged(offset, len(raw), parse(raw[:-1]), place, sure, until, payloads)
        else:
            step = Step(offset, len(raw), None, "a line without an end", 0, Place(place.seq, None), unfinished=True)
        place = step.place
        sure = place if place.h is not None else sure
        yield step


def _judged(offset: int, length: int, line: Line | None, place: Place, sure: Place, until: int, payloads: bool) -> Step:
    if line is None:
        return Step(offset, length, None, "not a line of a log", 0, Place(place.seq, None))
    expected = place.seq + 1
    follows = _follows(place, line, expected)
    if line.seq != expected and follows:
        return Step(offset, length, line, f"seq {line.seq} stands where {expected} was", 0, Place(expected, line.h))
    if line.seq > until:
        return Step(offset, length, line, f"seq {line.seq} stands where {until} is the last", 0, place)
    if line.seq <= place.seq:
        return Step(offset, length, line, f"seq {line.seq} stands after seq {place.seq}", 0, place)
    if line.seq == expected and place.h is not None and not follows:
        doubt = _link(place.h, line, expected)
        return Step(offset, length, line, "the chain does not hold", 0, Place(line.seq, line.h, doubt))
    if line.seq == expected and place.h is None and sure.h is not None and not _follows(sure, line, expected):
        return Step(offset, length, line, f"seq {line.seq} does not follow seq {sure.seq}", 0, place)
    missing = line.seq - expected if place.h is not None else 0
    why = "" if not payloads or kept(line) else "the payload is not what was recorded"
    return Step(offset, length, line, why, missing, Place(line.seq, line.h))


def _follows(place: Place, line: Line, seq: int) -> bool:
    """Whether the chain value of `line` is that of line `seq` at `place`."""
    if place.h is None:
        return False
    return line.h == _link(place.h, line, seq) or (place.doubt is not None and line.h == _link(place.doubt, line, seq))


def kept(line: Line) -> bool:
    """Whether a line's payload is what it commits to, or is forgotten."""
    return line.payload is None or line.salt is None or line.c == commitment(line.salt, line.payload)


def _link(before: bytes, line: Line, seq: int) -> bytes:
    return link(before, line.v, seq, line.id, line.rev, line.c)
