"""SQLite files of this room's projections: opened whatever state they are in, empty where they are of no use."""

import sqlite3
from pathlib import Path

from rhizome.errors import RhizomeError
from rhizome.graph.edges import IndexBroken
from rhizome.search.manifest import IndexDamaged

BUSY_SECONDS = 10.0


def opened(path: Path, schema: str, version: int) -> sqlite3.Connection:
    """The database at `path`; one that is damaged or of another version is thrown away and begun anew.

    In autocommit: who writes says BEGIN. Raises sqlite3.OperationalError where nothing can be opened.
    """
    try:
        return _prepared(path, schema, version)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        discard(path)
        return _prepared(path, schema, version)


def discard(path: Path) -> None:
    """Remove a database with what SQLite keeps beside it."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)


def is_broken(wrong: sqlite3.DatabaseError | RhizomeError) -> bool:
    """Whether an error means that a projection's file is no good, so that building it again will help."""
    if isinstance(wrong, RhizomeError):
        return isinstance(wrong, IndexBroken | IndexDamaged)
    return not is_busy(wrong)


def is_busy(wrong: sqlite3.DatabaseError) -> bool:
    """Whether an error means no more than that another process is writing."""
    return getattr(wrong, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _prepared(path: Path, schema: str, version: int) -> sqlite3.Connection:
    path.touch(mode=0o600)
    db = sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        if _version(db) != version:
            _begin_anew(db, schema, version)
    except BaseException:
        db.close()
        raise
    return db


def _begin_anew(db: sqlite3.Connection, schema: str, version: int) -> None:
    db.execute("BEGIN IMMEDIATE")
    if _version(db) != version:  # no other process was first
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            db.execute(f'DROP TABLE "{table}"')
        for statement in filter(str.strip, schema.split(";")):
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {version}")
    db.execute("COMMIT")


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])
