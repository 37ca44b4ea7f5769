"""The catalog's file: its tables, and a way to open it that never fails for what an old or broken one holds."""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from rhizome.database import Connection

VERSION = 4
BUSY_SECONDS = 30.0

_SCHEMA = """
CREATE TABLE names (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE segments (
    home INTEGER, name TEXT, start_seq INTEGER, start_h BLOB, seq INTEGER, h BLOB, offset INTEGER, recorded_at TEXT,
    v INTEGER, until INTEGER, size INTEGER, mtime_ns INTEGER, inode INTEGER, PRIMARY KEY (home, name)) WITHOUT ROWID;
CREATE TABLE events (
    place INTEGER PRIMARY KEY, id BLOB NOT NULL, rev BLOB NOT NULL, segment INTEGER NOT NULL, offset INTEGER NOT NULL,
    length INTEGER NOT NULL);
CREATE INDEX events_id ON events (id);
CREATE TABLE own (place INTEGER PRIMARY KEY, kind INTEGER NOT NULL);
CREATE TABLE runs (
    session INTEGER, first INTEGER, last INTEGER, segment INTEGER, PRIMARY KEY (session, first)) WITHOUT ROWID;
CREATE VIEW places AS
    SELECT place, h.name AS home, place & 281474976710655 AS seq, s.name AS segment, offset, length, id
    FROM events e JOIN names h ON h.no = place >> 48 JOIN names s ON s.no = e.segment;
CREATE TABLE damage (
    home INTEGER, segment TEXT, offset INTEGER, length INTEGER, why TEXT, first INTEGER, last INTEGER);
"""


def opened(path: Path) -> sqlite3.Connection:
    """The catalog at `path`, a new one where that one is no good, one in memory where nothing can be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return _prepared(path)
    except _OtherVersion:
        set_aside(path)
    except (OSError, sqlite3.OperationalError):
        return _prepared(":memory:")  # slower to open, and as good
    except sqlite3.DatabaseError:
        set_aside(path)
    return _prepared(path)


def set_aside(path: Path) -> None:
    """Put a catalog that is no good where nobody reads it."""
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).replace(path.with_name(f"{path.name}.aside{suffix}"))


class _OtherVersion(Exception):
    """A catalog of another release."""


def _prepared(path: Path | str) -> sqlite3.Connection:
    if isinstance(path, Path):
        with suppress(FileExistsError):  # whatever SQLite makes beside it takes its permissions from here
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, factory=Connection)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA cache_size = -65536")
        db.execute("PRAGMA wal_autocheckpoint = 8000")
        if _version(db) == 0:
            db.execute("BEGIN IMMEDIATE")
            if _version(db) == 0:
                for statement in (*_SCHEMA.split(";"), f"PRAGMA user_version = {VERSION}"):
                    db.execute(statement)
            db.execute("COMMIT")
        if _version(db) != VERSION:
            raise _OtherVersion
    except BaseException:
        db.close()
        raise
    return db


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])
