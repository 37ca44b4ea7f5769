"""A statement that a person cuts from one derived note and pastes into another was moved, not deleted."""

import pytest

from tests.consolidate.derive.desk import Desk, ref

DEPLOY, SHIP = "tidepool/deploy.md", "tidepool/ship.md"
LINE = f"- The port is 8080. {ref('deploy|port')}\n"


@pytest.fixture
def notes(desk: Desk) -> Desk:
    desk.hears("deploy|branch", "main")
    desk.hears("deploy|port", "8080")
    desk.hears("ship|day", "Friday")
    desk.night()
    return desk


def moved(desk: Desk, line: str = LINE) -> list[dict[str, object]]:
    return desk.saves((DEPLOY, desk.text(DEPLOY).replace(LINE, "")),
                      (SHIP, desk.text(SHIP).replace("# ship\n", f"# ship\n{line}")))


def test_it_is_not_retracted_and_lives_where_it_was_put(notes: Desk) -> None:
    bodies = moved(notes)
    notes.hears("deploy|port", "8087")
    notes.night()

    assert [[], []] == [body["ops"] for body in bodies]
    assert f"- The port is 8087. {ref('deploy|port')}" in notes.lines(SHIP)
    assert "port" not in notes.text(DEPLOY)


def test_its_receipt_goes_with_it(notes: Desk) -> None:
    moved(notes)
    notes.night()

    assert f"{ref('deploy|port')}: decision" in notes.text(SHIP)


def test_it_can_be_edited_on_the_way(notes: Desk) -> None:
    bodies = moved(notes, LINE.replace("8080", "8087"))
    notes.night()

    assert ["assert"] == [op["op"] for body in bodies for op in body["ops"]]  # type: ignore[attr-defined]
    assert f"- The port is 8087. {ref('deploy|port')}" in notes.lines(SHIP)


def test_it_can_be_deleted_where_it_was_put(notes: Desk) -> None:
    moved(notes)
    body = notes.edits(SHIP, LINE, "")
    notes.night()

    assert [("retract", "deploy|port")] == [(op["op"], op["fact_key"]) for op in body["ops"]]
    assert "8080" not in notes.text(DEPLOY) + notes.text(SHIP)


def test_it_can_go_home_again(notes: Desk) -> None:
    moved(notes)
    notes.night()
    notes.saves((SHIP, notes.text(SHIP).replace(LINE, "")), (DEPLOY, notes.text(DEPLOY) + LINE))
    notes.night()

    assert "port" not in notes.text(SHIP)
    assert 1 == notes.lines(DEPLOY).count(LINE.rstrip())


def test_it_goes_home_when_the_note_it_was_put_in_is_deleted(notes: Desk) -> None:
    moved(notes)
    notes.night()
    notes.removes(SHIP)
    notes.night()

    assert LINE.rstrip() in notes.lines(DEPLOY)


def test_two_notes_can_be_made_one(notes: Desk) -> None:
    both = notes.text(SHIP) + "".join(line + "\n" for line in notes.lines(DEPLOY) if line.startswith("- "))
    body = notes.saves((SHIP, both), removed=DEPLOY)[0]
    notes.night()
    notes.hears("deploy|port", "8087")
    notes.night()

    assert [] == body["ops"]
    assert [SHIP] == notes.subjects()
    assert f"- The port is 8087. {ref('deploy|port')}" in notes.lines(SHIP)


def test_a_copy_in_another_note_is_the_persons(notes: Desk) -> None:
    body = notes.edits(SHIP, "# ship\n", f"# ship\n{LINE}")
    notes.hears("deploy|port", "8087")
    notes.night()

    assert ([], []) == (body["moved"], body["ops"])
    assert LINE.rstrip() in notes.lines(SHIP)
    assert f"- The port is 8087. {ref('deploy|port')}" in notes.lines(DEPLOY)


def test_nothing_amber_moves_into_a_green_note(notes: Desk) -> None:
    notes.hears("tea|kind", "sencha", scope="user:ines", tier="amber")
    notes.night()
    line = f"- The kind is sencha. {ref('tea|kind', 'user:ines')}\n"
    bodies = notes.saves(("private/me/tea.md", notes.text("private/me/tea.md").replace(line, "")),
                         (SHIP, notes.text(SHIP) + line))
    notes.hears("tea|kind", "oolong", scope="user:ines", tier="amber")
    notes.night()

    assert [[], []] == [body["ops"] for body in bodies]
    assert "oolong" not in notes.text(SHIP)
    assert "oolong" in notes.text("private/me/tea.md")
