"""What each day's note has to tell: what was done, from `consolidated` events, and what became of facts, from the fold.

A fact stands under the day it was observed on; when it is replaced later, that day's note says so, because a note must
not serve what is superseded as current.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from rhizome.consolidate.addresses import AMBER, GREEN, Place
from rhizome.consolidate.render import flat
from rhizome.consolidate.zones import Zones
from rhizome.ledger.fold import Key
from rhizome.ledger.keys import canonical
from rhizome.ledger.walk import Story
from rhizome.model import Event, Fact, Status, Tier

LEARNED, REPLACED, ENDED, REVIEW = "learned", "replaced", "ended", "review"
_STOPS = " .。．"


class Told(NamedTuple):
    """One line of a day: under which heading, about which note, in which words."""

    section: str
    place: Place
    words: str


@dataclass(slots=True)
class Day:
    """Everything one day's note tells. `facts` by the fact's id, `notices` in the order of the log."""

    sessions: dict[str, dict[str, Any]] = field(default_factory=dict)
    changed: dict[tuple[str, str], None] = field(default_factory=dict)
    fixed: dict[tuple[str, str], None] = field(default_factory=dict)
    facts: dict[str, Told] = field(default_factory=dict)
    notices: dict[Told, None] = field(default_factory=dict)


class Chronicle:
    """Gathers days while the log is read. `consolidate` names those whose note has something else to tell.

    `version` is the one that renders: 1 left a statement's full stop before what it adds.
    """

    def __init__(self, zones: Zones) -> None:
        self._zones = zones
        self.version = 1
        self._days: dict[str, Day] = defaultdict(Day)
        self._facts: dict[Key, dict[str, str]] = {}
        self._ends: dict[Key, str] = {}
        self._ended: dict[str, tuple[str, Told]] = {}
        self._changed: set[str] = set()

    def day(self, date: str) -> Day:
        return self._days[date]

    def hear(self, event: Event) -> None:
        """Remember when a key's value was ended, until the next boundary tells which value that was."""
        fields = event.fields
        if event.kind in ("fact.retracted", "fact.expired"):
            self._ends[fields.get("scope", ""), canonical(fields.get("fact_key", ""))] = \
                fields.get("observed_at") or event.recorded_at
        for operation in fields.get("ops", ()) if event.kind == "note.saved" else ():
            if operation.get("op") == "retract":
                self._ends[operation["scope"], canonical(operation["fact_key"])] = event.recorded_at

    def touch(self, key: Key, story: Story) -> None:
        """Tell again what became of the facts of one key."""
        before = self._facts.get(key, {})
        told: dict[str, str] = {}
        end = self._ends.pop(key, None)
        for fact in story.facts:
            if fact.fact_key != key[1] or not (line := _told(fact, story, stop=self.version < 2)):
                continue
            told[fact.id] = date = self._zones.date(fact.observed_at, fact.recorded_at)
            if self._days[date].facts.get(fact.id) != line:
                self._days[date].facts[fact.id] = line
                self._changed.add(date)
        for id_, date in before.items():
            if told.get(id_) != date and id_ in self._days[date].facts:
                del self._days[date].facts[id_]
                self._changed.add(date)
        self._facts[key] = told
        for fact in story.facts:
            over = fact.status in (Status.EXPIRED, Status.RETRACTED)
            if end and over and fact.id not in self._ended:
                self._ended[fact.id] = self._zones.date(end, fact.recorded_at), _ended(fact)
                self._notice(*self._ended[fact.id])
            elif not over and fact.id in self._ended and self.version > 1:
                self._unnotice(*self._ended.pop(fact.id))

    def _unnotice(self, date: str, told: Told) -> None:
        """What ended a fact was taken back itself."""
        if self._days[date].notices.pop(told, told) is None:
            self._changed.add(date)

    def _notice(self, date: str, told: Told) -> None:
        if told not in self._days[date].notices:
            self._days[date].notices[told] = None
            self._changed.add(date)

    def notice(self, event: Event, place: Place, words: str) -> None:
        """Something a person may want to look at, on the day of `event`."""
        self._notice(self._zones.date(event.recorded_at, event.recorded_at), Told(REVIEW, place, words))

    def consolidate(self, event: Event) -> list[str]:
        """Take in what a run says was done; the dates whose notes have changed since the last boundary, sorted."""
        reported = event.fields.get("days") or {}
        for at, done in reported.items():
            if _is_date(at):
                self._take(self._days[at], done)
                self._changed.add(at)
        changed, self._changed = sorted(self._changed), set()
        return changed

    def _take(self, day: Day, done: Mapping[str, Any]) -> None:
        for session in done.get("sessions", ()):
            known = day.sessions.get(session["session"])
            turns = session.get("turns", 0) + (known["turns"] if known else 0)
            day.sessions[session["session"]] = {**session, **(known or {}), "turns": turns}
        day.changed |= {(each["session"], each["path"]): None for each in done.get("changed", ())}
        day.fixed |= {(each["session"], each["command"]): None for each in done.get("fixed", ())}


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _place(fact: Fact) -> Place:
    private = fact.tier != Tier.GREEN or fact.scope.startswith("user:")
    return Place(AMBER if private else GREEN, fact.scope, fact.subject)


def _told(fact: Fact, story: Story, *, stop: bool) -> Told | None:
    """What a day says of a fact observed on it; nothing of a proposal that was answered."""
    whole = flat(fact.statement) or f"{fact.attribute}: {flat(fact.value)}"
    words = whole if stop else whole.rstrip(_STOPS)
    match fact.status:
        case Status.PROPOSED:
            if fact.id not in story.open:
                return None
            proposed = f"{words}; what stands: {flat(fact.contradicts)}" if fact.contradicts else whole
            return Told(REVIEW, _place(fact), f"proposed: {proposed}")
        case Status.SUPERSEDED:
            words += f" (since replaced: {flat(fact.superseded_by or '')})"
        case Status.EXPIRED:
            words += " (since expired)"
        case Status.RETRACTED:
            words += " (since withdrawn)"
    if fact.supersedes:
        return Told(REPLACED, _place(fact), f"{words}; before: {flat(fact.supersedes)}")
    return Told(LEARNED, _place(fact), whole if fact.status is Status.ACTIVE else words)


def _ended(fact: Fact) -> Told:
    how = "expired, nobody confirmed it for long" if fact.status is Status.EXPIRED else "withdrawn"
    return Told(ENDED, _place(fact), f"{how}: {flat(fact.statement) or flat(fact.value)}")
