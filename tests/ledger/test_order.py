"""The ledger depends on what is in the log, never on how it got there."""

from datetime import UTC, datetime
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rhizome.ledger.fold import Fold, fold
from rhizome.model import Event, Fact, Status, Tier

KEYS = ("deploy|branch", "Ship | branch", "tidepool|port")
DAYS = st.integers(1, 9).map(lambda number: f"2026-06-0{number}T00:00:00Z")
TIERS = st.sampled_from(["green", "amber"])
PLACE = {"scope": st.just("tidepool"), "fact_key": st.sampled_from(KEYS), "observed_at": DAYS}
QUOTED = ("e1", "e2", "e3")

claimed = st.fixed_dictionaries(PLACE | {
    "type": st.just("decision"), "value": st.sampled_from(["main", "Main.", "release", ""]),
    "statement": st.sampled_from(["we use main", "we use release"]), "confidence": st.sampled_from([1.0, 0.8, 0.6]),
    "tier": TIERS, "capped": st.sampled_from([False, False, False, True]),
    "evidence": st.sampled_from(QUOTED).map(lambda event: [{"event": event, "quote": "we use main"}]),
})
retracted = st.fixed_dictionaries(PLACE | {"confidence": st.sampled_from([1.0, 0.8, 0.6])})
expired = st.fixed_dictionaries(PLACE | {"fact": st.integers(1, 12).map(lambda number: f"{number:032x}"),
                                         "confirmed": DAYS})
merged = st.fixed_dictionaries({"scope": st.just("tidepool"), "source": st.sampled_from(KEYS),
                                "target": st.sampled_from(KEYS)})
seen = st.fixed_dictionaries({"dated": st.dictionaries(st.sampled_from(QUOTED), DAYS, max_size=2)})
saved = st.fixed_dictionaries({"ops": st.lists(st.fixed_dictionaries({
    "op": st.sampled_from(["assert", "retract"]), "scope": st.just("tidepool"), "fact_key": st.sampled_from(KEYS),
    "statement": st.just("typed"), "value": st.sampled_from(["main", "trunk"])}), max_size=2)})
said = st.one_of(claimed.map(lambda body: ("fact.asserted", body)), claimed.map(lambda body: ("fact.confirmed", body)),
                 retracted.map(lambda body: ("fact.retracted", body)), expired.map(lambda body: ("fact.expired", body)),
                 merged.map(lambda body: ("key.merged", body)), seen.map(lambda body: ("source.seen", body)),
                 saved.map(lambda body: ("note.saved", body)))


@st.composite
def logs(draw: st.DrawFn, size: int = 12) -> list[Event]:
    """A log of two homes, in its own order; several events may share an instant."""
    events, seqs, recorded = [], {"a": 0, "b": 0}, 0
    for number, (kind, body) in enumerate(draw(st.lists(said, min_size=1, max_size=size)), start=1):
        home = draw(st.sampled_from("ab"))
        seqs[home] += 1
        recorded += draw(st.integers(0, 1))
        events.append(Event(kind=kind, id=f"{number:032x}", seq=seqs[home], home=home, body=body, tier=draw(TIERS),
                            recorded_at=f"2026-06-10T00:00:{recorded:02d}.000000Z"))
    return events


def told(ledger: Fold) -> dict[Tier, list[Fact]]:
    return {clearance: list(ledger.facts(clearance)) for clearance in Tier}


@given(st.data())
def test_any_order_and_any_repeats_tell_the_same(data: Any) -> None:
    events = data.draw(logs())
    shuffled = data.draw(st.permutations(events + data.draw(st.lists(st.sampled_from(events), max_size=4))))

    assert told(fold(events)) == told(fold(shuffled))


@given(st.data())
def test_asking_in_between_changes_nothing(data: Any) -> None:
    events = data.draw(st.permutations(data.draw(logs())))
    ledger = Fold()
    for event in events:
        ledger.apply(event)
        told(ledger)

    assert told(ledger) == told(fold(events))


@given(st.data())
def test_only_touched_keys_change(data: Any) -> None:
    events = data.draw(logs())
    cut = data.draw(st.integers(0, len(events)))
    ledger = fold(events[:cut])
    before, _ = stories(ledger), ledger.touched()
    for event in events[cut:]:
        ledger.apply(event)
    after, touched = stories(ledger), ledger.touched()

    assert {key for key in before | after if before.get(key) != after.get(key)} <= touched


def stories(ledger: Fold) -> dict[tuple[str, str], list[Fact]]:
    grouped: dict[tuple[str, str], list[Fact]] = {}
    for clearance in Tier:
        for fact in ledger.facts(clearance):
            grouped.setdefault((fact.scope, fact.fact_key), []).append(fact)
    return grouped


@given(logs())
def test_a_claim_that_two_homes_recorded_is_one_claim(events: list[Event]) -> None:
    twice = [*events, *(msgspec.structs.replace(event, home="c", recorded_at="2026-06-11T00:00:00.000000Z")
                        for event in events)]

    assert told(fold(events)) == told(fold(twice))


@given(logs())
def test_a_green_reader_is_told_what_a_log_without_amber_tells(events: list[Event]) -> None:
    def green(event: Event) -> bool:
        tier = event.fields["tier"] if event.kind in ("fact.asserted", "fact.confirmed") else event.tier
        return tier == Tier.GREEN or event.kind == "source.seen"

    shown = [replace(fact, evidence=()) for fact in fold(events).facts(Tier.GREEN)]
    assert shown == [replace(fact, evidence=()) for fact in fold(filter(green, events)).facts(Tier.AMBER)]


@given(logs())
def test_later_than_everything_is_now(events: list[Event]) -> None:
    ledger, late = fold(events), datetime(2030, 1, 1, tzinfo=UTC)

    assert list(ledger.facts(Tier.AMBER)) == list(ledger.facts(Tier.AMBER, valid=late, known=late))


@given(logs())
def test_versions_count_up_and_the_active_one_is_the_last_accepted(events: list[Event]) -> None:
    for facts in stories_of(fold(events)):
        accepted = [fact for fact in facts if fact.status is not Status.PROPOSED]

        assert [fact.version for fact in accepted] == list(range(1, len(accepted) + 1))
        assert all(fact is accepted[-1] for fact in accepted if fact.status is Status.ACTIVE)


def stories_of(ledger: Fold) -> list[tuple[Fact, ...]]:
    return [ledger.story(key, Tier.AMBER).facts for key in ledger.keys(Tier.AMBER)]
