"""Cosines of one question with the sentences of what is asked; this is where numpy comes in."""

from collections.abc import Collection, Iterator, Mapping, Sequence

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


class Nearness:
    """The question's vector and, for one tier, the cosine of every sentence in the layers that are asked."""

    def __init__(self, vector: NDArray[np.float32], tier: Tier, layers: Sequence[str]) -> None:
        self._vector = vector
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

    def sentence(self, row: Row) -> tuple[float, int]:
        """The cosine of a document's nearest sentence, not below zero, and its place."""
        if not row.vectors or row.document.layer not in self._cosines:
            return 0.0, 0
        cosines = self._cosines[row.document.layer][row.first : row.first + row.vectors]
        at = int(cosines.argmax())
        return max(float(cosines[at]), 0.0), int(self._tier.vectors(row.document.layer).rows["place"][row.first + at])

    def context(self, row: Row, around: Mapping[int, Row]) -> float:
        """The cosine with everything a document says and, weaker, what is said around it."""
        total = self._sum(row)
        for distance, neighbour in around.items():
            total = total + NEIGHBOURS[distance] * self._sum(neighbour)
        return _cosine(total, self._vector)

    def _sum(self, row: Row) -> NDArray[np.float32]:
        if not row.vectors:
            return np.zeros_like(self._vector)
        rows = self._tier.vectors(row.document.layer).float_rows(row.first, row.vectors)
        return _unit(rows.sum(axis=0))


def recent_nearness(
    rows: Sequence[Row], vector: NDArray[np.float32], embedder: Embedder
) -> Iterator[tuple[float, int, float]]:
    """Cosine and place of the nearest sentence, and the cosine of the whole, for documents that have no vectors yet."""
    left = RECENT_SENTENCES
    for row in rows:
        parts = chunks(row.document)[: max(left, 0)]
        left -= len(parts)
        if not parts:
            yield 0.0, 0, 0.0
            continue
        vectors = embedder.encode([text for _, text in parts])
        cosines = vectors @ vector
        at = int(cosines.argmax())
        yield max(float(cosines[at]), 0.0), parts[at][0], _cosine(vectors.sum(axis=0), vector)


def _first(values: NDArray[np.float32], limit: int) -> NDArray[np.intp]:
    """Places of the greatest values, in no order."""
    return np.argpartition(-values, limit)[:limit] if len(values) > limit else np.arange(len(values))


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    length = np.float32(np.linalg.norm(vector))
    return vector / length if length > 0 else vector


def _cosine(total: NDArray[np.float32], vector: NDArray[np.float32]) -> float:
    return max(float(_unit(total) @ vector), 0.0)
