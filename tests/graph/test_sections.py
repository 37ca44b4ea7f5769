"""Where sections begin; the scanner agrees with the Markdown parser."""

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rhizome.graph.note import parse
from rhizome.graph.sections import outline

PIECES = (
    "# a", "## b c ##", "para", "more text", "", "", "---", "===", "- item", "  - sub", "1. one", "```", "~~~",
    "    code", "> q", "  cont", "<!-- c", "c -->", "<div>", "</div>", "#no", "* * *", "```py", "  # in", "   ## three",
    "- ```", "+ # x", "````",
)  # fmt: skip


def headings(text: str) -> list[tuple[int, int]]:
    tokens = MarkdownIt("commonmark").parse(text)
    opening = (each for each in tokens if each.type == "heading_open" and not each.level)
    return [(int(each.tag[1]), each.map[0]) for each in opening if each.map]


@given(st.lists(st.sampled_from(PIECES), max_size=8))
def test_the_scanner_finds_the_headings_that_the_parser_finds(pieces: list[str]) -> None:
    text = "\n".join(pieces)

    assert headings(text) == [(heading.level, heading.start) for heading in outline(text.split("\n"))]


def test_a_section_has_the_path_of_headings_down_to_it() -> None:
    note = parse("n.md", b"lead\n# A\none\n### C\nthree\n## B\ntwo\n")

    expected = [((), 1), (("A",), 2), (("A", "C"), 4), (("A", "B"), 6)]
    assert expected == [(part.heading, part.line) for part in note.sections]


def test_the_text_of_a_section_starts_at_its_text_line() -> None:
    text = "---\ntitle: t\n---\nlead\n\nSetext\nheading\n===\nunder\n## B\ntwo"
    lines = text.split("\n")

    for part in parse("n.md", text.encode()).sections:
        assert lines[part.text_line - 1] == part.text.split("\n")[0]


@given(st.lists(st.sampled_from(PIECES), max_size=8))
def test_no_line_of_the_body_is_lost_between_sections(pieces: list[str]) -> None:
    text = "\n".join(["lead", *pieces])
    parts = parse("n.md", text.encode()).sections
    kept = {part.text_line + offset for part in parts for offset in range(part.text.count("\n") + 1)}
    headed = {line for part in parts for line in range(part.line, part.text_line)}

    assert {number for number, line in enumerate(text.split("\n"), 1) if line.strip()} <= kept | headed


def test_a_heading_is_read_as_a_reader_sees_it() -> None:
    (part,) = parse("n.md", b"## The [`deploy`](d.md) *branch* and snake_case ##").sections

    assert part.heading == ("The deploy branch and snake_case",)
