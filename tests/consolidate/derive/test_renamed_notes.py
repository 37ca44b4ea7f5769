"""A derived note under another name is the same note: edits there count, and it stays where the person put it."""

import pytest

from tests.consolidate.derive.desk import Desk, ref

OLD, NEW, PORT = "tidepool/deploy.md", "ops/how we ship.md", ref("deploy|port")


@pytest.fixture
def note(desk: Desk) -> Desk:
    desk.hears("deploy|port", "8080")
    desk.hears("ship|branch", "main", links=[{"target": "deploy", "label": "deploying", "why": "comes after"}])
    desk.night()
    return desk


def renamed(desk: Desk, text: str | None = None, new: str = NEW) -> dict[str, object]:
    """A person gave the note another name, and perhaps edited it on the way."""
    return desk.saves((new, desk.text(OLD) if text is None else text), removed=OLD)[0]


def test_it_is_written_under_its_new_name_and_nowhere_else(note: Desk) -> None:
    body = renamed(note)
    note.hears("deploy|port", "8087")
    note.night()

    assert (OLD, [], []) == (body["was"], body["ops"], body["removed"])
    assert f"- The port is 8087. {PORT}" in note.lines(NEW)
    assert OLD not in note.paths()
    assert note.rebuilt() == note.derived.files


def test_an_edit_there_changes_the_fact(note: Desk) -> None:
    renamed(note)
    note.edits(NEW, "8080", "8087")
    note.night()

    assert "8087" == note.derived.value(note.derived.addresses.owner(NEW), ("tidepool", "deploy|port"))  # type: ignore[arg-type]


def test_it_can_be_edited_on_the_way(note: Desk) -> None:
    body = renamed(note, note.text(OLD).replace("8080", "8087"))
    note.night()

    assert ["8087"] == [each["value"] for each in body["ops"]]  # type: ignore[attr-defined]
    assert f"- The port is 8087. {PORT}" in note.lines(NEW)


def test_links_to_it_follow(note: Desk) -> None:
    renamed(note)
    note.night()

    assert "- [deploying](<../ops/how we ship.md>): comes after" in note.lines("tidepool/ship.md")


def test_it_can_go_home_again(note: Desk) -> None:
    renamed(note)
    note.night()
    note.saves((OLD, note.text(NEW)), removed=NEW)
    note.night()

    assert [OLD, "tidepool/ship.md"] == note.subjects()


def test_a_copy_is_the_persons_while_the_note_stands(note: Desk) -> None:
    body = note.saves((NEW, note.text(OLD)))[0]

    assert not body["derived"]
    assert OLD in note.paths()


def test_a_note_of_the_persons_that_it_replaces_is_not_written_around(note: Desk) -> None:
    note.saves((NEW, "mine\n"))
    renamed(note)
    note.hears("deploy|port", "8087")
    note.night()

    assert f"- The port is 8087. {PORT}" in note.lines(NEW)


def test_of_two_that_came_the_one_with_its_text_is_the_note(note: Desk) -> None:
    text = note.text(OLD)
    first, second = note.saves(("a.md", text + "mine\n"), ("b.md", text), removed=OLD)

    assert (False, OLD) == (first["derived"], second["was"])


def test_it_may_be_deleted_there_and_then_stays_away(note: Desk) -> None:
    renamed(note)
    note.removes(NEW)
    note.night()
    assert ["tidepool/ship.md"] == note.subjects()

    note.hears("deploy|port", "8087")
    note.night()

    assert NEW in note.paths()


def test_nothing_private_becomes_the_green_note(desk: Desk) -> None:
    desk.hears("deploy|port", "8080", tier="amber")
    desk.night()
    private = next(path for path in desk.subjects() if path.startswith("private/"))

    body = desk.saves((NEW, desk.text(private)), removed=private)[0]

    assert not body["derived"]
