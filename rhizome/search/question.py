"""A question as weighted terms: each word with its rarity and with what else may stand for it in a document.

Aliases stand for titles and titles for aliases; a word unknown to the store is compared with the known ones; an
identifier may be found by its parts, a hash by its beginning.
"""

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise

import msgspec

from rhizome.search.language import language
from rhizome.search.spelling import nearest
from rhizome.search.tokens import Word, terms, words

WORDS = 48
"""A longer question is a told story: its rarest words tell what it is about."""

HIRAGANA = re.compile("[\u3040-\u309f]+")
STOP_WEIGHT = 0.3
ALIAS_WEIGHT = 0.8
PARTS_WEIGHT = 0.6
PREFIX_WEIGHT = 0.8
SPELLING_WEIGHTS = {1: 0.8, 2: 0.6}
NEAR_WEIGHT = 0.4
NEAR, LOOKED_FOR = 5, 3
"""So many words of nearly the same meaning count, and so many find candidates."""

MOST_COMMON, RARE, LEAST_TOLD = -7.0, -13.0, 0.3
"""From the logarithm of a word's frequency: what tells least, and what tells all that a word can."""

GAP = 2
"""Words of a question so far apart belong together: one may stand between them."""

NAME_TERMS = 8
"""The longest alias or title looked for in a question, in terms."""

PREFIX_TERMS = 8
"""How many words a beginning may stand for."""


class Instead(msgspec.Struct, frozen=True):
    """Terms that together may stand for a word, at a weight below one."""

    terms: tuple[str, ...]
    weight: float
    alias: bool = False


class Asked(msgspec.Struct, frozen=True):
    """One word of a question. `weight` is its rarity, a stop word's lowered; `content` words decide the evidence, each
    by its rarity and by how much it tells in general.

    `near` are words that mean nearly the same, each with what it can add: its nearness times the lesser rarity.
    """

    word: Word
    weight: float
    content: bool
    instead: tuple[Instead, ...] = ()
    near: tuple[tuple[str, float], ...] = ()
    tells: float = 1.0

    @property
    def evidence(self) -> float:
        return self.weight * self.tells if self.content else 0.0


class Question(msgspec.Struct, frozen=True):
    """What is asked: its words and the mass a perfect document could reach, by which every score is divided."""

    asked: tuple[Asked, ...]
    only_stops: bool = False
    speaker: str = ""
    language: str = ""
    mass: float = 0.0
    content_mass: float = 0.0
    content: tuple[Asked, ...] = ()
    pairs: tuple[tuple[str, str, float], ...] = ()

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "mass", sum(each.weight for each in self.asked))
        msgspec.structs.force_setattr(self, "content_mass", sum(each.evidence for each in self.asked))
        msgspec.structs.force_setattr(self, "content", tuple(each for each in self.asked if each.content))
        msgspec.structs.force_setattr(self, "pairs", tuple(self._pairs()))

    def _pairs(self) -> Iterator[tuple[str, str, float]]:
        """Content words that stand beside each other, or with one word between, and their mean weight."""
        places = [at for at, each in enumerate(self.asked) if each.content]
        for at, after in pairwise(places):
            if after - at <= GAP:
                one, other = self.asked[at], self.asked[after]
                yield one.word.term, other.word.term, (one.weight + other.weight) / 2

    def weighted_terms(self) -> list[tuple[str, float]]:
        """Every term to look for with its weight relative to its word, the greatest where it occurs twice."""
        found: dict[str, float] = {}
        for each in self.asked:
            weight = 1.0 if each.content else STOP_WEIGHT
            for term, share in [(each.word.term, 1.0), *((t, i.weight) for i in each.instead for t in i.terms)]:
                found[term] = max(found.get(term, 0.0), weight * share)
            for term, value in each.near[:LOOKED_FOR]:
                found[term] = max(found.get(term, 0.0), NEAR_WEIGHT * value / (each.weight or 1.0))
        return sorted(found.items())


class Vocabulary(msgspec.Struct, frozen=True):
    """What the opened stores know of words, answered by functions so that several can be asked as one."""

    documents: int
    frequencies: Callable[[Collection[str]], Mapping[str, int]]
    terms_from: Callable[[str, int], Sequence[str]]
    terms_like: Callable[[str, int, int], Sequence[str]]
    other_names: Callable[[Collection[str]], Sequence[tuple[str, str]]]
    similar: Callable[[Sequence[Word]], Mapping[str, Sequence[tuple[str, float]]]] = lambda _: {}
    speaking: Callable[[Collection[str]], Sequence[str]] = lambda _: ()
    common: Callable[[str], float | None] = lambda _: None


def understand(text: str, vocabulary: Vocabulary) -> Question:
    """Weigh the words of a question; one made of stop words alone takes them as its content."""
    found = words(text)
    known = vocabulary.frequencies([term for word in found for term in (word.term, *word.parts)])
    rarity = {word.term: idf(vocabulary.documents, known.get(word.term, 0)) for word in found}
    if len(found) > WORDS:
        weights = {word.term: rarity[word.term] * (STOP_WEIGHT if word.stop else 1.0) for word in found}
        kept = set(sorted(weights, key=lambda term: (-weights[term], term))[:WORDS])
        found = [word for word in found if word.term in kept]
    spans = _spans(terms(text[:2_000]))
    speaking = vocabulary.speaking(spans)
    content = _content(found)
    content = content - {term for name in speaking for term in name.split()} or content
    near = _near([word for word in found if not word.stop], rarity, vocabulary)
    asked = [
        Asked(word, rarity[word.term] * (STOP_WEIGHT if word.stop else 1.0), word.term in content,
              () if word.stop else tuple(_instead(word, known, vocabulary)), near.get(word.term, ()),
              telling(vocabulary.common(word.written or word.surface)))
        for word in found
    ]
    only_stops = all(word.stop and word.term.isascii() for word in found)
    return Question(tuple(_with_names(asked, spans, vocabulary)), only_stops,
                    speaking[0] if len(speaking) == 1 else "", language(text))


def _near(
    asked: Sequence[Word], rarity: Mapping[str, float], vocabulary: Vocabulary
) -> dict[str, tuple[tuple[str, float], ...]]:
    """For each word the nearest words that documents of the scope hold, with what they can add."""
    similar = vocabulary.similar(asked)
    own = {word.term for word in asked}
    held = vocabulary.frequencies({term for found in similar.values() for term, _ in found} - own)
    return {
        word: tuple((term, cosine * min(rarity[word], idf(vocabulary.documents, held[term])))
                    for term, cosine in [each for each in found if each[0] in held][:NEAR])
        for word, found in similar.items()
    }


def _content(found: Sequence[Word]) -> set[str]:
    """The terms that decide the evidence: words that say something, else pairs with more than hiragana, else all."""
    said = {word.term for word in found if not word.stop}
    mixed = {word.term for word in found if not word.term.isascii() and not HIRAGANA.fullmatch(word.term)}
    return said or mixed or {word.term for word in found}


def idf(documents: int, frequency: int) -> float:
    """How much a word tells that `frequency` of `documents` documents hold; the greatest for one in none."""
    return math.log(1 + (max(documents - frequency, 0) + 0.5) / (frequency + 0.5))


def telling(common: float | None) -> float:
    """How much a word tells wherever it stands, from how common it is: “leave” says less of a subject than “ferry”."""
    return 1.0 if common is None else min(max((common - MOST_COMMON) / (RARE - MOST_COMMON), LEAST_TOLD), 1.0)


def _instead(word: Word, known: Mapping[str, int], vocabulary: Vocabulary) -> list[Instead]:
    found = [Instead(word.parts, PARTS_WEIGHT)] if any(part in known for part in word.parts) else []
    if word.term in known:
        return found
    lone = len(word.term) == 1 and not word.term.isascii()  # one character of a script that is stored in pairs
    if lone or (len(word.term) >= 6 and word.term.isalnum() and not word.term.isalpha()):
        found += [Instead((term,), PREFIX_WEIGHT) for term in vocabulary.terms_from(word.term, PREFIX_TERMS)]
    elif vocabulary.common(word.written or word.surface) is None:  # a word that people write so is no slip
        near, distance = nearest(word.term, vocabulary.terms_like)
        found += [Instead((term,), SPELLING_WEIGHTS[distance]) for term in near]
    return found


def _spans(sequence: Sequence[str]) -> list[str]:
    """Every run of terms that may be a name."""
    return list(dict.fromkeys(
        " ".join(sequence[at : at + size])
        for size in range(1, NAME_TERMS + 1) for at in range(len(sequence) - size + 1)))


def _with_names(asked: Sequence[Asked], spans: Collection[str], vocabulary: Vocabulary) -> list[Asked]:
    """Let every word of a name that stands whole in the question be found by the name's other form."""
    others: dict[str, list[Instead]] = {}
    for name, other in vocabulary.other_names(spans):
        for term in name.split():
            others.setdefault(term, []).append(Instead(tuple(other.split()), ALIAS_WEIGHT, alias=True))
    return [msgspec.structs.replace(each, instead=each.instead + tuple(others.get(each.word.term, ())))
            for each in asked]
