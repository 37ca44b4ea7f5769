"""How common a word is in general tells a slip of the fingers from a word, and a subject from small talk."""

from typing import Any

import pytest

from rhizome.model import Found, InsufficientEvidence
from rhizome.search.embedder import StaticEmbedder
from rhizome.search.question import telling

NOTES = (
    ("bike.md", "The bike needs an oil change each 5000 km."),
    ("welcome.md", "Links say why. Aliases make a note findable by words it does not use."),
    ("client.md", "The client retries three times, with attempts=3 and base=2.0."),
    ("tiers.md", "Amber never leaves this machine. Tell me next time."),
)


@pytest.fixture
def engine(build: Any, note: Any) -> Any:
    return build(*(note(*each, title="x") for each in NOTES), embedder=StaticEmbedder())


@pytest.mark.parametrize("query", ["how do I bake bread", "bake"])
def test_a_word_that_people_write_so_is_no_slip_for_another(engine: Any, ask: Any, query: str) -> None:
    assert isinstance(ask(engine, query), InsufficientEvidence)


def test_small_talk_is_little_of_a_question(engine: Any, ask: Any) -> None:
    answer = ask(engine, "next time ferry")

    found = {hit.ref: hit.parts["coverage"] for hit in (answer.hits if isinstance(answer, Found) else answer.nearest)}
    assert found["tiers.md:1"] < 0.3  # two of three words, and no other note has them


@pytest.mark.parametrize("query", ["clinet retries", "how does the client handle retries", "findabel alias"])
def test_a_slip_is_still_forgiven_and_a_rare_word_says_much(engine: Any, ask: Any, query: str) -> None:
    assert isinstance(ask(engine, query), Found)


def test_the_rarer_a_word_is_the_more_it_tells() -> None:
    common = StaticEmbedder().common
    said = [telling(common(word)) for word in ("last", "leave", "handle", "ferry", "xyzzyq")]

    assert said == sorted(said)
    assert (said[0] < 0.4, said[-1]) == (True, 1.0)
