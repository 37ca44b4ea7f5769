"""The evidence floor: whether a document says enough of what was asked to be an answer at all.

Evidence is the idf-weighted share of the question's content words that a document holds, and the cosine of its nearest
sentence; never a BM25 sum and never a rank. The floor is fitted on the store at a full build: questions that it hardly
can answer are put to it, and what nearly all of them reach by chance is not enough.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence

from rhizome.search.manifest import Threshold
from rhizome.search.rescore import Scored

COVERAGE_BOUNDS = 0.34, 0.6
COSINE_BOUNDS = 0.42, 0.72
"""Whatever a store says: below the first nothing is evidence, at the second everything is. A name stands whole at 1."""

UNFITTED = Threshold(0.5, 0.5)
"""The floor of a store before any question was put to it."""

QUANTILE = 0.9
"""The share of off-topic questions that a fitted floor refuses."""

TOGETHER = 0.7
"""Two kinds of evidence, each a little short of its floor, are enough together: 0.7 of their sum."""


def strength(scored: Scored, threshold: Threshold) -> float:
    """Evidence of a document as a multiple of the floor; 1 and more is an answer."""
    covered, near = scored.coverage / threshold.coverage, scored.cosine / threshold.cosine
    return max(covered, near, TOGETHER * (covered + near))


def fit(
    ask: Callable[[str], Sequence[Scored]], questions: Sequence[str], *, digest: str, documents: int
) -> Threshold:
    """The floor of a store from the best evidence it has for questions that it should not answer."""
    coverages, cosines = [], []
    for question in questions:
        found = ask(question)
        coverages.append(max((each.coverage for each in found), default=0.0))
        cosines.append(max((each.cosine for each in found), default=0.0))
    about = hashlib.sha256("\n".join((digest, *questions)).encode()).hexdigest()[:16]
    return Threshold(_within(coverages, COVERAGE_BOUNDS), _within(cosines, COSINE_BOUNDS), about, documents)


def strictest(thresholds: Iterable[Threshold]) -> Threshold:
    """The floor of several stores asked as one."""
    found = list(thresholds)
    return Threshold(max(each.coverage for each in found), max(each.cosine for each in found),
                     " ".join(each.digest for each in found), sum(each.documents for each in found))


def _within(values: Sequence[float], bounds: tuple[float, float]) -> float:
    at = sorted(values)[min(int(QUANTILE * len(values)), len(values) - 1)] if values else 0.0
    return round(min(max(at, bounds[0]), bounds[1]), 4)
