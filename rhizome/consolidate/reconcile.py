"""From drafts to events: what a distiller believes is checked against what was really said, and by whom.

Pure. Nothing becomes a claim whose words do not stand in an event; the speaker caps what may be believed (law 13), and
the tier is decided here, once.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import msgspec

from rhizome.config import DRAFTS_PER_TURN
from rhizome.consolidate.evidence import Ground, ground
from rhizome.consolidate.heard import Heard, Lookup
from rhizome.consolidate.tiers import decide
from rhizome.consolidate.wording import key_part, one_line, stands_in, visible
from rhizome.ledger.fold import Fold
from rhizome.ledger.keys import canonical
from rhizome.ledger.values import comparable, same
from rhizome.log.identity import identify
from rhizome.model import FACT_TYPES, Draft, Event, Fact, FactLink, Status, Tier

LAST = "9999-12-31T23:59:59Z"
"""When an event that is not appended yet counts as recorded: after everything else."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one draft: `what` is asserted, superseded, confirmed, proposed, retracted, known or refused (then
    `why`).

    `superseded` is an assertion that replaced `other`; `proposed` may contradict it; `known` was in the log already.
    """

    draft: Draft
    what: str
    event: Event | None = None
    other: Fact | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Reconciled:
    """Events to append, and one outcome for every draft, in the drafts' order."""

    events: tuple[Event, ...]
    outcomes: tuple[Outcome, ...]

    def count(self, *what: str) -> int:
        return sum(outcome.what in what for outcome in self.outcomes)

    @property
    def counts(self) -> dict[str, int]:
        """As reports show them: a superseding claim is an assertion, too."""
        return {"asserted": self.count("asserted", "superseded"), "superseded": self.count("superseded"),
                "confirmed": self.count("confirmed"), "proposed": self.count("proposed"),
                "refused": self.count("refused"), "retracted": self.count("retracted")}


@dataclass(frozen=True, slots=True)
class Setting:
    """What a run knows besides its drafts: the person's key and name, the run's name, names known to be persons'."""

    key: bytes
    person: str
    run: str
    people: Collection[str] = ()


def reconcile(drafts: Iterable[Draft], lookup: Lookup, fold: Fold, setting: Setting) -> Reconciled:
    """Decide about each draft in turn, each with those before it already counted. `fold` stays as it is.

    At most five drafts a turn are looked at. The same drafts over the same log give the same events, so that a run
    which was cut off appends only what is missing.
    """
    working, taken = fold.fork(), Counter[str]()
    outcomes: list[Outcome] = []
    for draft in drafts:
        said = lookup(draft.event)
        turn = said.turn if said else None
        if turn is not None:
            taken[turn] += 1
        if turn is not None and taken[turn] > DRAFTS_PER_TURN:
            outcomes.append(Outcome(draft, "refused", why=f"more than {DRAFTS_PER_TURN} drafts from one turn"))
        else:
            outcomes.append(_decide(draft, said, lookup, working, setting))
    return Reconciled(tuple(each.event for each in outcomes if each.event), tuple(outcomes))


def scope_of(scope: str, person: str) -> str:
    """`user` and any `user:...` mean the person of this home; every other scope is a project's."""
    return f"user:{person}" if scope.partition(":")[0] == "user" else scope


def _decide(draft: Draft, said: Heard | None, lookup: Lookup, working: Fold, setting: Setting) -> Outcome:
    if said is None:
        return Outcome(draft, "refused", why="quotes an event that is not in the log")
    draft = _worded(draft, said, setting.person)
    why = _unusable(draft, said)
    if why:
        return Outcome(draft, "refused", why=why)
    grounds = ground(draft, said, working, lookup)
    if isinstance(grounds, str):
        return Outcome(draft, "refused", why=grounds)
    if draft.retract:
        return _taken_back(draft, said, grounds, working, setting)
    event = _claim(draft, said, grounds, working, setting)
    return _told(draft, event, grounds, working)


def _worded(draft: Draft, said: Heard, person: str) -> Draft:
    """The draft in clean words: one line each, no control or bidi characters, a key in parts, a scope that exists."""
    return msgspec.structs.replace(
        draft, type=draft.type if draft.type in FACT_TYPES else "fact",
        subject=key_part(draft.subject), attribute=key_part(draft.attribute), value=one_line(draft.value),
        statement=one_line(draft.statement), scope=scope_of(draft.scope or said.scope, person),
        detail=visible(draft.detail), aliases=tuple(filter(None, map(one_line, draft.aliases))),
        links=tuple(FactLink(one_line(link.target), one_line(link.label), one_line(link.why)) for link in draft.links),
    )


def _unusable(draft: Draft, said: Heard) -> str:
    if not draft.subject or not draft.attribute:
        return "has no subject or no attribute"
    if not draft.statement:
        return "has no statement"
    if not draft.scope:
        return "has no scope"
    if draft.value and not said.proposal and not stands_in(draft.value, said.text):
        return "its value does not stand in the event it quotes"
    return ""


def _claim(draft: Draft, said: Heard, grounds: Ground, working: Fold, setting: Setting) -> Event:
    fact_key = canonical(f"{draft.subject}|{draft.attribute}")
    quote = grounds.quote
    parts = (draft.scope, fact_key, comparable(draft.value or draft.statement), said.event, quote.text)
    body = {
        "type": draft.type, "scope": draft.scope, "fact_key": fact_key, "value": draft.value,
        "statement": draft.statement, "detail": draft.detail, "confidence": grounds.confidence,
        "tier": _tier(draft, fact_key, working, setting), "observed_at": said.at, "capped": grounds.capped,
        "evidence": [{"event": said.event, "quote": quote.text, "start": quote.start, "end": quote.end}],
        "aliases": list(draft.aliases),
        "links": [{"target": link.target, "label": link.label, "why": link.why} for link in draft.links],
    }
    return Event(
        kind="fact.asserted", id=identify(setting.key, b"fact", *(part.encode("utf-8", "replace") for part in parts)),
        actor=said.actor, origin=grounds.origin, scope=draft.scope, session=said.session or None,
        call=f"consolidate/{setting.run}", tier=Tier.AMBER, body=body,
    )


def _taken_back(draft: Draft, said: Heard, grounds: Ground, working: Fold, setting: Setting) -> Outcome:
    """End what is current, on a word that could have set it. The words stay with the event that said them."""
    fact_key = canonical(f"{draft.subject}|{draft.attribute}")
    parts = (draft.scope, fact_key, said.event, grounds.quote.text)
    name = identify(setting.key, b"retracted", *(part.encode("utf-8", "replace") for part in parts))
    if working.heard(draft.scope, fact_key, name):
        return Outcome(draft, "known")
    now = working.get(draft.scope, fact_key, Tier.AMBER)
    if now is None:
        return Outcome(draft, "refused", why="takes back what is not held")
    if grounds.capped or grounds.confidence < now.confidence:
        return Outcome(draft, "refused", other=now, why="takes back what a stronger word set")
    event = Event(
        kind="fact.retracted", id=name, actor=said.actor, origin=grounds.origin, scope=draft.scope,
        session=said.session or None, call=f"consolidate/{setting.run}", tier=now.tier,
        body={"scope": draft.scope, "fact_key": fact_key, "confidence": grounds.confidence, "observed_at": said.at,
              "evidence": [{"event": said.event, "start": grounds.quote.start, "end": grounds.quote.end}]},
    )
    working.apply(msgspec.structs.replace(event, recorded_at=LAST))
    return Outcome(draft, "retracted", event, now)


def _tier(draft: Draft, fact_key: str, working: Fold, setting: Setting) -> str:
    """Amber stays amber: what is private about a key is not shared because it was said again elsewhere."""
    told = [fact.tier for fact in working.history(draft.scope, fact_key, Tier.AMBER)
            if fact.status is not Status.PROPOSED]
    if told and told[-1] != Tier.GREEN:
        return Tier.AMBER
    texts = (draft.statement, draft.value, draft.detail, *draft.aliases, *(link.why for link in draft.links))
    return decide(draft.scope, draft.subject, texts, attribute=draft.attribute, type=draft.type, hint=draft.tier,
                  people={setting.person, *setting.people})


def _told(draft: Draft, event: Event, grounds: Ground, working: Fold) -> Outcome:
    """Let the claim count in `working` and see what it became."""
    body = event.fields
    scope, fact_key = body["scope"], body["fact_key"]
    if working.heard(scope, fact_key, event.id):
        return Outcome(draft, "known")
    before = working.get(scope, fact_key, Tier.AMBER)
    equal = before is not None and same(before.value, before.statement, draft.value, draft.statement)
    if equal and grounds.capped:
        return Outcome(draft, "refused", other=before, why="untrusted text adds nothing to what is current")
    if equal:
        event = msgspec.structs.replace(event, kind="fact.confirmed")
    working.apply(msgspec.structs.replace(event, recorded_at=LAST))
    if equal:
        return Outcome(draft, "confirmed", event, before)
    versions = working.history(scope, fact_key, Tier.AMBER)
    mine = next((fact for fact in versions if fact.id == event.id), None)
    if mine is None or mine.status is Status.PROPOSED:
        return Outcome(draft, "proposed", event, before)
    return Outcome(draft, "superseded" if mine.supersedes is not None else "asserted", event, before)
