"""In a conversation of several people, what one is asked about counts more from their own mouth."""

from collections.abc import Callable
from typing import Any

import pytest

from rhizome.model import Found
from rhizome.search.documents import Document
from rhizome.search.engine import SearchEngine

Build = Callable[..., SearchEngine]
Ask = Callable[..., Any]

SAID = [
    ("Ines", "I moved the crates to the harbour in spring."), ("Bo", "I moved the crates to the attic in spring."),
    *((name, f"Day {n} was long, and the weather was fine again.") for n in range(5) for name in ("Ines", "Bo")),
]


def turns(*, named: bool) -> list[Document]:
    return [
        Document(id=f"event:{n}", layer="history", ref=f"e{n}", role="human", session=f"s{n}", scope="chat",
                 text=text if named else f"{name}: {text}", speaker=name if named else None)
        for n, (name, text) in enumerate(SAID)
    ]


@pytest.mark.parametrize("named", [True, False])
def test_who_is_asked_about_comes_first(build: Build, ask: Ask, named: bool) -> None:
    store = build(*turns(named=named))

    assert ask(store, "where did Bo move the crates").hits[0].ref == "e1"
    assert ask(store, "where did Ines move the crates").hits[0].ref == "e0"


def test_who_says_it_is_no_evidence_that_it_is_an_answer(build: Build, ask: Ask) -> None:
    bo, ines = ask(build(*turns(named=True)), "where did Bo move the crates").hits[:2]

    assert bo.score > ines.score
    assert bo.parts["evidence"] == ines.parts["evidence"]


def test_what_another_said_is_flagged_on_its_receipt(build: Build, ask: Ask) -> None:
    answer = ask(build(*turns(named=True)), "where did Bo move the crates")

    assert isinstance(answer, Found)
    assert {hit.ref: hit.receipt.subject for hit in answer.hits[:2]} == {
        "e1": None, "e0": "said by Ines, asked about bo"}


def test_two_names_in_a_question_flag_nothing(build: Build, ask: Ask) -> None:
    answer = ask(build(*turns(named=True)), "did Bo or Ines move the crates")

    assert all(hit.receipt.subject is None for hit in answer.hits)
