"""A person's no: what they rejected is proposed no more, and holds only when a person says it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rhizome.ledger.fold import Fold, fold
from rhizome.model import Event, Status, Tier
from tests.ledger.conftest import Log

HUMAN, MODEL, TOOL = 1.0, 0.8, 0.6
KEY = ("tidepool", "deploy|branch")


def rejected(log: Log, value: str, at: float, **more: Any) -> Event:
    body = {"scope": "tidepool", "fact_key": "deploy|branch", "value": value, "statement": f"we use {value}"} | more
    return log.event("review.rejected", {"item": "e1", "what": "proposal", "tier": Tier.GREEN} | body, known=at)


def waits(ledger: Fold) -> list[str]:
    return [fact.value for fact in ledger.proposals(Tier.AMBER)]


def value(ledger: Fold) -> str | None:
    fact = ledger.get(*KEY, Tier.AMBER)
    return fact.value if fact else None


def test_a_rejected_proposal_waits_no_more_and_what_holds_stays(log: Any) -> None:
    ledger = fold([log.claim("main", at=1), log.claim("release", at=2, by=MODEL), rejected(log, "release", at=3)])

    assert ("main", []) == (value(ledger), waits(ledger))


def test_other_proposals_for_the_key_go_on_waiting(log: Any) -> None:
    claims = [log.claim("main", at=1), log.claim("release", at=2, by=MODEL), log.claim("trunk", at=2, by=MODEL)]

    assert ["trunk"] == waits(fold([*claims, rejected(log, "release", at=3)]))


def test_a_rejected_value_that_is_said_again_does_not_come_back(log: Any) -> None:
    ledger = fold([log.claim("release", at=1, by=TOOL, capped=True), rejected(log, "release", at=2),
                   log.claim("release", at=3, by=MODEL), log.claim("release", at=4, by=TOOL, capped=True)])

    assert (None, []) == (value(ledger), waits(ledger))


def test_a_rejected_value_holds_once_a_person_says_it_and_may_be_proposed_again_after(log: Any) -> None:
    events = [log.claim("release", at=1, by=TOOL, capped=True), rejected(log, "release", at=2),
              log.claim("release", at=3, by=HUMAN)]

    assert "release" == value(fold(events))
    after = fold([*events, log.claim("main", at=4), log.claim("release", at=5, by=MODEL)])
    assert ("main", ["release"]) == (value(after), waits(after))


def test_a_rejection_ends_what_a_late_import_made_current_before_it(log: Any) -> None:
    ledger = fold([rejected(log, "release", at=3), log.claim("release", at=1, by=MODEL)])

    assert None is value(ledger)
    assert [Status.RETRACTED] == [fact.status for fact in ledger.history(*KEY, Tier.AMBER)]


def test_a_rejection_about_no_fact_says_nothing(log: Any) -> None:
    ledger = fold([log.claim("main", at=1), log.event("review.rejected", {"item": "e1", "what": "merge"})])

    assert ("main", set()) == (value(ledger), ledger.unreadable)


def test_a_green_reader_does_not_see_a_rejection_above_its_clearance(log: Any) -> None:
    ledger = fold([log.claim("release", at=1, by=MODEL), rejected(log, "release", at=3, tier=Tier.AMBER)])

    assert ledger.get(*KEY, Tier.GREEN) is not None
    assert ledger.get(*KEY, Tier.AMBER) is None


@given(st.permutations(range(6)))
def test_the_order_in_which_events_arrive_makes_no_difference(order: list[int]) -> None:
    log = Log()
    events = [log.claim("main", at=1, known=1), log.claim("release", at=2, by=MODEL, known=2),
              rejected(log, "release", at=3), log.claim("release", at=4, by=TOOL, capped=True, known=4),
              log.claim("trunk", at=5, known=5), log.claim("release", at=6, by=MODEL, known=6)]

    shuffled = fold(events[place] for place in order)

    assert list(fold(events).facts(Tier.AMBER)) == list(shuffled.facts(Tier.AMBER))
    assert waits(fold(events)) == waits(shuffled)
