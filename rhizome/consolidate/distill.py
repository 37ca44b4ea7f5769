"""The port of a distiller: what it is given, what it must answer, and what is already known when it is asked.

A distiller proposes and nothing more: whether a draft's quote stands in its event, whom its origin lets speak and what
it supersedes is decided afterwards, so a distiller that is wrong cannot become a memory that is wrong.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from rhizome.model import Draft, Fact, Message, Status, Turn

USER = "user"
"""The scope of what holds for the person everywhere; reconciling makes it `user:<person>`."""


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A current value, so that a later one can be given the same key: `15 minutes` is what `make it 10` changes."""

    fact_key: str
    value: str
    statement: str = ""

    @property
    def subject(self) -> str:
        return self.fact_key.partition("|")[0]

    @property
    def attribute(self) -> str:
        return self.fact_key.partition("|")[2]


@dataclass(frozen=True, slots=True)
class Known:
    """The current facts of each scope, in a stable order; what a distiller may see of the ledger.

    `answers` are the last words of the agent in each session before the turns at hand: what a bare `yes` agrees to.
    """

    facts: Mapping[str, Sequence[KnownFact]] = field(default_factory=dict)
    answers: Mapping[str, Message] = field(default_factory=dict)

    def of(self, scope: str) -> Sequence[KnownFact]:
        return self.facts.get(scope, ())


OPENING = "Take notes for rhizome."
"""How every question to a model begins: a session that an agent program keeps of one is known for what it is."""

NOTHING_KNOWN = Known()


def known(facts: Iterable[Fact]) -> Known:
    """What a distiller may know of `facts`: the active ones, a person's scope under the plain name `user`."""
    scopes: dict[str, list[KnownFact]] = defaultdict(list)
    for fact in sorted(facts, key=lambda fact: (fact.scope, fact.fact_key)):
        if fact.status == Status.ACTIVE:
            scope = USER if fact.scope.startswith(f"{USER}:") else fact.scope
            scopes[scope].append(KnownFact(fact.fact_key, fact.value, fact.statement))
    return Known(scopes)


def noted(known: Known, drafts: Iterable[Draft]) -> Known:
    """`known`, and what `drafts` of the same run say: a later distiller uses their keys, and need not repeat them."""
    scopes = {scope: [*facts] for scope, facts in known.facts.items()}
    for draft in (draft for draft in drafts if not draft.retract):
        fact = KnownFact(f"{draft.subject}|{draft.attribute}", draft.value, draft.statement)
        scopes.setdefault(draft.scope, []).append(fact)
    return replace(known, facts=scopes)


class Distiller(Protocol):
    """Reads turns and drafts what they say: at most `config.DRAFTS_PER_TURN` a turn, and nothing is an honoured answer.

    `turns` of one session stand in the session's order. The same turns and the same known facts give the same drafts.
    """

    @property
    def name(self) -> str: ...

    def distill(self, turns: Sequence[Turn], known: Known) -> list[Draft]: ...
