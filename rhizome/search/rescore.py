"""What a candidate is worth: additive scores with fixed weights, each between 0 and 1 before its weight.

The words count as BM25 over the document and, weaker, its neighbours in the session, divided by the most that the
question could give; so scores of different questions can be compared. Nothing depends on what else was found.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rhizome.search.dates import Day
from rhizome.search.question import Asked, Question
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
    context: float = 0.0
    place: int = 0


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
    wanted = {term for term, _ in question.weighted_terms()}
    return sorted((_scored(question, each, wanted, lengths, days) for each in candidates), key=lambda each: each.order)


def _scored(
    question: Question, candidate: Candidate, wanted: set[str], lengths: Mapping[str, float], days: Sequence[Day]
) -> Scored:
    document = candidate.row.document
    counts, length = _counts(candidate, wanted)
    scale = K1 * (1 - B + B * length / max(_mean(candidate, lengths), 1.0))
    parts = {
        "words": _words(question, counts, scale),
        "sentence": SENTENCE_WEIGHT * candidate.sentence,
        "context": CONTEXT_WEIGHT * candidate.context,
    }
    if document.layer == "history":
        parts |= {"role": ROLE_WEIGHTS.get(document.role or "", 0.0), "length": _shortness(candidate.row)}
    if days and document.date:
        parts["date"] = DATE_WEIGHT * max(day.nearness(document.date) for day in days)
    score = round(sum(parts.values()), 6)
    return Scored(candidate, score, coverage(question, counts), {name: round(each, 6) for name, each in parts.items()})


def _counts(candidate: Candidate, wanted: set[str]) -> tuple[dict[str, float], float]:
    """How often each wanted term counts in a document and around it, and the length that goes with it."""
    row = candidate.row
    counts: dict[str, float] = {}
    length = float(row.length)
    for words, times in ((row.body, 1.0), (row.head, HEAD_TIMES)):
        for term in words:
            if term in wanted:
                counts[term] = counts.get(term, 0.0) + times
    for distance, neighbour in candidate.around.items():
        times = NEIGHBOURS[distance]
        length += times * neighbour.length
        for term in neighbour.body:
            if term in wanted:
                counts[term] = counts.get(term, 0.0) + times
    return counts, length


def _mean(candidate: Candidate, lengths: Mapping[str, float]) -> float:
    layer = candidate.row.document.layer
    around = 1 + sum(NEIGHBOURS.values()) if layer == "history" else 1.0
    return lengths.get(layer, 0.0) * around


def _words(question: Question, counts: Mapping[str, float], scale: float) -> float:
    """BM25's saturated sum over the most it could be; a word counts by itself or by what stands for it."""
    if not question.mass or not counts:
        return 0.0
    held = sum(each.weight * _best(each, counts, lambda tf: tf / (tf + scale)) for each in question.asked)
    return held / question.mass


def coverage(question: Question, counts: Mapping[str, float]) -> float:
    """The share of the question's content words, by rarity, that a document holds; 0.5 for one said the turn before."""
    content = question.content
    mass = sum(each.weight for each in content)
    if not mass or not counts:
        return 0.0
    held = sum(each.weight * _best(each, counts, lambda tf: min(tf, 1.0), aliases=1.0) for each in content)
    return round(held / mass, 6)


def missing(question: Question, candidate: Candidate) -> list[str]:
    """The content words of a question that a document does not hold, as they were written."""
    counts, _ = _counts(candidate, {term for term, _ in question.weighted_terms()})
    absent = [each for each in question.content if not _best(each, counts, lambda tf: tf)]
    return list(dict.fromkeys(each.word.surface for each in absent))


def _best(
    asked: Asked, counts: Mapping[str, float], worth: Callable[[float], float], aliases: float | None = None
) -> float:
    found = worth(counts[asked.word.term]) if asked.word.term in counts else 0.0
    for each in asked.instead:
        weight = aliases if aliases and each.alias else each.weight
        together = sum(worth(counts[term]) for term in each.terms if term in counts) / len(each.terms)
        found = max(found, weight * together)
    return found


def _shortness(row: Row) -> float:
    """Nothing for a turn of many words, down to minus the weight for an empty one."""
    return LENGTH_WEIGHT * (min(1.0, math.log(1 + len(set(row.body))) / math.log(1 + LONG_ENOUGH)) - 1.0)
