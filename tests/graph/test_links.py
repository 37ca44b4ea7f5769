"""Which characters in a note are a link, where it stands, and what it asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.graph.note import parse


def found(text: str) -> list[tuple[str, str, str]]:
    return [(link.kind, link.path, link.anchor) for link in parse("n.md", text.encode()).links]


def codes(text: str) -> list[str]:
    return [finding.code for finding in parse("n.md", text.encode()).findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](b.md)", ("link", "b.md", "")),
        ("[a](/x/b.md)", ("link", "/x/b.md", "")),
        ("[a](<my note.md>)", ("link", "my note.md", "")),
        ("[a](my%20note.md)", ("link", "my note.md", "")),
        ("[a](<my note (v2).md>): r", ("link", "my note (v2).md", "")),
        ("[a](my_(v2)_(x).md)", ("link", "my_(v2)_(x).md", "")),
        ("[a](100%.md)", ("link", "100%.md", "")),
        ("[a](a%2520b.md)", ("link", "a%20b.md", "")),
        ("[a](café.md)", ("link", "café.md", "")),
        ("[a](caf%C3%A9.md)", ("link", "café.md", "")),
        ("[a](b.md?plain=1#h)", ("link", "b.md?plain=1", "h")),
        ("[a](b.md#%E4%B8%AD%E6%96%87)", ("link", "b.md", "中文")),
        ("[a](<b.md#h>)", ("link", "b.md", "h")),
        ("[a](#h)", ("anchor", "", "h")),
        ("[a](b.md#^block)", ("link", "b.md", "^block")),
        ("[a][x]\n\n[x]: b.md 't'", ("link", "b.md", "")),
        ("[a]\n\n[a]: <b c.md>", ("link", "b c.md", "")),
        ("[[b]](c.md)", ("link", "c.md", "")),
        ("[[b]]", ("wiki", "b", "")),
        ("[[b#h|a]]", ("wiki", "b", "h")),
        ("[[my%20note]]", ("wiki", "my%20note", "")),
        ("[[odd] one]]", ("wiki", "odd] one", "")),
        ("[[#h]]", ("anchor", "", "h")),
        ("![[b]]", ("embed", "b", "")),
        ("![a](b.md)", ("embed", "b.md", "")),
        ("[x [a](b.md) y](c.md)", ("link", "b.md", "")),
        ('<a class="x" href="b.md">B</a>', ("html", "b.md", "")),
        ('<p>\n<a href="b.md">B</a>\n</p>', ("html", "b.md", "")),
        ("<details>\n\n[a](b.md)\n\n</details>", ("link", "b.md", "")),
        ("<https://x.org/y>", ("external", "https://x.org/y", "")),
        ("[a](https://x.org/y#z)", ("external", "https://x.org/y#z", "")),
        ("[a](//x.org/y)", ("external", "//x.org/y", "")),
        ("[a](mailto:ines@example.org)", ("external", "mailto:ines@example.org", "")),
        ("[a](report.pdf)", ("file", "report.pdf", "")),
        ("[a]({{x}})", ("template", "{{x}}", "")),
        ("| [[a\\|b]] | c |\n|---|---|", ("wiki", "a", "")),
    ],
)
def test_a_link_asks_for(text: str, expected: tuple[str, str, str]) -> None:
    assert [expected] == found(text)


@pytest.mark.parametrize(
    "text",
    [
        "`[a](b.md)` and ``[[b]]``",
        "```\n[a](b.md)\n```",
        "~~~~\n[[b]]\n~~~\n[a](b.md)\n~~~~",
        "```\nnever closed [a](b.md)",
        "    [a](b.md)\n    [[b]]",
        "- item\n\n  ```\n  [a](b.md)\n  ```",
        "```bash\nif [[ -f x ]]; then [[:space:]]; fi\n```",
        '```mermaid\nN[["x"]] --> M[["y"]]\n```',
        "<!-- [a](b.md) [[b]] -->",
        "text <!-- [a](b.md) --> text",
        "<!-- never closed\n\n[a](b.md)",
        "---\nup: '[a](b.md)'\nparent: '[[b]]'\n---\ntext",
        "[^1]: b.md\n\ntext[^1]",
        "b.md and <b.md>",
        "$f[x](y)$",
        "\\[a](b.md)",
        "[a] (b.md)",
        "[[]]",
    ],
)
def test_what_only_looks_like_a_link_makes_no_edge(text: str) -> None:
    assert found(text) == []


def test_money_is_no_formula() -> None:
    assert found("$5 for [a](b) or $6") == [("link", "b", "")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[a](my note.md)", "space-in-destination"),
        ("[a](javascript:alert)", "refused-scheme"),
        ("[a](file:///etc/passwd)", "refused-scheme"),
        ("[a](C:\\x\\b.md)", "windows-path"),
        ("text\n\n<!-- open\n\nlost", "unclosed-comment"),
        ("<div>\n[a](b.md)\n</div>", "link-in-html-block"),
        ("[r]: why", "looks-like-a-link"),
    ],
)
def test_an_author_is_told_about(text: str, code: str) -> None:
    assert [code] == codes(text)


@pytest.mark.parametrize(
    "text", ['[a](b.md "a title")', "[r]: b.md", "<!-- closed -->", "`[a](my note.md)`", "[a](x y)"]
)
def test_an_author_is_not_bothered_about(text: str) -> None:
    assert codes(text) == []


def test_a_link_says_the_line_column_and_heading_it_stands_at() -> None:
    text = "---\ntitle: T\n---\n# One\n\ntext\n> wrapped\n> see [a](a.md)\n\n"
    text += "## Two\n\n| x | [b](b.md) |\n|---|---|\n- é [c](c.md)\n"
    links = parse("n.md", text.replace("\n", "\r\n").encode()).links

    assert [
        (link.label, link.line, link.col, link.heading) for link in links
    ] == [("a", 8, 7, "One"), ("b", 12, 7, "Two"), ("c", 14, 5, "Two")]


def test_the_same_target_twice_is_two_edges() -> None:
    links = parse("n.md", b"[a](b.md): one\n\n[a](b.md): two").links

    assert [(link.ordinal, link.line, link.why) for link in links] == [(0, 1, "one"), (1, 3, "two")]


PIECES = ("[a](b.md): why", "[[c]]", "# h", "```", "> q", "- i", "", "    x", "<div>", "text")


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_a_link_is_where_its_line_and_column_say(pieces: list[str]) -> None:
    lines = "\n".join(pieces).split("\n")
    links = parse("n.md", "\n".join(pieces).encode()).links

    assert all(lines[link.line - 1][link.col - 1 :].startswith(("[a](b.md)", "[[c]]")) for link in links)
