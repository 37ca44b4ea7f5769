"""Text in pieces: where a sentence ends, and where it does not."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.graph.segments import sentences


def pieces(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("We run 1.0.21 of foo.bar now. It holds.", ["We run 1.0.21 of foo.bar now.", "It holds."]),
        ("Use e.g. Postgres, i.e. Version 15. Done.", ["Use e.g. Postgres, i.e. Version 15.", "Done."]),
        ("Dr. No met J. Smith. They left.", ["Dr. No met J. Smith.", "They left."]),
        ("Run `a. B` first. Then stop.", ["Run `a. B` first.", "Then stop."]),
        ("a sentence\nover two lines. Next", ["a sentence\nover two lines.", "Next"]),
        ("- one. Two\n- two\n  wrapped\n\n1. x\n2) y", ["one.", "Two", "two\n  wrapped", "x", "y"]),
        ("- [x] done. Yes", ["done.", "Yes"]),
        ("> quoted. Here\n> too", ["quoted.", "Here", "too"]),
        ("敬語で統一。「出す」は使う！文字は24以上", ["敬語で統一。", "「出す」は使う！", "文字は24以上"]),
        ("彼は「行く。」と言った。次。", ["彼は「行く。」", "と言った。", "次。"]),
        ("¿Qué? ¡Sí! Vale.", ["¿Qué?", "¡Sí!", "Vale."]),
        ('He said "no." Then "yes."', ['He said "no."', 'Then "yes."']),
        ("# Head\ntext. More", ["# Head", "text.", "More"]),
        ("| a. B | c |\n|---|---|", ["| a. B | c |", "|---|---|"]),
        ("Before:\n```py\na. B\n\nc. D\n```\nAfter. End", ["Before:", "```py\na. B\n\nc. D\n```", "After.", "End"]),
        ("~~~\nnever. Closed", ["~~~\nnever. Closed"]),
        ("\n \n", []),
    ],
)
def test_a_text_is_cut_into(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected


TOKENS = ("Word", "word.", "1.0.21", "End.", "`a. B`", "\n", "\n\n", "\n- ", "。", "```\n", "> ", "| x |", "!", "é")


@given(st.lists(st.sampled_from(TOKENS), max_size=25).map(" ".join))
def test_pieces_are_in_order_apart_and_leave_only_marks_between_them(text: str) -> None:
    found = sentences(text)
    between = text
    for span in reversed(found):
        between = between[: span.start] + between[span.end :]

    assert all(one.end <= two.start for one, two in pairwise(found))
    assert not between.strip(" \n\t>-")


@given(st.lists(st.sampled_from(["foo.bar", "1.0.21", "a/b.md", "x.y()", "v2.3.", "Word"]), min_size=1, max_size=10))
def test_no_identifier_is_cut(words: list[str]) -> None:
    found = pieces(" ".join(words))

    assert [word for piece in found for word in piece.split()] == words
