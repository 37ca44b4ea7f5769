"""A projection's file is opened whatever state it is in, and leaves no connection behind."""

import gc
import sqlite3
from pathlib import Path

import pytest

from rhizome.database import discard, opened

SCHEMA = "CREATE TABLE note (text TEXT); CREATE INDEX by_text ON note (text);"


def filled(path: Path) -> bytes:
    db = opened(path, SCHEMA, 1)
    db.executemany("INSERT INTO note VALUES (?)", [(f"note {number}",) for number in range(1000)])
    db.close()
    return path.read_bytes()


def count(path: Path, version: int = 1, *, whole: bool = False) -> int:
    found = opened(path, SCHEMA, version, whole=whole).execute("SELECT count(*) FROM note").fetchone()
    return int(found[0])


def test_what_was_written_is_there_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    filled(tmp_path / "x.db")

    assert count(tmp_path / "x.db") == 1000
    assert (tmp_path / "x.db").stat().st_mode & 0o777 == 0o600


def test_another_version_is_emptied(tmp_path: Path) -> None:
    filled(tmp_path / "x.db")

    assert count(tmp_path / "x.db", version=2) == 0


@pytest.mark.parametrize("damage", ["garbage", "page"])
def test_what_is_damaged_is_thrown_away_where_the_whole_file_is_looked_at(tmp_path: Path, damage: str) -> None:
    data = filled(tmp_path / "x.db")
    torn = data[:8192] + b"\xff" * 4096 + data[12288:]
    (tmp_path / "x.db").write_bytes(torn if damage == "page" else b"garbage" * 1000)

    assert count(tmp_path / "x.db", whole=True) == 0


def test_a_connection_that_nobody_holds_is_closed(tmp_path: Path) -> None:
    held = opened(tmp_path / "x.db", SCHEMA, 1)
    held.execute("BEGIN IMMEDIATE")
    del held
    gc.collect()

    opened(tmp_path / "x.db", SCHEMA, 1, wait=0.1).execute("BEGIN IMMEDIATE")


def test_discarding_removes_what_sqlite_keeps_beside_a_database(tmp_path: Path) -> None:
    db = opened(tmp_path / "x.db", SCHEMA, 1)
    db.execute("INSERT INTO note VALUES ('x')")

    discard(tmp_path / "x.db")

    assert list(tmp_path.iterdir()) == []
    db.close()


def test_a_place_that_cannot_be_opened_raises(tmp_path: Path) -> None:
    (tmp_path / "x.db").mkdir()

    with pytest.raises(sqlite3.OperationalError):
        opened(tmp_path / "x.db", SCHEMA, 1)
