"""What was asked and which ids were served: one line a search in `HOME/spool/`; the next night takes it into the log.

It teaches `aliases suggest`, and no search fails or waits for it: where it cannot be written, it is not. A question
goes through the door like everything else. The door's patterns take a tenth of a second to read in; a process that
answers once keeps only such questions as cannot hold a secret.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from rhizome.memory.parts import Parts
from rhizome.model import Event, timestamp

if TYPE_CHECKING:
    from pathlib import Path

KIND = "search.served"
SPOOL_BYTES = 1_000_000
"""What a spool may hold until a night takes it in: some three thousand searches."""

QUESTION_CHARS = 300
WORD_CHARS, NUMBER_DIGITS = 20, 5
"""Longer ones may be drawn and not said."""

_AROUND = "?!.,;()\"“”'’…"
_JOINTS = str.maketrans("-._'’", "     ")


class Served(msgspec.Struct, frozen=True):
    """One search: `reason` is why there was no answer, `refs` are (layer, ref) of the hits, else of the nearest;
    `caller` is the session it came from, else the folder. `event` is its name in the log, once it is there."""

    at: str
    question: str
    caller: str
    reason: str | None
    refs: list[tuple[str, str]]
    event: str = ""


def note(parts: Parts, question: str, found: Mapping[str, Any]) -> None:
    """Keep what was asked and what came of it, if that can be done at once and safely."""
    if not parts.search.served:
        return
    asked = question[:QUESTION_CHARS]
    if not plain(asked):
        if not parts.around.look_seconds:
            return
        asked = parts.door.clean(question).text[:QUESTION_CHARS]
    hits = found["hits"] or found["nearest"]
    line = Served(timestamp(parts.around.clock()), asked, parts.around.session or str(parts.around.folder),
                  found["reason"], [(hit["layer"], hit["ref"]) for hit in hits])  # fmt: skip
    with suppress(OSError, UnicodeEncodeError):
        _add(spool(parts), msgspec.json.encode(line) + b"\n")


def plain(question: str) -> bool:
    """Whether a question is made of words and small numbers alone, so that the door would find nothing in it."""
    return all(_is_plain(part) for word in question.split() for part in word.strip(_AROUND).translate(_JOINTS).split())


def _is_plain(part: str) -> bool:
    if part.isdecimal():
        return len(part) <= NUMBER_DIGITS
    return part.isalpha() and (len(part) <= WORD_CHARS or not part.isascii())


def spool(parts: Parts) -> "Path":
    return parts.home.root / "spool" / "served.jsonl"


def _add(file: "Path", line: bytes) -> None:
    """One write, so that processes do not mix theirs."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    try:
        opened = os.open(file, flags, 0o600)
    except FileNotFoundError:
        file.parent.mkdir(mode=0o700, exist_ok=True)
        opened = os.open(file, flags, 0o600)
    try:
        if os.fstat(opened).st_size < SPOOL_BYTES:
            os.write(opened, line)
    finally:
        os.close(opened)


# ---------------------------------------------------------------- into the log


def take_in(parts: Parts) -> None:
    """Append what was asked since the last night, and begin a new spool. Done again, it adds nothing.

    A spool that cannot be moved or read waits; no night fails for it.
    """
    file = spool(parts)
    taken = file.with_suffix(".taken")
    with suppress(OSError):
        if file.exists() and not taken.exists():
            file.replace(taken)
    events = [_event(parts, each) for each in _read(taken)]
    if events:
        parts.append(events)
    with suppress(OSError):
        taken.unlink()


def _event(parts: Parts, each: Served) -> Event:
    from rhizome.memory.home import event_id

    question = parts.door.clean(each.question).text
    body = {"question": question, "caller": each.caller, "reason": each.reason, "refs": each.refs}
    name = event_id(parts.home, KIND, each.at, each.caller, question)
    return Event(kind=KIND, id=name, happened_at=each.at, body=body)


def _read(file: "Path") -> Iterator[Served]:
    """The searches of a spool; a line that was cut off, or is none, is left out."""
    with suppress(OSError), file.open("rb") as lines:
        for line in lines:
            with suppress(msgspec.DecodeError):
                yield msgspec.json.decode(line, type=Served)


def searches(parts: Parts) -> list[Served]:
    """Every search that was kept, in the log or not yet, the oldest first."""
    found = [msgspec.convert({**event.fields, "at": event.happened_at or event.recorded_at, "event": event.id}, Served)
             for event in parts.log.history((KIND,))]  # fmt: skip
    for file in (spool(parts).with_suffix(".taken"), spool(parts)):
        found += _read(file)
    return sorted(found, key=lambda each: each.at)
