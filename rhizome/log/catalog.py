"""The catalog: where each event of each home stands on disk. A projection of the segments; delete it whenever you like.

One SQLite file. It is rebuilt when it is missing, damaged or of another version, and kept in memory where the folder
cannot be written. `rhizome.log.scan` fills it. An event's `place` is its home's number and its seq in one integer, so
that a row costs one insertion at the end of a table; kinds other than session records stand in a table of their own,
and sessions as runs of neighbouring events.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from threading import RLock
from typing import Any

import msgspec

from rhizome.log.catalog_file import opened
from rhizome.log.chain import Place
from rhizome.log.port import DamagedRange
from rhizome.log.segments import Stamp

RECORD = "session.record"
SEQ_BITS = 48
MAX_SEQ = (1 << SEQ_BITS) - 1
_NONE: frozenset[str] = frozenset()
PAGE = 1000
"""How many events one answer of a long walk brings."""

TOGETHER = 50
"""So many rows go into one statement, which by itself costs a third of what a row does."""


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


@dataclass(frozen=True, slots=True)
class Where:
    """Where an event stands. `segment` is relative to the home's folder."""

    home: str
    seq: int
    segment: str
    offset: int
    length: int


class Catalog:
    """See the module. Usable from several threads and beside other processes; a question costs tens of microseconds."""

    def __init__(self, path: Path) -> None:
        self._lock = RLock()
        self._names: dict[str, int] = {}
        self._db = opened(path)
        self._told: dict[str, frozenset[str]] = {}
        self._told_at: object = None
        """What was answered last, and when: an append asks once more what led to it."""
        self.settled: object = None
        """What the files and `version` were when last nothing was left to read: while they are, nothing is."""

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file. Closing twice is fine."""
        if hasattr(self, "_db"):
            self._db.close()

    @property
    def version(self) -> tuple[int, int]:
        """Another one after every change, whoever makes it."""
        return self._all("PRAGMA data_version")[0][0], self._db.total_changes

    # ---- what has been read so far

    def homes(self) -> list[str]:
        """Every home that has a segment here."""
        return [name for (name,) in self._all("SELECT DISTINCT n.name FROM segments s JOIN names n ON n.no = s.home "
                                              "ORDER BY n.name")]

    def segments(self, home: str) -> list[Known]:
        """The segments of a home, in the order of their lines."""
        rows = self._all("SELECT s.name, start_seq, start_h, seq, h, offset, recorded_at, v, until, size, mtime_ns, "
                         "inode FROM segments s JOIN names n ON n.no = s.home WHERE n.name = ?", home)
        known = [Known(name, _chained(first, before), _chained(last, h), offset, recorded_at, v, until, Stamp(*stamp))
                 for name, first, before, last, h, offset, recorded_at, v, until, *stamp in rows]
        return sorted(known, key=lambda each: (each.name[-18:], each.name))

    def damage(self) -> list[DamagedRange]:
        """What was found damaged while reading; segments are relative to the log folder."""
        rows = self._all("SELECT n.name, segment, offset, length, why, first, last FROM damage d "
                         "JOIN names n ON n.no = d.home ORDER BY n.name, substr(segment, -18), segment, offset")
        return [DamagedRange(f"{home}/{segment}", *found) for home, segment, *found in rows]

    # ---- questions about events

    def known(self, ids: Sequence[str]) -> dict[str, frozenset[str]]:
        """The revisions of each of `ids` that is here."""
        with self._lock:
            version = self.version
            told = self._told if self._told_at == version else {}
            answers = {id_: told.get(id_, _NONE) for id_ in ids}
            new = answers.keys() - told.keys()
            for id_, rev in self._all(
                    "WITH RECURSIVE each (i) AS (SELECT 1 UNION ALL SELECT i + 16 FROM each WHERE i + 16 < length(?1)) "
                    "SELECT id, rev FROM each CROSS JOIN events ON id = substr(?1, i, 16)",
                    bytes.fromhex("".join(new))) if new else ():
                name = id_.hex()
                answers[name] |= {rev.hex()}
            self._told, self._told_at = answers, version
            return {id_: revs for id_, revs in answers.items() if revs}

    def named(self, prefix: str) -> list[tuple[str, Where]]:
        """(id, where) of events whose id begins with these hex digits, the longest line first; a hundred at most."""
        low, high = bytes.fromhex(prefix.ljust(32, "0")), bytes.fromhex(prefix.ljust(32, "f"))
        rows = self._all("SELECT id, home, seq, segment, offset, length FROM places "
                         "WHERE id BETWEEN ? AND ? ORDER BY length DESC, place DESC LIMIT 100", low, high)
        return [(id_.hex(), Where(*where)) for id_, *where in rows]

    def of_session(self, name: str) -> list[Where]:
        """The events of a session, home by home and in order."""
        rows = self._all("SELECT home, seq, p.segment, offset, length FROM runs JOIN places p "
                         "ON place BETWEEN first AND last WHERE session = (SELECT no FROM names WHERE name = ?) "
                         "ORDER BY home, seq", name)
        return [Where(*row) for row in rows]

    def of_kinds(self, home: str, kinds: Collection[str], since: int, until: int) -> Iterator[Where]:
        """The events of one home and these kinds (session records not among them) with since < seq <= until."""
        while True:
            rows = self._all("SELECT home, seq, segment, offset, length FROM own JOIN places USING (place) "
                             "WHERE place > ? AND place <= ? AND kind IN "
                             "(SELECT no FROM names JOIN json_each(?) AS given ON given.value = name) "
                             "ORDER BY place LIMIT ?",
                             self._place(home, since), self._place(home, until), json.dumps(sorted(kinds)), PAGE)
            yield from (Where(*row) for row in rows)
            if len(rows) < PAGE:
                return
            since = rows[-1][1]

    def kinds(self) -> dict[str, int]:
        """How many events there are of each kind, over all homes."""
        own = dict(self._all("SELECT name, count(*) FROM own JOIN names ON no = kind GROUP BY name"))
        records = self._all("SELECT (SELECT count(*) FROM events) - (SELECT count(*) FROM own)")[0][0]
        return own | ({RECORD: records} if records else {})

    def at(self, home: str, seq: int) -> Where | None:
        """The first event of a home with at least this seq."""
        rows = self._all("SELECT home, seq, segment, offset, length FROM places WHERE place BETWEEN ? AND ? "
                         "ORDER BY place LIMIT 1", self._place(home, seq), self._place(home, MAX_SEQ))
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
        everything = (self._place(home, 0), self._place(home, MAX_SEQ), segment)
        self._db.execute("DELETE FROM own WHERE place IN "
                         "(SELECT place FROM events WHERE place BETWEEN ? AND ? AND segment = ?)", everything)
        self._db.execute("DELETE FROM events WHERE place BETWEEN ? AND ? AND segment = ?", everything)
        self._db.execute("DELETE FROM runs WHERE first BETWEEN ? AND ? AND segment = ?", everything)
        self._db.execute("DELETE FROM damage WHERE home = ? AND segment = ?", (no, name))
        self._db.execute("DELETE FROM segments WHERE home = ? AND name = ?", (no, name))

    def add(self, home: str, known: Known, rows: Sequence[Row], damage: Iterable[DamagedRange] = (), *,
            after: int = 0) -> None:
        """More of a segment has been read: it is now `known`. An event that stands here already stays as it is.

        The offsets of `rows` count from the byte `after`.
        """
        no, segment = self._no(home), self._no(known.name)
        base = no << SEQ_BITS
        for start in range(0, len(rows), TOGETHER):
            values = list[object]()
            for row in rows[start : start + TOGETHER]:
                values += base | row.seq, row.id, row.rev, segment, after + row.offset, row.length
            self._db.execute(_insert(len(values) // 6), values)
        self._db.executemany("INSERT OR IGNORE INTO own VALUES (?, ?)",
                             [(base | row.seq, self._no(row.kind)) for row in rows if row.kind != RECORD])
        self._db.executemany("INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?)",
                             [(self._no(session), base | first, base | last, segment)
                              for session, first, last in _runs(rows)])
        self._db.executemany("INSERT INTO damage VALUES (?, ?, ?, ?, ?, ?, ?)",
                             [(no, known.name, each.offset, each.length, each.why, each.first, each.last)
                              for each in damage])
        stamp = known.stamp
        self._db.execute(
            "INSERT OR REPLACE INTO segments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (no, known.name, known.start.seq, _values(known.start), known.end.seq, _values(known.end), known.offset,
             known.recorded_at, known.v, known.until, stamp.size, stamp.mtime_ns, stamp.inode))

    def restamp(self, home: str, name: str, stamp: Stamp) -> None:
        """A segment has another form and the same lines."""
        self._db.execute("UPDATE segments SET size = ?, mtime_ns = ?, inode = ? WHERE home = ? AND name = ?",
                         (stamp.size, stamp.mtime_ns, stamp.inode, self._no(home), name))

    def _place(self, home: str, seq: int) -> int:
        """The place of a line; that of no line where the home is not known."""
        rows = self._all("SELECT no FROM names WHERE name = ?", home)
        return (rows[0][0] if rows else 0) << SEQ_BITS | min(max(seq, 0), MAX_SEQ)

    def _no(self, name: str) -> int:
        if name not in self._names:
            self._db.execute("INSERT OR IGNORE INTO names (name) VALUES (?)", (name,))
            self._names[name] = self._db.execute("SELECT no FROM names WHERE name = ?", (name,)).fetchone()[0]
        return self._names[name]

    def _all(self, question: str, *parameters: object) -> list[Any]:
        with self._lock:
            return self._db.execute(question, parameters).fetchall()


@cache
def _insert(rows: int) -> str:
    return "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?)" + ", (?, ?, ?, ?, ?, ?)" * (rows - 1)


def _values(place: Place) -> bytes:
    """The chain values of a place, none to two of them, as one."""
    return (place.h or b"") + (place.doubt or b"")


def _chained(seq: int, values: bytes) -> Place:
    return Place(seq, values[:32] or None, values[32:] or None)


def _runs(rows: Iterable[Row]) -> Iterator[tuple[str, int, int]]:
    """(session, first seq, last seq) of neighbouring rows that belong to one session."""
    for session, run in groupby(rows, key=lambda row: row.session):
        if session is not None:
            seqs = [row.seq for row in run]
            yield session, seqs[0], seqs[-1]
