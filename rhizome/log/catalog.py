"""The catalog: where each event of each home stands on disk. A projection of the segments; delete it whenever you like.

One SQLite file. It is rebuilt when it is missing, damaged or of another version, and kept in memory where the folder
cannot be written. `rhizome.log.scan` fills it.
"""

import json
import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock

import msgspec

from rhizome.log.chain import Place
from rhizome.log.port import DamagedRange
from rhizome.log.segments import Stamp

VERSION = 1
RECORD = "session.record"
BUSY_SECONDS = 30.0
PAGE = 1000
"""How many events one answer of a long walk brings."""

_SCHEMA = """
CREATE TABLE names (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO names VALUES (1, 'session.record');
CREATE TABLE segments (
    home INTEGER, name TEXT, start_seq INTEGER, start_h BLOB, seq INTEGER, h BLOB, offset INTEGER, recorded_at TEXT,
    v INTEGER, until INTEGER, size INTEGER, mtime_ns INTEGER, inode INTEGER, PRIMARY KEY (home, name)) WITHOUT ROWID;
CREATE TABLE events (
    home INTEGER, seq INTEGER, id BLOB, rev BLOB, kind INTEGER, session INTEGER, segment INTEGER, offset INTEGER,
    length INTEGER, recorded_at TEXT, PRIMARY KEY (home, seq)) WITHOUT ROWID;
CREATE INDEX events_id ON events (id);
CREATE INDEX events_session ON events (session) WHERE session IS NOT NULL;
CREATE INDEX events_own ON events (home, seq, kind) WHERE kind != 1;
CREATE VIEW places AS
    SELECT h.name AS home, e.seq AS seq, s.name AS segment, e.offset AS offset, e.length AS length,
           e.recorded_at AS recorded_at, e.id AS id, e.kind AS kind, e.session AS session
    FROM events e JOIN names h ON h.no = e.home JOIN names s ON s.no = e.segment;
CREATE TABLE damage (home INTEGER, segment TEXT, offset INTEGER, length INTEGER, why TEXT);
"""


@dataclass(frozen=True, slots=True)
class Known:
    """A segment as it was last read: from which place of the chain to which, up to which byte, and the file's stamp.

    `recorded_at` is the last one readable so far in this home, `v` the highest version of a line in this segment,
    `until` the seq that HEAD acknowledged at that time.
    """

    name: str
    start: Place
    end: Place
    offset: int
    recorded_at: str
    v: int
    until: int
    stamp: Stamp


class Row(msgspec.Struct, frozen=True, gc=False):
    """One event of the catalog-to-be."""

    seq: int
    id: bytes
    rev: bytes
    kind: str
    session: str | None
    offset: int
    length: int
    recorded_at: str


@dataclass(frozen=True, slots=True)
class Where:
    """Where an event stands. `segment` is relative to the home's folder."""

    home: str
    seq: int
    segment: str
    offset: int
    length: int
    recorded_at: str


class Catalog:
    """See the module. Usable from several threads and beside other processes; a question costs tens of microseconds."""

    def __init__(self, path: Path) -> None:
        self._lock = RLock()
        self._names: dict[str, int] = {}
        self._db = _opened(path)

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file. Closing twice is fine."""
        if hasattr(self, "_db"):
            self._db.close()

    # ---- what has been read so far

    def homes(self) -> list[str]:
        """Every home that has a segment here."""
        return [name for (name,) in self._all("SELECT DISTINCT n.name FROM segments s JOIN names n ON n.no = s.home "
                                              "ORDER BY n.name")]

    def segments(self, home: str) -> list[Known]:
        """The segments of a home, in the order of their lines."""
        rows = self._all("SELECT s.name, start_seq, start_h, seq, h, offset, recorded_at, v, until, size, "
                         "mtime_ns, inode "
                         "FROM segments s JOIN names n ON n.no = s.home WHERE n.name = ?", home)
        known = [Known(name, Place(start_seq, start_h), Place(seq, h), offset, recorded_at, v, until, Stamp(*stamp))
                 for name, start_seq, start_h, seq, h, offset, recorded_at, v, until, *stamp in rows]
        return sorted(known, key=lambda each: (each.name[-18:], each.name))

    def damage(self) -> list[tuple[str, DamagedRange]]:
        """What was found damaged while reading, with its home; segments are relative to the log folder."""
        rows = self._all("SELECT n.name, segment, offset, length, why FROM damage d JOIN names n ON n.no = d.home "
                         "ORDER BY n.name, substr(segment, -18), segment, offset")
        return [(home, DamagedRange(f"{home}/{segment}", offset, length, why))
                for home, segment, offset, length, why in rows]

    # ---- questions about events

    def known(self, ids: Sequence[str]) -> dict[str, frozenset[str]]:
        """The revisions of each of `ids` that is here."""
        found: dict[str, set[str]] = {}
        for id_, rev in self._all(
                "WITH RECURSIVE each (i) AS (SELECT 1 UNION ALL SELECT i + 16 FROM each WHERE i + 16 < length(?1)) "
                "SELECT id, rev FROM each CROSS JOIN events ON id = substr(?1, i, 16)", bytes.fromhex("".join(ids))):
            found.setdefault(id_.hex(), set()).add(rev.hex())
        return {id_: frozenset(revs) for id_, revs in found.items()}

    def named(self, prefix: str) -> list[tuple[str, Where]]:
        """(id, where) of events whose id begins with these hex digits, the longest line first; a hundred at most."""
        low, high = bytes.fromhex(prefix.ljust(32, "0")), bytes.fromhex(prefix.ljust(32, "f"))
        rows = self._all("SELECT id, home, seq, segment, offset, length, recorded_at FROM places "
                         "WHERE id BETWEEN ? AND ? ORDER BY length DESC, seq DESC LIMIT 100", low, high)
        return [(id_.hex(), Where(*where)) for id_, *where in rows]

    def of_session(self, name: str) -> list[Where]:
        """The events of a session, in the order of (recorded_at, home, seq)."""
        rows = self._all("SELECT home, seq, segment, offset, length, recorded_at FROM places "
                         "WHERE session = (SELECT no FROM names WHERE name = ?) ORDER BY recorded_at, home, seq", name)
        return [Where(*row) for row in rows]

    def of_kinds(self, home: str, kinds: Collection[str], since: int, until: int) -> Iterator[Where]:
        """The events of one home and these kinds (session records not among them) with since < seq <= until."""
        while True:
            rows = self._all("SELECT home, seq, segment, offset, length, recorded_at FROM places "
                             "WHERE home = ? AND kind != 1 AND seq > ? AND seq <= ? AND kind IN "
                             "(SELECT no FROM names JOIN json_each(?) AS given ON given.value = name) "
                             "ORDER BY seq LIMIT ?", home, since, until, json.dumps(sorted(kinds)), PAGE)
            yield from (Where(*row) for row in rows)
            if len(rows) < PAGE:
                return
            since = rows[-1][1]

    def at(self, home: str, seq: int) -> Where | None:
        """The first event of a home with at least this seq."""
        rows = self._all("SELECT home, seq, segment, offset, length, recorded_at FROM places "
                         "WHERE home = ? AND seq >= ? ORDER BY seq LIMIT 1", home, seq)
        return Where(*rows[0]) if rows else None

    # ---- changes

    @contextmanager
    def changing(self) -> Iterator[None]:
        """One transaction that no other process can interleave."""
        with self._lock:
            self._names.clear()
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                self._names.clear()
                raise
            self._db.execute("COMMIT")

    def forget_segment(self, home: str, name: str) -> None:
        """Nothing of this segment has been read."""
        no, segment = self._no(home), self._no(name)
        self._db.execute("DELETE FROM events WHERE home = ? AND segment = ?", (no, segment))
        self._db.execute("DELETE FROM damage WHERE home = ? AND segment = ?", (no, name))
        self._db.execute("DELETE FROM segments WHERE home = ? AND name = ?", (no, name))

    def add(self, home: str, known: Known, rows: Iterable[Row], damage: Iterable[DamagedRange] = ()) -> None:
        """More of a segment has been read: it is now `known`. A (home, seq) that stands here already stays."""
        no, segment = self._no(home), self._no(known.name)
        self._db.executemany(
            "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(no, row.seq, row.id, row.rev, self._no(row.kind), self._no(row.session), segment, row.offset, row.length,
              row.recorded_at) for row in rows])
        self._db.executemany("INSERT INTO damage VALUES (?, ?, ?, ?, ?)",
                             [(no, known.name, each.offset, each.length, each.why) for each in damage])
        stamp = known.stamp
        self._db.execute(
            "INSERT OR REPLACE INTO segments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (no, known.name, known.start.seq, known.start.h, known.end.seq, known.end.h, known.offset,
             known.recorded_at, known.v, known.until, stamp.size, stamp.mtime_ns, stamp.inode))

    def _no(self, name: str | None) -> int | None:
        if name is None:
            return None
        if name not in self._names:
            self._db.execute("INSERT OR IGNORE INTO names (name) VALUES (?)", (name,))
            self._names[name] = self._db.execute("SELECT no FROM names WHERE name = ?", (name,)).fetchone()[0]
        return self._names[name]

    def _all(self, question: str, *parameters: object) -> list[tuple]:  # type: ignore[type-arg]
        with self._lock:
            return self._db.execute(question, parameters).fetchall()


def _opened(path: Path) -> sqlite3.Connection:
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
    db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA cache_size = -65536")
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
