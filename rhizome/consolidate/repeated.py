"""What reading the same turns again came to: facts it says once more, and those that fell out. Nothing ends by it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from rhizome.consolidate.reconcile import Outcome
from rhizome.ledger.keys import canonical
from rhizome.ledger.values import same
from rhizome.model import Fact


@dataclass(frozen=True, slots=True)
class Repeated:
    """Facts that hold on the word of the turns that were read again: how many were said again, which were not."""

    agreed: int = 0
    fell_out: tuple[Fact, ...] = ()


def repeated(facts: Iterable[Fact], events: Collection[str], outcomes: Iterable[Outcome]) -> Repeated:
    """Compare what holds and was said in `events` with what was drafted from them now.

    A fact agrees where a draft with its key has its value; facts that other words set are not asked about.
    """
    drafted = {(each.draft.scope, canonical(f"{each.draft.subject}|{each.draft.attribute}")): each.draft
               for each in outcomes if each.what != "refused"}  # fmt: skip
    agreed, fell_out = 0, list[Fact]()
    for fact in facts:
        if not fact.evidence or fact.evidence[0].event not in events:
            continue
        draft = drafted.get((fact.scope, fact.fact_key))
        if draft is not None and same(fact.value, fact.statement, draft.value, draft.statement):
            agreed += 1
        else:
            fell_out.append(fact)
    return Repeated(agreed, tuple(fell_out))
