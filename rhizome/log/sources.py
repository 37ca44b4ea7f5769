"""How far each session file was read: a projection that saves time and holds nothing else.

A cursor is believed when the bytes before it still hash to what they did. Without one, or with a wrong one, a file is
read from its start and the log's ids absorb what it already has.
"""

import sqlite3
from pathlib import Path
from types import TracebackType

import msgspec

_VERSION = 1


class Stat(msgspec.Struct, frozen=True, array_like=True):
    """What tells an untouched file: nothing of it is read when these are the same."""

    inode: int
    size: int
    mtime_ns: int


def stat_of(path: Path) -> Stat:
    found = path.stat()
    return Stat(found.st_ino, found.st_size, found.st_mtime_ns)


class Cursor(msgspec.Struct, frozen=True, array_like=True):
    """Where a file was left: its container, the offset and the hash of the bytes before it, the occurrences counted
    so far (by the first 16 bytes of their name), what the naming remembers, and what the report says of the file."""

    stat: Stat
    container: str
    offset: int
    prefix: bytes
    state: str | None = None
    counters: dict[bytes, int] = {}
    aligned: bool = False
    records: int = 0
    unparsed: int = 0
    pending: bool = False


class Cursors:
    """The cursors in `index/sources.db`; a file that is no database, or an older one's, is begun anew."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._db = _opened(path)

    def __enter__(self) -> "Cursors":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._db.close()

    def get(self, path: Path) -> Cursor | None:
        row = self._db.execute("select body from cursor where path = ?", (str(path),)).fetchone()
        return msgspec.msgpack.decode(row[0], type=Cursor) if row else None

    def put(self, path: Path, cursor: Cursor) -> None:
        """Remember how far `path` was read. Call it only when what was read is durable."""
        body = msgspec.msgpack.encode(cursor)
        self._db.execute("insert or replace into cursor values (?, ?)", (str(path), body))


def _opened(path: Path) -> sqlite3.Connection:
    try:
        return _ready(path)
    except sqlite3.DatabaseError:
        for stale in (path, path.with_name(f"{path.name}-journal")):
            stale.unlink(missing_ok=True)
        return _ready(path)


def _ready(path: Path) -> sqlite3.Connection:
    """An open database of our version. Writes need not be durable: a lost cursor costs one more reading."""
    db = sqlite3.connect(path, timeout=10, isolation_level=None)
    try:
        db.execute("pragma synchronous = off")
        if db.execute("pragma user_version").fetchone()[0] != _VERSION:
            db.execute("drop table if exists cursor")
        db.execute("create table if not exists cursor (path text primary key, body blob not null) without rowid")
        db.execute(f"pragma user_version = {_VERSION}")
    except sqlite3.DatabaseError:
        db.close()
        raise
    path.chmod(0o600)
    return db
