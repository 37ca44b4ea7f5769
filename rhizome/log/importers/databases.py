"""A harness's SQLite database, read without being in its way: nothing is written, and nobody is made to wait."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from rhizome.log.importers.records import Unreadable

MAGIC = b"SQLite format 3\0"
COPIED_BYTES = 256 * 1024 * 1024
"""A database up to this size is copied into memory by the backup API, which holds its lock for that moment only. A
larger one is read where it is, in one transaction: in WAL mode, as harnesses' large ones are, writers go on."""

_BUSY_SECONDS = 10


@contextmanager
def snapshot(path: Path) -> Iterator[sqlite3.Connection]:
    """One consistent state of the database at `path`, what its WAL holds included. Rows come by name.

    Raises Unreadable for what is no database, or is broken or busy.
    """
    try:
        with closing(_opened(path)) as db:
            db.row_factory = sqlite3.Row
            db.text_factory = lambda raw: raw.decode("utf-8", "replace")
            yield db
    except sqlite3.Error as error:
        raise Unreadable(f"{path.name}: {error}") from None


def _opened(path: Path) -> sqlite3.Connection:
    before = path.stat()
    if before.st_size > COPIED_BYTES:
        large = _connected(path, "mode=ro")
        large.execute("begin")
        return large
    if not any(other.exists() for other in (*beside(path), path.with_name(f"{path.name}-journal"))):
        copy = _copied(_connected(path, "immutable=1"))
        after = path.stat()
        if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
            return copy
        copy.close()
    return _copied(_connected(path, "mode=ro"))


def _connected(path: Path, how: str) -> sqlite3.Connection:
    """`immutable` looks for no lock and leaves no files behind, which is right while nobody has the database open."""
    db = sqlite3.connect(f"file:{quote(str(path))}?{how}", uri=True, timeout=_BUSY_SECONDS)
    db.execute("pragma query_only = on")
    return db


def _copied(source: sqlite3.Connection) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:")
    try:
        source.backup(copy)
    except sqlite3.Error:
        copy.close()
        raise
    finally:
        source.close()
    return copy


def beside(path: Path) -> list[Path]:
    """What changes when a row is written and not yet moved into the database file."""
    return [path.with_name(f"{path.name}-wal")]


def tables(db: sqlite3.Connection) -> set[str]:
    return {str(row[0]) for row in db.execute("select name from sqlite_master where type = 'table'")}
