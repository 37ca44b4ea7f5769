"""Saves from an editor that was opened before the last night, and saves that do not say what they were made from."""

from tests.consolidate.derive.desk import Desk, ref

NOTE = "tidepool/deploy.md"
PORT, BRANCH, CAP = ref("deploy|port"), ref("deploy|branch"), ref("deploy|cap")


def opened(desk: Desk) -> str:
    """The text in an editor that a person opened on the first night; a second night has gone over the note since."""
    desk.hears("deploy|branch", "main")
    desk.hears("deploy|port", "8080")
    desk.night()
    text = desk.text(NOTE)
    desk.saves((NOTE, text.replace("# deploy\n", "# deploy\nMine since.\n")))
    desk.hears("deploy|cap", "5")
    desk.hears("deploy|branch", "release")
    desk.night()
    return text


def test_what_the_editor_could_not_show_is_kept(desk: Desk) -> None:
    body = desk.saves((NOTE, opened(desk) + "New line.\n"))[0]
    desk.night()

    assert (True, []) == (body["stale"], body["ops"])
    assert {"Mine since.", "New line.", f"- The cap is 5. {CAP}", f"- The branch is release. {BRANCH}"} \
        <= set(desk.lines(NOTE))


def test_old_words_that_nobody_touched_are_no_edit(desk: Desk) -> None:
    desk.saves((NOTE, opened(desk)))
    desk.night()

    assert f"- The branch is release. {BRANCH}" in desk.lines(NOTE)
    assert "main. " not in desk.text(NOTE)


def test_an_edit_in_an_old_editor_is_an_edit(desk: Desk) -> None:
    body = desk.saves((NOTE, opened(desk).replace("port is 8080", "port is 8087")))[0]

    assert [("assert", "deploy|port", "8087")] == [(op["op"], op["fact_key"], op["value"]) for op in body["ops"]]


def test_a_deletion_in_an_old_editor_is_a_deletion(desk: Desk) -> None:
    body = desk.saves((NOTE, opened(desk).replace(f"- The port is 8080. {PORT}\n", "")))[0]

    assert [("retract", "deploy|port")] == [(op["op"], op["fact_key"]) for op in body["ops"]]


def test_deleting_words_that_were_replaced_meanwhile_does_not_retract_the_new_ones(desk: Desk) -> None:
    body = desk.saves((NOTE, opened(desk).replace(f"- The branch is main. {BRANCH}\n", "")))[0]
    desk.night()

    assert [] == body["ops"]
    assert f"- The branch is release. {BRANCH}" in desk.lines(NOTE)


def test_a_second_save_from_the_same_old_editor_can_take_its_edit_back(desk: Desk) -> None:
    text = opened(desk)
    desk.saves((NOTE, text.replace("port is 8080", "port is 8087")))
    desk.saves((NOTE, text))
    desk.night()

    assert f"- The port is 8080. {PORT}" in desk.lines(NOTE)


def test_the_last_of_two_saves_under_one_name_wins(desk: Desk) -> None:
    opened(desk)
    text = desk.text(NOTE)
    desk.saves((NOTE, text.replace("cap is 5", "cap is 7")))
    desk.saves((NOTE, text.replace("cap is 5", "cap is 9")))
    desk.night()

    assert f"- The cap is 9. {CAP}" in desk.lines(NOTE)


def test_without_a_name_nothing_is_retracted_and_words_of_the_machine_are_no_edit(desk: Desk) -> None:
    text = opened(desk).replace(f"- The port is 8080. {PORT}\n", "")
    body = desk.saves((NOTE, "\n".join(line for line in text.split("\n") if not line.startswith("derived:"))))[0]
    desk.night()

    assert (None, True, []) == (body["base"], body["stale"], body["ops"])
    assert {f"- The port is 8080. {PORT}", f"- The branch is release. {BRANCH}"} <= set(desk.lines(NOTE))


def test_without_a_name_new_words_of_a_person_are_an_edit(desk: Desk) -> None:
    opened(desk)
    body = desk.saves((NOTE, f"- The port is 8087. {PORT}\n"))[0]

    assert ["8087"] == [op["value"] for op in body["ops"]]


def test_an_unknown_name_counts_as_none(desk: Desk) -> None:
    opened(desk)
    body = desk.saves((NOTE, "---\nderived: ffffffffffff\n---\n"))[0]
    desk.night()

    assert [] == body["ops"]
    assert {f"- The cap is 5. {CAP}", "Mine since."} <= set(desk.lines(NOTE))


def test_a_note_without_a_name_gets_one_in_the_next_night(desk: Desk) -> None:
    opened(desk)
    desk.saves((NOTE, "Only this.\n"))
    desk.night()
    body = desk.edits(NOTE, f"- The cap is 5. {CAP}\n", "")

    assert ["---", "---"] == [desk.lines(NOTE)[0], desk.lines(NOTE)[2]]
    assert [("retract", "deploy|cap")] == [(op["op"], op["fact_key"]) for op in body["ops"]]


def test_front_matter_that_a_person_took_away_stays_away_but_for_the_name(desk: Desk) -> None:
    opened(desk)
    desk.saves((NOTE, desk.text(NOTE).partition("---\n")[2].partition("---\n")[2]))
    desk.night()

    assert "title:" not in desk.text(NOTE)
    assert ["---", "---", "# deploy"] == [desk.lines(NOTE)[at] for at in (0, 2, 3)]


def test_what_a_save_without_a_name_left_out_awaits_review(desk: Desk) -> None:
    opened(desk)
    desk.saves((NOTE, "Only this.\n"))
    desk.night()

    assert "3 of its statements were absent from a save that did not name its rendering" \
        in desk.text("private/days/2026/2026-10-14.md")


def test_a_note_that_the_night_took_away_comes_back_with_what_a_person_wrote_in_an_old_editor(desk: Desk) -> None:
    text = opened(desk)
    desk.edits(NOTE, "Mine since.\n", "")
    for key in ("deploy|branch", "deploy|port", "deploy|cap"):
        desk.forgets(key)
    desk.night()
    gone = desk.subjects()
    desk.saves((NOTE, text + "New line.\n"))
    desk.night()

    assert [] == gone
    assert "New line." in desk.lines(NOTE)
    assert "The port" not in desk.text(NOTE)
