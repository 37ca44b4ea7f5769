"""The SQLite file a ledger projection stands in: its schema, and opening it whatever state it is in."""

import sqlite3
from pathlib import Path

SCHEMA_VERSION = 1
SCHEMA = (
    """CREATE TABLE facts (
        scope TEXT NOT NULL, fact_key TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
        value TEXT NOT NULL, statement TEXT NOT NULL, status TEXT NOT NULL, confidence REAL NOT NULL,
        tier TEXT NOT NULL, observed_at TEXT NOT NULL, recorded_at TEXT NOT NULL, last_confirmed_at TEXT NOT NULL,
        version INTEGER NOT NULL, detail TEXT NOT NULL, origin TEXT NOT NULL, actor TEXT NOT NULL,
        supersedes TEXT, superseded_by TEXT, contradicts TEXT, aliases TEXT NOT NULL, links TEXT NOT NULL,
        place INTEGER NOT NULL)""",
    "CREATE UNIQUE INDEX one_active_value ON facts (scope, fact_key) WHERE status = 'active'",
    "CREATE INDEX facts_by_key ON facts (scope, fact_key, place)",
    """CREATE TABLE evidence (
        scope TEXT NOT NULL, fact_key TEXT NOT NULL, fact TEXT NOT NULL, place INTEGER NOT NULL,
        event TEXT NOT NULL, quote TEXT NOT NULL)""",
    "CREATE INDEX evidence_by_key ON evidence (scope, fact_key, fact, place)",
    "CREATE INDEX evidence_by_event ON evidence (event)",
    "CREATE TABLE names (scope TEXT NOT NULL, name TEXT NOT NULL, fact_key TEXT NOT NULL, PRIMARY KEY (scope, name))",
    "CREATE TABLE reached (home TEXT PRIMARY KEY, seq INTEGER NOT NULL)",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
BUSY_SECONDS = 10.0


def opened(path: Path) -> sqlite3.Connection:
    """The database at `path`: as it stands when it is sound and of our schema, else a new, empty one.

    In autocommit: who writes says BEGIN. Several processes may read while one writes; calls on one connection may come
    from several threads, one at a time.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    db = _sound(path)
    if db is None:
        for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
            path.with_name(name).unlink(missing_ok=True)
        db = _connect(path)
    with db:
        db.execute("BEGIN IMMEDIATE")
        if _version(db) == 0:
            for statement in SCHEMA:
                db.execute(statement)
    return db


def _sound(path: Path) -> sqlite3.Connection | None:
    """A connection to a database that is new or ours, or None where the file is damaged or of another schema."""
    db = None
    try:
        db = _connect(path)
        tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        ours = _version(db) == (SCHEMA_VERSION if tables else 0)
        if ours and db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok":
            return db
    except sqlite3.OperationalError as wrong:
        if wrong.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            if db is not None:
                db.close()
            raise
    except sqlite3.DatabaseError:
        pass
    if db is not None:
        db.close()
    return None


def _connect(path: Path) -> sqlite3.Connection:
    path.touch(mode=0o600)
    db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])
