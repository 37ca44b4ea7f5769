"""A value was said where it stands as whole words, or where each of its words does."""

import pytest

from rhizome.consolidate.wording import stands_in


@pytest.mark.parametrize(("value", "text", "stands"), [
    ("10 MB", "at most 10MB each", True),
    ("10", "at most 10MB each", False),
    ("8", "port 8080", False),
    ("main", "the domain", False),
    ("main", "not the domain, the main one", True),
    ("a-b", "x a-bc and a-b", True),
    ("10分", "同期間隔は10分にします", True),
    ("10分", "同期間隔は110分にします", False),
    ("red or blue", "blue, or rather red", True),
    ("red or blue", "blue, rather red", False),
    ("ab", "abab ab", True),
])  # fmt: skip
def test_a_value_stands_in_a_text_as_words_and_in_no_word(value: str, text: str, stands: bool) -> None:
    assert stands is stands_in(value, text)
