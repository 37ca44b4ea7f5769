"""What a candidate is worth: additive scores with fixed weights, each between 0 and 1 before its weight.

The words count as BM25 over the document and, weaker, its neighbours in the session, divided by the most that the
question could give; so scores of different questions can be compared. Nothing depends on what else was found.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import compress

import msgspec

from rhizome.search.dates import Day
from rhizome.search.documents import Document
from rhizome.search.question import NEAR_WEIGHT, Instead, Question
from rhizome.search.units import TELLS_NUMBER, TELLS_TIME, Unit

K1, B = 1.2, 0.75
HEAD_TIMES = 2.0
"""A word of a title, alias or heading counts this often."""

NEIGHBOURS = {-2: 0.2, -1: 0.5, 1: 0.3, 2: 0.1}
"""How much a word counts that stands in the turns around: the turn before asks what this one answers."""

WORDS_WEIGHT = {"history": 0.8}
"""What was said says less by its words than what was written, and more by who said it, when, and what about."""

SENTENCE_WEIGHT = 0.1
CONTEXT_WEIGHT = 0.2
FAR_UNDER = 0.45
OTHER_LANGUAGE_WEIGHT = 0.3
"""Where no document holds this share of a question, a note may say it in other words, or in another language: nearness
counts twice then, and the nearest sentence in another language once more."""

COVERED_WEIGHT = 0.1
TOGETHER_WEIGHT = 0.2
REACH = 3
"""For what is written to be read again: the share of the question that is there at all, and neighbours of the question
that stand so near each other in the text, too."""

SPEAKER_WEIGHT = 0.2
DATE_WEIGHT = 0.2
ANSWER_WEIGHT = 0.1
LENGTH_WEIGHT = 0.2
LONG_ENOUGH = 20
"""Distinct words after which a turn is no longer a short one."""

ROLE_WEIGHTS = {"human": 0.0, "model": -0.3, "tool": -0.5, "call": -0.5}
"""What a person says about their own affairs comes before what a model says, and that before a listing or a call."""

TOOLS = ("tool", "call")
"""Roles of what nobody said."""

NEAR_HOLDS = 0.5
"""A word of nearly the same meaning is this much of evidence."""


class Candidate(msgspec.Struct, frozen=True):
    """A unit to score, its neighbours with their distance in the session, and its cosines where there are vectors.

    `store` tells which of the opened tiers it lies in, -1 for a recent document; `place` is that of the nearest
    sentence, 0 when it is the title or there is none.
    """

    unit: Unit
    around: Sequence[tuple[int, Unit]] = ()
    store: int = -1
    sentence: float = 0.0
    place: int = 0
    context: float = 0.0


class Scored(msgspec.Struct, frozen=True):
    """A candidate with the parts of its score, the share of the question it covers and its cosine.

    `plain` is the score without what only tells how and by whom something was said; `document` is there where it may be
    shown.
    """

    candidate: Candidate
    score: float
    plain: float
    coverage: float
    parts: Mapping[str, float]
    document: Document | None = None

    @property
    def cosine(self) -> float:
        return self.candidate.sentence

    @property
    def order(self) -> tuple[float, str]:
        return -self.score, self.candidate.unit.id


class Hints(msgspec.Struct, frozen=True):
    """What a question asks for besides its words: days, and a text that tells a number or a time."""

    days: Sequence[Day] = ()
    tells: int = 0


def rescore(
    question: Question, candidates: Sequence[Candidate], lengths: Mapping[str, float], hints: Hints
) -> list[Scored]:
    """The candidates with their scores, the best first, equal ones by id; `lengths` is the mean length by layer."""
    tally = Tally(question)
    found = [_scored(question, each, tally, lengths, hints) for each in candidates]
    if max((each.coverage for each in found), default=1.0) < FAR_UNDER:
        found = [_far(question, each) for each in found]
    return sorted(found, key=lambda each: each.order)


def _scored(
    question: Question, candidate: Candidate, tally: "Tally", lengths: Mapping[str, float], hints: Hints
) -> Scored:
    unit = candidate.unit
    counts, length = tally.around(candidate)
    mean = lengths.get(unit.layer, 0.0) * (AROUND if unit.layer == "history" else 1.0)
    words, near, covered = tally.words(counts, K1 * (1 - B + B * length / max(mean, 1.0)))
    parts = {"words": WORDS_WEIGHT.get(unit.layer, 1.0) * words}
    if near:
        parts["near"] = NEAR_WEIGHT * near
    if candidate.sentence or candidate.context:
        parts["sentence"] = SENTENCE_WEIGHT * candidate.sentence
        parts["context"] = CONTEXT_WEIGHT * candidate.context
    said = {}
    if unit.layer != "history":
        parts["together"] = TOGETHER_WEIGHT * tally.together(unit)
        said = {"covered": COVERED_WEIGHT * covered}
    else:
        said = {"role": ROLE_WEIGHTS.get(unit.role, 0.0), "length": _shortness(unit)}
        if question.speaker and unit.speaker == question.speaker:
            said["speaker"] = SPEAKER_WEIGHT
        if hints.tells & unit.tells:
            said["answer"] = ANSWER_WEIGHT
    if hints.days and unit.day:
        parts["date"] = DATE_WEIGHT * max(day.nearness(unit.day) for day in hints.days)
    plain = sum(parts.values())
    return Scored(candidate, round(plain + sum(said.values()), 6), plain, round(covered, 6), parts | said)


def _shortness(unit: Unit) -> float:
    """Nothing for a turn of many words, down to minus the weight for an empty one."""
    return LENGTH_WEIGHT * (min(1.0, math.log(1 + unit.distinct) / math.log(1 + LONG_ENOUGH)) - 1.0)


def _far(question: Question, scored: Scored) -> Scored:
    unit = scored.candidate.unit
    if unit.layer == "history" or not scored.cosine:
        return scored
    more = {"far": sum(scored.parts.get(name, 0.0) for name in ("near", "sentence", "context"))}
    if question.language and unit.language and unit.language != question.language:
        more["foreign"] = OTHER_LANGUAGE_WEIGHT * scored.cosine
    return msgspec.structs.replace(
        scored, score=round(scored.score + sum(more.values()), 6), parts={**scored.parts, **more})


AROUND = 1 + sum(NEIGHBOURS.values())


class Tally:
    """How often each term that a question looks for counts in a unit; each is read once, though turns share theirs."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._alone: dict[str, list[tuple[int, float, float]]] = {}
        self._together: list[tuple[int, Instead]] = []
        self._near: dict[str, list[tuple[int, float]]] = {}
        for at, asked in enumerate(question.asked):
            self._alone.setdefault(asked.word.term, []).append((at, 1.0, 1.0))
            for instead in asked.instead:
                if len(instead.terms) == 1:
                    share = 1.0 if instead.alias else instead.weight
                    self._alone.setdefault(instead.terms[0], []).append((at, instead.weight, share))
                else:
                    self._together.append((at, instead))
            for term, value in asked.near:
                self._near.setdefault(term, []).append((at, value))
        self._wanted = {*self._alone, *self._near, *(term for _, each in self._together for term in each.terms)}
        self._weights = [asked.weight for asked in question.asked]
        self._contents = [asked.evidence for asked in question.asked]
        self._known: dict[str, tuple[dict[str, float], list[tuple[int, str]]]] = {}
        self._beside: dict[str, list[tuple[str, int]]] = {}
        self._pairs = question.pairs
        for nth, (one, other, _) in enumerate(self._pairs):
            self._beside.setdefault(one, []).append((other, nth))
            self._beside.setdefault(other, []).append((one, nth))

    def around(self, candidate: Candidate) -> tuple[dict[str, float], float]:
        """The counts in a document and, weaker, around it, and the length that goes with them."""
        own, _ = self.own(candidate.unit)
        if not candidate.around:
            return own, float(candidate.unit.length)
        counts, length = dict(own), float(candidate.unit.length)
        for distance, neighbour in candidate.around:
            weight = NEIGHBOURS[distance]
            for term, times in self.own(neighbour)[0].items():
                counts[term] = counts.get(term, 0.0) + weight * times
            length += weight * neighbour.length
        return counts, length

    def own(self, unit: Unit) -> tuple[dict[str, float], list[tuple[int, str]]]:
        """The counts in a document itself, and what was counted in its text with its place; a text is read once."""
        if (found := self._known.get(unit.id)) is None:
            said, counts = unit.body.split(), dict[str, float]()
            places = [*compress(enumerate(said), map(self._wanted.__contains__, said))]
            for _, term in places:
                counts[term] = counts.get(term, 0.0) + 1.0
            for term in filter(self._wanted.__contains__, unit.head.split()):
                counts[term] = counts.get(term, 0.0) + HEAD_TIMES
            found = self._known[unit.id] = counts, places
        return found

    def together(self, unit: Unit) -> float:
        """The share of a question whose neighbouring words stand near each other in a document, too; read once."""
        found: set[int] = set()
        last: dict[str, int] = {}
        for place, term in self.own(unit)[1]:
            if term in self._beside:
                found.update(nth for other, nth in self._beside[term] if place - last.get(other, -REACH - 1) <= REACH)
                last[term] = place
        return sum(self._pairs[nth][2] for nth in found) / (self._question.mass or 1.0)

    def words(self, counts: Mapping[str, float], scale: float) -> tuple[float, float, float]:
        """Three shares of a question: BM25's saturated sum of the most it could be, the same of words of nearly the
        same meaning, and what is covered.

        A word counts by itself or by what stands for it. Covered are content words, by rarity; half for one that only
        the turn before says; a word said by an alias is covered whole.
        """
        best: dict[int, float] = {}
        held: dict[int, float] = {}
        near = 0.0
        for term, times in counts.items():
            saturated, once = times / (times + scale), min(times, 1.0)
            for at, weight, share in self._alone.get(term, ()):
                if (counted := weight * saturated) > best.get(at, 0.0):  # max() took half as long again
                    best[at] = counted
                if (covered := share * once) > held.get(at, 0.0):
                    held[at] = covered
            for at, value in self._near.get(term, ()):
                near += value * saturated
                if (covered := NEAR_HOLDS * once) > held.get(at, 0.0):
                    held[at] = covered
        for at, instead in self._together:
            found = [counts[term] for term in instead.terms if term in counts]
            if found:
                size, share = len(instead.terms), 1.0 if instead.alias else instead.weight
                best[at] = max(best.get(at, 0.0), instead.weight * sum(t / (t + scale) for t in found) / size)
                held[at] = max(held.get(at, 0.0), share * sum(min(t, 1.0) for t in found) / size)
        mass = self._question.mass or 1.0
        return (sum(self._weights[at] * value for at, value in best.items()) / mass, near / mass,
                sum(self._contents[at] * value for at, value in held.items()) / (self._question.content_mass or 1.0))


def missing(question: Question, candidate: Candidate) -> list[str]:
    """The content words of a question that a document does not hold, as they were written."""
    counts, _ = Tally(question).around(candidate)
    absent = [
        each.word.surface for each in question.asked if each.content and each.word.term not in counts
        and not any(term in counts for instead in each.instead for term in instead.terms)
    ]
    return list(dict.fromkeys(absent))


_NUMBERS_ASKED = (
    "how many", "how much", "how often", "how old", "how long", "quantos", "quantas", "quanto", "cuantos", "cuantas",
    "cuanto", "cuánto", "cuántos", "cuántas", "いくつ", "何", "多少", "几")
_TIMES_ASKED = ("when ", "what date", "what day", "how long", "quando ", "cuándo ", "cuando ", "いつ", "什么时候")


def tells(text: str) -> int:
    """Whether a question asks for a number or a time, as bits."""
    plain = text[:2_000].lower() + " "
    return (TELLS_NUMBER * any(each in plain for each in _NUMBERS_ASKED)
            | TELLS_TIME * any(each in plain for each in _TIMES_ASKED))
