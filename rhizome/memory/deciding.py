"""The deciding half of a consolidation: what a run takes in, what follows from it, and the event that settles it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import msgspec

from rhizome.consolidate.captured import captured
from rhizome.consolidate.days import days
from rhizome.consolidate.derive import DERIVE_VERSION
from rhizome.consolidate.distill import Distiller
from rhizome.consolidate.expiry import expiries, lifetimes
from rhizome.consolidate.gather import Batch, consumed, gather
from rhizome.consolidate.heard import Hearing
from rhizome.consolidate.models.asking import Outcome
from rhizome.consolidate.reconcile import LAST, Reconciled, Setting, reconcile
from rhizome.consolidate.repeated import Repeated, repeated
from rhizome.consolidate.rules import Rules
from rhizome.errors import NotFound
from rhizome.ledger.fold import Fold
from rhizome.log.identity import identify
from rhizome.log.lineage import Lineage
from rhizome.log.sessions import says
from rhizome.memory.distilling import Again, distilled
from rhizome.memory.due import due_turns, edits, previous, root_of, unsaid
from rhizome.memory.parts import Parts
from rhizome.model import Draft, Event, Fact, Tier, Turn, moment


@dataclass(frozen=True, slots=True)
class Decided:
    """A run as it will stand in the log. Nothing of it is written yet, except what a model answered to it."""

    batch: Batch
    drafts: tuple[Draft, ...]
    retracted: tuple[Event, ...]
    reconciled: Reconciled
    expired: tuple[Event, ...]
    consolidated: Event | None
    open: int
    asked: Outcome = field(default_factory=Outcome)
    ended: tuple[Fact, ...] = ()
    repeated: Repeated | None = None
    edits: int = 0

    @property
    def counts(self) -> dict[str, int]:
        return reported(self.reconciled, self.expired, self.retracted)

    @property
    def events(self) -> list[Event]:
        settled = [self.consolidated] if self.consolidated else []
        return [*self.retracted, *self.reconciled.events, *self.expired, *settled]


def decide(
    parts: Parts, now: datetime, distillers: Iterable[Distiller] = (Rules(),), anew: Again | None = None
) -> Decided:
    """What a run would take in now: reads the log, and writes nothing itself; a distiller that asks records answers.

    With `anew`, turns that runs took before are read again; they are settled already and stay so.
    """
    before, reached = previous(parts), parts.heads()
    heard = list(due_turns(parts, now, before, anew))
    taken = consumed(parts.log.history(("consolidated",)), heard)
    done = taken - {turn.id for turn in heard if anew and anew.covers(turn)}
    proposals = list(parts.log.history(("memory.proposed",)))
    batch = gather(heard, consumed=done, proposals=proposals, previous=before.id if before else "", zone=parts.zone)
    changed = edits(parts, before)
    edited = changed[-1] if changed else None
    fold = parts.fold()
    back = unsaid(parts, heard, fold, now)
    if not batch and (edited or back):
        batch = replace(batch, run=_run(parts, edited, back, heard))
    back = [msgspec.structs.replace(event, call=f"consolidate/{batch.run}") for event in back]
    fold = _without(fold, back)
    found, asked = distilled(batch, fold, distillers)
    drafts = [*captured(batch.proposals), *found]
    if asked.answers:  # that took its time, in which other calls may have written
        fold = _without(parts.fold(), back)
    batch = replace(batch, taken=tuple(name for name in batch.taken if name not in asked.pending))
    whole = not asked.pending
    asked.pending -= taken
    lineage = Lineage.of(parts.log)
    lookup = Hearing(heard, lambda id_: event_or_none(parts, id_), says, root=lambda name: root_of(lineage, name))
    setting = Setting(parts.home.key, parts.configured["person"], batch.run)
    reconciled = reconcile(drafts, lookup, fold, setting)
    ended = expiries(fold, now, key=parts.home.key, run=batch.run, days=lifetimes(parts.home.settings))
    open_sessions = {turn.session for turn in heard if not turn.closed}
    waiting = {turn.session for turn in heard if turn.id in asked.pending}
    event = None
    if batch or ended or back or reconciled.events or edited is not None:
        fresh = replace(batch, taken=tuple(name for name in batch.taken if name not in taken))
        more: dict[str, Any] = {"reached": reached} | ({"answers": asked.answers} if asked.answers else {})
        more |= {"generation": anew.generation} if anew and whole else {}
        more |= {"undone": undone} if (undone := [name for name in batch.undone if name in fresh.taken]) else {}
        counts = reported(reconciled, ended, back)
        more |= {"report": {name: count for name, count in counts.items() if count}}
        event = consolidated(parts, fresh, before, heard, sorted(open_sessions | waiting), more)
    again = _repeated(fold, heard, anew, reconciled) if anew and whole else None
    gone = filter(None, (fold.get(str(each.scope), each.fields["fact_key"], Tier(each.tier)) for each in ended))
    return Decided(batch, tuple(drafts), tuple(back), reconciled, tuple(ended), event, len(open_sessions), asked,
                   tuple(gone), again, len(changed))  # fmt: skip


def reported(reconciled: Reconciled, ended: Sequence[Event], back: Sequence[Event]) -> dict[str, int]:
    """What a run came to. Retracted is what was taken back in words, and what stood on turns that were undone; what
    stands again is confirmed."""
    counts = reconciled.counts
    again = sum(1 for event in back if event.fields.get("again"))
    return counts | {"expired": len(ended), "retracted": counts["retracted"] + len(back) - again,
                     "confirmed": counts["confirmed"] + again}  # fmt: skip


def _repeated(fold: Fold, heard: Iterable[Turn], anew: Again, reconciled: Reconciled) -> Repeated:
    """How what holds compares with what the turns that were read again say now."""
    events = {message.event for turn in heard if anew.covers(turn) for message in turn.messages}
    return repeated(fold.current(Tier.AMBER), events, reconciled.outcomes)


def _run(parts: Parts, edited: Event | None, back: Sequence[Event], heard: Sequence[Turn]) -> str:
    """The name of a run that takes no turn in: by the newest edit, else by the first of the claims taken back."""
    times = [edited.recorded_at] if edited else [message.at for turn in heard for message in turn.messages]
    newest = max(filter(None, map(moment, times)), default=None)
    day = newest.astimezone(parts.zone).date().isoformat() if newest else "undated"
    return f"{day}-{(edited or back[0]).id[:8]}"


def _without(fold: Fold, back: Iterable[Event]) -> Fold:
    """`fold` as it will be when what was taken back has ended, changed in place."""
    for event in back:
        fold.apply(msgspec.structs.replace(event, recorded_at=LAST))
    return fold


def consolidated(
    parts: Parts, batch: Batch, before: Event | None, heard: Iterable[Turn], open_sessions: list[str],
    more: Mapping[str, Any],
) -> Event:
    """The event that settles what a run took and renders what follows from it."""
    taken, told = set(batch.taken), consumed(parts.log.history(("consolidated",)))
    parent = before.id if before else ""
    name = identify(parts.home.key, b"consolidated", batch.run.encode(), parent.encode())
    body: dict[str, Any] = {
        "run": batch.run, "previous": before.id if before else None, "derive": DERIVE_VERSION,
        "turns": list(batch.taken), "open": open_sessions,
        "days": days([turn for turn in heard if turn.id in taken and turn.closed and turn.id not in told], parts.zone),
        **more,
    }  # fmt: skip
    return Event(kind="consolidated", id=name, actor="consolidator", call=f"consolidate/{batch.run}", body=body)


def event_or_none(parts: Parts, id_: str) -> Event | None:
    try:
        return parts.log.get(id_)
    except NotFound:
        return None
