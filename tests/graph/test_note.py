"""Parsing a note never fails, whatever the bytes, and never takes long."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.graph.note import parse


def text_of(data: bytes) -> str:
    return "\n".join("\n".join((*part.heading[-1:], part.text)) for part in parse("n.md", data).sections)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_note(data: bytes) -> None:
    note = parse("x/n.md", data)

    assert note.path == "x/n.md"
    assert note.title


markdown = st.text(st.sampled_from("[]()<>`*_~#-:|!\\\n \t^$&;.axé原\ufeff\r\0{}=+\"'"), max_size=80)


@given(markdown)
def test_any_markdown_is_a_note_whose_lines_exist(text: str) -> None:
    note = parse("n.md", text.encode())
    count = len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    assert all(1 <= link.line <= count and link.col >= 1 for link in note.links)
    assert all(1 <= part.line <= part.text_line <= count + 1 for part in note.sections)
    assert all(1 <= finding.line <= count for finding in note.findings)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Front\n---\n# Head", "Front"),
        ("## Two\n\n# One *bold*", "One bold"),
        ("text\n===\nmore", "text"),
        ("```\n# code\n```", "deploy notes"),
        ("#\n\ntext", "deploy notes"),
        ("", "deploy notes"),
    ],
)
def test_the_title_is_the_front_matters_the_first_headings_or_the_files(text: str, title: str) -> None:
    assert parse("ops/deploy notes.md", text.encode()).title == title


def test_bytes_that_are_no_utf8_are_read_and_reported_where_they_stand() -> None:
    note = parse("n.md", b"fine\nbad \xff byte\n")

    assert "bad \ufffd byte" in text_of(b"fine\nbad \xff byte\n")
    assert [(finding.line, finding.code) for finding in note.findings] == [(2, "not-utf-8")]


def test_a_line_separator_of_unicode_ends_no_line() -> None:
    (link,) = parse("n.md", "a\u2028b\u0085c\n[x](y.md)".encode()).links

    assert link.line == 2


def test_a_note_over_the_cap_still_has_its_sections_and_links() -> None:
    filler = "word " * 60_000
    text = f"# A\n\n{filler}\n\n```\n[no](no.md)\n```\n\n- **[a](<b c.md>)**: why\n[[w|l]] `[x](y.md)`"
    note = parse("n.md", text.encode())

    assert [(link.path, link.why, link.heading) for link in note.links] == [("b c.md", "why", "A"), ("w", None, "A")]
    assert [finding.code for finding in note.findings] == ["note-too-large"]


def test_a_paragraph_with_too_many_brackets_is_read_line_by_line() -> None:
    note = parse("n.md", b"[" * 3_000 + b"\n[a](b.md): why\n\n[c](d.md)")

    assert [(link.path, link.why) for link in note.links] == [("b.md", "why"), ("d.md", None)]
    assert "too-many-brackets" in [finding.code for finding in note.findings]


BRACKETS = ("[", "![", "[[", "[a](", "`", "*a _b", "> ", "- ", "<a ", "<!-- ", "[^", "(", "[a](<", "\t", "[[a|", "[a][")
LINES = (
    "[a](b): x ", "&a", "[a]: b\n", "$a", "# [a](b)\n", '[a](b "', "~~a ", "```\n", "---\n", "a:: b\n",
    "|[a](b)|\n", "\\",
)  # fmt: skip


@pytest.mark.parametrize(
    ("piece", "size"), [*((each, 200_000) for each in BRACKETS), *((each, 20_000) for each in LINES)]
)
def test_hostile_input_costs_at_most_a_few_seconds(piece: str, size: int) -> None:
    data = (piece * (size // len(piece)) + "\n\n[a](b.md): why").encode()
    started = process_time()
    parse("n.md", data)

    assert process_time() - started < 10  # ten times what any takes; a quadratic one takes longer


@pytest.mark.parametrize("indent", ["  ", ">"])
def test_deep_nesting_costs_at_most_a_few_seconds(indent: str) -> None:
    data = "\n".join(indent * depth + "- a" for depth in range(350)).encode() + b"\n\n[a](b.md)"
    started = process_time()
    parse("n.md", data)

    assert process_time() - started < 10
