"""What a run has to look at: turns that no run has seen, words that were taken back since, and what people edited."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from rhizome.consolidate.gather import consumed
from rhizome.consolidate.undone import retractions, standing, undone
from rhizome.ledger.fold import Fold
from rhizome.log.lineage import Lineage
from rhizome.log.sessions import turns
from rhizome.memory.distilling import Again, tried_today
from rhizome.memory.parts import Parts
from rhizome.model import Event, Turn, moment

PEOPLES = (
    "note.saved", "note.removed", "key.merged", "fact.retracted", "fact.asserted", "fact.expired", "review.rejected",
)  # fmt: skip
"""The kinds of events by which people change what is derived."""


def previous(parts: Parts) -> Event | None:
    """The last `consolidated` event there is."""
    last = None
    for event in parts.log.history(("consolidated",)):
        last = event
    return last


def due(parts: Parts, now: datetime) -> bool:
    """Whether a day that is over, in the home's zone, holds a closed turn that no run has taken, or one was undone, or
    stands again."""
    today = now.astimezone(parts.zone).date()
    heard = list(due_turns(parts, now, previous(parts)))
    done = consumed(parts.log.history(("consolidated",)), heard) | tried_today(parts, now)
    for turn in heard:
        at = moment(turn.at)
        if turn.closed and turn.id not in done and (at is None or at.astimezone(parts.zone).date() < today):
            return True
    return bool(heard) and bool(unsaid(parts, heard, parts.fold(), now))


def due_turns(parts: Parts, now: datetime, before: Event | None, anew: Again | None = None) -> Iterator[Turn]:
    """The turns of every session that was added to since the last run read the log, or that it left open.

    With `anew`, those of every session besides that has a turn to read again.
    """
    lineage = Lineage.of(parts.log)
    names = set(before.fields.get("open") or ()) if before else set(lineage.sessions)
    if before is not None:
        for event in parts.log.history(("source.seen", "source.attached")):
            if newer(event, before):
                names.add(event.session or "")
    for session in lineage.sessions:
        if session in names:
            yield from turns(parts.log, session, now, lineage)
        elif anew is not None:
            found = list(turns(parts.log, session, now, lineage))
            yield from found if any(map(anew.covers, found)) else ()


def newer(event: Event, before: Event) -> bool:
    """Whether a run did not see an event yet. A run says how far it read; asking a model, it may write much later."""
    reached = before.fields.get("reached")
    if reached is None:
        return (event.recorded_at, event.home, event.seq) > (before.recorded_at, before.home, before.seq)
    return event.seq > int(reached.get(event.home, 0))


def edits(parts: Parts, before: Event | None) -> list[Event]:
    """The events after the last rendering by which people changed facts or derived notes, or merged keys."""
    since = (before.recorded_at, before.home, before.seq) if before else ("", "", 0)
    later = (event for event in parts.log.history(PEOPLES) if (event.recorded_at, event.home, event.seq) > since)
    return [event for event in later if (event.fields.get("derived") or not event.kind.startswith("note."))
            and (not event.kind.startswith("fact.") or (event.call or "").startswith("human/"))]  # fmt: skip


# ---------------------------------------------------------------- what was taken back


def unsaid(parts: Parts, heard: Sequence[Turn], fold: Fold, now: datetime) -> list[Event]:
    """The retractions that a run has to append for turns that were undone since another run took them, or stand again.
    """
    quoted = {message.event for turn in heard for message in turn.messages if fold.quoting(message.event)}
    if not quoted:
        return []
    gone = undone(heard) & quoted
    concerned = {turn.session for turn in heard if any(message.event in gone for message in turn.messages)}
    known = [*heard, *_copies(parts, concerned, {turn.session for turn in heard}, now)] if gone else heard
    return retractions(undone(known) & quoted, standing(known, quoted), fold, key=parts.home.key)


def _copies(parts: Parts, concerned: Collection[str], read: Collection[str], now: datetime) -> Iterator[Turn]:
    """The turns of sessions not `read` that share records with those concerned, or a root, as a fork need not copy what
    it shows: a fork keeps what its parent undid."""
    lineage = Lineage.of(parts.log)
    members = {name: [span for each in held for span in each.members] for name, held in lineage.sessions.items()}
    shown = [span for name in concerned for span in members[name]]
    roots = {root_of(lineage, name) for name in concerned}
    for name, spans in members.items():
        if name not in read and (root_of(lineage, name) in roots or any(
                one[0] == other[0] and one[1] <= other[2] and other[1] <= one[2] for one in spans for other in shown)):
            yield from turns(parts.log, name, now, lineage)


def root_of(lineage: Lineage, session: str) -> str:
    """The session that a session was forked from, as far as the log knows."""
    met = {session}
    while session in lineage.sessions:
        parent = lineage.sessions[session][0].parent
        if parent is None or parent in met:
            break
        met.add(parent)
        session = parent
    return session
