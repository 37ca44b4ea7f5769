"""The ladder from a written target to a note."""

from typing import Literal
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.graph.resolve import Name, Names, resolve
from rhizome.graph.resolve import names as named
from rhizome.graph.targets import key, keys

Form = Literal["NFC", "NFD"]


def names(*paths: str, **aliases: str) -> Names:
    notes = [Name(path, "", ()) for path in paths]
    return named([*notes, *(Name(f"{stem}.md", "", (alias,)) for stem, alias in aliases.items())])


@pytest.mark.parametrize(
    ("source", "target", "path", "by"),
    [
        ("x/a.md", "b.md", "x/b.md", "relative"),
        ("x/a.md", "./b.md", "x/b.md", "relative"),
        ("x/a.md", "../top.md", "top.md", "relative"),
        ("x/a.md", "../y/c.md", "y/c.md", "relative"),
        ("x/a.md", "x/b.md", "x/b.md", "exact"),
        ("top.md", "x/b.md", "x/b.md", "exact"),
        ("x/a.md", "/x/b.md", "x/b.md", "root"),
        ("top.md", "/top.md", "top.md", "self"),
        ("x/a.md", "c.md", "y/c.md", "suffix"),
        ("x/a.md", "deep/d.md", "y/deep/d.md", "suffix"),
        ("x/a.md", "d", "y/deep/d.md", "suffix"),
        ("x/a.md", "b", "x/b.md", "relative"),
        ("x/a.md", "folder", "x/folder/index.md", "relative"),
        ("x/a.md", "folder/", "x/folder/index.md", "relative"),
        ("x/a.md", "manual", "manual/README.md", "exact"),
        ("x/a.md", ".", "x/README.md", "relative"),
        ("x/a.md", "b.md?plain=1", "x/b.md", "relative"),
        ("x/a.md", "odd?.md", "odd?.md", "exact"),
        ("x/a.md", "a.md", "x/a.md", "self"),
        ("x/a.md", "AI", "mind.md", "alias"),
        ("x/a.md", "ai", "mind.md", "alias"),
        ("x/a.md", "nowhere.md", None, "broken"),
        ("x/a.md", "./c.md", None, "broken"),
        ("x/a.md", "/c.md", None, "broken"),
        ("x/a.md", "same.md", None, "ambiguous"),
        ("y/a.md", "same.md", "y/same.md", "relative"),
        ("x/a.md", "../../b.md", None, "outside"),
        ("x/a.md", "/../b.md", None, "outside"),
        ("top.md", "../notes-old/b.md", None, "outside"),
    ],
)
def test_a_target_is_found_on_the_first_rung_that_has_it(source: str, target: str, path: str | None, by: str) -> None:
    vault = names(
        "top.md", "x/a.md", "x/b.md", "y/c.md", "y/deep/d.md", "y/same.md", "z/same.md", "x/folder/index.md",
        "manual/README.md", "x/README.md", "odd?.md", "y/a.md", mind="AI",
    )  # fmt: skip
    found = resolve(source, target, vault)

    assert (path, by) == (found.path, found.by)


def test_a_root_notes_own_hit_is_exact() -> None:
    assert resolve("a.md", "b.md", names("a.md", "b.md")).by == "exact"


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("stored", ["NFC", "NFD"])
def test_a_name_is_the_same_composed_and_decomposed(form: Form, stored: Form) -> None:
    path = normalize(stored, "x/café.md")
    found = resolve("x/a.md", normalize(form, "café.md"), names(path))

    assert (path, None) == (found.path, found.finding)


def test_three_spellings_with_space_dash_and_underscore_are_three_notes() -> None:
    vault = names("a_b.md", "a b.md", "a-b.md")

    for target in ("a_b", "a b", "a-b"):
        assert resolve("n.md", target, vault).path == f"{target}.md"


def test_another_case_is_found_when_only_one_note_has_it_and_reported() -> None:
    found = resolve("n.md", "log.md", names("Log.md"))

    assert (found.path, found.finding) == ("Log.md", "case-mismatch")


def test_of_two_cases_the_exact_one_wins_and_a_third_is_ambiguous() -> None:
    vault = names("Log.md", "log.md")

    assert resolve("n.md", "log.md", vault).path == "log.md"
    assert resolve("n.md", "LOG.md", vault).candidates == ("Log.md", "log.md")


def test_an_ambiguous_name_lists_its_candidates() -> None:
    assert resolve("n.md", "b", names("y/b.md", "x/b.md")).candidates == ("x/b.md", "y/b.md")


def test_an_alias_of_two_notes_is_ambiguous_and_one_of_one_offers_the_path() -> None:
    assert resolve("n.md", "AI", names(x="AI", y="ai")).by == "ambiguous"
    assert resolve("n.md", "AI", names(x="AI")).finding == "alias-link"


def test_a_title_leads_to_its_note() -> None:
    assert resolve("n.md", "How we ship", named([Name("ops/ship.md", "How we  ship")])).path == "ops/ship.md"


def test_a_name_that_is_a_notes_title_letter_by_letter_is_in_no_other_case() -> None:
    vault = named([Name("home/boiler.md", "Boiler", ("Heizung",))])

    assert [resolve("n.md", target, vault).finding for target in ("Boiler", "boiler", "BOILER", "home/Boiler")] == [
        None, None, "case-mismatch", "case-mismatch"]


@pytest.mark.parametrize("path", ["rhizome/boiler.md", "boiler.md", "Boiler.md"])
@pytest.mark.parametrize("persons", [
    Name("home/boiler.md", "Boiler"), Name("Home/Boiler.md", "Boiler"), Name("heating.md", "Boiler"),
    Name("heating.md", "Heating", ("boiler",)),
])
def test_a_name_that_a_derived_note_has_too_means_the_persons_note(persons: Name, path: str) -> None:
    vault = named([persons, Name(path, "Boiler", derived=True), Name("derived/x/boiler.md", "Boiler", derived=True)])

    for source in ("n.md", "rhizome/other.md"):
        assert resolve(source, "Boiler", vault).path == persons.path
        assert resolve(source, path, vault).path == path


def test_of_two_notes_of_a_person_none_is_guessed_whatever_was_derived() -> None:
    vault = named([Name("a/boiler.md"), Name("b/boiler.md"), Name("rhizome/boiler.md", derived=True)])

    assert resolve("n.md", "Boiler", vault).candidates == ("a/boiler.md", "b/boiler.md")


def test_a_derived_note_is_meant_where_no_person_has_one_of_the_name() -> None:
    vault = named([Name("pump.md", "Pump"), Name("rhizome/boiler.md", "Boiler", derived=True)])

    assert resolve("n.md", "Boiler", vault).path == "rhizome/boiler.md"


def test_a_private_note_links_to_the_notes_beside_it_on_disk() -> None:
    found = resolve("private/days/2026/d.md", "../../../notes/tidepool.md", names("tidepool.md"))

    assert (found.path, found.by) == ("tidepool.md", "relative")


def test_a_note_cannot_reach_the_private_folder_by_climbing_out() -> None:
    assert resolve("x/a.md", "../../private/p.md", names("private/p.md")).by == "outside"


parts = st.sampled_from(["a", "B", "b", "index", "README", "é", "é", "x y", "n?", "c.md"])
paths = st.lists(parts, min_size=1, max_size=3).map(lambda each: "/".join(each) + ".md")
notes = st.lists(st.builds(Name, paths, st.sampled_from(["", "T", "b"]), st.tuples(parts), st.booleans()), max_size=8)
climbs = st.sampled_from(["", "./", "../", "/", "../../"])
targets = st.builds(
    lambda climb, each, end: climb + "/".join(each) + end,
    climbs,
    st.lists(parts | st.sampled_from([".", "..", "T", ""]), max_size=3),
    st.sampled_from(["", ".md", "/", "?q"]),
)


@given(notes, paths, targets)
def test_a_link_finds_the_same_note_among_those_of_its_key_as_among_all(
    vault: list[Name], source: str, target: str
) -> None:
    own = {note.path: note for note in vault}.values()
    near = [note for note in own if key(target) in keys(note.path, note.title, note.aliases)]

    assert resolve(source, target, named(own)) == resolve(source, target, named(near))


@given(notes, paths, targets)
def test_a_found_path_is_always_one_of_the_notes(vault: list[Name], source: str, target: str) -> None:
    found = resolve(source, target, named(vault))

    assert found.path is None or found.path in {note.path for note in vault}
    assert (found.path is None) == (found.by in ("broken", "ambiguous", "outside"))
