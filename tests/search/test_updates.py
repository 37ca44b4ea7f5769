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
LOCKS = "Our spare locks: 45 crates hold them all, and these stand by the door of the long hall downstairs."


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


@pytest.mark.parametrize(("question", "before", "after"), [
    ("how many crates hold our spare locks?", LOCKS,
     "I have put the spare locks into 52 crates, how do I label all of them so that they are found?"),
    ("what time does the courier fetch the parcels?", "The courier fetches the parcels of the harbour at 3 pm.",
     "Can I be free when the courier fetches the parcels at 4:30 PM, or is that too late for the shop?"),
], ids=["counted", "time of day"])
def test_who_counts_the_same_thing_anew_need_not_say_that_it_changed(
    build: Build, refs: Refs, crowd: list[Document], question: str, before: str, after: str
) -> None:
    assert refs(build(said("old", before, 1), said("new", after, 20), *crowd), question)[0] == "new"


def test_a_number_of_something_else_renews_nothing(build: Build, refs: Refs, crowd: list[Document]) -> None:
    other = said("new", "Which of the spare locks shall I take along, when there are 52 doors in the other house?", 20)
    old = said("old", LOCKS, 1)

    assert refs(build(old, other, *crowd), "how many crates hold our spare locks?")[0] == "old"


def test_one_name_alone_makes_no_two_turns_about_the_same(build: Build, refs: Refs, crowd: list[Document]) -> None:
    old = said("old", "Douglas and I have been a couple for 3 years.", 1)
    new = said("new", "Douglas now has 500 euros to spend in the green restaurant beside the new theatre.", 20)

    assert refs(build(old, new, *crowd), "how long have I been with Douglas?")[0] == "old"


@pytest.mark.parametrize(("question", "present"), [
    ("What is my budget?", True), ("How many crates are there", True), ("When is the webinar?", True),
    ("qual é o limite?", True), ("デプロイはいつ", True), ("What was the budget before?", False),
    ("What did the limit change from?", False), ("Who made this?", False), ("Summarize what is planned", False),
])
def test_only_questions_for_one_present_value_are_renewed(question: str, present: bool) -> None:
    assert asks_for_what_holds(question) is present
