"""Two runs over the same questions: which is better, and whether that could be chance."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rhizome.errors import Refused
from rhizome.evaluate.metrics import COLUMNS, gains, served, worth
from rhizome.evaluate.questions import Answered, Question

RESAMPLES = 5_000
"""Enough that the second digit of a probability stands still."""

SEED = 20_260_908


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure of two runs: means `a` and `b` over `n` questions, what `b` has more with its 95 % interval, how many
    questions each wins, and `chance`: how often no difference at all would look as great as this one."""

    figure: str
    n: int
    a: float
    b: float
    more: float
    low: float
    high: float
    chance: float
    wins_a: int
    wins_b: int


def differences(questions: Sequence[Question], a: Sequence[Answered], b: Sequence[Answered],
                names: Sequence[str] = ("hit@1", "hit@5", "recall@5", "MRR@10", "nDCG@10")) -> list[Difference]:
    """A paired bootstrap for each figure, with the same draws. Raises Refused for a figure there is none of, and for
    runs that share no question with an answer."""
    if unknown := [name for name in names if name not in COLUMNS]:
        raise Refused(f"{unknown[0]}: no such figure", f"There are {', '.join(COLUMNS)}.")
    runs = [{answer.id: answer for answer in run} for run in (a, b)]
    shared = [question for question in questions
              if question.relevant and not question.unanswerable and all(question.id in run for run in runs)]
    if not shared:
        raise Refused("the two runs share no question that has an answer", "Compare runs over the same questions.")
    rows = [[worth(served(run[question.id]), gains(question)) for question in shared] for run in runs]
    draws = np.random.default_rng(SEED).integers(0, len(shared), size=(RESAMPLES, len(shared)), dtype=np.int32)
    return [_difference(name, np.array([row[name] for row in rows[0]]), np.array([row[name] for row in rows[1]]), draws)
            for name in names]


def _difference(name: str, a: "np.ndarray[tuple[int], np.dtype[np.float64]]",
                b: "np.ndarray[tuple[int], np.dtype[np.float64]]",
                draws: "np.ndarray[tuple[int, int], np.dtype[np.int32]]") -> Difference:
    each = b - a
    means = each[draws].mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    chance = float(np.mean(np.abs(means - each.mean()) >= abs(each.mean()) - 1e-12))
    return Difference(name, len(each), float(a.mean()), float(b.mean()), float(each.mean()), float(low), float(high),
                      chance, int((each < 0).sum()), int((each > 0).sum()))
