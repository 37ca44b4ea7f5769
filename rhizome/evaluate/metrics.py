"""What a run is worth, in the figures that retrieval is usually told by. Every mean is over questions.

    hit@k      a relevant document among the first k        P@1      hit@1
    recall@k   the share of them among the first k          MRR      1 / place of the first one, to place 10
    all@k      every one of them among the first k          nDCG     at 10, with the gains of `grades`

A refusal of a question that has an answer is worth nothing, and so is a question that the run left out.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rhizome.errors import Refused
from rhizome.evaluate.questions import Answered, Question

DEPTH = 10
COLUMNS = ("hit@1", "hit@5", "hit@10", "recall@1", "recall@5", "recall@10", "all@5", "P@1", "MRR@10", "nDCG@10")
ALL = "all"


@dataclass(frozen=True, slots=True)
class Refusals:
    """`precision` of refusals, their `recall` among what has no answer, the share of `false` ones among what has.
    `auroc`: how often the score of an answerable question is above that of one that is not; ties count half."""

    unanswerable: int
    abstained: int
    precision: float | None
    recall: float | None
    false: float | None
    auroc: float | None


@dataclass(frozen=True, slots=True)
class Updates:
    """Of `n` questions with stale documents: the share where the best relevant one stands above every stale one, and
    the share with a stale one among the first five."""

    n: int
    fresh: float | None
    leak: float | None


@dataclass(frozen=True, slots=True)
class Figures:
    """The worth of a run by category, `all` first. `missing` questions have no answer in the run, of `unlabelled` ones
    nothing is known, and `unknown` answers are to no question."""

    table: Mapping[str, Mapping[str, float]]
    refusals: Refusals
    updates: Updates
    missing: int
    unlabelled: int
    unknown: int


def worth(ranked: Iterable[str], gains: Mapping[str, float]) -> dict[str, float]:
    """The figures of one question: documents in order (a repeated one counts once) and what each relevant one gains."""
    first = list(dict.fromkeys(ranked))[:DEPTH]
    places = [place for place, document in enumerate(first, 1) if document in gains]
    figures: dict[str, float] = {}
    for k in (1, 5, 10):
        found = sum(place <= k for place in places)
        figures |= {f"hit@{k}": float(found > 0), f"recall@{k}": found / len(gains)}
    figures["all@5"] = float(sum(place <= 5 for place in places) == len(gains))
    figures |= {"P@1": figures["hit@1"], "MRR@10": 1 / places[0] if places else 0.0}
    reached = _discounted([gains.get(document, 0.0) for document in first])
    ideal = _discounted(sorted(gains.values(), reverse=True)[:DEPTH])
    figures["nDCG@10"] = reached / ideal if ideal else 0.0
    return figures


def figures(questions: Sequence[Question], answers: Iterable[Answered],
            document: Callable[[str], str] = lambda name: name) -> Figures:
    """What a run is worth. `document` names what is looked for instead of a document: the session of a turn, say.

    Raises Refused for a question that is answered twice.
    """
    given = _by_question(answers)
    labelled = [question for question in questions if question.relevant or question.unanswerable]
    answerable = [question for question in labelled if not question.unanswerable]
    rows: dict[str, list[dict[str, float]]] = {}
    for question in answerable:
        row = worth(map(document, served(given.get(question.id))), gains(question, document))
        for name in (ALL, question.category):
            rows.setdefault(name, []).append(row)
    table = {name: {"n": float(len(found))} | {each: _mean([row[each] for row in found]) or 0.0 for each in COLUMNS}
             for name, found in sorted(rows.items(), key=lambda item: (item[0] != ALL, item[0]))}
    return Figures(table, _refusals(labelled, given), _updates(answerable, given, document),
                   missing=sum(question.id not in given for question in labelled),
                   unlabelled=len(questions) - len(labelled),
                   unknown=len(given.keys() - {question.id for question in questions}))


def gains(question: Question, document: Callable[[str], str] = lambda name: name) -> dict[str, float]:
    """What each relevant document gains; of several that are one `document`, the most."""
    found: dict[str, float] = {}
    for name in question.relevant:
        found[document(name)] = max(found.get(document(name), 0.0), question.grades.get(name, 1.0))
    return found


def served(answer: Answered | None) -> tuple[str, ...]:
    """The documents that a reader was given."""
    return () if answer is None or answer.abstained else answer.ranked


def auroc(above: Sequence[float], below: Sequence[float]) -> float | None:
    """The chance that one of `above` is greater than one of `below`, ties counting half."""
    if not above or not below:
        return None
    marked = sorted([(score, True) for score in above] + [(score, False) for score in below])
    ranks, at = 0.0, 0
    while at < len(marked):
        end = next((n for n in range(at, len(marked)) if marked[n][0] != marked[at][0]), len(marked))
        ranks += sum(mark for _, mark in marked[at:end]) * (at + 1 + end) / 2
        at = end
    return (ranks - len(above) * (len(above) + 1) / 2) / (len(above) * len(below))


def _by_question(answers: Iterable[Answered]) -> dict[str, Answered]:
    given: dict[str, Answered] = {}
    for answer in answers:
        if answer.id in given:
            raise Refused(f"question {answer.id}: answered twice in this run", "Keep one line for each question.")
        given[answer.id] = answer
    return given


def _refusals(labelled: Sequence[Question], given: Mapping[str, Answered]) -> Refusals:
    refused = {name for name, answer in given.items() if answer.abstained}
    without = [question for question in labelled if question.unanswerable]
    right = sum(question.id in refused for question in without)
    wrong = sum(question.id in refused for question in labelled) - right
    scores: dict[bool, list[float]] = {True: [], False: []}
    for question in labelled:
        answer = given.get(question.id)
        if answer is not None and answer.score is not None:
            scores[question.unanswerable].append(answer.score)
    return Refusals(len(without), right + wrong, _share(right, right + wrong), _share(right, len(without)),
                    _share(wrong, len(labelled) - len(without)), auroc(scores[False], scores[True]))


def _updates(answerable: Sequence[Question], given: Mapping[str, Answered], document: Callable[[str], str]) -> Updates:
    fresh, leaks = [], []
    for question in answerable:
        wanted = gains(question, document)
        stale = {document(name) for name in question.stale} - wanted.keys()
        if stale:
            order = list(map(document, served(given.get(question.id))))
            best = next((place for place, name in enumerate(order) if name in wanted), None)
            worst = next((place for place, name in enumerate(order) if name in stale), None)
            fresh.append(best is not None and (worst is None or best < worst))
            leaks.append(worst is not None and worst < 5)
    return Updates(len(fresh), _mean(fresh), _mean(leaks))


def _discounted(found: Sequence[float]) -> float:
    return sum(gain / math.log2(place + 1) for place, gain in enumerate(found, 1))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
