"""What awaits a person, and what each decision of theirs is in the log. Pure: events in, items out; a decision, events.

Every item is a suggestion: `accept` does what it suggests, `reject` settles it, and neither is ever done by itself.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rhizome.consolidate.derive import Derived
from rhizome.consolidate.duplicates import Pair, duplicates
from rhizome.consolidate.evidence import HUMAN
from rhizome.consolidate.tiers import decide as tier_of
from rhizome.errors import Refused
from rhizome.ledger.fold import Fold
from rhizome.ledger.keys import canonical
from rhizome.log.identity import identify
from rhizome.model import Event, Fact, FactLink, Origin, Tier

PROPOSAL, CONFLICT, MERGE = "proposal", "conflict", "merge"
DELETED, ABSENT, HIDDEN = "deleted", "absent", "hidden"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that awaits a person; `id` names it in decisions.

    `what`: a `proposal`, a `conflict` with what holds (second in `facts`), a `merge` of two keys (`facts` are source
    and target), a note that was `deleted` whole or statements that were `absent` from a save which did not name its
    rendering (`facts` still hold), or a green value that stands while a newer amber one is `hidden` from its readers
    (`facts` are the green one and, if there is one, the amber one).
    """

    id: str
    what: str
    told: str
    suggests: str
    facts: tuple[Fact, ...] = ()
    path: str | None = None

    @property
    def decisions(self) -> tuple[str, ...]:
        """What may be decided about it."""
        return ("accept", "reject", *_MORE.get(self.what, ()))


_MORE = {MERGE: ("merge",), PROPOSAL: ("edit",), CONFLICT: ("edit", "supersede"), HIDDEN: ("supersede",)}

# ---------------------------------------------------------------- what awaits


def awaiting(derived: Derived, *, key: bytes, removed: Mapping[str, str], settled: Collection[str]) -> list[Item]:
    """Everything that awaits a person, proposals first, in a stable order.

    `removed` says for each path which `note.removed` event is its last, `settled` are ids of items already rejected.
    """
    fold = derived.ledger
    items = (
        *_proposals(fold), *_hidden(fold, key), *_deleted(derived, removed), *_absent(derived),
        *(_merge(pair, key) for pair in duplicates(fold.current(Tier.AMBER))),
    )  # fmt: skip
    return [item for item in items if item.id not in settled]


def settled(events: Iterable[Event]) -> frozenset[str]:
    """The ids of items that `review.rejected` events settle."""
    return frozenset(str(event.fields.get("item", "")) for event in events if event.kind == "review.rejected")


def _proposals(fold: Fold) -> Iterator[Item]:
    for fact in fold.proposals(Tier.AMBER):
        current = fold.get(fact.scope, fact.fact_key, Tier.AMBER)
        if current is None:
            yield Item(fact.id, PROPOSAL, f"{_named(fact)} was proposed and nothing holds", "it holds", (fact,))
        else:
            told = f"{_named(fact)} was proposed; what holds is {_value(current)}"
            yield Item(fact.id, CONFLICT, told, "it replaces what holds", (fact, current))


def _hidden(fold: Fold, key: bytes) -> Iterator[Item]:
    """Green values that a green reader takes for current while the owner knows better."""
    for fact in fold.current(Tier.GREEN):
        newer = fold.get(fact.scope, fact.fact_key, Tier.AMBER)
        if newer is not None and (newer.id == fact.id or newer.tier == Tier.GREEN):
            continue
        id_ = _name(key, HIDDEN, fact.id, newer.id if newer else "")
        now = f"{_value(newer)} replaced it privately" if newer else "it was withdrawn privately"
        told = f"{_named(fact)} is still shown to green readers; {now}"
        yield Item(id_, HIDDEN, told, "green readers see it no more", (fact, newer) if newer else (fact,))


def _deleted(derived: Derived, removed: Mapping[str, str]) -> Iterator[Item]:
    for place, note in derived.unwanted():
        keys = filter(None, map(derived.statements.key, derived.statements.shown(place)))
        held = tuple(fact for scope, name in sorted(keys) if (fact := derived.ledger.get(scope, name, Tier.AMBER)))
        if note.path in removed and held:
            told = f"{note.path} was deleted; {len(held)} of its statements still hold"
            yield Item(removed[note.path], DELETED, told, "they hold no more", held, note.path)


def _absent(derived: Derived) -> Iterator[Item]:
    """What a save without a name left out and what has been neither changed nor ended since."""
    for event, (place, words) in derived.absent.items():
        now = derived.statements.words(place)
        keys = filter(None, (derived.statements.key(id_) for id_, said in words.items() if now.get(id_) == said))
        held = tuple(fact for scope, name in sorted(keys) if (fact := derived.ledger.get(scope, name, Tier.AMBER)))
        if held:
            path = derived.note(place).path
            told = f"{path} was saved without its `derived:` line and without {len(held)} of its statements"
            yield Item(event, ABSENT, told, "they hold no more", held, path)


def _merge(pair: Pair, key: bytes) -> Item:
    source, target = pair.source, pair.target
    id_ = _name(key, MERGE, source.scope, source.fact_key, target.fact_key)
    told = f"{_named(source)} and {_named(target)} may be one: {pair.why}"
    return Item(id_, MERGE, told, f"{source.fact_key} becomes a name of {target.fact_key}", (source, target))


def _named(fact: Fact) -> str:
    return f"{fact.fact_key} = {_value(fact)}"


def _value(fact: Fact) -> str:
    return fact.value or f"“{fact.statement}”"


def _name(key: bytes, *parts: str) -> str:
    return identify(key, b"review", *(part.encode("utf-8", "replace") for part in parts))


# ---------------------------------------------------------------- decisions


@dataclass(frozen=True, slots=True)
class Words:
    """What a person says instead of what was proposed. Their names are `people`, so that a tier can be decided."""

    statement: str
    value: str
    people: frozenset[str] = frozenset()


def decided(
    item: Item, decision: str, *, key: bytes, at: int, words: Words | None = None, into: str = ""
) -> list[Event]:
    """The events of one decision, a person's word each; `at` is the log's seq, so that no two decisions share an id.

    `words` are for `edit` and `supersede`, which replaces what holds by them, in a conflict without any by what was
    proposed; `into` says which key of a `merge` stays. Raises Refused for what does not fit the item.
    """
    if decision not in item.decisions:
        raise Refused(f"{item.id[:12]}: `{decision}` is no decision about a {item.what}",
                      f"Decide one of: {', '.join(item.decisions)}.")
    if decision == "supersede" and item.what == HIDDEN and words is None:
        raise Refused(f"{item.id[:12]}: what is to stand there instead?", "Say it in one sentence.")
    made = _Decision(key, f"{item.id}/{decision}/{at}")
    if decision == "reject":
        return [made.event("review.rejected", Tier.AMBER, _rejected(item))]
    match item.what:
        case "merge":
            return [made.merged(item, into)]
        case "deleted" | "absent":
            return [made.retracted(fact) for fact in item.facts]
        case "hidden" if decision == "accept":
            return [made.ended(item.facts[0])]
        case _:
            return [made.asserted(item.facts[0], words)]


def _rejected(item: Item) -> dict[str, Any]:
    body: dict[str, Any] = {"item": item.id, "what": item.what}
    if item.what in (PROPOSAL, CONFLICT):
        fact = item.facts[0]
        body |= {"scope": fact.scope, "fact_key": fact.fact_key, "fact": fact.id, "value": fact.value,
                 "statement": fact.statement, "tier": fact.tier}
    if item.what == MERGE:
        body |= {"scope": item.facts[0].scope, "source": item.facts[0].fact_key, "target": item.facts[1].fact_key}
    return body | ({"path": item.path} if item.path else {})


@dataclass(frozen=True, slots=True)
class _Decision:
    """Makes the events of one decision; each is its own evidence, because the person's word is what it stands on."""

    key: bytes
    name: str

    def event(self, kind: str, tier: str, body: dict[str, Any], *parts: str) -> Event:
        id_ = _name(self.key, kind, self.name, *parts)
        return Event(kind=kind, id=id_, actor="human", origin=Origin.HUMAN, scope=body.get("scope"),
                     call=f"human/{id_}", tier=tier, body=body)

    def asserted(self, fact: Fact, words: Words | None) -> Event:
        """What was proposed as a person's word, its evidence behind it; or what they say instead, on their word alone.

        What they put something else in the place of is told in the detail: it proves nothing about their words.
        """
        statement, value = (words.statement, words.value) if words else (fact.statement, fact.value)
        tier = fact.tier
        if words and tier == Tier.GREEN:
            tier = tier_of(fact.scope, fact.subject, (statement, value), attribute=fact.attribute, type=fact.type,
                           people=words.people)
        own = _name(self.key, "fact.asserted", self.name)
        quotes = [{"event": own, "quote": statement, "start": 0, "end": len(statement)}]
        if words is None:
            quotes += [{"event": each.event, "quote": each.quote} for each in fact.evidence]
        return self.event("fact.asserted", Tier.AMBER, {
            "type": fact.type, "scope": fact.scope, "fact_key": fact.fact_key, "value": value, "statement": statement,
            "detail": _instead(fact) if words else fact.detail, "confidence": HUMAN, "tier": tier, "observed_at": "",
            "capped": False, "evidence": quotes, "aliases": list(fact.aliases), "links": list(map(_link, fact.links)),
        })  # fmt: skip

    def merged(self, item: Item, into: str) -> Event:
        source, target = item.facts
        if canonical(into or target.fact_key) == source.fact_key:
            source, target = target, source
        elif into and canonical(into) != target.fact_key:
            raise Refused(f"{into}: is none of the two keys", f"Name {source.fact_key} or {target.fact_key}.")
        tier = Tier.GREEN if source.tier == target.tier == Tier.GREEN else Tier.AMBER
        return self.event("key.merged", tier, {
            "scope": source.scope, "source": source.fact_key, "target": target.fact_key})  # fmt: skip

    def retracted(self, fact: Fact) -> Event:
        return self.event("fact.retracted", fact.tier, {
            "scope": fact.scope, "fact_key": fact.fact_key, "confidence": HUMAN, "observed_at": ""},
            fact.scope, fact.fact_key)  # fmt: skip

    def ended(self, fact: Fact) -> Event:
        """The end of one value and no other: it names the value, so that the newer one is not meant."""
        return self.event("fact.expired", fact.tier, {
            "scope": fact.scope, "fact_key": fact.fact_key, "fact": fact.id, "observed_at": "", "confirmed": ""})


def _instead(fact: Fact) -> str:
    proof = f" (event {fact.evidence[0].event[:12]})" if fact.evidence else ""
    return f"Said instead of “{fact.statement}”{proof}."


def _link(link: FactLink) -> dict[str, str]:
    return {"target": link.target, "label": link.label, "why": link.why}
