"""Keys that may be two names for one thing. Only ever a proposal: whether they are one, a person says."""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from rhizome.ledger.keys import folded
from rhizome.ledger.values import comparable
from rhizome.model import Fact, Status

GROUP = 20
"""A value that more keys of one scope share (`true`, `3`) says nothing about their being one."""

_WORD = re.compile(r"[^\W_]+")
_PLURAL = 4


@dataclass(frozen=True, slots=True)
class Pair:
    """`source` may be another name for the key of `target`, the older of the two."""

    source: Fact
    target: Fact
    why: str


def duplicates(facts: Iterable[Fact]) -> list[Pair]:
    """Pairs of current facts of one scope that may be one: the same words in both keys, the same statement, or the
    same value under keys of which one says no more than the other. Sorted, each pair once."""
    current = [fact for fact in facts if fact.status is Status.ACTIVE]
    found: dict[tuple[str, str, str], Pair] = {}
    stated = _alike(current, lambda fact: comparable(fact.statement))
    valued = _alike(current, lambda fact: comparable(fact.value))
    for why, pairs in (
        ("their keys have the same words", _alike(current, _words)),
        ("they say the same", (pair for pair in stated if not _differ(*pair))),
        ("they have the same value", (pair for pair in valued if _within(*pair))),
    ):
        for one, other in pairs:
            target, source = sorted((one, other), key=lambda fact: (fact.recorded_at, fact.fact_key))
            found.setdefault((source.scope, source.fact_key, target.fact_key), Pair(source, target, why))
    return [found[key] for key in sorted(found)]


def _alike(facts: Iterable[Fact], of: Callable[[Fact], Hashable]) -> Iterator[tuple[Fact, Fact]]:
    """Every two facts of one scope of which `of` says the same; nothing is said by an empty answer."""
    groups: dict[tuple[str, Hashable], list[Fact]] = defaultdict(list)
    for fact in facts:
        if said := of(fact):
            groups[fact.scope, said].append(fact)
    for group in groups.values():
        if len(group) <= GROUP:
            yield from combinations(group, 2)


def _differ(one: Fact, other: Fact) -> bool:
    """Whether one sentence gave both their values: it says two things."""
    return bool(one.value and other.value) and comparable(one.value) != comparable(other.value)


def _within(one: Fact, other: Fact) -> bool:
    """Whether one key says no more than the other, and their attributes have a word in common."""
    left, right = _words(one), _words(other)
    return (left <= right or right <= left) and bool(_bag(one.attribute) & _bag(other.attribute))


def _words(fact: Fact) -> frozenset[str]:
    return _bag(fact.fact_key)


def _bag(text: str) -> frozenset[str]:
    """The words of a key in any order, a plural as its singular."""
    words = _WORD.findall(folded(text))
    return frozenset(word[:-1] if len(word) >= _PLURAL and word.endswith("s") and not word.endswith("ss") else word
                     for word in words)
