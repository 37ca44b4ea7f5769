"""What a run is worth, worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.errors import Refused
from rhizome.evaluate.metrics import auroc, figures, worth
from rhizome.evaluate.questions import Answered, Question

TWO = Question("two", "", relevant=("a", "b"), category="x")
ONE = Question("one", "", relevant=("c",), category="y")
NONE = Question("none", "", unanswerable=True)
RUN = [Answered("two", ("z", "a", "a", "b"), score=0.9), Answered("one", ("c",), score=0.8),
       Answered("none", (), abstained=True, score=0.1)]

ids = st.sampled_from("abcdefghijklmnop")


def test_a_repeated_document_counts_once_and_the_share_is_of_all_that_are_relevant() -> None:
    row = worth(("z", "a", "a", "b"), {"a": 1, "b": 1})

    assert (row["hit@1"], row["recall@5"], row["all@5"], row["MRR@10"]) == (0, 1, 1, 0.5)
    assert math.isclose(row["nDCG@10"], (1 / math.log2(3) + 1 / math.log2(4)) / (1 + 1 / math.log2(3)))


def test_a_better_grade_is_worth_more_when_it_comes_first() -> None:
    gains = {"complete": 4.0, "of minimum interest": 1.0}

    assert worth(("complete", "of minimum interest"), gains)["nDCG@10"] == 1
    assert worth(("of minimum interest", "complete"), gains)["nDCG@10"] < 0.8


def test_each_category_stands_beside_all_of_them() -> None:
    table = figures([TWO, ONE, NONE], RUN).table

    assert list(table) == ["all", "x", "y"]
    assert (table["all"]["P@1"], table["x"]["P@1"], table["y"]["P@1"]) == (0.5, 0, 1)


def test_a_refusal_of_what_has_an_answer_is_worth_nothing() -> None:
    found = figures([ONE], [Answered("one", ("c",), abstained=True)])

    assert found.table["all"]["hit@10"] == 0
    assert found.refusals.false == 1


def test_refusals_are_right_where_there_is_no_answer() -> None:
    found = figures([TWO, ONE, NONE], [*RUN[:1], Answered("one", ("c",), abstained=True, score=0.1), RUN[2]]).refusals

    assert (found.unanswerable, found.abstained, found.precision, found.recall, found.false) == (1, 2, 0.5, 1, 0.5)
    assert found.auroc == 0.75  # one pair in order, one tie


def test_a_question_that_the_run_left_out_is_worth_nothing_and_counted() -> None:
    found = figures([TWO, ONE, Question("unknown", "")], [Answered("two", ("a", "b")), Answered("odd")])

    assert (found.missing, found.unlabelled, found.unknown, found.table["all"]["hit@1"]) == (1, 1, 1, 0.5)


@pytest.mark.parametrize(("ranked", "fresh", "leak"), [
    (("new", "old"), 1, 1), (("old", "new"), 0, 1), (("new",), 1, 0), ((), 0, 0), ((*"vwxyz", "old"), 0, 0),
])
def test_what_was_replaced_stands_below_what_replaced_it(ranked: tuple[str, ...], fresh: int, leak: int) -> None:
    update = Question("u", "", relevant=("new",), stale=("old",))

    found = figures([update], [Answered("u", ranked)]).updates

    assert (found.n, found.fresh, found.leak) == (1, fresh, leak)


def test_a_session_is_found_by_any_of_its_turns() -> None:
    session = {"z": "s1", "a": "s1", "b": "s2"}

    assert figures([TWO], RUN[:1], lambda name: session.get(name, name)).table["all"]["P@1"] == 1


def test_a_question_answered_twice_is_refused() -> None:
    with pytest.raises(Refused, match="question two"):
        figures([TWO], [RUN[0], RUN[0]])


@given(st.lists(ids, max_size=15), st.sets(ids, min_size=1, max_size=5))
def test_every_figure_is_a_share_and_none_falls_when_a_relevant_document_is_put_first(
    ranked: list[str], relevant: set[str]
) -> None:
    gains = dict.fromkeys(sorted(relevant), 1.0)

    before, after = worth(ranked, gains), worth([min(relevant), *ranked], gains)

    assert all(0 <= value <= 1 + 1e-9 for value in before.values())
    assert all(after[name] >= before[name] - 1e-9 for name in ("hit@1", "hit@5", "MRR@10", "P@1"))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8), st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_the_chance_of_order_is_what_counting_every_pair_gives(above: list[int], below: list[int]) -> None:
    pairs = [1.0 if a > b else 0.5 if a == b else 0.0 for a in above for b in below]

    assert math.isclose(auroc(above, below) or 0.0, sum(pairs) / len(pairs))
