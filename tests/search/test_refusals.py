"""No evidence, no answer; and the reason says which of the ways it is missing."""

from collections.abc import Callable
from typing import Any

import pytest

from rhizome.model import Answer, Found, InsufficientEvidence, Message, Part
from rhizome.search import manifest
from rhizome.search.documents import Document, session_documents
from rhizome.search.engine import SearchEngine

Ask = Callable[..., Answer]
Note = Callable[..., Document]
Build = Callable[..., SearchEngine]


@pytest.fixture
def store(build: Build, note: Note) -> SearchEngine:
    return build(
        note("deploy.md", "We ship from the release branch on Tuesdays.", aliases=("rollout",)),
        note("rollback.md", "To roll back, ship the previous tag again."),
        note("limits.md", "The rate limit is 200 requests a minute."),
    )


def reason(answer: Answer) -> str | None:
    return answer.reason if isinstance(answer, InsufficientEvidence) else None


def test_a_store_without_documents_is_empty(build: Build, ask: Ask) -> None:
    assert reason(ask(build(), "where do we ship from")) == "empty"


def test_a_filter_that_lets_nothing_through_is_empty(store: SearchEngine, ask: Ask) -> None:
    assert reason(ask(store, "release branch", scope="elsewhere")) == "empty"


def test_a_question_about_something_else_is_off_topic(store: SearchEngine, ask: Ask) -> None:
    assert reason(ask(store, "office wifi password")) == "off_topic"


def test_a_known_subject_without_the_answer_is_a_near_miss_that_names_the_alias(store: SearchEngine, ask: Ask) -> None:
    answer = ask(store, "the calendar of the release")

    assert isinstance(answer, InsufficientEvidence)
    assert answer.reason == "near_miss"
    assert answer.nearest[0].ref == "deploy.md:1"
    assert "“calendar”" in answer.detail
    assert "deploy.md:1" in answer.detail


def test_the_alias_that_a_near_miss_names_makes_it_a_hit(build: Build, note: Note, ask: Ask) -> None:
    text, question = "We ship from the release branch.", "the calendar of the release"
    assert reason(ask(build(note("deploy.md", text)), question)) == "near_miss"

    store = build(note("deploy.md", text, aliases=("calendar",)))

    assert isinstance(ask(store, question), Found)


def test_an_index_that_was_never_built_is_behind(tmp_path: Any, ask: Ask) -> None:
    assert reason(ask(SearchEngine(tmp_path / "none"), "release branch")) == "index_behind"


@pytest.mark.parametrize("question", ["", "   ", "?!", "😀", "🤖🤖", "\x00"])
def test_a_question_without_a_word_is_refused(store: SearchEngine, ask: Ask, question: str) -> None:
    assert reason(ask(store, question)) == "off_topic"


def test_stop_words_alone_find_only_what_they_name(build: Build, note: Note, ask: Ask) -> None:
    store = build(note("who.md", "A band.", title="The Who"), note("x.md", "It is what the team is for."))

    assert reason(ask(store, "what is it for")) == "off_topic"
    answer = ask(store, "the who")
    assert isinstance(answer, Found)
    assert [hit.ref for hit in answer.hits] == ["who.md:1"]


def test_another_version_is_no_answer(build: Build, note: Note, ask: Ask) -> None:
    store = build(note("changes.md", "1.0.21 fixes the queue."))

    assert isinstance(ask(store, "1.0.21"), Found)
    assert reason(ask(store, "1.0.22")) == "off_topic"


def test_what_memory_and_the_harness_said_is_no_evidence(build: Build, ask: Ask) -> None:
    messages = [Message("e1", Part.RETURNED, "memory", "nothing found for zeppelin"),
                Message("e2", Part.SAID, "harness", "reminder: zeppelin"),
                Message("e3", Part.SAID, "human", "let us go on with the queue")]
    store = build(*session_documents(messages, session="s", scope="tidepool"))

    assert reason(ask(store, "zeppelin")) == "off_topic"


def test_a_refusal_says_its_numbers_and_shows_what_came_nearest(store: SearchEngine, ask: Ask) -> None:
    answer = ask(store, "office wifi password limit")

    assert isinstance(answer, InsufficientEvidence)
    assert "of 0." in answer.detail
    assert all({"coverage", "cosine"} <= set(hit.parts) for hit in answer.nearest)


def test_the_floor_does_not_move_with_a_save(build: Build, note: Note, ask: Ask) -> None:
    store = build(*(note(f"{n}.md", f"We ship crate {n} from the release branch.") for n in range(30)))
    before = ask(store, "office wifi password")

    store.apply(9, [note(f"n{n}.md", f"garden {n} tomatoes") for n in range(5)])

    after = ask(store, "office wifi password")
    assert isinstance(before, InsufficientEvidence)
    assert isinstance(after, InsufficientEvidence)
    assert before.detail == after.detail


def test_three_short_notes_are_enough_of_a_store(build: Build, note: Note, ask: Ask) -> None:
    store = build(note("a.md", "Milk"), note("b.md", "Pick up Ada at 5"), note("c.md", "鍵は引き出し"))

    assert all(isinstance(ask(store, question), Found) for question in ("milk", "when to pick up Ada", "鍵はどこ"))


def test_a_store_that_has_doubled_gets_a_new_floor(tmp_path: Any, store: SearchEngine, note: Note, ask: Ask) -> None:
    crowd = [note(f"n{n}.md", f"Day {n} in the office: the password of the printer was {n} again.") for n in range(600)]

    store.apply(9, crowd)

    assert manifest.read(tmp_path / "search" / "green").floor.documents == 603  # type: ignore[union-attr]
    assert isinstance(ask(store, "release branch"), Found)


@pytest.mark.parametrize("vectors", [True, False])
def test_many_unknown_words_do_not_make_up_for_one_known(store: SearchEngine, ask: Ask, vectors: bool) -> None:
    unknown = (f"{first}{second}blorx" for first in "bdfgklm" for second in ("ax", "ex", "ix", "ox", "ux", "yx"))

    answer = ask(store, f"release {' '.join(unknown)}", vectors=vectors)

    assert isinstance(answer, InsufficientEvidence)
