"""Of two things that people said, the later one that changes a number comes first."""

from collections.abc import Callable

import pytest

from rhizome.search.documents import Document
from rhizome.search.engine import SearchEngine
from rhizome.search.updates import asks_for_what_holds

Build = Callable[..., SearchEngine]
Refs = Callable[..., list[str]]


def said(ref: str, text: str, day: int, role: str = "human") -> Document:
    return Document(id=f"event:{ref}", layer="history", ref=ref, text=text, role=role, session=f"s{day}",
                    date=f"2026-05-{day:02d}T10:00:00Z")


OLD = said("old", "My monthly budget for the parcel lockers is 575 euros, and that has to do for all of them.", 1)
NEW = said("new", "With the increased budget of 650 euros for the lockers I can buy two more.", 20)


@pytest.fixture
def crowd() -> list[Document]:
    return [said(f"x{n}", f"The {n} crates stand in the harbour, and nobody wants them any more these days.", 2)
            for n in range(12)]


def test_a_renewed_number_stands_before_the_old_one(build: Build, refs: Refs, crowd: list[Document]) -> None:
    assert refs(build(OLD, NEW, *crowd), "what is my monthly budget for the lockers?")[0] == "new"


def test_a_question_about_the_past_is_left_alone(build: Build, refs: Refs, crowd: list[Document]) -> None:
    assert refs(build(OLD, NEW, *crowd), "what was my monthly budget for the lockers before?")[0] == "old"


def test_what_was_said_earlier_renews_nothing(build: Build, refs: Refs, crowd: list[Document]) -> None:
    earlier = said("new", NEW.text, 1)
    later = said("old", OLD.text, 20)

    assert refs(build(later, earlier, *crowd), "what is my monthly budget for the lockers?")[0] == "old"


def test_a_model_renews_nothing(build: Build, refs: Refs, crowd: list[Document]) -> None:
    model = said("new", NEW.text, 20, role="model")

    assert refs(build(OLD, model, *crowd), "what is my monthly budget for the lockers?")[0] == "old"


@pytest.mark.parametrize(("question", "present"), [
    ("What is my budget?", True), ("How many crates are there", True), ("When is the webinar?", True),
    ("qual é o limite?", True), ("デプロイはいつ", True), ("What was the budget before?", False),
    ("What did the limit change from?", False), ("Who made this?", False), ("Summarize what is planned", False),
])
def test_only_questions_for_one_present_value_are_renewed(question: str, present: bool) -> None:
    assert asks_for_what_holds(question) is present
