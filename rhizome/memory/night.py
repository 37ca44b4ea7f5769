"""One consolidation: gather → distill → reconcile → derive → plan → apply → index → prove, each step resumable.

The decisions of a run are one append: its facts and the `consolidated` event that renders them land together or not at
all. What a crash left uncommitted afterwards is committed by the next run, under the name of the run that decided it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from rhizome.consolidate.captured import captured
from rhizome.consolidate.days import days
from rhizome.consolidate.derive import DERIVE_VERSION
from rhizome.consolidate.distill import Distiller
from rhizome.consolidate.expiry import expiries
from rhizome.consolidate.gather import Batch, consumed, gather
from rhizome.consolidate.heard import Hearing
from rhizome.consolidate.models.asking import Outcome
from rhizome.consolidate.reconcile import Reconciled, Setting, reconcile
from rhizome.consolidate.rules import Rules
from rhizome.errors import NotDurable, NotFound
from rhizome.log.identity import identify
from rhizome.log.lineage import Lineage
from rhizome.log.sessions import says, turns
from rhizome.memory import projections, proof, saves
from rhizome.memory.applying import apply
from rhizome.memory.distilling import Again, distilled, failed, tried_today
from rhizome.memory.parts import Parts
from rhizome.model import Draft, Event, Turn, moment

PEOPLES = (
    "note.saved", "note.removed", "key.merged", "fact.retracted", "fact.asserted", "fact.expired", "review.rejected",
)  # fmt: skip
"""The kinds of events by which people change what is derived."""


@dataclass(slots=True)
class Report:
    """What one run did; `run` is None when there was nothing to do."""

    run: str | None = None
    turns: int = 0
    asserted: int = 0
    superseded: int = 0
    confirmed: int = 0
    proposed: int = 0
    expired: int = 0
    commits: int = 0
    pending: int = 0
    tokens: int = 0
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Decided:
    """A run as it will stand in the log. Nothing of it is written yet, except what a model answered to it."""

    batch: Batch
    drafts: tuple[Draft, ...]
    reconciled: Reconciled
    expired: tuple[Event, ...]
    consolidated: Event | None
    open: int
    asked: Outcome = field(default_factory=Outcome)

    @property
    def events(self) -> list[Event]:
        return [*self.reconciled.events, *self.expired, *([self.consolidated] if self.consolidated else [])]


def previous(parts: Parts) -> Event | None:
    """The last `consolidated` event there is."""
    last = None
    for event in parts.log.history(("consolidated",)):
        last = event
    return last


def decide(
    parts: Parts, now: datetime, distillers: Iterable[Distiller] = (Rules(),), anew: Again | None = None
) -> Decided:
    """What a run would take in now: reads the log, and writes nothing itself; a distiller that asks records answers.

    With `anew`, turns that runs took before are read again; they are settled already and stay so.
    """
    before, reached = previous(parts), parts.heads()
    taken = consumed(parts.log.history(("consolidated",)))
    heard = list(due_turns(parts, now, before, anew))
    done = taken - {turn.id for turn in heard if anew and anew.covers(turn)}
    proposals = list(parts.log.history(("memory.proposed",)))
    batch = gather(heard, consumed=done, proposals=proposals, previous=before.id if before else "", zone=parts.zone)
    edited = edited_since(parts, before)
    if edited is not None and not batch:
        day = (moment(edited.recorded_at) or now).astimezone(parts.zone).date().isoformat()
        batch = replace(batch, run=f"{day}-{edited.id[:8]}")
    fold = parts.fold()
    found, asked = distilled(batch.turns, fold, distillers)
    drafts = [*captured(batch.proposals), *found]
    if asked.answers:  # that took its time, in which other calls may have written
        fold = parts.fold()
    batch = replace(batch, taken=tuple(name for name in batch.taken if name not in asked.pending))
    whole = not asked.pending
    asked.pending -= taken
    lineage = Lineage.of(parts.log)
    lookup = Hearing(heard, lambda id_: event_or_none(parts, id_), says, root=lambda name: root_of(lineage, name))
    setting = Setting(parts.home.key, parts.configured["person"], batch.run)
    reconciled = reconcile(drafts, lookup, fold, setting)
    ended = expiries(fold, now, key=parts.home.key, run=batch.run)
    open_sessions = {turn.session for turn in heard if not turn.closed}
    waiting = {turn.session for turn in heard if turn.id in asked.pending}
    event = None
    if batch or ended or reconciled.events or edited is not None:
        fresh = replace(batch, taken=tuple(name for name in batch.taken if name not in taken))
        more: dict[str, Any] = {"reached": reached} | ({"answers": asked.answers} if asked.answers else {})
        more |= {"generation": anew.generation} if anew and whole else {}
        event = consolidated(parts, fresh, before, heard, sorted(open_sessions | waiting), more)
    return Decided(batch, tuple(drafts), reconciled, tuple(ended), event, len(open_sessions), asked)


def due(parts: Parts, now: datetime) -> bool:
    """Whether a day that is over, in the home's zone, holds a closed turn that no run has taken."""
    today = now.astimezone(parts.zone).date()
    done = consumed(parts.log.history(("consolidated",))) | tried_today(parts, now)
    for turn in due_turns(parts, now, previous(parts)):
        at = moment(turn.at)
        if turn.closed and turn.id not in done and (at is None or at.astimezone(parts.zone).date() < today):
            return True
    return False


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


def edited_since(parts: Parts, before: Event | None) -> Event | None:
    """The newest event after the last rendering by which people changed facts or derived notes, or merged keys."""
    since = (before.recorded_at, before.home, before.seq) if before else ("", "", 0)
    newest = None
    for event in parts.log.history(PEOPLES):
        later = (event.recorded_at, event.home, event.seq) > since
        if later and (event.fields.get("derived") or not event.kind.startswith("note.")):
            own = event.kind not in ("fact.asserted", "fact.expired") or (event.call or "").startswith("human/")
            newest = event if own else newest
    return newest


def consolidated(
    parts: Parts, batch: Batch, before: Event | None, heard: Iterable[Turn], open_sessions: list[str],
    more: Mapping[str, Any],
) -> Event:
    """The event that settles what a run took and renders what follows from it."""
    taken = set(batch.taken)
    parent = before.id if before else ""
    name = identify(parts.home.key, b"consolidated", batch.run.encode(), parent.encode())
    body: dict[str, Any] = {
        "run": batch.run, "previous": before.id if before else None, "derive": DERIVE_VERSION,
        "turns": list(batch.taken), "open": open_sessions,
        "days": days([turn for turn in heard if turn.id in taken and turn.closed], parts.zone),
        **more,
    }  # fmt: skip
    return Event(kind="consolidated", id=name, actor="consolidator", call=f"consolidate/{batch.run}", body=body)


def event_or_none(parts: Parts, id_: str) -> Event | None:
    try:
        return parts.log.get(id_)
    except NotFound:
        return None


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


# ---------------------------------------------------------------- doing


def run(
    parts: Parts, now: datetime, distillers: Iterable[Distiller] = (Rules(),), anew: Again | None = None
) -> tuple[Report, list[proof.Difference]]:
    """Take saves in, decide, append, apply, index, prove. The caller holds the run's lock.

    What is different in the end the log does not explain; notes that wait for a person or a busy repository are
    problems of the report and no difference.
    """
    taken = saves.take_saves(parts, patient=True)
    report = Report(problems=[f"{ref}: {why}" for ref, why in {**taken.held, **taken.skipped}.items()])
    decided = decide(parts, now, distillers, anew)
    report.tokens = decided.asked.tokens
    report.problems += decided.asked.problems
    if decided.consolidated is not None:
        parts.append(decided.events)
        counts = decided.reconciled.counts
        report.run, report.turns = decided.batch.run, len(decided.batch.taken)
        report.asserted, report.superseded = counts["asserted"], counts["superseded"]
        report.confirmed, report.proposed = counts["confirmed"], counts["proposed"]
        report.expired = len(decided.expired)
    if decided.asked.pending:
        parts.append([failed(parts, decided.batch.run, decided.asked.pending, decided.asked.problems)])
    applied = apply(parts)
    report.commits, report.pending = applied.commits, len(applied.waiting) + len(decided.asked.pending)
    report.problems += [f"{ref}: {why}" for ref, why in applied.waiting.items() if ref not in taken.held]
    indexed = projections.refresh(parts)
    report.problems += sealed(parts)
    different = proof.notes(parts, applied.derived, {*applied.waiting, *taken.held})
    if indexed:
        different += proof.indexes(parts)
    else:
        report.problems.append("index: another process is writing it; the notes are proven, it is not")
    return report, different


def sealed(parts: Parts) -> list[str]:
    """Seal the log's full segments; why one had to stay plain, which costs room and nothing else."""
    try:
        parts.log.seal()
    except NotDurable as wrong:
        return [wrong.message]
    return []
