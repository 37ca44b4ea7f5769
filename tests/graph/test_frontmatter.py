"""Front matter in all its variants: five keys read as text, and no word of the note ever lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.graph.frontmatter import FrontMatter, read
from rhizome.graph.note import parse


def head(text: str) -> FrontMatter:
    return read("n.md", text.split("\n"))


def body(text: str | bytes) -> str:
    data = text.encode() if isinstance(text, str) else text
    return "\n".join("\n".join((*part.heading[-1:], part.text)) for part in parse("n.md", data).sections)


def codes(text: str) -> list[str]:
    return [finding.code for finding in parse("n.md", text.encode()).findings]


def test_the_five_keys_are_read() -> None:
    text = "title: T\naliases: [ship, release]\ntags: a b, #c\ntier: Amber\nderived: 0123456789ab\nx: y"
    found = head(f"---\n{text}\n---\nbody")

    assert (found.title, found.aliases, found.tags) == ("T", ("ship", "release"), ("a", "b", "c"))
    assert (found.tier, found.derived, found.lines, found.findings) == ("amber", "0123456789ab", 8, ())


@pytest.mark.parametrize(
    ("text", "aliases"),
    [
        ("aliases: [no, 0123, 12:30, 1.10, 2024-01-02, true]", ("no", "0123", "12:30", "1.10", "2024-01-02", "true")),
        ("aliases: foo, bar baz", ("foo", "bar baz")),
        ("aliases:", ()),
        ("aliases: ~", ()),
        ("alias: one name", ("one name",)),
        ("aliases:\n- a\n- 'b: c'", ("a", "b: c")),
        ("aliases: [a, a, ' b  c ']", ("a", "b c")),
        ("aliases: [[Foo]]", ()),
        ("a: &x [b, c]\naliases: *x", ("b", "c")),
        ('"aliases": q', ("q",)),
    ],
)
def test_aliases_are_read_as_they_are_written(text: str, aliases: tuple[str, ...]) -> None:
    assert head(f"---\n{text}\n---\n").aliases == aliases


def test_tags_may_be_written_with_number_signs_that_yaml_takes_for_comments() -> None:
    assert head("---\ntags: #a #b\n---\n").tags == ("a", "b")


@pytest.mark.parametrize("value", ["yes", "0123456789a", "0123456789AB", "[0123456789ab]"])
def test_derived_is_a_rendering_or_nothing(value: str) -> None:
    assert head(f"---\nderived: {value}\n---\n").derived is None


@pytest.mark.parametrize(
    "text", ["---\ntitle: T\n...\nbody", "---  \ntitle: T\n---\t\nbody", "\ufeff---\ntitle: T\n---\nbody"]
)
def test_front_matter_is_recognised(text: str) -> None:
    note = parse("n.md", text.encode())

    assert (note.title, note.body_line) == ("T", 4)


def test_line_endings_of_windows_are_read() -> None:
    note = parse("n.md", b"---\r\ntitle: T\r\ntags: [a]\r\n---\r\nbody\r\n")

    assert (note.title, note.tags, note.body_line) == ("T", ("a",), 5)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("---\ntitle: words\n\nnever closed", "front-matter-unclosed"),
        ("---\nsome words of prose\n---\nbody", "front-matter-invalid"),
        ("---\n- words\n- b\n---\nbody", "front-matter-invalid"),
        ("---\n**words** in bold: a\n---\nbody", "front-matter-invalid"),
        ("---\ntitle: words: b\n---\nbody", "front-matter-invalid"),
        ("---\ntitle: words\n\ttab: y\n---\nbody", "front-matter-invalid"),
        ("---\na: [words\n---\nbody", "front-matter-invalid"),
        ("---\nwords: *unknown\n---\nbody", "front-matter-invalid"),
        ('---\nwords: "\\ud800"\n---\nbody', "front-matter-invalid"),
        ("---\nwords: \x01\n---\nbody", "front-matter-invalid"),
        ("---\nwords: " + "[" * 5_000 + "\n---\nbody", "front-matter-invalid"),
        ("---\nwords: " + "x" * 70_000 + "\n---\nbody", "front-matter-too-large"),
        ("\n---\ntitle: words\n---\nbody", "front-matter-after-blank-line"),
        ("+++\nwords = \n+++\nbody", "front-matter-invalid"),
    ],
)
def test_a_block_that_cannot_be_read_stays_in_the_text_and_is_reported(text: str, code: str) -> None:
    assert "words" in body(text)
    assert code in codes(text)


@pytest.mark.parametrize(
    "text", ["---\nprose after a rule\n\nmore words", "---\n# words\n---\nbody", '{"words": 1}\nbody']
)
def test_what_was_never_meant_as_front_matter_is_text_without_a_word(text: str) -> None:
    assert "words" in body(text)
    assert codes(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: a: b\ntier: amber\n---\nx",
        "---\ntier: amber\n\nnever closed",
        "\n---\ntier: amber\n---\nx",
        "---\nTier: amber\n\tx: y\n---\nx",
        "---\ntier: amber\ntier: green\n---\nx",
        "---\ntier: green\ntier: amber\n---\nx",
        "---\ntier: amber\nx: [\n---\nx",
        "tier:: amber\n\nx",
        "+++\ntier = 'amber'\n+++\nx",
        "+++\ntier='amber'\nx = \n+++\nx",
        "---\ntier:\n  - amber\n---\nx",
        "---\ntier: [amber]\n---\nx",
        "---\ntier: {a: amber}\n---\nx",
        "---\ntier: [green]\n---\nx",
        "---\ntier: [amber]\ntier: green\n---\nx",
        "---\ntier:\n  - amber\nx: [\n---\nx",
        "+++\ntier = ['amber']\n+++\nx",
        "+++\n[tier]\nof = 'amber'\n+++\nx",
    ],
)
def test_a_private_note_stays_private_however_odd_its_front_matter(text: str) -> None:
    assert head(text).tier == "amber"


def test_the_known_keys_of_a_broken_block_are_read_line_by_line() -> None:
    found = head("---\ntitle: a: b\naliases:\n  - ship\n  - 'release'\ntags: [x, y]\n---\n")

    assert (found.title, found.aliases, found.tags) == ("a: b", ("ship", "release"), ("x", "y"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("---\ntitle: a\ntitle: b\n---\n", "front-matter-duplicate-key"),
        ("---\n? [a]\n: c\ntitle: b\n---\n", "front-matter-odd-key"),
        ("---\ntitle: b\n---\n\n---\ntags: x\n---\nwords", "front-matter-twice"),
    ],
)
def test_what_is_read_all_the_same_is_reported(text: str, code: str) -> None:
    assert head(text).title == "b"
    assert [code] == codes(text)


@pytest.mark.parametrize(
    "block", ["bad: 2024-13-45", "created: {{date}}", "1: a\ntrue: b", "x: !!python/object:os.system y"]
)
def test_what_other_readers_stumble_over_is_plain_text_here(block: str) -> None:
    assert head(f"---\n{block}\ntitle: T\n---\n").title == "T"


def test_an_alias_bomb_costs_nothing() -> None:
    layers = "\n".join(f"l{each}: &l{each} [{', '.join([f'*l{each - 1}'] * 9)}]" for each in range(1, 9))
    found = head(f"---\nl0: &l0 [x]\n{layers}\naliases: *l8\nr: &r [*r]\ntitle: T\n---\n")

    assert (found.title, found.aliases) == ("T", ())


def test_other_dialects_are_read() -> None:
    toml = head("+++\ntitle = 'T'\ntags = ['a', 'b']\ndate = 2024-01-01\n[taxonomies]\nx = 1\n+++\nbody")
    logseq = head("title:: T\nalias:: a, b\n\ntext")

    assert (toml.title, toml.tags, toml.lines) == ("T", ("a", "b"), 7)
    assert (logseq.title, logseq.aliases, logseq.lines) == ("T", ("a", "b"), 0)


odd = st.sampled_from(
    ["---", "...", "+++", "title: x", "tags: [", "- a", "\t", "", "a:: b", "tier: amber", "&a *a", "\x00", "words"]
)


@given(st.lists(odd, max_size=8))
def test_reading_never_fails_and_never_counts_more_lines_than_there_are(lines: list[str]) -> None:
    found = read("n.md", lines)

    assert 0 <= found.lines <= len(lines)
