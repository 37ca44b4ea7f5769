"""How far a draft's evidence carries: whose words it quotes, and whether those words may be believed by themselves."""

from dataclasses import dataclass

from rhizome.consolidate.heard import Heard, Lookup, trust
from rhizome.consolidate.quotes import Quote, find
from rhizome.consolidate.repeating import is_long
from rhizome.ledger.fold import Fold
from rhizome.ledger.values import same
from rhizome.model import Draft, Fact, Origin, Status, Tier

HUMAN, SAID, INFERRED = 1.0, 0.8, 0.6
"""The classes of confidence: a person's word, a model's or a peer's, what a distiller concludes."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What a claim stands on. `capped`: it can be proposed and no more, until somebody trusted says it too."""

    quote: Quote
    origin: str
    confidence: float
    capped: bool


def ground(draft: Draft, said: Heard, fold: Fold, lookup: Lookup) -> Ground | str:
    """What the draft stands on, or why on nothing."""
    quote = find(draft.quote, said.text)
    if quote is None:
        return "the event does not contain the quote"
    spoken = said.speaker(quote.text)
    if spoken is not None and not spoken.stands:
        return "quotes what nobody stands by (undone, repeated or summed up)"
    origin = _origin(draft, said, quote, spoken.origin if spoken else "")
    if origin == Origin.MEMORY:
        return "quotes what memory returned"
    if trust(origin) == 0:
        return "quotes what no person, agent or tool said"
    confidence = min(HUMAN if origin == Origin.HUMAN else SAID, INFERRED if draft.inferred else HUMAN)
    if origin == Origin.TOOL:
        return Ground(quote, origin, INFERRED, capped=True)
    alone = origin != Origin.HUMAN and not _independent(draft, said, fold, lookup)
    return Ground(quote, origin, confidence, capped=alone)


def _origin(draft: Draft, said: Heard, quote: Quote, origin: str) -> str:
    """Whose words these are, whoever says them now.

    What stands in a fence or after `>` is a tool's. What a person pastes is a memory's; a short sentence of theirs is
    their own, even if a memory had it. What a model says or proposes is a memory's where a memory had
    returned it, and a tool's where a tool had, or where the web told it in other words.
    """
    if quote.borrowed and trust(origin) > trust(Origin.TOOL):
        return Origin.TOOL
    if origin == Origin.HUMAN and is_long(quote.text) and said.repeats_memory(quote.text):
        return Origin.MEMORY
    if origin != Origin.MODEL:
        return origin
    if said.repeats_memory(quote.text):
        return Origin.MEMORY
    if said.repeats_a_tool(quote.text) or said.is_from_abroad(draft.value, draft.statement):
        return Origin.TOOL
    return origin


def _independent(draft: Draft, said: Heard, fold: Fold, lookup: Lookup) -> bool:
    """Whether this voice is another one than the untrusted text that proposed the same before.

    It is in a session of another root, on another day, where the same tool text was not read again.
    """
    versions = fold.history(draft.scope, f"{draft.subject}|{draft.attribute}", Tier.AMBER)
    untrusted = [fact for fact in versions if fact.status is Status.PROPOSED and trust(fact.origin) <= 1
                 and same(fact.value, fact.statement, draft.value, draft.statement)]
    return not any(_same_source(fact, said, lookup) for fact in untrusted)


def _same_source(fact: Fact, said: Heard, lookup: Lookup) -> bool:
    for evidence in fact.evidence:
        other = lookup(evidence.event)
        if other is None or other.root == said.root or other.at[:10] == said.at[:10]:
            return True
        if said.repeats_a_tool(evidence.quote):
            return True
    return False
