"""Keys that stay the same: which fact of a scope a newly stated value belongs to.

An attribute is written `<qualifiers>_<name>`, its name from the vocabulary. The same name with the same qualifiers is
the same key; with fewer or more of them it is the one such key that is known (`the port` after `dev port`).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rhizome.consolidate.distill import Known, KnownFact
from rhizome.consolidate.rules.tables import names
from rhizome.consolidate.rules.values import values
from rhizome.model import Draft

_NOT_WORD = re.compile(r"[\W_]+")
_GOES_ON = re.compile(r"\d|\.\d")
_WORDLIKE = re.compile(r"[A-Za-z0-9_.]")
_FIRST_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def slug(words: Iterable[str]) -> str:
    return "_".join(filter(None, map(_part, words)))


@lru_cache(maxsize=4096)
def _part(word: str) -> str:
    return _NOT_WORD.sub("_", word.casefold()).strip("_")


def attribute(name: str, qualifiers: Sequence[str]) -> str:
    """`dev` and `port` are `dev_port`; a qualifier that the name already holds is left out."""
    own = set(name.split("_"))
    return slug([*(word for word in dict.fromkeys(qualifiers) if word not in own), name])


def split(attribute: str) -> tuple[frozenset[str], str]:
    """The qualifiers and the vocabulary name of an attribute; a name of no vocabulary is its own."""
    parts = attribute.split("_")
    for at in range(len(parts)):
        if (name := "_".join(parts[at:])) in names():
            return frozenset(parts[:at]), name
    return frozenset(), attribute


@dataclass
class Scope:
    """What is known of one scope, by key and by the vocabulary name of its attribute, and the subjects it has."""

    facts: dict[str, KnownFact] = field(default_factory=dict)
    named: dict[str, dict[str, frozenset[str]]] = field(default_factory=lambda: defaultdict(dict))
    subjects: set[str] = field(default_factory=set)

    def learn(self, fact: KnownFact) -> None:
        if fact.fact_key not in self.facts:
            qualifiers, name = split(fact.attribute)
            self.named[name][fact.fact_key] = qualifiers
            self.subjects.add(fact.subject)
        self.facts[fact.fact_key] = fact


@dataclass
class Memory:
    """What is known while a batch is read: the ledger's current facts and what the batch itself has stated so far."""

    known: Known
    latest: dict[str, tuple[str, str]] = field(default_factory=dict)
    scopes: dict[str, Scope] = field(default_factory=dict)

    def of(self, scope: str) -> Scope:
        if scope not in self.scopes:
            found = self.scopes[scope] = Scope()
            for fact in self.known.of(scope):
                found.learn(fact)
        return self.scopes[scope]

    def learn(self, draft: Draft, session: str) -> None:
        key = f"{draft.subject}|{draft.attribute}"
        self.of(draft.scope).learn(KnownFact(key, draft.value, draft.statement))
        self.latest[session] = (draft.scope, key)

    def forget(self, scope: str, key: str) -> None:
        """What was taken back is known no more."""
        here = self.of(scope)
        here.facts.pop(key, None)
        for keys in here.named.values():
            keys.pop(key, None)

    def key(
        self, scope: str, subject: str, name: str, qualifiers: Sequence[str], beside: str, denied: str = ""
    ) -> tuple[str, str]:
        """Subject and attribute for a value of `name`: those of the one known fact that is meant, else new ones.

        `beside` is the message: a known value that it names says which fact is meant; `denied` are the values that the
        sentence does not stand by: where one of them is known, it is what the new one replaces.
        """
        wanted = frozenset(slug(qualifiers).split("_")) - {""} - set(name.split("_"))
        here, alike = self.of(scope), list[KnownFact]()
        same = (here.facts[key] for key in here.named.get(name, {}) if denied)
        replaced = [fact for fact in same if mentions(denied, fact.value)]
        if len(replaced) == 1:
            return replaced[0].subject, replaced[0].attribute
        for key, theirs in here.named.get(name, {}).items():
            fact = here.facts[key]
            if theirs == wanted:
                return fact.subject, fact.attribute
            if theirs <= wanted or wanted <= theirs:
                alike.append(fact)
        named = [fact for fact in alike if mentions(beside, fact.value)]
        for candidates in (named, alike):
            if len(candidates) == 1:
                return candidates[0].subject, candidates[0].attribute
        return subject, attribute(name, qualifiers)

    def changed(self, scope: str, kinds: frozenset[str], beside: str) -> KnownFact | None:
        """The one known fact of these kinds whose value `beside` names: what `make it 12, 20 is too long` changes."""
        found = [
            fact
            for fact in self.of(scope).facts.values()
            if mentions(beside, fact.value) and kinds & kinds_of(fact.value)
        ]
        return found[0] if len(found) == 1 else None

    def last(self, session: str, kinds: frozenset[str]) -> tuple[str, KnownFact] | None:
        """What the session stated last, if a value of these kinds can replace it: the `it` of `make it 12 minutes`."""
        if session not in self.latest:
            return None
        scope, key = self.latest[session]
        fact = self.of(scope).facts.get(key)
        return (scope, fact) if fact and kinds & kinds_of(fact.value) else None


@lru_cache(maxsize=4096)
def kinds_of(value: str) -> frozenset[str]:
    return frozenset().union(*(found.kinds for found in values(value))) - {
        "person",
        "capital",
        "decimal",
        "name",
        "code",
    }


def mentions(text: str, value: str) -> bool:
    """Whether `text` names `value`, or for a number with a unit the number alone."""
    if not value:
        return False
    number = _FIRST_NUMBER.match(value)
    said, folded = (number.group() if number else value).casefold(), text.casefold()
    at = folded.find(said)
    while at >= 0:
        before, after = folded[max(0, at - 1) : at], folded[at + len(said) : at + len(said) + 2]
        if not _GOES_ON.match(after) and not _WORDLIKE.match(before):
            return True
        at = folded.find(said, at + 1)
    return False
