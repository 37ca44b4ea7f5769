"""Deciding what an append writes, without writing it: pure, and the same for every keeper of a log."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rhizome.errors import Conflict, Refused
from rhizome.log.catalog import Row
from rhizome.log.chain import render, sealed
from rhizome.log.envelope import payload
from rhizome.log.identity import ID_BYTES
from rhizome.log.port import NO_REV
from rhizome.log.upcast import VERSION
from rhizome.model import Event, Head

SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Made:
    """The lines to be, what a catalog wants to know of each, and the head after them."""

    content: bytearray
    rows: list[Row]
    head: Head


_is_hex = re.compile("[0-9a-f]*").fullmatch
is_id = re.compile(r"[0-9a-f]{32}").fullmatch
"""Whether a text can be the id or the rev of an event."""


def are_ids(texts: Sequence[str]) -> bool:
    """The same of every one of `texts`, at a fraction of what it costs one by one."""
    return set(map(len, texts)) <= {2 * ID_BYTES} and _is_hex("".join(texts)) is not None


def checked(events: Iterable[Event]) -> list[Event]:
    """`events` as a list, each with an id and a rev of 32 lower-case hex digits. Refused otherwise."""
    batch = list(events)
    if not are_ids([event.id for event in batch] + [event.rev for event in batch if event.rev]):
        bad = next(event for event in batch if not is_id(event.id) or (event.rev and not is_id(event.rev)))
        raise Refused(f"event of kind {bad.kind}: id {bad.id!r} with rev {bad.rev!r} cannot be appended",
                      "give both as 32 lower-case hex digits (see rhizome.log.identity)")
    return batch


def unseen(events: Iterable[Event], known: Mapping[str, frozenset[str]]) -> list[Event]:
    """Those of `events` whose (id, rev) neither the log nor an earlier event of this batch has."""
    events = list(events)
    if not known and len({event.id for event in events}) == len(events):
        return events
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


def made(events: list[Event], head: Head, recorded_at: str, dice: Callable[[int], bytes]) -> Made:
    """Lines for `events` after `head`. The dice are thrown once for the whole batch."""
    salts = dice(SALT_BYTES * len(events))
    content, rows = bytearray(), list[Row]()
    seq, before = head.seq, bytes.fromhex(head.h)
    for n, event in enumerate(events):
        seq += 1
        salt = salts[SALT_BYTES * n : SALT_BYTES * (n + 1)]
        line = sealed(before, VERSION, seq, bytes.fromhex(event.id), bytes.fromhex(event.rev or NO_REV), salt,
                      payload(event, recorded_at))
        before, raw = line.h, render(line)
        rows.append(Row(seq, line.id, line.rev, event.kind, event.session, len(content), len(raw)))
        content += raw
    return Made(content, rows, Head(seq, before.hex()))
