"""The evidence floor: whether a document says enough of what was asked to be an answer at all.

Evidence is the idf-weighted share of the question's content words that a document holds, plus the cosine of its nearest
sentence where the question has a vector; never a BM25 sum and never a rank. The floor is fitted on the store at a full
build: questions that it can hardly answer are put to it, and what most of them reach by chance is not enough.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence

from rhizome.search.manifest import Threshold
from rhizome.search.rescore import Scored

ENOUGH = 0.75
"""A document that holds this share of a question is an answer in any store."""

COVERAGE_BOUNDS = 0.34, 0.5
TOGETHER_BOUNDS = 0.5, 0.8
"""What a fitted floor stays within: for words alone, and for words and nearness together."""

QUANTILE = 0.85
"""The share of off-topic questions that a fitted floor refuses. More would cost answers: on chats of 3,000 turns each
further refusal of a foreign question takes about a quarter of an answer."""

SMALL = 25
"""A store of fewer documents reaches the lower bounds by chance at most, so no question is put to it."""

UNFITTED = Threshold(coverage=COVERAGE_BOUNDS[0], together=TOGETHER_BOUNDS[0])
"""The floor of a small store, and of one that was never built."""


def strength(scored: Scored, threshold: Threshold, *, vectors: bool) -> float:
    """Evidence of a document as a multiple of the floor; 1 and more is an answer."""
    if not vectors:
        return scored.coverage / threshold.coverage
    return max(scored.coverage / ENOUGH, (scored.coverage + scored.cosine) / threshold.together)


def fit(
    ask: Callable[[str], Sequence[Scored]], questions: Sequence[str], *, digest: str, documents: int
) -> Threshold:
    """The floor of a store from the best evidence that it has for questions it should not answer."""
    coverages, together = [], []
    for question in questions:
        found = ask(question)
        coverages.append(max((each.coverage for each in found), default=0.0))
        together.append(max((each.coverage + each.cosine for each in found), default=0.0))
    about = hashlib.sha256("\n".join((digest, *questions)).encode()).hexdigest()[:16]
    return Threshold(_within(coverages, COVERAGE_BOUNDS), _within(together, TOGETHER_BOUNDS), about, documents)


def strictest(thresholds: Iterable[Threshold]) -> Threshold:
    """The floor of several stores asked as one; that of a store without any when there is none."""
    found = list(thresholds) or [UNFITTED]
    return Threshold(max(each.coverage for each in found), max(each.together for each in found),
                     " ".join(each.digest for each in found), sum(each.documents for each in found))


def _within(values: Sequence[float], bounds: tuple[float, float]) -> float:
    at = sorted(values)[min(int(QUANTILE * len(values)), len(values) - 1)] if values else 0.0
    return round(min(max(at, bounds[0]), bounds[1]), 4)
