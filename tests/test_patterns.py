"""A pattern that is compiled late is the pattern."""

import re
from typing import Any

import pytest

from rhizome.patterns import late


def test_it_finds_what_the_pattern_finds() -> None:
    pattern = late(r"b+", re.IGNORECASE)

    assert ["b", "BB"] == pattern.findall("ab aBB")
    assert "a- a-" == pattern.sub("-", "ab aBB")
    assert pattern.search("xyz") is None


def test_it_is_compiled_at_its_first_use_and_once() -> None:
    broken: Any = late("(")
    pattern = late("b")

    with pytest.raises(re.error):
        broken.search("x")
    assert pattern.search("b")
    assert pattern.search is pattern.search
