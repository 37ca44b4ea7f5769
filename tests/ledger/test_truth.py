"""What held at any date, in whatever order it was recorded: the same as the plainest rule over a truth table says."""

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.truth import Truth, night, told
from rhizome.consolidate.derive import derive
from rhizome.ledger.fold import fold


@settings(max_examples=max(1, (settings.default or settings()).max_examples // 10))
@given(st.integers(0, 2**32 - 1))
def test_the_ledger_matches_the_truth_at_any_date(seed: int) -> None:
    truth = Truth(200, seed=seed)
    ledger = fold(truth.events)

    for date in truth.dates(10):
        assert truth.at(date) == told(ledger, date)


def test_notes_rebuilt_from_it_are_identical_twice() -> None:
    events = Truth(300).events
    events.append(night(events))

    assert derive(events).files == derive(events).files
