"""What was asked and which ids were served: one line a search in `HOME/spool/`; the next night takes it into the log.

It teaches `aliases suggest`, and no search fails or waits for it: where it cannot be written, it is not. A question
and the folder that it was asked in go through the door like everything else. The door's patterns take a tenth of a
second to read in; a process that answers once keeps only such as cannot hold a secret.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from rhizome.memory.parts import Parts
from rhizome.model import Event, moment, timestamp

if TYPE_CHECKING:
    from pathlib import Path

KIND = "search.served"
SPOOL_BYTES = 1_000_000
"""What a spool may hold until a night takes it in: some three thousand searches."""

QUESTION_CHARS = 300
WORD_CHARS, NUMBER_DIGITS = 20, 5
"""Longer ones may be drawn and not said."""

NAME_CHARS = 12
"""What a folder or session is called in letters and digits, between its joints; the longest part of a UUID."""

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
    caller = parts.around.session or str(parts.around.folder)
    if not (plain(question) and plain_name(caller)):
        if not parts.around.look_seconds:
            return
        question, caller = parts.door.clean(question).text, parts.door.clean(caller).text
    hits = found["hits"] or found["nearest"]
    line = Served(timestamp(parts.around.clock()), question[:QUESTION_CHARS], caller, found["reason"],
                  [(hit["layer"], hit["ref"]) for hit in hits])  # fmt: skip
    with suppress(OSError, UnicodeEncodeError):
        _add(spool(parts), msgspec.json.encode(line) + b"\n")


def plain(question: str) -> bool:
    """Whether a question is made of words and small numbers alone, so that the door would find nothing in it."""
    return all(_is_plain(part) for word in question.split() for part in word.strip(_AROUND).translate(_JOINTS).split())


def plain_name(caller: str) -> bool:
    """The same of a folder's path or a session's name."""
    parts = caller.replace("/", " ").replace(os.sep, " ").translate(_JOINTS).split(" ")
    return all(not part or _is_plain(part) or (part.isalnum() and len(part) <= NAME_CHARS) for part in parts)


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
        opened = _opened(file, flags)
    except FileNotFoundError:
        file.parent.mkdir(mode=0o700, exist_ok=True)
        opened = _opened(file, flags)
    try:
        if os.fstat(opened).st_size < SPOOL_BYTES:
            os.write(opened, line)
    finally:
        os.close(opened)


def _opened(file: "Path", flags: int) -> int:
    """Opened without waiting. Raises OSError for a link, which may lead anywhere, and for anything that is no file."""
    opened = os.open(file, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise FileExistsError(f"{file}: is no file")
    return opened


# ---------------------------------------------------------------- into the log


def take_in(parts: Parts) -> None:
    """Append what was asked since the last night, and begin a new spool. Done again, it adds nothing.

    A spool that cannot be moved or read waits; no night fails for it.
    """
    file = spool(parts)
    taken = file.with_suffix(".taken")
    try:
        if stat.S_ISREG(file.lstat().st_mode) and not os.path.lexists(taken):
            file.replace(taken)
    except OSError:
        pass  # none since the last night, or it waits; what an earlier night left may be there
    try:
        events = [_event(parts, each) for each in _read(taken)]
    except OSError:
        return
    if events:
        parts.append(events)
    with suppress(OSError):
        taken.unlink()


def _event(parts: Parts, each: Served) -> Event:
    from rhizome.memory.home import event_id

    told = {"question": each.question, "caller": each.caller, "reason": each.reason, "refs": each.refs}
    body = msgspec.json.decode(parts.door.clean(msgspec.json.encode(told).decode()).text)
    body["question"] = body["question"][:QUESTION_CHARS]
    name = event_id(parts.home, KIND, each.at, body["caller"], body["question"])
    return Event(kind=KIND, id=name, happened_at=each.at, body=body)


def _read(file: "Path") -> Iterator[Served]:
    """The searches of a spool; a line that was cut off, or is none, is left out. Raises OSError."""
    with os.fdopen(_opened(file, os.O_RDONLY), "rb") as lines:
        for line in lines:
            with suppress(msgspec.DecodeError, RecursionError):
                if moment((found := msgspec.json.decode(line, type=Served)).at):
                    yield found


def searches(parts: Parts) -> list[Served]:
    """Every search that was kept, in the log or not yet, the oldest first."""
    found = [msgspec.convert({**event.fields, "at": event.happened_at or event.recorded_at, "event": event.id}, Served)
             for event in parts.log.history((KIND,))]  # fmt: skip
    for file in (spool(parts).with_suffix(".taken"), spool(parts)):
        with suppress(OSError):
            found += _read(file)
    return sorted(found, key=lambda each: each.at)
