"""One key of the front matter is changed in one place, and nothing else."""

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.errors import Refused
from rhizome.graph.edit import edit
from rhizome.graph.note import parse

NOTE = b"""---
# kept
zeta: 1   # comment
title: 'Old'  # why
aliases:
  - ship
  - "release it"   # quoted

date: 2024-01-02
tags: [b, a]
---

  body
"""


def hunks(before: bytes, after: bytes) -> list[tuple[list[bytes], list[bytes]]]:
    old, new = before.splitlines(True), after.splitlines(True)
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(old[a:b], new[c:d]) for tag, a, b, c, d in codes if tag != "equal"]


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("title", "New", ([b"title: 'Old'  # why\n"], [b"title: New  # why\n"])),
        ("title", "no", ([b"title: 'Old'  # why\n"], [b'title: "no"  # why\n'])),
        ("aliases", ["ship", "release it", "go"], ([], [b"  - go\n"])),
        ("aliases", ["release it"], ([b"  - ship\n"], [])),
        ("tags", ["b", "a", "c d"], ([b"tags: [b, a]\n"], [b"tags: [b, a, c d]\n"])),
        ("tier", "amber", ([], [b"tier: amber\n"])),
        ("zeta", None, ([b"zeta: 1   # comment\n"], [])),
    ],
)
def test_a_change_is_one_hunk(
    key: str, value: str | list[str] | None, expected: tuple[list[bytes], list[bytes]]
) -> None:
    assert [expected] == hunks(NOTE, edit(NOTE, key, value))


def test_line_endings_and_the_byte_order_mark_stay() -> None:
    changed = edit(b"\xef\xbb\xbf---\r\ntitle: a\r\n---\r\nbody\nmixed\r\n", "title", "b")

    assert changed == b"\xef\xbb\xbf---\r\ntitle: b\r\n---\r\nbody\nmixed\r\n"


def test_a_note_without_front_matter_gets_some() -> None:
    assert edit(b"# Body", "tags", ["a"]) == b"---\ntags: [a]\n---\n# Body"


def test_removing_what_is_not_there_changes_nothing() -> None:
    assert edit(NOTE, "nothing", None) == NOTE
    assert edit(b"", "title", None) == b""


@pytest.mark.parametrize(
    "data",
    [
        b"---\ntitle: a: b\n---\n",
        b"---\ntitle: a\n\nopen",
        b"+++\ntitle = 'a'\n+++\n",
        b"\xff\xfe",
        b"---\n{title: a}\n---\n",
    ],
)
def test_front_matter_that_cannot_be_read_is_not_edited(data: bytes) -> None:
    with pytest.raises(Refused):
        edit(data, "title", "new")


LINES = (
    "# c", "", "a: 1", "title: 'x y' # c", "title: x", "tags: [a, b]", "tags:\n- a\n- b # c",
    "aliases:\n  - q\n\n  - 'r'", "d: |\n  t\n\n  u", "e: >-\n  v",
)  # fmt: skip
line = st.sampled_from(LINES)
text = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
value = text | st.lists(text, max_size=4) | st.none()
eol = st.sampled_from(["\n", "\r\n"])


@given(st.lists(line, max_size=6), st.sampled_from(["title", "tags", "aliases", "tier", "d"]), value, eol)
def test_an_edit_says_what_was_asked_in_one_hunk_or_is_refused(
    lines: list[str], key: str, value: str | list[str] | None, eol: str
) -> None:
    before = "\n".join(["---", *lines, "---", "", "body  ", "---", "x"]).replace("\n", eol).encode()
    try:
        after = edit(before, key, value)
    except Refused:
        return

    assert len(hunks(before, after)) <= 1
    assert after.endswith(f"---{eol}{eol}body  {eol}---{eol}x".encode())
    assert edit(after, key, value) == after


@given(text)
def test_any_title_is_written_so_that_it_is_read_back(title: str) -> None:
    after = edit(b"---\na: 1\n---\nbody", "title", title)

    assert parse("n.md", after).own_title == (" ".join(title.split()) or None)
