"""A quote is what an event really contains, and whose words it is there."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.consolidate.quotes import borrowed, find


@pytest.mark.parametrize(("quote", "text", "found"), [
    ("we ship from main", "Today we ship from main.", "we ship from main"),
    ("we ship from main", "Today we  ship\n  from main.", "we  ship\n  from main"),
    ("we ship from main", "We ship from main.", None),
    ("ship", "we ship from main", None),
    ("ship it", "  ship it\n", "ship it"),
    ("同期間隔は10分にします", "では、同期間隔は10分にします。", "同期間隔は10分にします"),
    (unicodedata.normalize("NFD", "Responda em português"), "Responda em português, sempre", "Responda em português"),
    ("a.c+ (x) [y] ok?", "see a.c+ (x) [y] ok? yes", "a.c+ (x) [y] ok?"),
    ("   ", "   ", None),
])
def test_white_space_and_composition_are_all_that_may_differ(quote: str, text: str, found: str | None) -> None:
    place = find(quote, text)

    assert (place and place.text) == found


@given(st.text(), st.text(min_size=12), st.text())
def test_what_stands_in_a_text_is_found_at_its_offsets(before: str, quote: str, after: str) -> None:
    text = unicodedata.normalize("NFC", f"{before} {quote} {after}")
    place = find(quote, text)

    if len(" ".join(quote.split())) >= 12:
        assert place is not None
        assert text[place.start:place.end] == place.text
        assert place.text.split() == unicodedata.normalize("NFC", quote).split()


@pytest.mark.parametrize(("text", "is_borrowed"), [
    ("they wrote:\n```\nwe ship from main\n```\nok", True),
    ("~~~md\nwe ship from main\n~~~", True),
    ("````\n```\nwe ship from main\n````\n", True),
    ("```\nwe ship from main", True),
    ("> we ship from main", True),
    ("he says\n  > we ship from main\nno", True),
    ("```\nother\n```\nwe ship from main", False),
    ("> other\nwe ship from main", False),
    ("use `make`: we ship from main", False),
    ("> we ship from main\n\nYes: we ship from main", False),
    ("5 > 3, and we ship from main", False),
])
def test_words_in_a_fence_or_a_quoted_line_are_somebody_elses(text: str, is_borrowed: bool) -> None:
    place = find("we ship from main", text)

    assert place is not None
    assert place.borrowed == is_borrowed


@given(st.text(alphabet="`~> a\n", max_size=60))
def test_borrowed_stretches_are_in_order_and_apart(text: str) -> None:
    ends = [end for stretch in borrowed(text) for end in stretch]

    assert ends == sorted(ends)
    assert all(0 <= end <= len(text) for end in ends)
