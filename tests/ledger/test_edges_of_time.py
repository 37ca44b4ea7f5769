"""What is said at an instant counts at that instant, and a retraction answers what had been proposed against it."""

from typing import Any

import pytest

from rhizome.ledger.fold import fold
from rhizome.model import Tier, moment
from tests.ledger.conftest import day

KEY = ("tidepool", "deploy|branch")


@pytest.mark.parametrize(("at", "value"), [(1.5, None), (2, "main"), (2.5, "main"), (3, "release")])
def test_a_value_is_true_from_the_instant_it_was_said(log: Any, at: float, value: str | None) -> None:
    ledger = fold([log.claim("main", at=2), log.claim("release", at=3)])

    fact = ledger.get(*KEY, Tier.AMBER, valid=moment(day(at)))
    assert (fact and fact.value) == value


@pytest.mark.parametrize(("at", "value"), [(4.5, None), (5, "main"), (5.5, "main"), (6, "release")])
def test_a_value_is_known_from_the_instant_it_was_recorded(log: Any, at: float, value: str | None) -> None:
    ledger = fold([log.claim("main", at=2, known=5), log.claim("release", at=3, known=6)])

    fact = ledger.get(*KEY, Tier.AMBER, known=moment(day(at)))
    assert (fact and fact.value) == value


def test_a_late_event_changes_what_was_true_and_not_what_was_known(log: Any) -> None:
    ledger = fold([log.claim("main", at=1, known=1), log.claim("trunk", at=2, known=9),
                   log.claim("release", at=3, known=3)])  # fmt: skip

    then = [ledger.get(*KEY, Tier.AMBER, valid=moment(day(2)), known=known) for known in (None, moment(day(4)))]
    assert ["trunk", "main"] == [fact.value for fact in then if fact]
    assert [fact.value for fact in ledger.current(Tier.AMBER)] == ["release"]


def test_who_takes_back_a_value_answers_what_was_proposed_in_its_place(log: Any) -> None:
    claims = [log.claim("main", at=1), log.claim("release", at=2, by=0.8)]
    assert ["release"] == [fact.value for fact in fold(claims).proposals(Tier.AMBER)]

    assert [] == list(fold([*claims, log.retract(at=3)]).proposals(Tier.AMBER))
