"""What holds for any text: quotes are verbatim, tools stay mute, and the time it takes is bounded."""

import importlib.util
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.config import DRAFTS_PER_TURN
from rhizome.consolidate.distill import NOTHING_KNOWN
from rhizome.consolidate.rules import Rules
from rhizome.consolidate.rules.prose import own_words, sentences
from rhizome.model import Draft, Message, Origin, Part, Turn

_spec = importlib.util.spec_from_file_location("rules_sentences_for_laws", Path(__file__).with_name("sentences.py"))
assert _spec is not None and _spec.loader is not None
TABLE = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(TABLE)

STATEMENTS = [row[1] for row in TABLE.STATES]
texts = st.lists(st.one_of(st.sampled_from(STATEMENTS), st.text(max_size=40)), min_size=1, max_size=6).map(
    "\n".join
)


def turn(
    text: str, part: Part = Part.SAID, origin: str = Origin.HUMAN, flags: frozenset[str] = frozenset()
) -> Turn:
    said = Message("e" * 32, part, origin, text, flags=flags)
    return Turn(said.event, "s", "paperboat", (said,), closed=True)


def distil(*turns: Turn) -> list[Draft]:
    return Rules().distill(turns, NOTHING_KNOWN)


@given(texts)
def test_every_quote_is_verbatim_and_holds_the_value_as_the_statement_does(text: str) -> None:
    for draft in distil(turn(text)):
        assert draft.quote in text
        assert draft.value in draft.quote
        assert draft.value.casefold() in draft.statement.casefold()
        assert "\n" not in draft.statement


@given(texts)
def test_a_turn_never_gives_more_than_the_limit_nor_one_key_twice(text: str) -> None:
    keys = [(draft.scope, draft.subject, draft.attribute) for draft in distil(turn(text))]

    assert len(keys) <= DRAFTS_PER_TURN
    assert len(keys) == len(set(keys))


@given(texts, st.sampled_from(["tool", "harness", "memory", "peer:bo"]))
def test_only_people_and_models_are_read(text: str, origin: str) -> None:
    assert [] == distil(turn(text, origin=origin))


@given(
    texts,
    st.sampled_from(["mirror", "meta", "summary", "aborted", "rolled_back", "rewound", "abandoned", "replay"]),
)
def test_what_the_session_took_back_is_not_read(text: str, flag: str) -> None:
    assert [] == distil(turn(text, flags=frozenset({flag})))


@given(st.sampled_from(STATEMENTS))
def test_a_statement_in_a_fence_a_quoted_line_or_a_pasted_block_is_not_the_speakers(text: str) -> None:
    quoted = "\n".join(f"> {line}" for line in text.split("\n"))

    assert [] == distil(turn(f"```\n{text}\n```"))
    assert [] == distil(turn(quoted))
    assert [] == distil(turn(f"<document>\n{text}\n</document>"))


@given(st.sampled_from(STATEMENTS))
def test_a_statement_between_quotation_marks_is_not_the_speakers(text: str) -> None:
    if not any(mark in text for mark in '"“”\n') and len(text.split()) > 2:
        assert [] == distil(turn(f"The comment in the file is “{text}”"))


@given(st.text(max_size=300))
def test_sentences_stand_where_they_say(text: str) -> None:
    own = own_words(text)

    for sentence in sentences(own):
        assert own[sentence.start : sentence.end] == sentence.text


@given(st.sampled_from(STATEMENTS), st.sampled_from(STATEMENTS))
def test_another_project_never_changes_what_this_one_says(one: str, other: str) -> None:
    here = turn(one)
    elsewhere = Turn("f" * 32, "t", "lantern", (Message("f" * 32, Part.SAID, Origin.HUMAN, other),), closed=True)

    assert distil(here) == [draft for draft in distil(elsewhere, here) if draft.event == here.id]


@pytest.mark.parametrize(
    "unit",
    ["a", "1.", "the port ", "`", "(((", "not or and ", '"', "は", "x/", "- a: b\n", "1:2 ", "<a>", "_", "、から"],
)
def test_a_long_text_of_anything_is_read_in_bounded_time(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    before = time.process_time()

    distil(turn(text), turn(text, origin=Origin.MODEL))

    assert time.process_time() - before < 2
