"""Law 9, in derived notes: people's bytes are theirs, and what people and the ledger say is never lost between them."""

from collections.abc import Iterable, Mapping
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from rhizome.consolidate.derive import derive
from rhizome.consolidate.layout import Page
from rhizome.consolidate.render import Entry, page
from tests.laws.histories import History, merged_nights

SEEDS = st.integers(0, 2**32 - 1).map(Random)
NOTHING: dict[str, int] = {}


def faults(history: History) -> dict[str, int]:
    return {name: count for name, count in history.faults.items() if count}


def other_headings(title: str, entries: Mapping[str, Entry], links: Iterable[tuple[str, str, str]]) -> Page:
    """The page of a later rhizome that lays notes out otherwise."""
    today = page(title, entries, links)
    head = {**today.head, "heading": f"# {title} (project)", "now": "## Now", "after now": ""}
    return Page(head, today.statements, today.foot)


@given(SEEDS)
def test_a_person_and_the_nights_lose_and_invent_nothing(random: Random) -> None:
    assert NOTHING == faults_of(random, stale=0)


@given(SEEDS)
def test_a_save_from_an_older_night_loses_and_invents_nothing(random: Random) -> None:
    assert NOTHING == faults_of(random, stale=0.3)


def faults_of(random: Random, *, stale: float) -> dict[str, int]:
    history = History(random, stale=stale)
    history.play()
    return faults(history)


@given(SEEDS)
def test_a_renderer_with_other_headings_reads_the_whole_log_without_a_fault(random: Random) -> None:
    history = History(random)
    history.play()
    history.faults.clear()

    history.judge(derive(history.log, other_headings))

    assert NOTHING == faults(history)


@given(SEEDS)
def test_nights_caught_up_as_one_say_the_same(random: Random) -> None:
    history = History(random)
    history.play()
    history.faults.clear()

    history.judge(derive(merged_nights(history.log)))

    assert NOTHING == faults(history)


def test_nights_caught_up_as_one_give_other_bytes_at_most_once_in_fifty() -> None:
    histories = [History(Random(seed)) for seed in range(50)]
    for history in histories:
        history.play()

    differing = [history for history in histories if derive(merged_nights(history.log)).files != history.derived.files]

    assert len(differing) <= 1
