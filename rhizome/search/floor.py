"""The evidence floor: whether a document says enough of what was asked to be an answer at all.

Evidence is a document's score without what only tells how it was said, and again the share of the question's content
words that it holds and how near all of it is. The floor is fitted on the store at a full build: questions that it can
hardly answer are put to it, and what most of them reach by chance is not enough.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from rhizome.search.manifest import Threshold
from rhizome.search.question import Question
from rhizome.search.rescore import Scored

ENOUGH = 0.75
"""A document that holds this share of a question is an answer in any store."""

COVERAGE_COUNTS = 0.27
NEARNESS_COUNTS = 0.1
OTHERS_SAY = 0.2
"""Fitted on questions put to the wrong conversation. What another than the speaker in question says more of counts
against: it is most likely about the other one."""

MANY_WORDS = 6
LONG_COUNTS = 0.25
"""A question of more content words asks several things, or tells a story: no document holds as large a share of it.
That counts for no more than what a document does hold, or a hundred unknown words would make up for one known."""

WORDS_BOUNDS = 0.22, 0.5
TOGETHER_BOUNDS = 0.25, 0.65
"""What a fitted floor stays within: for words alone, and for words and nearness together."""

QUANTILE, SLACK = 0.7, 0.9
"""A fitted floor stands a little below what this share of the off-topic questions stay under: more costs answers.
Abroad, where words say nothing, it stands there."""

SPOKEN = 0.1
"""A language of this share of the documents is at home in a store."""

SMALL = 25
"""A store of fewer documents reaches the lower bounds by chance at most, so no question is put to it."""

UNFITTED = Threshold(words=0.22, together=0.36, abroad=0.3)
"""The floor of a small store, and of one that was never built."""


def evidence(question: Question, scored: Scored) -> float:
    """What speaks for a document being an answer; comparable between questions."""
    return _lengthened(_held(scored), question)


def _held(scored: Scored) -> float:
    return scored.plain + (COVERAGE_COUNTS * scored.coverage + NEARNESS_COUNTS * scored.candidate.context)


def _lengthened(held: float, question: Question) -> float:
    return held + min(LONG_COUNTS * math.log(max(len(question.content) / MANY_WORDS, 1.0)), max(held, 0.0))


def confidence(question: Question, found: Sequence[Scored]) -> float:
    """How sure it is that there is an answer among these: the best evidence, less what only others say."""
    if not found:
        return 0.0
    own = [each for each in found if each.candidate.unit.speaker == question.speaker] if question.speaker else found
    best = _lengthened(max(map(_held, own or found)), question)
    if not question.speaker:
        return best
    covered, by_own = (max((each.coverage for each in some), default=0.0) for some in (found, own))
    return best - OTHERS_SAY * (covered - by_own)


def fit(
    ask: Callable[[str, bool], float], questions: Mapping[str, str], home: Collection[str], *, vectors: bool,
    digest: str, documents: int,
) -> Threshold:
    """The floor of a store from how sure it is of questions (with their language) that it should not answer.

    `home` are the languages that the store speaks: in another one only nearness speaks for a document, and less is
    much. `ask` takes whether vectors count.
    """
    import hashlib

    here = [text for text, language in questions.items() if not language or language in home]
    abroad = [text for text in questions if text not in here]
    words = _within([ask(text, False) for text in here or questions], WORDS_BOUNDS)
    about = hashlib.sha256("\n".join((digest, *questions)).encode()).hexdigest()[:16]
    if not vectors:
        return Threshold(words, words, words, tuple(sorted(home)), about, documents)
    together = _within([ask(text, True) for text in here or questions], TOGETHER_BOUNDS)
    other = _within([ask(text, True) for text in abroad], TOGETHER_BOUNDS, 1.0) if abroad else together
    return Threshold(words, together, min(other, together), tuple(sorted(home)), about, documents)


def strictest(thresholds: Iterable[Threshold]) -> Threshold:
    """The floor of several stores asked as one; that of a store without any when there is none."""
    found = list(thresholds) or [UNFITTED]
    return Threshold(
        max(each.words for each in found), max(each.together for each in found), max(each.abroad for each in found),
        tuple(sorted({language for each in found for language in each.home})),
        " ".join(each.digest for each in found), sum(each.documents for each in found))


def least(threshold: Threshold, language: str, *, vectors: bool) -> float:
    """The evidence that a question in this language needs."""
    if not vectors:
        return threshold.words
    return threshold.abroad if language and language not in threshold.home else threshold.together


def _within(values: Sequence[float], bounds: tuple[float, float], slack: float = SLACK) -> float:
    at = sorted(values)[min(int(QUANTILE * len(values)), len(values) - 1)] if values else 0.0
    return round(min(max(slack * at, bounds[0]), bounds[1]), 4)
