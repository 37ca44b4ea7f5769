"""Cosines of one question with the sentences of what is asked; this is where numpy comes in."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rhizome.search.embedder import Embedder
from rhizome.search.rescore import NEIGHBOURS
from rhizome.search.rows import Row
from rhizome.search.sentences import chunks
from rhizome.search.tier import Tier

LEAST_COSINE = 0.15
"""Below this two sentences have nothing to do with each other, and a document is no candidate."""

RECENT_SENTENCES = 256
"""At most this many sentences newer than the index are encoded for one question, 20 ms."""


class Near(NamedTuple):
    """The cosine of the nearest sentence, not below zero, its place, and the cosine with all that is said."""

    sentence: float = 0.0
    place: int = 0
    context: float = 0.0


class Nearness:
    """The question's vector and, for one tier, the cosine of every sentence in the layers that are asked."""

    def __init__(self, vector: NDArray[np.float32], tier: Tier, layers: Sequence[str]) -> None:
        self._vector = vector
        self._nothing = np.zeros_like(vector)
        self._tier = tier
        self._cosines = {layer: tier.vectors(layer).scan(vector) for layer in layers}

    def nearest(self, limit: int, allowed: Collection[int] | None, hidden: Collection[int]) -> list[int]:
        """The numbers of the documents with the nearest sentences, at most `limit`, the nearest first."""
        best: dict[int, float] = {}
        for layer, cosines in self._cosines.items():
            numbers = self._tier.vectors(layer).rows["number"]
            use = cosines >= LEAST_COSINE
            if allowed is not None:
                use &= np.isin(numbers, np.fromiter(allowed, dtype=np.uint32))
            if hidden:
                use &= ~np.isin(numbers, np.fromiter(hidden, dtype=np.uint32))
            at = np.flatnonzero(use)
            for row in at[_first(cosines[at], 8 * limit)]:
                number = int(numbers[row])
                best[number] = max(best.get(number, -1.0), float(cosines[row]))
        return sorted(best, key=lambda number: (-round(best[number], 6), number))[:limit]

    def of(self, rows: Sequence[tuple[Row, Mapping[int, Row]]]) -> list[Near]:
        """How near each document is, with its neighbours by distance."""
        sums = {
            row.number: self._tier.vectors(row.document.layer).sum(row.first, row.vectors)
            for one, around in rows for row in (one, *around.values())
            if row.vectors and row.document.layer in self._cosines
        }
        found = []
        for row, around in rows:
            total = sums.get(row.number, self._nothing)
            for distance, neighbour in around.items():
                if neighbour.number in sums:
                    total = total + NEIGHBOURS[distance] * sums[neighbour.number]
            found.append(Near(*self._sentence(row), _cosine(total, self._vector)))
        return found

    def _sentence(self, row: Row) -> tuple[float, int]:
        cosines = self._cosines.get(row.document.layer, self._nothing[:0])[row.first : row.first + row.vectors]
        if not len(cosines):
            return 0.0, 0
        at = int(cosines.argmax())
        return max(float(cosines[at]), 0.0), int(self._tier.vectors(row.document.layer).rows["place"][row.first + at])


def recent_nearness(
    rows: Sequence[Row], vector: NDArray[np.float32], embedder: Embedder
) -> Iterator[Near]:
    """The same for documents that have no vectors yet."""
    left = RECENT_SENTENCES
    for row in rows:
        parts = chunks(row.document)[: max(left, 0)]
        left -= len(parts)
        if not parts:
            yield Near()
            continue
        vectors = embedder.encode([text for _, text in parts])
        cosines = np.vecdot(vectors, vector)
        at = int(cosines.argmax())
        yield Near(max(float(cosines[at]), 0.0), parts[at][0], _cosine(vectors.sum(axis=0), vector))


def _first(values: NDArray[np.float32], limit: int) -> NDArray[np.intp]:
    """Places of the greatest values, in no order."""
    return np.argpartition(-values, limit)[:limit] if len(values) > limit else np.arange(len(values))


def _cosine(total: NDArray[np.float32], vector: NDArray[np.float32]) -> float:
    length = math.sqrt(float(np.vecdot(total, total)))
    return max(float(np.vecdot(total, vector)) / length, 0.0) if length else 0.0
