"""Law 5: superseded, by anything the reader may see, is never served as current. Zero times."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from rhizome.ledger.fold import fold
from rhizome.ledger.projection import LedgerIndex
from rhizome.model import Event, Tier, visible

spoken = st.lists(st.tuples(st.integers(1, 28), st.sampled_from([1.0, 0.8]), st.sampled_from(["green", "amber"]),
                            st.sampled_from(["assert", "assert", "assert", "retract"])), min_size=1, max_size=15)


def said(seq: int, day: int, by: float, tier: str, act: str) -> Event:
    """Each claim has a value of its own, so that nothing confirms anything."""
    body = {"scope": "tidepool", "fact_key": "deploy|branch", "confidence": by,
            "observed_at": f"2026-06-{day:02d}T00:00:00Z"}
    if act == "assert":
        body |= {"type": "fact", "value": f"value {seq}", "statement": f"we use value {seq}", "tier": tier}
    return Event(kind="fact.asserted" if act == "assert" else "fact.retracted", id=f"{seq:032x}", seq=seq, home="a",
                 tier=tier, recorded_at=f"2026-07-01T00:00:00.{seq:06d}Z", body=body)


def expected(events: list[Event], clearance: Tier) -> str | None:
    """The rule in words: the greatest (class, time, order) among what this reader may see since the last retraction
    that was strong enough."""
    shown = sorted((event for event in events if visible(event.tier, clearance)),
                   key=lambda event: (event.fields["observed_at"], event.seq))
    standing: list[Event] = []
    for event in shown:
        strongest = max((each.fields["confidence"] for each in standing), default=0.0)
        if event.kind == "fact.asserted":
            standing.append(event)
        elif event.fields["confidence"] >= strongest:
            standing = []
    best = max(standing, key=lambda event: (event.fields["confidence"], event.fields["observed_at"], event.seq),
               default=None)
    return best.fields["value"] if best else None


@given(spoken)
def test_the_value_served_is_the_one_nothing_visible_replaced(said_so: list[tuple[int, float, str, str]]) -> None:
    events = [said(seq, *each) for seq, each in enumerate(said_so, start=1)]
    ledger = fold(events)

    for clearance in Tier:
        fact = ledger.get("tidepool", "deploy|branch", clearance)
        assert (fact.value if fact else None) == expected(events, clearance)


def test_the_projection_serves_what_the_fold_serves_after_every_event(tmp_path: Path) -> None:
    days = (9, 3, 12, 12, 20, 5)
    events = [said(seq, day, 1.0, "green" if seq % 2 else "amber", "assert") for seq, day in enumerate(days, start=1)]
    indexes = {clearance: LedgerIndex(tmp_path, clearance) for clearance in Tier}
    ledger = fold([])
    for event in events:
        ledger.apply(event)
        touched = ledger.touched()
        for clearance, index in indexes.items():
            index.update(ledger, touched, {"a": event.seq})

            served = index.get("tidepool", "deploy|branch")
            assert served == ledger.get("tidepool", "deploy|branch", clearance)
    for index in indexes.values():
        index.close()
