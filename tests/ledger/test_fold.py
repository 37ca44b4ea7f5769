"""What the fold makes current, one sentence at a time."""

from datetime import UTC, datetime
from typing import Any

import pytest

from rhizome.ledger.fold import Fold, fold
from rhizome.model import Event, Fact, Status, Tier

HUMAN, MODEL, INFERRED = 1.0, 0.8, 0.6
KEY = ("tidepool", "deploy|branch")


def current(*events: Event, clearance: Tier = Tier.AMBER) -> str | None:
    fact = fold(events).get(*KEY, clearance)
    return fact.value if fact else None


def told(*events: Event, clearance: Tier = Tier.AMBER) -> list[tuple[str, str]]:
    return [(fact.value, str(fact.status)) for fact in fold(events).history(*KEY, clearance)]


def only(*events: Event) -> Fact:
    fact = fold(events).get(*KEY, Tier.AMBER)
    assert fact is not None
    return fact


def test_a_later_claim_of_the_same_class_supersedes(log: Any) -> None:
    events = [log.claim("main", at=1), log.claim("release", at=2)]

    assert told(*events) == [("main", "superseded"), ("release", "active")]


def test_a_claim_of_a_higher_class_supersedes(log: Any) -> None:
    events = [log.claim("main", at=1, by=MODEL), log.claim("release", at=2, by=HUMAN)]

    assert current(*events) == "release"


def test_a_claim_of_a_lower_class_is_proposed_and_names_what_it_contradicts(log: Any) -> None:
    ledger = fold([log.claim("main", at=1), log.claim("release", at=2, by=MODEL)])

    main, release = ledger.history(*KEY, Tier.AMBER)
    assert (main.status, release.status) == (Status.ACTIVE, Status.PROPOSED)
    assert release.contradicts == "main"


def test_a_proposal_never_lifts_itself_when_the_current_value_is_retracted(log: Any) -> None:
    events = [log.claim("main", at=1), log.claim("release", at=2, by=MODEL), log.retract(at=3)]

    assert told(*events) == [("main", "retracted"), ("release", "proposed")]


def test_an_equal_value_confirms_however_it_is_written(log: Any) -> None:
    fact = only(log.claim("Main", at=1), log.claim(" “ｍain”. ", at=4))

    assert (fact.value, fact.version, fact.last_confirmed_at) == ("Main", 1, "2026-06-04T00:00:00.000000Z")


def test_a_stronger_confirmation_lifts_the_class(log: Any) -> None:
    events = [log.claim("main", at=1, by=MODEL, event="said"), log.claim("main", at=2, by=HUMAN, event="agreed"),
              log.claim("release", at=3, by=MODEL)]

    fact = only(*events)
    assert (fact.value, fact.confidence) == ("main", HUMAN)
    assert [evidence.event for evidence in fact.evidence] == ["said", "agreed"]


def test_a_weaker_confirmation_keeps_the_class_and_the_evidence(log: Any) -> None:
    fact = only(log.claim("main", at=1, event="said"), log.claim("main", at=2, by=MODEL, event="repeated"))

    assert (fact.confidence, [evidence.event for evidence in fact.evidence]) == (HUMAN, ["said"])
    assert fact.last_confirmed_at.startswith("2026-06-02")


def test_a_late_event_older_than_the_current_value_enters_history_only(log: Any) -> None:
    events = [log.claim("release", at=5), log.claim("main", at=1)]

    assert told(*events) == [("main", "superseded"), ("release", "active")]


def test_a_value_that_flips_back_has_three_versions(log: Any) -> None:
    ledger = fold([log.claim("main", at=1), log.claim("release", at=2), log.claim("main", at=3)])

    versions = ledger.history(*KEY, Tier.AMBER)
    assert [fact.version for fact in versions] == [1, 2, 3]
    assert [fact.supersedes for fact in versions] == [None, "main", "release"]
    assert [fact.superseded_by for fact in versions] == ["release", "main", None]
    assert len({fact.id for fact in versions}) == 3


def test_a_capped_claim_is_never_current(log: Any) -> None:
    events = [log.claim("main", at=1, capped=True), log.claim("main", at=2, capped=True)]

    assert told(*events) == [("main", "proposed")]


def test_an_uncapped_claim_makes_current_what_a_capped_one_proposed(log: Any) -> None:
    events = [log.claim("main", at=1, capped=True), log.claim("main", at=2, by=MODEL)]

    assert told(*events) == [("main", "proposed"), ("main", "active")]


def test_a_capped_claim_neither_confirms_nor_lifts(log: Any) -> None:
    fact = only(log.claim("main", at=1, by=MODEL), log.claim("main", at=9, by=HUMAN, capped=True))

    assert (fact.confidence, fact.last_confirmed_at) == (MODEL, "2026-06-01T00:00:00.000000Z")


def test_a_retraction_ends_the_current_value_and_lifts_nothing_older_back(log: Any) -> None:
    events = [log.claim("main", at=1), log.claim("release", at=2), log.retract(at=3)]

    assert told(*events) == [("main", "superseded"), ("release", "retracted")]
    assert current(*events) is None


def test_a_retraction_of_a_lower_class_is_ignored(log: Any) -> None:
    events = [log.claim("main", at=1), log.retract(at=2, by=MODEL)]

    assert current(*events) == "main"


def test_a_claim_older_than_a_retraction_stays_retracted_when_it_comes_late(log: Any) -> None:
    events = [log.retract(at=3), log.claim("main", at=1)]

    assert told(*events) == [("main", "retracted")]


def test_what_is_said_after_a_retraction_is_current(log: Any) -> None:
    ledger = fold([log.claim("main", at=1), log.retract(at=2), log.claim("main", at=3)])

    assert [fact.status for fact in ledger.history(*KEY, Tier.AMBER)] == [Status.RETRACTED, Status.ACTIVE]
    assert [fact.version for fact in ledger.history(*KEY, Tier.AMBER)] == [1, 2]


def test_an_expired_fact_is_history(log: Any) -> None:
    main = log.claim("main", at=1)

    assert told(main, log.expire(main, at=20, confirmed=1)) == [("main", "expired")]


def test_an_expiry_that_did_not_know_of_a_confirmation_is_void(log: Any) -> None:
    main = log.claim("main", at=1)

    assert current(main, log.expire(main, at=20, confirmed=1), log.claim("main", at=10)) == "main"


def test_an_expiry_still_holds_when_an_older_claim_of_the_same_value_comes_late(log: Any) -> None:
    main = log.claim("main", at=5)

    assert told(main, log.expire(main, at=20, confirmed=5), log.claim("main", at=1)) == [("main", "expired")]


def test_an_expiry_of_another_version_changes_nothing(log: Any) -> None:
    main = log.claim("main", at=1)

    assert current(main, log.claim("release", at=2), log.expire(main, at=20, confirmed=1)) == "release"


def test_at_one_instant_what_was_recorded_later_wins(log: Any) -> None:
    first, second = log.claim("main", at=1), log.claim("release", at=1)

    assert "release" == current(first, second) == current(second, first)


def test_a_claim_without_a_time_counts_from_when_it_was_recorded(log: Any) -> None:
    undated = log.claim("main", at=1, known=2, observed_at="")

    assert only(undated).observed_at == "2026-06-02T00:00:00.000000Z"


def test_a_copy_that_shows_an_earlier_time_moves_the_claim_back(log: Any) -> None:
    events = [log.claim("main", at=9, event="forked"), log.claim("release", at=5, event="other"),
              log.event("source.seen", {"dated": {"forked": "2026-06-01T00:00:00Z"}})]

    assert "release" == current(*events) == current(*reversed(events))


def test_offsets_are_compared_as_instants(log: Any) -> None:
    events = [log.claim("main", at=1, observed_at="2026-06-01T23:00:00-05:00"),
              log.claim("release", at=1, observed_at="2026-06-02T01:00:00Z")]

    assert current(*events) == "main"


def test_a_green_reader_sees_the_green_value_and_an_amber_reader_the_newer_amber_one(log: Any) -> None:
    events = [log.claim("main", at=1), log.claim("secret", at=2, tier="amber")]

    assert (current(*events, clearance=Tier.GREEN), current(*events, clearance=Tier.AMBER)) == ("main", "secret")
    assert told(*events, clearance=Tier.GREEN) == [("main", "active")]


def test_an_unknown_tier_is_not_shown_to_a_green_reader(log: Any) -> None:
    assert current(log.claim("main", at=1, tier="teal"), clearance=Tier.GREEN) is None


def test_a_green_reader_gets_no_quotes(log: Any) -> None:
    fact = fold([log.claim("main", at=1)]).get(*KEY, Tier.GREEN)

    assert fact is not None
    assert [(evidence.event, evidence.quote) for evidence in fact.evidence] == [("e0", "")]


def test_a_green_confirmation_gives_an_amber_fact_words_that_may_be_shared(log: Any) -> None:
    fact = only(log.claim("main", at=1, tier="amber", statement="between us: main"),
                log.claim("main", at=2, statement="we ship from main"))

    assert (fact.tier, fact.statement) == ("green", "we ship from main")


def test_words_a_person_typed_become_the_statement_and_keep_what_they_left_out(log: Any) -> None:
    ledger = fold([log.claim("main", at=1, by=MODEL, aliases=["ship"]),
                   log.saved({"op": "assert", "statement": "Ship from `main`!", "value": "main"}, at=2),
                   log.claim("main", at=3, by=MODEL)])

    fact = ledger.get(*KEY, Tier.AMBER)
    assert fact is not None
    assert (fact.statement, fact.confidence, fact.version) == ("Ship from `main`!", HUMAN, 1)
    assert (fact.type, fact.aliases) == ("decision", ("ship",))


def test_a_changed_value_in_a_note_supersedes_with_human_confidence(log: Any) -> None:
    events = [log.claim("main", at=1),
              log.saved({"op": "assert", "statement": "we use release", "value": "release"}, at=2),
              log.claim("main", at=3, by=MODEL)]

    assert told(*events) == [("main", "superseded"), ("release", "active"), ("main", "proposed")]


def test_a_statement_deleted_from_a_note_is_retracted(log: Any) -> None:
    assert current(log.claim("main", at=1), log.saved({"op": "retract"}, at=2)) is None


def test_operations_of_one_save_count_in_their_order(log: Any) -> None:
    saved = log.saved({"op": "assert", "value": "main"}, {"op": "assert", "value": "release"}, at=2)

    assert told(saved) == [("main", "superseded"), ("release", "active")]


def test_merged_keys_share_one_current_value_under_either_name(log: Any) -> None:
    events = [log.claim("main", at=1), log.claim("release", at=2, key="ship|branch"),
              log.merged("ship|branch", "deploy|branch")]

    ledger = fold(events)
    assert [fact.value for fact in ledger.current(Tier.AMBER)] == ["release"]
    assert ledger.get("tidepool", "ship|branch", Tier.AMBER) == ledger.get(*KEY, Tier.AMBER)


def test_a_merge_counts_for_claims_that_come_later(log: Any) -> None:
    events = [log.merged("ship|branch", "deploy|branch"), log.claim("main", at=1, key="Ship | Branch")]

    assert current(*events) == "main"


def test_a_merge_back_renames_the_group(log: Any) -> None:
    ledger = fold([log.claim("main", at=1, key="ship|branch"), log.merged("ship|branch", "deploy|branch"),
                   log.merged("deploy|branch", "ship|branch")])

    assert [fact.fact_key for fact in ledger.current(Tier.AMBER)] == ["ship|branch"]


def test_a_body_that_is_none_is_kept_by_name_and_hurts_nobody(log: Any) -> None:
    broken = log.event("fact.asserted", {"scope": 3})

    ledger = fold([broken, log.claim("main", at=1)])
    assert {broken.id} == ledger.unreadable
    assert [fact.value for fact in ledger.current(Tier.AMBER)] == ["main"]


def test_touching_one_key_names_that_key_only(log: Any) -> None:
    ledger = fold([log.claim("main", at=1), log.claim("8087", at=1, key="tidepool|port")])
    ledger.touched()

    ledger.apply(log.claim("8080", at=2, key="tidepool|port"))
    assert {("tidepool", "tidepool|port")} == ledger.touched()
    assert set() == ledger.touched()


def test_an_event_met_again_touches_nothing(log: Any) -> None:
    main = log.claim("main", at=1)
    ledger = fold([main])
    ledger.touched()

    ledger.apply(main)
    assert set() == ledger.touched()


def test_a_fork_goes_on_alone(log: Any) -> None:
    ledger = fold([log.claim("main", at=1)])
    twin = ledger.fork()

    twin.apply(log.claim("release", at=2))
    assert tuple(each.get(*KEY, Tier.AMBER).value for each in (ledger, twin)) == ("main", "release")  # type: ignore[union-attr]


def test_a_proposal_awaits_review_until_someone_who_can_decide_speaks(log: Any) -> None:
    ledger = fold([log.claim("main", at=1), log.claim("release", at=2, by=MODEL)])
    assert [fact.value for fact in ledger.proposals(Tier.AMBER)] == ["release"]

    ledger.apply(log.claim("main", at=3, by=MODEL))
    assert [fact.value for fact in ledger.proposals(Tier.AMBER)] == ["release"]

    ledger.apply(log.claim("main", at=4))
    assert list(ledger.proposals(Tier.AMBER)) == []


def test_a_restated_proposal_is_one_proposal(log: Any) -> None:
    events = [log.claim("main", at=1), *(log.claim("release", at=at, by=MODEL) for at in (2, 3, 4))]

    assert told(*events) == [("main", "active"), ("release", "proposed")]


@pytest.mark.parametrize(("valid", "expected"), [(1, "main"), (2, "release"), (4, None), (5, "trunk")])
def test_as_of_valid_tells_what_was_current_then(log: Any, valid: int, expected: str | None) -> None:
    ledger = fold([log.claim("main", at=1), log.claim("release", at=2), log.retract(at=3), log.claim("trunk", at=5)])

    values = [fact.value for fact in ledger.as_of(datetime(2026, 6, valid, 12, tzinfo=UTC), None, Tier.AMBER)]
    assert ([expected] if expected else []) == values


def test_as_of_known_forgets_what_was_recorded_later(log: Any) -> None:
    ledger = fold([log.claim("release", at=5, known=6), log.claim("main", at=1, known=20)])

    then = ledger.history(*KEY, Tier.AMBER, known=datetime(2026, 6, 7, tzinfo=UTC))
    assert [fact.value for fact in then] == ["release"]
    assert then[0].supersedes is None


def test_as_of_known_does_not_know_a_later_merge(log: Any) -> None:
    ledger = fold([log.claim("main", at=1, known=1, key="ship|branch"),
                   log.merged("ship|branch", "deploy|branch", known=9)])

    then = ledger.as_of(None, datetime(2026, 6, 5, tzinfo=UTC), Tier.AMBER)
    assert [fact.fact_key for fact in then] == ["ship|branch"]


def test_an_empty_ledger_has_nothing_to_say() -> None:
    assert list(Fold().facts(Tier.AMBER)) == []
