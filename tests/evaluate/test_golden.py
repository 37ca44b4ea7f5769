"""A person's questions as a note: what is read out of it, and what is put into it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.evaluate.golden import HEAD, Golden, added, answers, parse, ranked, render

refs = st.sampled_from(["kiln.md", "a folder/kiln (old).md", "private/key.md", "3f9ac02b11aa", "ünï/ß.md"])
texts = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"]), min_size=1)
questions = st.builds(Golden, texts, st.lists(refs, unique=True, max_size=3).map(tuple))


@given(st.lists(questions, max_size=5))
def test_what_is_added_is_read_back(wanted: list[Golden]) -> None:
    note = None
    for question in wanted:
        note = added(note, question)

    assert parse(note or "") == wanted


@given(st.text(), questions)
def test_nothing_that_stands_in_the_note_changes(before: str, question: Golden) -> None:
    assert added(before, question).startswith(before)


def test_the_note_reads_as_a_person_would_write_it() -> None:
    assert added(None, Golden("how hot is\ncone six?", ("pots/kiln.md",))) == HEAD + (
        "- how hot is cone six?\n  - [kiln.md](pots/kiln.md): answers it\n")


def test_what_a_person_wrote_between_is_left_alone() -> None:
    note = "# Mine\n\nRemarks.\n- an idea without an answer\n\n* how hot?\n\t* [the kiln](kiln.md)\n\t* `3f9ac02b`\n"

    assert parse(note) == [Golden("how hot?", ("kiln.md", "3f9ac02b"))]


def test_nothing_is_an_answer_too() -> None:
    assert parse(render(Golden("where is the key?", ()))) == [Golden("where is the key?", ())]


@pytest.mark.parametrize(("expected", "ref", "right"), [
    ("kiln.md", "kiln.md:7", True), ("kiln.md:3", "kiln.md:7", True), ("kiln.md", "pots/kiln.md:7", False),
    ("3f9ac02b", "3f9ac02b11aa4455667788990011aabb", True), ("3f9a", "3f9ac02b11aa4455667788990011aabb", False),
])
def test_a_hit_answers_wherever_in_the_note_it_is(expected: str, ref: str, right: bool) -> None:
    assert answers(expected, ref) is right


def test_hits_go_by_the_names_they_were_expected_under() -> None:
    assert list(ranked(["a.md:1", "3f9ac02b11aa4455667788990011aabb"], ["3f9ac02b"])) == ["a.md", "3f9ac02b"]
