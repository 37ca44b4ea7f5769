"""What a reader may not see is in an index that is never opened."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rhizome.model import Answer, Tier
from rhizome.search.documents import Document
from rhizome.search.engine import SearchEngine

Ask = Callable[..., Answer]
Note = Callable[..., Document]
Build = Callable[..., SearchEngine]

GREEN = [("deploy.md", "We ship from the release branch."), ("limits.md", "The rate limit is 200 a minute.")]
AMBER = [("private/pay.md", "The salary review and the release branch of the office wifi password."),
         ("private/doctor.md", "Blood test on Tuesday, rate of the ship.")]
QUESTIONS = ["release branch", "office wifi password", "salary", "rate limit", "quarterly release calendar", "salry",
             "what is it", "", "reveiw"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_green_reader_sees_the_same_with_and_without_amber(build: Build, note: Note, ask: Ask, question: str) -> None:
    green = [note(*each) for each in GREEN]
    amber = [note(*each, tier="amber", aliases=("payday",)) for each in AMBER]
    without, beside = build(*green, folder="without"), build(*green, *amber, folder="beside")

    assert ask(without, question, tiers=[Tier.GREEN]) == ask(beside, question, tiers=[Tier.GREEN])


def test_a_green_reader_needs_no_amber_folder(tmp_path: Path, build: Build, note: Note, ask: Ask) -> None:
    store = build(*(note(*each) for each in GREEN), note(*AMBER[0], tier="amber"))
    before = ask(store, "release branch", tiers=[Tier.GREEN])
    store.close()

    shutil.rmtree(tmp_path / "search" / "amber")

    assert ask(SearchEngine(tmp_path / "search"), "release branch", tiers=[Tier.GREEN]) == before
    assert store.reached([Tier.GREEN]) is not None


def test_recent_documents_above_the_clearance_are_not_read(build: Build, note: Note, ask: Ask) -> None:
    store = build(*(note(*each) for each in GREEN))
    secret = note("private/new.md", "The wifi password is in the drawer.", tier="amber")

    answer = ask(store, "wifi password", tiers=[Tier.GREEN], recent=[secret])

    assert answer == ask(store, "wifi password", tiers=[Tier.GREEN])


def test_an_unknown_tier_counts_as_amber(build: Build, note: Note, ask: Ask) -> None:
    store = build(*(note(*each) for each in GREEN), note("odd.md", "zeppelin", tier="ultraviolet"))

    assert "hits" not in dir(ask(store, "zeppelin", tiers=[Tier.GREEN]))
    assert "hits" in dir(ask(store, "zeppelin"))


def test_a_raised_document_leaves_no_word_in_the_green_files(
    tmp_path: Path, build: Build, note: Note, ask: Ask
) -> None:
    store = build(*(note(*each) for each in GREEN), note("x.md", "the word zeppelin"))

    store.apply(9, [note("x.md", "the word zeppelin", tier="amber")])

    files = [path for path in (tmp_path / "search" / "green").rglob("*") if path.is_file()]
    assert not any(b"zeppelin" in path.read_bytes() for path in files)
    assert "hits" in dir(ask(store, "zeppelin"))


def test_an_owner_is_answered_from_both(build: Build, note: Note, ask: Ask) -> None:
    store = build(*(note(*each) for each in GREEN), *(note(*each, tier="amber") for each in AMBER))

    refs = [hit.ref for hit in getattr(ask(store, "release branch"), "hits", ())]

    assert set(refs) == {"deploy.md:1", "private/pay.md:1"}
