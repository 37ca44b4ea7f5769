"""What somebody searches the log for is found in time that the text's length bounds, whatever the pattern."""

import re
import time

import pytest

from rhizome.errors import Refused
from rhizome.memory.grep import finder
from tests.memory.living import Living


def lines(memory: Living, pattern: str) -> list[str]:
    return [row["line"] for row in memory.memory.grep_log(pattern=pattern, kind="session")["events"]]


def test_a_pattern_is_found_in_any_case_and_shown_with_its_line(memory: Living) -> None:
    memory.hears("First a line.\nThe Gauge reads 42 mm.\nThen another.")

    assert lines(memory, r"gauge reads \d+") == lines(memory, "^the gauge") == ["The Gauge reads 42 mm."]
    assert lines(memory, r"gauge\.$") == []


def test_what_goes_over_lines_is_shown_with_the_first_of_its_text(memory: Living) -> None:
    memory.hears("First a line.\nThe gauge reads 42 mm.\nThen another.")

    assert lines(memory, r"mm\.\sthen") == ["First a line."]


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|aa)+$", r"a*a*a*a*a*a*b", r"(.*a){12}b", r"(\w+\s?)*$!"])
def test_a_pattern_that_other_engines_never_finish_is_answered(memory: Living, pattern: str) -> None:
    memory.hears("a" * 20_000 + "c")
    began = time.process_time()

    assert lines(memory, pattern) == []
    assert time.process_time() - began < 5


@pytest.mark.parametrize("pattern", ["(", "[", "*", r"(?=a)b", r"(a)\1", "(a{1000}){1000}"])
def test_a_pattern_that_cannot_be_searched_for_is_refused_by_what_is_wrong(memory: Living, pattern: str) -> None:
    with pytest.raises(Refused, match=re.escape(f"{pattern}: not a regular expression (") + r"[A-Za-z].+\)$"):
        lines(memory, pattern)


def test_half_a_letter_in_a_text_hides_nothing_of_it() -> None:
    assert finder("the rest")("cut \ud83d off, and the rest")
