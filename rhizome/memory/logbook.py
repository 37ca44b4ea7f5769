"""Looking at the log itself: which events there are and what they say. Reads; changes nothing."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, time
from itertools import islice
from typing import Any

import msgspec

from rhizome.errors import NotFound, Refused
from rhizome.log import segments
from rhizome.log.lineage import Lineage
from rhizome.log.sessions import origins, resolved, says
from rhizome.memory.parts import Parts
from rhizome.memory.reading import raw_line, standing
from rhizome.model import Event, Tier, moment, visible

Answer = dict[str, Any]
WINDOW = 500
"""So many events are looked at at a time when the newest are asked for."""


@dataclass(frozen=True, slots=True)
class Which:
    """What events are asked for; None asks for all of them. A `kind` is also its first word: `fact`, `source`."""

    session: str | None = None
    kind: str | None = None
    origin: str | None = None
    since: str | None = None
    scope: str | None = None
    clearance: str = Tier.AMBER

    @property
    def everything(self) -> bool:
        return self == Which()


def show(parts: Parts, which: Which, *, n: int, form: str, event: str | None = None) -> Answer:
    """The first `n` events (0: all), or one event whole."""
    if event is not None:
        found = parts.log.get(event)
        if not visible(found.tier, Tier(which.clearance)):
            raise NotFound(f"event {event}: not in this log")
        told = answer([found], 0, form) | {"whole": True}
        if form == "text":
            told["events"][0] |= {"status": standing(parts, found), "shrunk": shrunk(parts, found)}
        return told
    return answer(chosen(parts, which), n, form)


def shrunk(parts: Parts, event: Event) -> str | None:
    """How little the last revision of a record says, where an earlier one says more and is the one that is read."""
    if event.session is None or len(parts.log.knows(event.id)) < 2:
        return None
    *_, last = (each for each in parts.log.session(event.session) if each.id == event.id)
    left, full = len(says(last)), len(says(event))
    return f"to {left} of {full} characters, on {last.recorded_at}" if left < full else None


def grep(parts: Parts, which: Which, pattern: str, *, n: int, form: str) -> Answer:
    """The first `n` events that say something like `pattern`; in text, each with the line that does."""
    from rhizome.memory.grep import finder  # a twentieth of a second to load

    has = finder(pattern)
    return answer((event for event in chosen(parts, which) if has(said(event))), n, form, has)


def tail(parts: Parts, which: Which, *, n: int, form: str) -> Answer:
    """The last `n` events, oldest first. Looks no further back than it has to."""
    if which.session is not None or n <= 0:
        found = list(deque(chosen(parts, which), maxlen=n or None))
    else:
        wanted, since = wanted_by(parts, which), instant(parts, which.since)
        kinds = kinds_of(parts, which)
        found = [event for home, head in parts.heads().items()
                 for event in islice(backwards(parts, home, head, wanted, since, kinds), n)]
        found = sorted(found, key=lambda event: (event.recorded_at, event.home, event.seq))[-n:]
    return answer(found, 0, form)


def stats(parts: Parts, which: Which) -> Answer:
    """How much there is: of everything from what the catalog knows, else by reading what is asked for."""
    if not which.everything:
        return counted(chosen(parts, which))
    kinds, homes = parts.log.kinds(), {}
    for home, seq in parts.heads().items():
        stamps = segments.stamps(parts.home.log / home)
        homes[home] = {
            "events": seq, "segments": len(stamps), "sealed": sum(stamp.sealed for stamp in stamps.values()),
            "bytes": sum(stamp.size for stamp in stamps.values()),
        }  # fmt: skip
    sessions = len(Lineage.of(parts.log).sessions)
    return {"events": sum(kinds.values()), "sessions": sessions, "kinds": dict(sorted(kinds.items())), "homes": homes}


def counted(events: Iterable[Event]) -> Answer:
    """How many events there are by kind, origin and scope."""
    kinds, sources, scopes, sessions = Counter[str](), Counter[str](), Counter[str](), set[str]()
    for event in events:
        kinds[event.kind] += 1
        sources.update(origins(event))
        scopes.update([event.scope] if event.scope else [])
        sessions.update([event.session] if event.session else [])
    return {"events": kinds.total(), "sessions": len(sessions), "kinds": dict(sorted(kinds.items())),
            "origins": dict(sorted(sources.items())), "scopes": dict(sorted(scopes.items()))}


# ---------------------------------------------------------------- choosing


def chosen(parts: Parts, which: Which) -> Iterator[Event]:
    """The events that are asked for, in the order of (recorded_at, home, seq)."""
    wanted, since = wanted_by(parts, which), instant(parts, which.since)
    if which.session is not None:
        found: Iterable[Event] = parts.log.session(resolved(Lineage.of(parts.log), which.session))
        kinds = kinds_of(parts, which)
        found = (event for event in found if kinds is None or event.kind in kinds)
    else:
        found = parts.log.history(kinds_of(parts, which))
    return (event for event in found if wanted(event) and not (since and older(event, since)))


def kinds_of(parts: Parts, which: Which) -> frozenset[str] | None:
    """The kinds that a kind or its first word names."""
    if which.kind is None:
        return None
    return frozenset(kind for kind in parts.log.kinds() if kind == which.kind or kind.startswith(f"{which.kind}."))


def wanted_by(parts: Parts, which: Which) -> Callable[[Event], bool]:
    scope, clearance = parts.scope(which.scope) if which.scope else None, Tier(which.clearance)

    def wanted(event: Event) -> bool:
        return (visible(event.tier, clearance) and scope in (None, event.scope)
                and (which.origin is None or which.origin in origins(event)))

    return wanted


def backwards(parts: Parts, home: str, head: int, wanted: Callable[[Event], bool], since: datetime | None,
              kinds: frozenset[str] | None) -> Iterator[Event]:
    """The wanted events of one home, newest first."""
    while head > 0:
        for event in reversed(list(parts.log.span(home, max(1, head - WINDOW + 1), head))):
            if (kinds is None or event.kind in kinds) and wanted(event) and not (since and older(event, since)):
                yield event
        head -= WINDOW


def older(event: Event, since: datetime) -> bool:
    """Whether something happened before an instant; an event without a time of its own when it was recorded."""
    at = moment(event.happened_at) or moment(event.recorded_at)
    return at is not None and at < since


def instant(parts: Parts, text: str | None) -> datetime | None:
    """From when on: a day begins with its first moment in the home's zone. Refused for what is no date."""
    if text is None:
        return None
    at = moment(text)
    if at is None:
        raise Refused(f"{text}: not a date", "Write YYYY-MM-DD, or a time like 2026-09-08T14:00+02:00.")
    return datetime.combine(at.date(), time.min, tzinfo=parts.zone) if len(text) <= len("YYYY-MM-DD") else at


# ---------------------------------------------------------------- answering


def answer(found: Iterable[Event], n: int, form: str, has: Callable[[str], bool] | None = None) -> Answer:
    """At most `n` events (0: all) in the form asked for: `jsonl` is each event whole, `text` what it says."""
    events = iter(found)
    first = list(islice(events, n)) if n > 0 else list(events)
    rows = [msgspec.to_builtins(event) if form == "jsonl" else row(event, has) for event in first]
    return {"events": rows, "format": form, "more": next(events, None) is not None, "whole": False}


def row(event: Event, has: Callable[[str], bool] | None = None) -> Answer:
    """One event with what it says, and the line of it that was searched for; the first where it is no single one."""
    text = said(event)
    lines = text.lstrip("\n").split("\n")
    return {
        "event": event.id, "home": event.home, "seq": event.seq, "kind": event.kind, "recorded_at": event.recorded_at,
        "happened_at": event.happened_at, "actor": event.actor, "origin": next(iter(origins(event)), None),
        "scope": event.scope, "session": event.session, "tier": str(event.tier), "text": text,
        "line": next(filter(has, lines), lines[0]) if has else lines[0],
    }  # fmt: skip


def said(event: Event) -> str:
    """What an event says: a record's words, else its body as JSON."""
    return (says(event) if event.kind == "session.record" else "") or ("" if event.body is None else raw_line(event))
