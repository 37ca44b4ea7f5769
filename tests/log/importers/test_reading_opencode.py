"""OpenCode: the tree, the database, and both of one session."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rhizome.log.sessions import says, sessions
from rhizome.model import Part

GREP = "metrics/registry.go:12"


@pytest.fixture
def home(copied: Path) -> Path:
    """OpenCode's folder with the tree and the database in it."""
    folder = copied / "opencode"
    with closing(sqlite3.connect(folder / "opencode.db")) as db:
        db.executescript((folder / "opencode.sql").read_text(encoding="utf-8"))
    return folder


def counts(archive: Any, *paths: Path) -> tuple[int, int, int]:
    found = archive.counts(*paths)
    return found.new, found.seen, found.revised


def test_a_tree_is_one_event_an_object(archive: Any, home: Path) -> None:
    report = archive.take(home / "storage")

    assert (report.total.new, report.skipped, report.problems) == (1 + 8 + 15, 0, ())


def test_a_database_is_one_event_a_row(archive: Any, home: Path) -> None:
    assert counts(archive, home / "opencode.db") == (1 + 9 + 16, 0, 0)


def test_a_database_adds_to_the_tree_what_the_tree_lacks(archive: Any, home: Path) -> None:
    archive.take(home / "storage")

    assert counts(archive, home / "opencode.db") == (2, 23, 1)


@pytest.mark.parametrize("order", [("storage", "opencode.db"), ("opencode.db", "storage")])
def test_pruned_output_never_replaces_the_full_one(archive: Any, home: Path, order: tuple[str, str]) -> None:
    for name in order:
        archive.take(home / name)
    [event] = [m.event for m in archive.messages() if m.part is Part.RETURNED and m.tool == "grep"]

    assert GREP in says(archive.log.get(event))
    assert GREP in next(m.text for m in archive.messages() if m.event == event and m.part is Part.RETURNED)


def test_who_speaks_is_told_by_the_message(archive: Any, home: Path) -> None:
    archive.take(home)

    assert [text[:14] for text in archive.said("human")] == [
        "kettle-metrics", "Rename: the pr", "Do releases fr", "Scrape interva"]
    assert len(archive.said("model")) == 3


def test_a_compactions_summary_is_the_harnesss(archive: Any, home: Path) -> None:
    archive.take(home)
    [summary] = [m for m in archive.messages() if m.part is Part.COMPACTED]

    assert (summary.origin, summary.text[:8], summary.flags) == ("harness", "Summary:", {"summary"})


def test_a_completed_command_that_failed_is_known_as_failed(archive: Any, home: Path) -> None:
    archive.take(home)

    assert {m.tool: m.failed for m in archive.messages() if m.part is Part.RETURNED} == {
        "grep": False, "bash": True, "edit": False}


def test_reading_a_database_leaves_nothing_beside_it(archive: Any, home: Path) -> None:
    with closing(sqlite3.connect(home / "opencode.db")) as db:
        db.execute("pragma journal_mode = wal")
    archive.take(home)

    assert {path.name for path in home.iterdir()} == {"storage", "opencode.sql", "opencode.db"}


def test_what_stands_in_the_write_ahead_log_counts(archive: Any, home: Path) -> None:
    archive.take(home)
    with closing(sqlite3.connect(home / "opencode.db", isolation_level=None)) as db:
        db.execute("pragma journal_mode = wal")
        db.execute("insert into part select 'prt_b', message_id, session_id, 1, time_updated + 1, json_set(data, "
                   "'$.text', 'and 5 s in tests') from part where id = 'prt_a5f3e5d009000KettleMetrics09'")
        added = counts(archive, home / "opencode.db")

    assert added == (1, 26, 0)
    assert archive.said("human")[-1] == "and 5 s in tests"


def test_a_session_that_did_not_change_is_not_read_again(archive: Any, home: Path) -> None:
    archive.take(home / "opencode.db")
    with closing(sqlite3.connect(home / "opencode.db", isolation_level=None)) as db:
        db.execute("update part set data = 'broken'")
        same = archive.take(home / "opencode.db")
        db.execute("update part set time_updated = time_updated + 1")
        changed = archive.take(home / "opencode.db")

    assert (same.total.seen, same.total.unparsed) == (26, 0)
    assert (changed.total.seen, changed.total.unparsed) == (10, 16)


def test_a_child_session_is_a_thread_of_its_root(archive: Any, home: Path) -> None:
    session = next((home / "storage/session").rglob("*.json"))
    child = json.loads(session.read_text(encoding="utf-8"))
    child |= {"id": "ses_z", "parentID": child["id"], "time": {"created": 1793109650000}}
    session.with_name("ses_z.json").write_text(json.dumps(child), encoding="utf-8")
    for folder, row in (("message/ses_z", {"id": "msg_z", "sessionID": "ses_z", "role": "user",
                                           "time": {"created": 1793109650000}}),
                        ("part/msg_z", {"id": "prt_z", "sessionID": "ses_z", "messageID": "msg_z", "type": "text",
                                        "text": "Find the registry."})):
        (home / "storage" / folder).mkdir()
        (home / "storage" / folder / f"{row['id']}.json").write_text(json.dumps(row), encoding="utf-8")
    archive.take(home / "storage")
    [aside] = [m for m in archive.messages() if m.text == "Find the registry."]

    assert len(list(sessions(archive.log))) == 1
    assert (aside.origin, aside.thread, aside.flags) == ("model", "ses_z", {"sidechain"})
    assert aside.turn == archive.turns()[0].id


def test_tables_nobody_knows_are_named_and_nothing_is_lost(archive: Any, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "opencode.db")) as db:
        db.execute("create table session_v2 (id)")
    report = archive.take(tmp_path / "opencode.db")

    assert ["tables session" in why for _, why in report.problems] == [True]
