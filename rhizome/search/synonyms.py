"""Words of the index that mean nearly what a question's word means, by the vectors of single words.

Each term of letters has a vector of its shortest written form. A question's words are compared with all of them once;
what is near a word is kept, so that asking about it again costs nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rhizome.search.embedder import Embedder
from rhizome.search.sentences import covered
from rhizome.search.stop_words import STOP_WORDS
from rhizome.search.table import Table
from rhizome.search.tokens import Word, surfaces
from rhizome.search.vectors import BLOCK, Vectors

LAYER = "word"
LEAST_COSINE = 0.55
LOOKED_AT = 40
"""Near words that are looked at; only those that the documents of a question's scope hold count, and of these five."""

KEPT = 20_000


class Words:
    """The words of one open tier."""

    def __init__(self, generation: Path, dims: int, table: Table) -> None:
        self._vectors, self._table = Vectors(generation, LAYER, dims), table
        self._known: dict[str, list[tuple[str, float]]] = {}

    def near(self, asked: Sequence[Word], embedder: Embedder) -> Mapping[str, Sequence[tuple[str, float]]]:
        """(term, cosine) of the words nearest to each, the nearest first, by its term."""
        asked = [word for word in asked if covered(word.term)]
        new = [word for word in asked if word.term not in self._known]
        if len(self._known) + len(new) > KEPT:
            self._known.clear()
            new = list(asked)
        if new and len(self._vectors.rows):
            cosines = self._scan(embedder.encode([word.written or word.surface for word in new]))
            for word, row in zip(new, cosines, strict=True):
                self._known[word.term] = self._terms(word.term, row)
        return {word.term: self._known.get(word.term, ()) for word in asked}

    def _scan(self, questions: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of every question's word (rows) with every word of the index (columns); see `Vectors.scan`."""
        table, found = self._vectors.table, np.empty((len(questions), len(self._vectors.rows)), dtype=np.float32)
        block = np.empty((BLOCK, table.shape[1]), dtype=np.float32)
        for at in range(0, len(table), BLOCK):
            part = block[: len(table[at : at + BLOCK])]
            part[:] = table[at : at + BLOCK]
            np.vecdot(part, questions[:, None], out=found[:, at : at + BLOCK])
        found *= self._vectors.rows["scale"]
        return found

    def _terms(self, own: str, cosines: NDArray[np.float32]) -> list[tuple[str, float]]:
        at = np.flatnonzero(cosines >= LEAST_COSINE)
        if len(at) > LOOKED_AT:
            at = at[np.argpartition(-cosines[at], LOOKED_AT)[:LOOKED_AT]]
        numbers = {int(self._vectors.rows["number"][row]): round(float(cosines[row]), 4) for row in at}
        terms = self._table.word_terms(numbers)
        return sorted(((terms[number], cosine) for number, cosine in numbers.items()
                       if number in terms and terms[number] != own), key=lambda each: (-each[1], each[0]))


def written(texts: Iterable[str]) -> dict[str, str]:
    """By term, the shortest way it is written in any of the texts; stop words are nobody's synonyms."""
    found: dict[str, str] = {}
    for text in texts:
        shortest(found, surfaces(text))
    return {term: surface for term, surface in found.items() if surface not in STOP_WORDS}


def shortest(known: dict[str, str], more: Mapping[str, str]) -> None:
    """Add words to those known; of two ways to write one the shorter stays."""
    for term, surface in more.items():
        there = known.get(term)
        if there is None or (len(surface), surface) < (len(there), there):
            known[term] = surface


def add(
    table: Table, generation: Path, dims: int, embedder: Embedder, new: Mapping[str, str], before: "Vectors | None"
) -> None:
    """Give new words their vectors; those that `before` holds are not encoded again."""
    numbers = table.add_words(new)
    if not numbers:
        return
    vectors = Vectors(generation, LAYER, dims)
    known = before.find if before is not None else vectors.find
    vectors.append([(number, [(0, new[term])]) for term, number in numbers.items()], embedder, known)
