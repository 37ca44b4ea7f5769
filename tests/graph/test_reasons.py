"""The grammar of `[label](other.md): why`, row by row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.graph.note import parse


def whys(text: str) -> list[tuple[str, str | None]]:
    return [(link.label, link.why) for link in parse("a/n.md", text.encode()).links]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- [a](a.md): why one\n  continues", [("a", "why one continues")]),
        ("[a](a.md): why one, [c](c.md): why two", [("a", "why one"), ("c", "why two")]),
        ("[a](a.md): see [c](c.md) first.", [("a", "see c first."), ("c", None)]),
        ("[a](a.md): x\n[b](b.md)", [("a", "x"), ("b", None)]),
        ("**[a](a.md)**: bold", [("a", "bold")]),
        ("| h | k |\n|---|---|\n| [a](a.md): in cell | z |", [("a", "in cell")]),
        ("([a](a.md): in parens) more", [("a", "in parens")]),
        ("- [x] [a](a.md) - done", [("a", "done")]),
        ("the [a](a.md) - b", [("a", None)]),
        ("[a](a.md)：原因", [("a", "原因")]),
        ("[a](a.md):12", [("a", None)]),
        ("[a](a.md): https://x/y", [("a", "https://x/y")]),
        ("[a][r]: why\n\n[r]: a.md", [("a", "why")]),
        ('[a](a.md "supports"): why', [("a", "why")]),
    ],
)
def test_a_reason_is_what_follows_the_colon(text: str, expected: list[tuple[str, str | None]]) -> None:
    found = whys(text)

    assert expected == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](a.md) : one space before", [("a", "one space before")]),
        ("[a](a.md): first  \nafter a hard break", [("a", "first")]),
        ("[a](a.md): first\\\nafter a hard break", [("a", "first")]),
        ("[a](a.md): first\n\nnext paragraph", [("a", "first")]),
        ("- [a](a.md): first\n  - nested", [("a", "first")]),
        ("> [a](a.md): quoted\n> and wrapped", [("a", "quoted and wrapped")]),
        ("> [a](a.md): lazy\ncontinuation", [("a", "lazy continuation")]),
        ("[a](a.md): x,\n**[b](b.md)**: y", [("a", "x"), ("b", "y")]),
        ("[a](a.md): x, **[b](b.md)**: y", [("a", "x"), ("b", "y")]),
        ("*[a](a.md): all of it*", [("a", "all of it")]),
        ("**[a](a.md): all of it**", [("a", "all of it")]),
        ("[a](a.md): see `x: y` and *this*", [("a", "see x: y and this")]),
        ("([a](a.md): with (inner) ones)", [("a", "with (inner) ones")]),
        ("[a](a.md): step 1) first", [("a", "step 1) first")]),
        ("（[a](a.md)：理由）続き", [("a", "理由")]),
        ("「[a](a.md)」：理由", [("a", "理由")]),
        ("- [a](a.md) – because", [("a", "because")]),
        ("- [a](a.md) — because, [b](b.md) too", [("a", "because, b too"), ("b", None)]),
        ("1. **[a](a.md)** - because", [("a", "because")]),
        ("- see [a](a.md) - b", [("a", None)]),
        ("- [a](a.md)-b", [("a", None)]),
        ("- x\n\n  [a](a.md) - second paragraph", [("a", None)]),
        ("[[a]]: read, never written", [("a", "read, never written")]),
        ("- [[a|label]] - dash", [("label", "dash")]),
        ("[a](a.md): with [^1] note\n\n[^1]: text", [("a", "with note")]),
        ("[![pic](i.png)](a.md): shown", [("pic", "shown"), ("pic", None)]),
        ("![a](a.md): an image has none", [("a", None)]),
        ("# [a](a.md): in a heading", [("a", "in a heading")]),
        ("[two\nlines](a.md): why\nwrapped", [("two lines", "why wrapped")]),
        ("[a](a.md):\n[b](b.md): x", [("a", None), ("b", "x")]),
    ],
)
def test_a_reason_ends_where_its_sentence_does(text: str, expected: list[tuple[str, str | None]]) -> None:
    found = whys(text)

    assert expected == found


def test_a_link_inside_a_reason_names_the_edge_it_stands_in() -> None:
    links = parse("n.md", b"[z](z.md) then [a](a.md): see [c](c.md) first, [d](d.md): other").links

    assert [link.within for link in links] == [None, None, 1, None]


def test_the_title_of_a_link_is_its_relation() -> None:
    (link,) = parse("n.md", b'[a](a.md "supports"): why').links

    assert (link.rel, link.why) == ("supports", "why")


def test_a_reason_is_kept_plain_and_as_written() -> None:
    (link,) = parse("n.md", b"- [a](a.md): *very*\n  `x`").links

    assert (link.why, link.why_md) == ("very x", "*very*\n`x`")


def test_a_colon_with_nothing_after_it_is_reported() -> None:
    note = parse("n.md", b"see [a](a.md):\n\n    code")

    assert [link.why for link in note.links] == [None]
    assert [finding.code for finding in note.findings] == ["empty-reason"]


letters = st.text(st.sampled_from("abc xyzé原"), min_size=1, max_size=20)
words = letters.map(lambda text: " ".join(text.split())).filter(bool)


@given(st.lists(st.tuples(words, words), min_size=1, max_size=5))
def test_what_is_written_as_a_list_of_reasons_is_read_back(pairs: list[tuple[str, str]]) -> None:
    text = "\n".join(f"- [{label}](x.md): {why}" for label, why in pairs)

    assert pairs == whys(text)
