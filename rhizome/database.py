"""SQLite files of projections: opened whatever state they are in, and begun anew where they are of no use."""

import sqlite3
from contextlib import suppress
from pathlib import Path

BUSY_SECONDS = 10.0


class Connection(sqlite3.Connection):
    """One that is closed, at the latest, when nobody holds it any more."""

    def __del__(self) -> None:
        with suppress(sqlite3.ProgrammingError):  # one that could not be opened
            self.close()


def opened(
    path: Path, schema: str, version: int, *, whole: bool = False, wait: float = BUSY_SECONDS
) -> Connection:
    """The database at `path`; one that is damaged is thrown away, one of another version is emptied.

    In autocommit: who writes says BEGIN. Several processes may read while one writes; calls on one connection may come
    from several threads, one at a time. What is deleted leaves nothing in free pages. `whole` looks at every page
    first; `wait` is how many seconds a call waits for another process. Raises sqlite3.OperationalError where nothing
    can be opened.
    """
    try:
        return _prepared(path, schema, version, whole, wait)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        discard(path)
        return _prepared(path, schema, version, whole, wait)


def discard(path: Path) -> None:
    """Remove a database with what SQLite keeps beside it."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm", f"{path.name}-journal"):
        path.with_name(name).unlink(missing_ok=True)


def _prepared(path: Path, schema: str, version: int, whole: bool, wait: float) -> Connection:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.touch(mode=0o600)  # whatever SQLite makes beside it takes its permissions from here
    db = sqlite3.connect(path, isolation_level=None, timeout=wait, check_same_thread=False, factory=Connection)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA secure_delete = ON")
        if whole and db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise sqlite3.DatabaseError(f"{path}: damaged")
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
