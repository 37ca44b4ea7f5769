"""What a candidate is worth: additive scores with fixed weights, each between 0 and 1 before its weight.

The words count as BM25 over the document and, weaker, its neighbours in the session, divided by the most that the
question could give; so scores of different questions can be compared. Nothing depends on what else was found.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rhizome.search.dates import Day
from rhizome.search.question import Question
from rhizome.search.rows import Row

K1, B = 1.2, 0.75
HEAD_TIMES = 2.0
"""A word of a title, alias or heading counts this often."""

NEIGHBOURS = {-2: 0.2, -1: 0.5, 1: 0.3, 2: 0.1}
"""How much a word counts that stands in the turns around: the turn before asks what this one answers."""

SENTENCE_WEIGHT = 0.1
CONTEXT_WEIGHT = 0.2
DATE_WEIGHT = 0.2
LENGTH_WEIGHT = 0.2
LONG_ENOUGH = 20
"""Distinct words after which a turn is no longer a short one."""

ROLE_WEIGHTS = {"human": 0.0, "model": -0.3, "tool": -0.5}
"""What a person says about their own affairs comes before what a model says, and that before a listing."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document to score, its neighbours by distance in the session, and its cosines where there are vectors.

    `place` is that of the nearest sentence, 0 when it is the title or there is none.
    """

    row: Row
    around: Mapping[int, Row] = field(default_factory=dict)
    sentence: float = 0.0
    place: int = 0
    context: float = 0.0


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with the parts of its score, the share of the question it covers and its cosine."""

    candidate: Candidate
    score: float
    coverage: float
    parts: Mapping[str, float]

    @property
    def cosine(self) -> float:
        return self.candidate.sentence

    @property
    def order(self) -> tuple[float, str]:
        return -self.score, self.candidate.row.document.id


def rescore(
    question: Question, candidates: Sequence[Candidate], lengths: Mapping[str, float], days: Sequence[Day] = ()
) -> list[Scored]:
    """The candidates with their scores, the best first, equal ones by id; `lengths` is the mean length by layer."""
    tally = Tally(question)
    return sorted((_scored(question, each, tally, lengths, days) for each in candidates), key=lambda each: each.order)


def _scored(
    question: Question, candidate: Candidate, tally: "Tally", lengths: Mapping[str, float], days: Sequence[Day]
) -> Scored:
    document = candidate.row.document
    counts, length = tally.around(candidate)
    scale = K1 * (1 - B + B * length / max(_mean(candidate, lengths), 1.0))
    words, covered = _words(question, counts, scale)
    parts = {
        "words": words,
        "sentence": SENTENCE_WEIGHT * candidate.sentence,
        "context": CONTEXT_WEIGHT * candidate.context,
    }
    if document.layer == "history":
        parts |= {"role": ROLE_WEIGHTS.get(document.role or "", 0.0), "length": _shortness(candidate.row)}
    if days and document.date:
        parts["date"] = DATE_WEIGHT * max(day.nearness(document.date) for day in days)
    return Scored(candidate, round(sum(parts.values()), 6), covered, parts)


class Tally:
    """How often each term that a question looks for counts in a row; a row is read once, though turns share theirs."""

    def __init__(self, question: Question) -> None:
        self._wanted = {term for term, _ in question.weighted_terms()}
        self._known: dict[int, tuple[dict[str, float], int]] = {}

    def around(self, candidate: Candidate) -> tuple[dict[str, float], float]:
        """The counts in a document and, weaker, around it, and the length that goes with them."""
        counts, length = dict(self._row(candidate.row)[0]), float(self._row(candidate.row)[1])
        for distance, neighbour in candidate.around.items():
            beside, size = self._row(neighbour)
            for term, times in beside.items():
                counts[term] = counts.get(term, 0.0) + NEIGHBOURS[distance] * times
            length += NEIGHBOURS[distance] * size
        return counts, length

    def _row(self, row: Row) -> tuple[dict[str, float], int]:
        if id(row) not in self._known:
            counts: dict[str, float] = {}
            for text, times in ((row.body, 1.0), (row.head, HEAD_TIMES)):
                for term in [term for term in text.split() if term in self._wanted]:
                    counts[term] = counts.get(term, 0.0) + times
            self._known[id(row)] = counts, row.length
        return self._known[id(row)]


def _mean(candidate: Candidate, lengths: Mapping[str, float]) -> float:
    layer = candidate.row.document.layer
    around = 1 + sum(NEIGHBOURS.values()) if layer == "history" else 1.0
    return lengths.get(layer, 0.0) * around


def _words(question: Question, counts: Mapping[str, float], scale: float) -> tuple[float, float]:
    """Two shares of a question: BM25's saturated sum of the most it could be, and what a document covers.

    A word counts by itself or by what stands for it. Covered are content words, by rarity; half for one that only the
    turn before says; a word said by an alias is covered whole.
    """
    saturated, covered = 0.0, 0.0
    for asked in question.asked:
        best, held = 0.0, 0.0
        if times := counts.get(asked.word.term):
            best, held = times / (times + scale), min(times, 1.0)
        for instead in asked.instead:
            found = [times for term in instead.terms if (times := counts.get(term))]
            if found:
                size = len(instead.terms)
                best = max(best, instead.weight * sum(times / (times + scale) for times in found) / size)
                share = 1.0 if instead.alias else instead.weight
                held = max(held, share * sum(min(times, 1.0) for times in found) / size)
        saturated += asked.weight * best
        if asked.content:
            covered += asked.weight * held
    return saturated / (question.mass or 1.0), round(covered / (question.content_mass or 1.0), 6)


def missing(question: Question, candidate: Candidate) -> list[str]:
    """The content words of a question that a document does not hold, as they were written."""
    counts, _ = Tally(question).around(candidate)
    absent = [
        each.word.surface for each in question.asked if each.content and each.word.term not in counts
        and not any(term in counts for instead in each.instead for term in instead.terms)
    ]
    return list(dict.fromkeys(absent))


def _shortness(row: Row) -> float:
    """Nothing for a turn of many words, down to minus the weight for an empty one."""
    distinct = len(set(row.body.split(" ", 3 * LONG_ENOUGH)[: 3 * LONG_ENOUGH]))
    return LENGTH_WEIGHT * (min(1.0, math.log(1 + distinct) / math.log(1 + LONG_ENOUGH)) - 1.0)
