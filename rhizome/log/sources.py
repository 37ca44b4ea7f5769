"""How far each session file was read: a projection that saves time and holds nothing else.

A cursor is believed when the bytes before it still hash to what they did. Without one, or with a wrong one, a file is
read from its start and the log's ids absorb what it already has. So nothing here is worth an error.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from rhizome.config import WHOLE_CHECK_DAYS
from rhizome.database import discard, opened
from rhizome.log.counting import Counts
from rhizome.log.importers import IMPORTERS
from rhizome.log.port import EventLog

EDGE_BYTES = 4096
_LAYOUT = 3
_VERSION = 1_000 * _LAYOUT + sum(importer.parser for importer in IMPORTERS.values())
"""Another one with every harness more and every better reader: who could not read a file then may do so now."""

_SCHEMA = """
CREATE TABLE cursor (file BLOB PRIMARY KEY, home TEXT NOT NULL, seq INT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
"""
_RUINED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class Stat(msgspec.Struct, frozen=True, array_like=True):
    """What tells an untouched file: no more of it is read when these are the same. `edges` is a hash of its first and
    its last 4 KB."""

    inode: int
    size: int
    mtime_ns: int
    edges: bytes = b""


def stat_of(path: Path, beside: Iterable[Path] = ()) -> Stat:
    """The file's own stat; with files that are read together with it, what tells whether any of them was touched."""
    with open(path, "rb", 0) as file:  # noqa: PTH123 - asked of every file of every import
        found = os.fstat(file.fileno())
        edges = file.read(EDGE_BYTES)
        if found.st_size > EDGE_BYTES:
            edges += os.pread(file.fileno(), EDGE_BYTES, max(EDGE_BYTES, found.st_size - EDGE_BYTES))
    size, newest = found.st_size, found.st_mtime_ns
    for other in beside:
        with suppress(FileNotFoundError):
            each = other.stat()
            size, newest = size + each.st_size, max(newest, each.st_mtime_ns)
    return Stat(found.st_ino, size, newest, hashlib.blake2b(edges, digest_size=16).digest())


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one file: the counts, the sessions in it, how many in it are our own, and why it could not be
    read to its end, if so."""

    counts: Counts
    sessions: tuple[str, ...] = ()
    own: int = 0
    problem: str | None = None


class Told(msgspec.Struct, frozen=True, array_like=True, kw_only=True):
    """What a report says of a file for as long as it is as it was, and as which file of which harness it was taken.

    `own` counts the sessions in it of our own questions to a model, of which nothing was taken.
    """

    harness: str
    name: str
    whole: bool = False
    side: bool = False
    own: int = 0
    sessions: tuple[str, ...] = ()
    records: int = 0
    unparsed: int = 0
    pending: int = 0
    oldest: str | None = None
    newest: str | None = None

    @property
    def taken(self) -> Taken:
        """What importing it again comes to."""
        return Taken(Counts(seen=self.records, unparsed=self.unparsed, pending=self.pending, oldest=self.oldest,
                            newest=self.newest), self.sessions, self.own)


class Cursor(msgspec.Struct, frozen=True, array_like=True):
    """Where a file was left: its container, the offset and the hash of the bytes before it, the occurrences counted
    so far (by the name of what occurred), what the naming remembers, and when all of it was last looked at."""

    stat: Stat
    told: Told
    container: str = ""
    offset: int = 0
    prefix: bytes = b""
    state: str | None = None
    counters: dict[bytes, int] = {}
    aligned: bool = False
    looked: datetime | None = None

    def fresh(self, now: datetime | None) -> bool:
        """Whether stat and edges are enough to believe it; once in a while the whole file has to tell."""
        return now is None or (self.looked is not None and now - self.looked < timedelta(days=WHOLE_CHECK_DAYS))


class Cursors:
    """The cursors in `index/sources.db` for one log; a file that is no database, or an older one's, is begun anew.
    Without `keep` none is written."""

    def __init__(self, path: Path, log: EventLog, *, keep: bool = True) -> None:
        self._path, self._log, self._keep = path, log, keep
        self._reach = log.head.seq
        self._waiting: list[tuple[bytes, bytes]] = []
        self._db = opened(path, _SCHEMA, _VERSION)

    def __enter__(self) -> "Cursors":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._db.close()

    def get(self, path: Path) -> Cursor | None:
        """How far `path` was read into this log; None where the log did not reach as far as it did then."""
        rows = self._tried("select body from cursor where file = ? and home = ? and seq <= ?",
                           _name(path), self._log.home, self._reach)
        with suppress(msgspec.DecodeError):
            return msgspec.msgpack.decode(rows[0][0], type=Cursor) if rows else None
        return None

    def put(self, path: Path, cursor: Cursor, now: datetime | None) -> None:
        """Remember how far `path` was read, from the next `settle` on."""
        if self._keep:
            body = msgspec.msgpack.encode(msgspec.structs.replace(cursor, looked=now))
            self._waiting.append((_name(path), body))

    def settle(self) -> None:
        """What was put is remembered. Call it only when what was read is durable."""
        if not self._waiting:
            return
        seq = self._log.head.seq
        self._tried("begin")
        for file, body in self._waiting:
            self._tried("insert or replace into cursor values (?, ?, ?, ?)", file, self._log.home, seq, body)
        self._tried("commit")
        self._waiting.clear()

    def drop(self) -> None:
        """What was put and not settled is forgotten."""
        self._waiting.clear()

    def _tried(self, statement: str, *values: bytes | str | int) -> list[Any]:
        """The rows of a statement; none where another process is in the way or the file is ruined."""
        try:
            return self._db.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode in _RUINED:
                self._db.close()
                discard(self._path)
                self._db = opened(self._path, _SCHEMA, _VERSION)
            return []


def _name(path: Path) -> bytes:
    """What a file is remembered by: a path may have a secret in it."""
    return hashlib.blake2b(os.fsencode(path), digest_size=16).digest()
