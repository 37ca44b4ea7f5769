"""A day's note tells what was done, learned, replaced and ended, and what awaits review."""

from typing import Any

from tests.consolidate.derive.desk import Desk, ref

DAY = "private/days/2026/2026-10-14.md"
DONE: dict[str, Any] = {
    "sessions": [{"session": "claude-code:87237015-0c94", "title": "fix the *deploy*", "scope": "tidepool",
                  "harness": "claude-code", "turns": 2}],
    "changed": [{"session": "claude-code:87237015-0c94", "path": path} for path in ("src/main.rs", "a`b.md")],
    "fixed": [{"session": "claude-code:87237015-0c94", "command": "cargo test"}],
}


def section(desk: Desk, heading: str) -> list[str]:
    """The lines under a heading of the day's note."""
    lines = desk.lines(DAY)
    start = lines.index(f"## {heading}") + 2
    return lines[start:lines.index("", start)]


def test_a_day_tells_what_was_done(desk: Desk) -> None:
    desk.night({"2026-10-14": DONE})

    assert ["- “fix the *deploy*”, tidepool, claude-code (2 turns, session 87237015…)"] == section(desk, "Sessions")
    assert ["- changed in tidepool: `src/main.rs`, ``a`b.md``", "- failed, then passed: `cargo test`"] \
        == section(desk, "Done")


def test_a_day_tells_what_was_learned_with_a_link(desk: Desk) -> None:
    desk.hears("deploy|branch", "main")
    desk.night()

    assert ["- [deploy](/tidepool/deploy.md): The branch is main."] == section(desk, "Learned")


def test_a_day_says_when_what_it_told_holds_no_more(desk: Desk) -> None:
    desk.hears("deploy|branch", "main")
    desk.night()
    desk.hears("deploy|branch", "release")
    desk.night()
    desk.forgets("deploy|branch")
    desk.night()

    assert ["- deploy: The branch is main (since replaced: release)"] == section(desk, "Learned")
    assert ["- deploy: The branch is release (since withdrawn); before: main"] == section(desk, "Replaced")
    assert ["- deploy: withdrawn: The branch is release."] == section(desk, "No longer holds")


def test_a_day_says_what_awaits_review_until_somebody_answers(desk: Desk) -> None:
    desk.hears("deploy|branch", "main", by=1.0)
    desk.hears("deploy|branch", "develop")
    desk.night()
    waiting = section(desk, "Awaits review")
    desk.hears("deploy|branch", "trunk", by=1.0)
    desk.night()

    assert ["- [deploy](/tidepool/deploy.md): proposed: The branch is develop; what stands: main"] == waiting
    assert "develop" not in desk.text(DAY)


def test_a_day_names_a_note_that_was_deleted(desk: Desk) -> None:
    desk.hears("deploy|branch", "main")
    desk.night()
    desk.removes("tidepool/deploy.md")
    desk.night()

    assert ["- deploy: its note was deleted, its facts hold"] == section(desk, "Awaits review")


def test_days_of_two_runs_are_one(desk: Desk) -> None:
    desk.night({"2026-10-14": DONE})
    later = {"sessions": [DONE["sessions"][0] | {"turns": 1}], "changed": DONE["changed"], "fixed": []}
    desk.night({"2026-10-14": later})

    assert "(3 turns, session 87237015…)" in section(desk, "Sessions")[0]
    assert 1 == desk.text(DAY).count("src/main.rs")


def test_a_person_may_write_in_a_day(desk: Desk) -> None:
    desk.night({"2026-10-14": DONE})
    desk.saves((DAY, desk.text(DAY).replace("- failed, then passed: `cargo test`\n", "A good day.\n")))
    desk.hears("deploy|branch", "main")
    desk.night()

    assert "A good day." in desk.lines(DAY)
    assert "cargo test" not in desk.text(DAY)
    assert "The branch is main." in desk.text(DAY)


def test_a_deleted_day_stays_away_until_it_has_something_else_to_tell(desk: Desk) -> None:
    desk.night({"2026-10-13": DONE})
    other = DAY.replace("14", "13")
    desk.removes(other)
    desk.night({"2026-10-13": {}})
    gone = desk.paths()
    desk.night({"2026-10-13": {"fixed": [{"session": "s", "command": "make"}]}})

    assert other not in gone
    assert "`make`" in desk.text(other)


def test_what_is_no_date_has_no_day(desk: Desk) -> None:
    desk.night({"../../etc": DONE, "2026-13-99": DONE})

    assert [] == desk.paths()


def test_a_day_shows_no_reference_that_could_be_edited(desk: Desk) -> None:
    desk.hears("deploy|branch", "main", f"We ship from main. {ref('deploy|branch')}")
    desk.night()

    assert "[^" not in desk.text(DAY)


def test_what_an_older_version_rendered_keeps_its_words_until_it_has_something_else_to_tell(desk: Desk) -> None:
    desk.hears("deploy|branch", "main")
    desk.night(version=1)
    desk.hears("deploy|branch", "release")
    desk.night(version=1)
    desk.hears("tests|runner", "tox")
    desk.night()

    assert ["- [deploy](/tidepool/deploy.md): The branch is release.; before: main"] == section(desk, "Replaced")
    desk.hears("deploy|branch", "trunk")
    desk.night()
    assert "- [deploy](/tidepool/deploy.md): The branch is trunk; before: release" in section(desk, "Replaced")
