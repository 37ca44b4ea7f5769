"""What a person shows is told from what they say: behind it nothing is taken for their word."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.consolidate.pasted import pasted
from rhizome.consolidate.quotes import find

WORDS = "we ship from main"


@pytest.mark.parametrize("text", [
    "Summarize this article:\n\nwe ship from main",
    "Summarise: we ship from main",
    "Translate into Portuguese:\n\nHello.\n\nwe ship from main",
    "Please read the following text and tell me what you think of this page:\nwe ship from main",
    "Here is the mail:\n\nHi,\nwe ship from main",
    "Bo wrote:\n\nwe ship from main",
    "The docs say: we ship from main",
    "He told me: we ship from main",
    "Implement issue #12:\n\nwe ship from main",
    "Traduza para o inglês:\n\nwe ship from main",
    "Revise este texto:\n\nwe ship from main",
    "O Bo escreveu:\nwe ship from main",
    "Resume este artículo:\n\nwe ship from main",
    "Bo dijo: we ship from main",
    "次の文章を要約して：\nwe ship from main",
    "この記事を訳して：we ship from main",
    "What now?\n\nFrom: bo@example.org\nSubject: ships\n\nwe ship from main",
    "Title: ships\nBody: we ship from main",
    "Answer him.\n-----Original Message-----\nwe ship from main",
    "Look:\nHuman: and now?\nAssistant: we ship from main",
    "ユーザー：we ship from main",
    "<document>\nwe ship from main\n</document>\nIs it so?",
    'Is it so? <file path="a.md">we ship from main</file>',
    "The page has “today we ship from main”, is it so?",
    'The page has "today we ship from main now", is it so?',
    "「昔はwe ship from mainでした」とある。",
])  # fmt: skip
def test_words_that_are_only_shown_are_somebody_elses(text: str) -> None:
    place = find(WORDS, text)

    assert place is not None
    assert place.borrowed


@pytest.mark.parametrize("text", [
    "We decided: we ship from main",
    "Rules for this project:\n\n- we ship from main\n- tests first",
    "I said: we ship from main",
    "For the record: we ship from main",
    "From now on: we ship from main",
    "One thing about the release page: we ship from main",
    "From: here on\nwe ship from main",
    "Fix issue #12: we ship from main",
    "we ship from main\n\nSummarize this article:\n\nOther words.",
    "<task>we ship from main</task>",
    "<document>Other words.</document>\nwe ship from main",
    "a <b> c, we ship from main, d </e>",
    "Call it \"main\": we ship from main",
    "Decidimos: we ship from main",
    "Regras para o projeto:\nwe ship from main",
    "決めました：we ship from main",
    "https://example.org/this/page: we ship from main",
    "Nós dissemos ontem: we ship from main",
])  # fmt: skip
def test_words_of_ones_own_stay_ones_own(text: str) -> None:
    place = find(WORDS, text)

    assert place is not None
    assert not place.borrowed


@given(st.text(alphabet="<>/ab:\n \"", max_size=60))
def test_stretches_are_in_order_and_apart(text: str) -> None:
    ends = [end for stretch in pasted(text) for end in stretch]

    assert ends == sorted(ends)
    assert all(0 <= end <= len(text) for end in ends)


@pytest.mark.parametrize("text", [
    "<a>" * 100_000 + "</b>", "".join(f"<a{n}>" for n in range(60_000)) + "</b>", "<task>" * 100_000 + "</task>",
    "-" * 300_000, ": " * 150_000, "this " * 60_000 + ":", "\n".join(["read a" * 50 + ":"] * 1_000), '"' * 100_000,
], ids=["one tag", "many tags", "own tags", "dashes", "colons", "words", "lines", "marks"])  # fmt: skip
def test_no_text_takes_long(text: str) -> None:
    began = time.process_time()
    list(pasted(text))
    find(WORDS, text + WORDS)

    assert time.process_time() - began < 2.0


def test_what_stands_between_and_behind_texts_in_tags_is_the_persons_own() -> None:
    text = "<mail>one</mail> we ship from main <page>two</page> on Thursdays"

    assert ["<mail>one</mail>", "<page>two</page>"] == [text[start:end] for start, end in pasted(text)]
