"""An event as a line's payload, and back.

The payload's members are `kind, recorded_at, happened_at, actor, origin, scope, session, call, tier, source, body` or
`body64`, defaults omitted. `id`, `rev` and `seq` stand in the header, `home` is the folder's name. Members and kinds
nobody here knows stay in the line, which is never encoded again.

msgspec does the work; what it refuses (a lone surrogate, an integer beyond 64 bits) takes the standard library's way,
once, in both directions.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec
from msgspec.structs import force_setattr, replace

from rhizome.errors import Damaged, Refused
from rhizome.log import chain
from rhizome.model import Event, Tier

T = TypeVar("T")

FORGOTTEN = "forgotten"
"""The kind of an event whose payload is gone."""

UNREADABLE = "unreadable"
"""The kind of an event whose payload holds and yet says nothing to this program: a newer one wrote it."""


class _Read(msgspec.Struct, gc=False):
    seq: int
    id: str
    rev: str
    p: Event | None = None


class Gist(msgspec.Struct, gc=False):
    """What a catalog keeps of a payload."""

    kind: str
    recorded_at: str = ""
    session: str | None = None


_encode = msgspec.json.Encoder().encode
_read = msgspec.json.Decoder(_Read).decode
_gist = msgspec.json.Decoder(Gist).decode


def payload(event: Event, recorded_at: str) -> bytes:
    """The bytes a line commits to. Refused where the body holds what JSON cannot say. About a microsecond."""
    tier = Tier.AMBER if event.tier == Tier.AMBER else event.tier  # the codec omits the very default, not its equal
    bare = replace(event, id="", rev="", seq=0, home="", recorded_at=recorded_at, tier=tier)
    try:
        try:
            return _encode(bare)
        except (UnicodeEncodeError, OverflowError):
            return _slow_payload(bare)
    except (TypeError, ValueError) as error:
        raise Refused(f"event {event.id} ({event.kind}): its body is not JSON: {error}",
                      "give texts, numbers, lists and objects with texts as names") from None


def events(raws: Iterable[bytes], home: str) -> Iterator[Event]:
    """The event in each line. Damaged where `chain.parse` finds no line. About 2.5 us a kilobyte."""
    read, fill = _read, force_setattr
    for raw in raws:
        try:
            line = read(raw)
        except (msgspec.DecodeError, UnicodeDecodeError):
            yield _slow_event(raw, home)
            continue
        event = line.p
        if event is None:
            event = Event(kind=FORGOTTEN)
        # The decoder made this event a moment ago and nobody else has it: filling in its header here costs a third
        # of what building a second, equal event would.
        fill(event, "seq", line.seq)
        fill(event, "id", line.id)
        fill(event, "rev", line.rev)
        fill(event, "home", home)
        yield event


def event(raw: bytes, home: str) -> Event:
    """The event in one line."""
    return next(events((raw,), home))


def gist(raw: bytes) -> Gist:
    """Kind, time and session of a payload, without its body."""
    try:
        return _gist(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _slow(raw, Gist) or Gist(UNREADABLE)


def _slow_payload(bare: Event) -> bytes:
    members: dict[str, Any] = {name: value for name, value in msgspec.structs.asdict(bare).items()
                               if value != _DEFAULTS.get(name, msgspec.UNSET)}
    if bare.source is not None:
        members["source"] = msgspec.structs.asdict(bare.source)
    return json.dumps(members, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _slow_event(raw: bytes, home: str) -> Event:
    line = chain.parse(raw.rstrip(b"\n"))
    if line is None:
        raise Damaged(f"{home}: a line that holds no event: {raw[:40]!r}", "run `rhizome log verify`")
    found = Event(kind=FORGOTTEN) if line.payload is None else _slow(line.payload, Event) or Event(kind=UNREADABLE)
    return replace(found, seq=line.seq, id=line.id.hex(), rev=line.rev.hex(), home=home)


def _slow(raw: bytes, shape: type[T]) -> T | None:
    """A payload by the standard library; None where it has not got that shape."""
    try:
        return msgspec.convert(json.loads(raw), shape)
    except (msgspec.ValidationError, ValueError):
        return None


_DEFAULTS = {field.name: field.default for field in msgspec.structs.fields(Event)}
