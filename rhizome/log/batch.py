"""Deciding what an append writes, without writing it: pure, and the same for every keeper of a log."""

import re
from collections.abc import Callable, Iterable, Mapping

import msgspec

from rhizome.errors import Conflict, Refused
from rhizome.log.chain import Line, render, sealed
from rhizome.log.envelope import payload
from rhizome.log.port import NO_REV
from rhizome.log.upcast import VERSION
from rhizome.model import Event, Head

_NAME = re.compile(r"[0-9a-f]{32}")
SALT_BYTES = 16


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A line to be, with what a catalog wants to know of it."""

    line: Line
    event: Event
    raw: bytes


def is_id(text: str) -> bool:
    """Whether `text` can be the id or the rev of an event."""
    return _NAME.fullmatch(text) is not None


def checked(events: Iterable[Event]) -> list[Event]:
    """`events` as a list, each with an id and a rev of 32 lower-case hex digits. Refused otherwise."""
    batch = list(events)
    for event in batch:
        if not is_id(event.id) or (event.rev and not is_id(event.rev)):
            raise Refused(f"event of kind {event.kind}: id {event.id!r} with rev {event.rev!r} cannot be appended",
                          "give both as 32 lower-case hex digits (see rhizome.log.identity)")
    return batch


def unseen(events: Iterable[Event], known: Mapping[str, frozenset[str]]) -> list[Event]:
    """Those of `events` whose (id, rev) neither the log nor an earlier event of this batch has."""
    fresh: dict[tuple[str, str], Event] = {}
    for event in events:
        name = (event.id, event.rev or NO_REV)
        if name[1] not in known.get(event.id, ()):
            fresh.setdefault(name, event)
    return list(fresh.values())


def expect(head: Head, expected_seq: int | None) -> None:
    """Conflict where somebody appended since the caller looked."""
    if expected_seq is not None and expected_seq != head.seq:
        raise Conflict(f"the log's head is at seq {head.seq}, not at {expected_seq}", "read what is new and try again")


def entries(events: list[Event], head: Head, recorded_at: str, dice: Callable[[int], bytes]) -> list[Entry]:
    """Lines for `events` after `head`. The dice are thrown once for the whole batch."""
    salts = dice(SALT_BYTES * len(events))
    made: list[Entry] = []
    seq, before = head.seq, bytes.fromhex(head.h)
    for n, event in enumerate(events):
        seq += 1
        salt = salts[SALT_BYTES * n : SALT_BYTES * (n + 1)]
        line = sealed(before, VERSION, seq, bytes.fromhex(event.id), bytes.fromhex(event.rev or NO_REV), salt,
                      payload(event, recorded_at))
        before = line.h
        made.append(Entry(line, event, render(line)))
    return made
