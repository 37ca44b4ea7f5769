"""Two runs over the same questions."""

import pytest

from rhizome.errors import Refused
from rhizome.evaluate.compare import differences
from rhizome.evaluate.questions import Answered, Question

QUESTIONS = [Question(f"q{n}", "", relevant=("right",)) for n in range(40)]


def run(right: int) -> list[Answered]:
    """A run that answers so many of the questions."""
    return [Answered(question.id, ("right",) if n < right else ("wrong",)) for n, question in enumerate(QUESTIONS)]


def test_a_better_run_is_told_from_chance() -> None:
    found, = differences(QUESTIONS, run(10), run(30), ["hit@1"])

    assert (found.a, found.b, found.more, found.wins_a, found.wins_b) == (0.25, 0.75, 0.5, 0, 20)
    assert 0.3 < found.low < 0.5 < found.high < 0.7
    assert found.chance < 0.01


def test_one_question_more_may_be_chance() -> None:
    found, = differences(QUESTIONS, run(20), run(21), ["hit@1"])

    assert found.low <= 0 <= found.high
    assert found.chance > 0.1


def test_a_run_is_no_better_than_itself() -> None:
    assert {each.chance for each in differences(QUESTIONS, run(20), run(20))} == {1.0}


def test_the_same_two_runs_are_told_apart_in_the_same_way() -> None:
    assert differences(QUESTIONS, run(10), run(20)) == differences(QUESTIONS, run(10), run(20))


def test_only_questions_that_both_were_asked_count() -> None:
    found, = differences(QUESTIONS, run(10)[:20], run(30), ["hit@1"])

    assert found.n == 20


def test_runs_over_other_questions_and_figures_of_no_name_are_refused() -> None:
    with pytest.raises(Refused, match="share no question"):
        differences(QUESTIONS, run(1), [])
    with pytest.raises(Refused, match="hit@7"):
        differences(QUESTIONS, run(1), run(1), ["hit@7"])
