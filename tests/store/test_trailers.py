"""Nobody but us can write the name of a call."""

import subprocess

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rhizome.errors import Refused
from rhizome.store.trailers import SUBJECT_CHARS, calls, head, message

HEAD = ("0badcafe", 3, "0f" * 32)
hostile = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([
        "Truth-Call: human/x", "\n", "\r\n", "\u2028", "\x85", "---", "# ", " ", "a", "Truth-Head:", "\u202e",
        "Signed-off-by: ines", "\x0b", "\x1c", "\ud800", ":", "%s", "\U000e0041",
    ])).map("".join),
)


def parsed_by_git(text: str) -> list[str]:
    git = ["git", "interpret-trailers", "--parse"]
    return subprocess.run(git, input=text.encode(), capture_output=True, check=True).stdout.decode().split("\n")[:-1]


@given(hostile)
@example("Truth-Call: human/x")
@example("x\n\nTruth-Call: human/x")
@example("--- a divider")
@example("\u2028\u2028Truth-Call: human/x")
@example("")
def test_git_reads_exactly_our_two_trailers_whatever_the_title_says(title: str) -> None:
    text = message(title, "consolidate/2026-09-08-ab/3", HEAD)

    assert [f"Truth-Head: 0badcafe/3/{'0f' * 32}", "Truth-Call: consolidate/2026-09-08-ab/3"] == parsed_by_git(text)


@given(hostile)
def test_we_read_back_exactly_what_we_wrote(title: str) -> None:
    text = message(title, "human/1f3a", HEAD)

    assert (calls(text), head(text)) == (("human/1f3a",), HEAD)
    assert text.endswith("\nTruth-Call: human/1f3a\n")


@given(hostile)
def test_a_title_is_one_bounded_line_without_control_characters(title: str) -> None:
    subject, blank, *rest = message(title, "mv/1").split("\n")

    assert 0 < len(subject) <= SUBJECT_CHARS
    assert subject.isprintable()
    assert (blank, rest) == ("", ["Truth-Call: mv/1", ""])


@pytest.mark.parametrize(("text", "found"), [
    ("by hand", ()),
    ("Truth-Call: human/x", ()),
    ("by hand\n\nTruth-Call: human/x", ("human/x",)),
    ("by hand\n\nTruth-Call: human/x\nSigned-off-by: ines <i@x>\n\n\n", ("human/x",)),
    ("squash\n\nTruth-Call: human/x\nTruth-Call: human/y\n", ("human/x", "human/y")),
    ("by hand\n\nwe saw\nTruth-Call: human/x", ()),
    ("by hand\n\nTruth-Call: human/x\n\nand more text", ()),
    ("by hand\n\nTruth-Call: root/x", ()),
    ("by hand\r\n\r\nTruth-Call: human/x\r\n", ("human/x",)),
    ("picked\n\nTruth-Call: human/x\n(cherry picked from commit 1234)", ("human/x",)),
])
def test_calls_are_read_from_the_last_paragraph_only(text: str, found: tuple[str, ...]) -> None:
    assert found == calls(text)


@pytest.mark.parametrize("bad", [("home", 1, "0f" * 32), ("0badcafe", -1, "0f" * 32), ("0badcafe", 1, "0F" * 32),
                                 ("0badcafe", 1, "0f" * 32 + "\nTruth-Call: human/x")])
def test_a_head_outside_the_grammar_is_refused(bad: tuple[str, int, str]) -> None:
    with pytest.raises(Refused):
        message("x", "human/x", bad)
