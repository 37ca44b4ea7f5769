"""What a person may do to a derived note, and what becomes of it: layout from the person, values from the ledger."""

import pytest

from tests.consolidate.derive.desk import Desk, ref

NOTE = "tidepool/deploy.md"
PORT, BRANCH = ref("deploy|port"), ref("deploy|branch")


@pytest.fixture
def note(desk: Desk) -> Desk:
    """A desk with one note of two statements."""
    desk.hears("deploy|branch", "main")
    desk.hears("deploy|port", "8080")
    desk.night()
    return desk


def operations(body: dict[str, object]) -> list[tuple[str, str, str]]:
    """The operations of a save, as (op, fact key, value)."""
    found = body["ops"]
    assert isinstance(found, list)
    return [(each["op"], each["fact_key"], each["value"]) for each in found]


def test_a_save_without_a_change_says_nothing(note: Desk) -> None:
    body = note.saves((NOTE, note.text(NOTE)))[0]

    assert ([], [], False) == (body["ops"], body["removed"], body["stale"])


def test_a_changed_statement_is_what_the_person_says_now(note: Desk) -> None:
    body = note.edits(NOTE, "The port is 8080.", "The port is 8087!")
    note.night()

    assert [("assert", "deploy|port", "8087")] == operations(body)
    assert f"- The port is 8087! {PORT}" in note.lines(NOTE)


def test_words_that_keep_the_value_keep_the_fact_and_are_kept_themselves(note: Desk) -> None:
    body = note.edits(NOTE, "The port is 8080.", "the port  is 8080")
    note.night()

    assert [("assert", "deploy|port", "8080")] == operations(body)
    assert f"- the port  is 8080 {PORT}" in note.lines(NOTE)


def test_a_proposal_gives_an_edited_statement_no_value(desk: Desk) -> None:
    desk.hears("deploy|branch", "main", by=1.0)
    desk.hears("deploy|branch", "develop")
    desk.night()

    body = desk.edits(NOTE, "The branch is main.", "Ship from main, always.")

    assert [("assert", "deploy|branch", "main")] == operations(body)


def test_an_agent_cannot_talk_over_what_a_person_wrote(note: Desk) -> None:
    note.edits(NOTE, "8080", "8087")
    note.hears("deploy|port", "9000")
    note.night()

    assert f"- The port is 8087. {PORT}" in note.lines(NOTE)


def test_a_deleted_statement_is_retracted_and_stays_away(note: Desk) -> None:
    body = note.edits(NOTE, f"- The port is 8080. {PORT}\n", "")
    note.night()

    assert [("retract", "deploy|port", "")] == operations(body)
    assert "port" not in note.text(NOTE)


def test_a_statement_put_back_in_the_next_save_holds_again(note: Desk) -> None:
    before = note.text(NOTE)
    note.edits(NOTE, f"- The port is 8080. {PORT}\n", "")
    body = note.saves((NOTE, before))[0]
    note.night()

    assert [("assert", "deploy|port", "8080")] == operations(body)
    assert f"- The port is 8080. {PORT}" in note.lines(NOTE)


def test_a_definition_line_alone_retracts_nothing_and_stays_away(note: Desk) -> None:
    definition = next(line for line in note.lines(NOTE) if line.startswith(f"{PORT}:"))
    body = note.edits(NOTE, definition + "\n", "")
    note.hears("deploy|branch", "release")
    note.night()

    assert [] == body["ops"]
    assert f"{PORT}:" not in note.text(NOTE)
    assert f"- The port is 8080. {PORT}" in note.lines(NOTE)


def test_a_definition_comes_back_with_its_statement(note: Desk) -> None:
    definition = next(line for line in note.lines(NOTE) if line.startswith(f"{PORT}:"))
    note.saves((NOTE, note.text(NOTE).replace(definition + "\n", "").replace(f"- The port is 8080. {PORT}\n", "")))
    note.night()
    note.hears("deploy|port", "8087", by=1.0)
    note.night()

    assert f"{PORT}: decision" in note.text(NOTE)


def test_a_machine_line_that_a_person_removed_stays_removed(note: Desk) -> None:
    note.edits(NOTE, "# deploy\n", "")
    note.hears("deploy|branch", "release")
    note.night()

    assert "# deploy" not in note.lines(NOTE)


def test_a_title_that_a_person_wrote_is_the_title(note: Desk) -> None:
    note.edits(NOTE, "title: deploy", "title: Deploying")
    note.hears("deploy|branch", "release")
    note.night()

    assert ["title: Deploying"] == [line for line in note.lines(NOTE) if line.startswith("title:")]


def test_a_persons_line_stays_where_it_was_put(note: Desk) -> None:
    note.edits(NOTE, f"main. {BRANCH}\n", f"main. {BRANCH}\nAsk before a Friday.  \n")
    note.hears("deploy|branch", "release")
    note.hears("deploy|host", "tide", "The host is tide.")
    note.night()

    assert [f"- The branch is release. {BRANCH}", "Ask before a Friday.  ", f"- The host is tide. {ref('deploy|host')}",
            f"- The port is 8080. {PORT}"] == note.lines(NOTE)[6:10]


def test_a_new_statement_goes_after_its_smaller_neighbour_wherever_that_stands(note: Desk) -> None:
    branch = f"- The branch is main. {BRANCH}\n"
    note.saves((NOTE, note.text(NOTE).replace(branch, "") + "\nElsewhere\n" + branch))
    note.hears("deploy|cap", "5")
    note.night()

    assert f"Elsewhere\n{branch}- The cap is 5. {ref('deploy|cap')}\n" in note.text(NOTE)


def test_a_statement_keeps_the_bullet_and_the_indent_that_a_person_gave_it(note: Desk) -> None:
    note.edits(NOTE, f"- The port is 8080. {PORT}", f"  * [ ] The port is 8080.{PORT} ")
    note.hears("deploy|port", "8087")
    note.night()

    assert f"  * [ ] The port is 8087.{PORT} " in note.lines(NOTE)


def test_a_statement_over_two_lines_is_kept_to_the_byte(note: Desk) -> None:
    body = note.edits(NOTE, "The port is 8080.", "The port,\n  since the move, is 8087.")
    note.hears("deploy|branch", "release")
    note.night()

    assert "The port,\n  since the move, is 8087." == body["ops"][0]["statement"]
    assert f"- The port,\n  since the move, is 8087. {PORT}\n" in note.text(NOTE)


def test_a_file_with_crlf_stays_one(note: Desk) -> None:
    note.saves((NOTE, note.text(NOTE).replace("\n", "\r\n").replace("main.", "main,\r\n  always.")))
    note.hears("deploy|host", "tide")
    note.night()

    assert note.text(NOTE).count("\n") == note.text(NOTE).count("\r\n")
    assert f"- The branch is main,\r\n  always. {BRANCH}\r\n" in note.text(NOTE)
    assert f"The host is tide. {ref('deploy|host')}\r\n" in note.text(NOTE)


def test_crlf_alone_is_no_edit(note: Desk) -> None:
    assert [] == note.saves((NOTE, note.text(NOTE).replace("\n", "\r\n")))[0]["ops"]


def test_a_missing_last_line_ending_is_left_missing(note: Desk) -> None:
    note.saves((NOTE, note.text(NOTE) + "The end"))
    note.hears("deploy|branch", "release")
    note.night()

    assert note.text(NOTE).endswith("\nThe end")


def test_a_note_keeps_bytes_that_are_no_utf_8(note: Desk) -> None:
    note.saves((NOTE, note.derived.files[NOTE] + b"caf\xe9 \xff\r\n"))
    note.hears("deploy|branch", "release")
    note.night()

    assert note.derived.files[NOTE].endswith(b"\ncaf\xe9 \xff\r\n")
    assert note.rebuilt() == note.derived.files


def test_a_byte_order_mark_and_front_matter_of_a_persons_own_stay_on_top(note: Desk) -> None:
    note.saves((NOTE, "\ufeff" + note.text(NOTE).replace("title: deploy\n", "tags: [ops]\n")))
    note.hears("deploy|cap", "5")
    note.night()

    assert ["\ufeff---", "tags: [ops]"] == note.lines(NOTE)[:2]


def test_a_copy_of_a_statement_is_the_persons_and_edits_nothing(note: Desk) -> None:
    body = note.edits(NOTE, f"main. {BRANCH}\n", f"main. {BRANCH}\n- copied: the branch is main. {BRANCH}\n")
    note.hears("deploy|branch", "release")
    note.night()
    again = note.saves((NOTE, note.text(NOTE)))[0]

    assert ([], []) == (body["ops"], again["ops"])
    assert f"- The branch is release. {BRANCH}" in note.lines(NOTE)
    assert f"- copied: the branch is main. {BRANCH}" in note.lines(NOTE)


def test_a_statement_put_below_its_copy_is_still_the_statement(note: Desk) -> None:
    copy = f"- copied: the branch is main. {BRANCH}\n"
    note.edits(NOTE, f"main. {BRANCH}\n", f"main. {BRANCH}\n{copy}")
    note.night()
    statement = f"- The branch is main. {BRANCH}\n"
    body = note.edits(NOTE, statement + copy, copy + statement)

    assert [] == body["ops"]


def test_a_statement_woven_into_a_sentence_is_not_retracted(note: Desk) -> None:
    body = note.edits(NOTE, f"- The port is 8080. {PORT}", f"- The port is 8080 {PORT}, which I doubt.")

    assert [] == body["ops"]


def test_a_note_deleted_whole_retracts_nothing_and_comes_back_when_its_subject_changes(note: Desk) -> None:
    note.removes(NOTE)
    note.hears("deploy|branch", "main")
    note.night()
    gone = note.subjects()
    note.hears("deploy|branch", "release")
    note.night()

    assert [] == gone
    assert f"- The port is 8080. {PORT}" in note.lines(NOTE)


def test_a_note_whose_facts_have_all_ended_goes_unless_a_person_wrote_in_it(note: Desk) -> None:
    note.hears("ship|day", "Friday")
    note.night()
    note.saves((NOTE, note.text(NOTE) + "I was here.\n"))
    for key in ("deploy|branch", "deploy|port", "ship|day"):
        note.forgets(key)
    note.night()

    assert [NOTE] == note.subjects()
    assert "I was here." in note.lines(NOTE)


def test_an_empty_save_retracts_nothing(note: Desk) -> None:
    body = note.saves((NOTE, ""))[0]
    note.night()

    assert [] == body["ops"]
    assert f"- The port is 8080. {PORT}" in note.lines(NOTE)
