"""A question as weighted terms: each word with its rarity and with what else may stand for it in a document.

Aliases stand for titles and titles for aliases; a word unknown to the store is compared with the known ones; an
identifier may be found by its parts, a hash by its beginning.
"""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

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

NAME_TERMS = 8
"""The longest alias or title looked for in a question, in terms."""

PREFIX_TERMS = 8
"""How many words a beginning may stand for."""


@dataclass(frozen=True, slots=True)
class Instead:
    """Terms that together may stand for a word, at a weight below one."""

    terms: tuple[str, ...]
    weight: float
    alias: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """One word of a question. `weight` is its rarity, a stop word's lowered; `content` words decide the evidence."""

    word: Word
    weight: float
    content: bool
    instead: tuple[Instead, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: its words and the mass a perfect document could reach, by which every score is divided."""

    asked: tuple[Asked, ...]
    only_stops: bool = False
    mass: float = field(init=False)
    content_mass: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mass", sum(each.weight for each in self.asked))
        object.__setattr__(self, "content_mass", sum(each.weight for each in self.asked if each.content))

    @property
    def content(self) -> tuple[Asked, ...]:
        return tuple(each for each in self.asked if each.content)

    def weighted_terms(self) -> list[tuple[str, float]]:
        """Every term to look for with its weight relative to its word, the greatest where it occurs twice."""
        found: dict[str, float] = {}
        for each in self.asked:
            weight = 1.0 if each.content else STOP_WEIGHT
            for term, share in [(each.word.term, 1.0), *((t, i.weight) for i in each.instead for t in i.terms)]:
                found[term] = max(found.get(term, 0.0), weight * share)
        return sorted(found.items())


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the opened stores know of words, answered by functions so that several can be asked as one."""

    documents: int
    frequencies: Callable[[Collection[str]], Mapping[str, int]]
    terms_from: Callable[[str, int], Sequence[str]]
    terms_like: Callable[[str, int, int], Sequence[str]]
    other_names: Callable[[Collection[str]], Sequence[tuple[str, str]]]


def understand(text: str, vocabulary: Vocabulary) -> Question:
    """Weigh the words of a question; one made of stop words alone takes them as its content."""
    found = words(text)
    known = vocabulary.frequencies([term for word in found for term in (word.term, *word.parts)])
    content = _content(found)
    asked = []
    for word in found:
        rarity = idf(vocabulary.documents, known.get(word.term, 0))
        weight = rarity * (STOP_WEIGHT if word.stop else 1.0)
        instead = () if word.stop else tuple(_instead(word, known, vocabulary))
        asked.append(Asked(word, weight, word.term in content, instead))
    if len(asked) > WORDS:
        kept = set(sorted(range(len(asked)), key=lambda at: (-asked[at].weight, at))[:WORDS])
        asked = [each for at, each in enumerate(asked) if at in kept]
    only_stops = all(word.stop and word.term.isascii() for word in found)
    return Question(tuple(_with_names(asked, text, vocabulary)), only_stops)


def _content(found: Sequence[Word]) -> set[str]:
    """The terms that decide the evidence: words that say something, else pairs with more than hiragana, else all."""
    said = {word.term for word in found if not word.stop}
    mixed = {word.term for word in found if not word.term.isascii() and not HIRAGANA.fullmatch(word.term)}
    return said or mixed or {word.term for word in found}


def idf(documents: int, frequency: int) -> float:
    """How much a word tells that `frequency` of `documents` documents hold; the greatest for one in none."""
    return math.log(1 + (max(documents - frequency, 0) + 0.5) / (frequency + 0.5))


def _instead(word: Word, known: Mapping[str, int], vocabulary: Vocabulary) -> list[Instead]:
    found = [Instead(word.parts, PARTS_WEIGHT)] if any(part in known for part in word.parts) else []
    if word.term in known:
        return found
    lone = len(word.term) == 1 and not word.term.isascii()  # one character of a script that is stored in pairs
    if lone or (len(word.term) >= 6 and word.term.isalnum() and not word.term.isalpha()):
        found += [Instead((term,), PREFIX_WEIGHT) for term in vocabulary.terms_from(word.term, PREFIX_TERMS)]
    else:
        near, distance = nearest(word.term, vocabulary.terms_like)
        found += [Instead((term,), SPELLING_WEIGHTS[distance]) for term in near]
    return found


def _with_names(asked: Sequence[Asked], text: str, vocabulary: Vocabulary) -> list[Asked]:
    """Let every word of a name that stands whole in the question be found by the name's other form."""
    sequence = terms(text[:2_000])
    spans = {
        " ".join(sequence[at : at + size]): None
        for size in range(1, NAME_TERMS + 1) for at in range(len(sequence) - size + 1)
    }
    others: dict[str, list[Instead]] = {}
    for name, other in vocabulary.other_names(list(spans)):
        for term in name.split():
            others.setdefault(term, []).append(Instead(tuple(other.split()), ALIAS_WEIGHT, alias=True))
    return [replace(each, instead=each.instead + tuple(others.get(each.word.term, ()))) for each in asked]
