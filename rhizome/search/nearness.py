"""Cosines of one question with the sentences of what is asked; this is where numpy comes in."""

import math
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rhizome.search.embedder import Embedder
from rhizome.search.language import LANGUAGES
from rhizome.search.rescore import NEIGHBOURS
from rhizome.search.rows import Row
from rhizome.search.sentences import chunks
from rhizome.search.tier import Tier
from rhizome.search.units import Unit

LEAST_COSINE = 0.15
"""Below this two sentences have nothing to do with each other, and a document is no candidate."""

ALIKE = 0.1
"""How near turns of one session are to each other by chance, once centred; it makes the length of their sum."""

RECENT_SENTENCES = 256
"""At most this many sentences newer than the index are encoded for one question, 20 ms."""


class Near(NamedTuple):
    """The cosine of the nearest sentence, not below zero, its place, and the cosine with all that is said."""

    sentence: float = 0.0
    place: int = 0
    context: float = 0.0


class Nearness:
    """The question's vector and, for one tier, the cosine of every sentence in the layers that are asked."""

    def __init__(self, vector: NDArray[np.float32], language: str, tier: Tier, layers: Sequence[str]) -> None:
        question = tier.middle.question(vector, language)
        self._tier = tier
        self._cosines = {layer: tier.centred(layer).scan(question) for layer in layers}

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
            rows = at[_first(cosines[at], 8 * limit)]
            for number, cosine in zip(numbers[rows].tolist(), cosines[rows].tolist(), strict=True):
                if cosine > best.get(number, -1.0):
                    best[number] = cosine
        return sorted(best, key=lambda number: (-round(best[number], 6), number))[:limit]

    def of(self, units: Sequence[tuple[Unit, Sequence[tuple[int, Unit]]]]) -> list[Near]:
        """How near each document is, with its neighbours by distance."""
        every = {unit.number: unit for own, around in units for unit in (own, *(each for _, each in around))}
        sentence, place, whole = self._read([unit for unit in every.values() if unit.vectors])
        found = []
        for own, around in units:
            total, squares, weights = whole.get(own.number, 0.0), 1.0, 1.0
            for distance, unit in around:
                weight = NEIGHBOURS[distance]
                total += weight * whole.get(unit.number, 0.0)
                squares += weight * weight
                weights += weight
            context = total / math.sqrt((1 - ALIKE) * squares + ALIKE * weights * weights)
            found.append(Near(max(sentence.get(own.number, 0.0), 0.0), place.get(own.number, 0), max(context, 0.0)))
        return found

    def _read(self, units: Sequence[Unit]) -> tuple[dict[int, float], dict[int, int], dict[int, float]]:
        """By number: the cosine of the nearest sentence, its place, and the cosine of the sum of all sentences."""
        sentence: dict[int, float] = {}
        place: dict[int, int] = {}
        whole: dict[int, float] = {}
        for layer, cosines in self._cosines.items():
            some = [unit for unit in units if unit.layer == layer and unit.first + unit.vectors <= len(cosines)]
            if not some:
                continue
            firsts, counts = np.array([unit.first for unit in some]), np.array([unit.vectors for unit in some])
            starts = np.cumsum(counts) - counts
            rows = np.repeat(firsts - starts, counts) + np.arange(counts.sum())
            gathered = cosines[rows]
            best, sums = np.maximum.reduceat(gathered, starts), np.add.reduceat(gathered, starts)
            sums *= self._tier.centred(layer).share[firsts]
            at = np.flatnonzero(gathered == np.repeat(best, counts))
            where = at[np.searchsorted(at, starts)]
            places = self._tier.vectors(layer).rows["place"][rows[where]]
            for unit, *each in zip(some, best.tolist(), places.tolist(), sums.tolist(), strict=True):
                sentence[unit.number], place[unit.number], whole[unit.number] = each
        return sentence, place, whole


def recent_nearness(
    rows: Sequence[Row], units: Sequence[Unit], vector: NDArray[np.float32], language: str, embedder: Embedder,
    tier: Tier | None,
) -> Iterator[Near]:
    """The same for documents that have no vectors yet, seen from the middle of the store they will lie in."""
    left = RECENT_SENTENCES
    question = tier.middle.question(vector, language) if tier else vector
    for row, unit in zip(rows, units, strict=True):
        parts = chunks(row.document)[: max(left, 0)]
        left -= len(parts)
        if not parts:
            yield Near()
            continue
        vectors = embedder.encode([text for _, text in parts])
        if tier:
            vectors = tier.middle.centred(vectors, np.full(len(vectors), LANGUAGES.index(unit.language)))
        cosines = np.vecdot(vectors, question)
        at = int(cosines.argmax())
        yield Near(max(float(cosines[at]), 0.0), parts[at][0], _cosine(vectors.sum(axis=0), question))


def _first(values: NDArray[np.float32], limit: int) -> NDArray[np.intp]:
    """Places of the greatest values, in no order."""
    return np.argpartition(-values, limit)[:limit] if len(values) > limit else np.arange(len(values))


def _cosine(total: NDArray[np.float32], vector: NDArray[np.float32]) -> float:
    length = math.sqrt(float(np.vecdot(total, total)))
    return max(float(np.vecdot(total, vector)) / length, 0.0) if length else 0.0
