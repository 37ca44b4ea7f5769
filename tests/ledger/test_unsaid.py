"""Claims that were taken back: a value that stood on nothing else ends, and whatever else was said stays."""

from collections.abc import Iterable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.ledger.fold import Fold, fold
from rhizome.model import Event, Tier
from tests.ledger.conftest import Log, day

KEY = ("tidepool", "deploy|branch")


def unsaid(log: Log, *claims: Event) -> list[Event]:
    """The retractions of `claims`, as a run makes them."""
    return [log.event("fact.retracted", {
        "scope": "tidepool", "fact_key": "deploy|branch", "confidence": claim.fields["confidence"],
        "observed_at": claim.fields["observed_at"], "claims": [claim.id]}) for claim in claims]


def told(ledger: Fold) -> list[tuple[str, str]]:
    return [(fact.value, fact.status) for fact in ledger.history(*KEY, Tier.AMBER)]


def value(events: Iterable[Event]) -> str | None:
    fact = fold(events).get(*KEY, Tier.AMBER)
    return fact.value if fact else None


def test_a_value_that_was_taken_back_holds_no_more_and_lifts_nothing_back(log: Any) -> None:
    claims = [log.claim("main", at=1), log.claim("release", at=2)]

    ledger = fold([*claims, *unsaid(log, claims[1])])

    assert [("main", "superseded"), ("release", "retracted")] == told(ledger)


@pytest.mark.parametrize("other", [1, 3], ids=["before", "after"])
def test_another_voice_keeps_it(log: Any, other: float) -> None:
    claims = [log.claim("main", at=2), log.claim("main", at=other)]

    assert "main" == value([*claims, *unsaid(log, claims[0])])
    assert value([*claims, *unsaid(log, *claims)]) is None


def test_what_was_said_later_is_not_meant(log: Any) -> None:
    claims = [log.claim("main", at=1), log.claim("release", at=2)]

    assert "release" == value([*claims, *unsaid(log, claims[0])])


def test_a_persons_edit_keeps_it(log: Any) -> None:
    claim = log.claim("main", at=1, by=0.8)
    edit = log.saved({"op": "assert", "statement": "main it is", "value": "main"}, at=2)

    assert "main" == value([claim, edit, *unsaid(log, claim)])


def test_a_proposal_that_was_taken_back_waits_no_more(log: Any) -> None:
    claims = [log.claim("main", at=1), log.claim("release", at=2, by=0.8), log.claim("trunk", at=3, by=0.8)]

    ledger = fold([*claims, *unsaid(log, claims[1])])

    assert ["trunk"] == [fact.value for fact in ledger.proposals(Tier.AMBER)]


def test_a_retraction_that_was_taken_back_never_was(log: Any) -> None:
    claim = log.claim("main", at=1)
    back = log.retract(at=2)
    undone = log.event("fact.retracted", {"scope": "tidepool", "fact_key": "deploy|branch", "confidence": 1.0,
                                          "observed_at": day(2), "claims": [back.id]})

    assert value([claim, back]) is None
    assert {"main"} == {value(order) for order in permutations([claim, back, undone])}


def test_it_may_be_said_anew(log: Any) -> None:
    claim = log.claim("main", at=1)

    assert "main" == value([claim, *unsaid(log, claim), log.claim("main", at=2)])


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from([0.8, 1.0]), st.booleans()), max_size=6))
def test_a_value_holds_only_if_somebody_still_stands_by_it(said: list[tuple[str, float, bool]]) -> None:
    log = Log()
    claims = [log.claim(each, at=at + 1, by=by) for at, (each, by, _) in enumerate(said)]
    gone = [claim for claim, (_, _, back) in zip(claims, said, strict=True) if back]

    held = value([*claims, *unsaid(log, *gone)])

    assert held is None or held in [each for each, _, back in said if not back]
    assert not said or said[-1][2] or said[-1][1] < 1.0 or held == said[-1][0]


def test_the_order_of_events_makes_no_difference(log: Any) -> None:
    claims = [log.claim("main", at=1), log.claim("release", at=2)]
    events = [*claims, *unsaid(log, claims[1])]

    assert 1 == len({tuple(told(fold(order))) for order in permutations(events)})
    assert day(2) == events[2].fields["observed_at"]


def test_what_one_turn_said_twice_ends_when_both_claims_are_taken_back(log: Any) -> None:
    claims = [log.claim("main", at=1), log.claim("main", at=1)]

    assert value([*claims, *unsaid(log, *claims)]) is None
    assert "main" == value([*claims, *unsaid(log, claims[0])])


@pytest.mark.parametrize("times", range(5))
def test_a_taking_back_can_be_taken_back_as_often_as_a_person_changes_their_mind(log: Any, times: int) -> None:
    events = [log.claim("main", at=1)]
    for _ in range(times):
        events += [log.event("fact.retracted", {
            "scope": "tidepool", "fact_key": "deploy|branch", "confidence": 1.0, "observed_at": day(1),
            "claims": [events[-1].id]})]  # fmt: skip

    wanted = None if times % 2 else "main"

    assert {wanted} == {value(order) for order in permutations(events)}


def test_events_that_take_each_other_back_say_nothing(log: Any) -> None:
    claim = log.claim("main", at=1)
    body = {"scope": "tidepool", "fact_key": "deploy|branch", "confidence": 1.0, "observed_at": day(1)}
    both = [log.event("fact.retracted", body | {"claims": [claim.id, f"{other:032x}"]}) for other in (3, 2)]

    assert {"main"} == {value(order) for order in permutations([claim, *both])}


def gone_back(log: Log, claim: Event, at: float) -> list[Event]:
    """The person left the place where they had said `claim`, and is there again since `at`."""
    (left,) = unsaid(log, claim)
    return [left, log.event("fact.retracted", {
        "scope": "tidepool", "fact_key": "deploy|branch", "confidence": 1.0, "observed_at": day(at),
        "claims": [left.id], "again": claim.id})]  # fmt: skip


def test_a_person_who_goes_back_holds_again_what_only_the_words_they_left_had_replaced(log: Any) -> None:
    claims = [log.claim("main", at=1), log.claim("release", at=2)]
    events = [*claims, *unsaid(log, claims[1]), *gone_back(log, claims[0], at=3)]

    assert {"main"} == {value(order) for order in permutations(events)}
    assert [("main", "active"), ("release", "retracted")] == told(fold(events))


@pytest.mark.parametrize("other", [2.2, 4], ids=["before", "after"])
def test_who_goes_back_changes_nothing_that_others_said_since(log: Any, other: float) -> None:
    claims = [log.claim("main", at=1), log.claim("release", at=2), log.claim("trunk", at=other, event="e9")]

    assert "trunk" == value([*claims, *unsaid(log, claims[1]), *gone_back(log, claims[0], at=3)])


def test_who_goes_back_brings_nothing_back_that_was_ended_in_between(log: Any) -> None:
    claims = [log.claim("main", at=1), log.claim("release", at=2)]

    assert value([*claims, *unsaid(log, claims[1]), log.retract(at=2.5), *gone_back(log, claims[0], at=3)]) is None
