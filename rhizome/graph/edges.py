"""Notes and their links in SQLite, as they are written: a projection of the note files that may be deleted at any time.

Targets stay as the author wrote them and are resolved when somebody asks, so that a new note heals the links that
waited for it. What a note says is kept by its blob id: a moved or copied note is not parsed again.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from hashlib import sha1, sha256
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rhizome.database import BUSY_SECONDS, opened
from rhizome.errors import Damaged, Locked
from rhizome.graph.links import Edge
from rhizome.graph.note import parse, stem
from rhizome.graph.resolve import Name, Names, names
from rhizome.graph.targets import key, keys
from rhizome.model import PRIVATE, Finding, Tier

FORMAT = 2
"""Raise it whenever a table or what `parse` finds changes: an index of another format is emptied when it is opened."""

TABLES = """
CREATE TABLE note (path TEXT PRIMARY KEY, blob TEXT NOT NULL, tier TEXT NOT NULL, stat TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX note_blob ON note (blob);
CREATE TABLE page (blob TEXT PRIMARY KEY, title TEXT, aliases TEXT, tags TEXT, tier TEXT, derived TEXT, findings TEXT)
    WITHOUT ROWID;
CREATE TABLE edge (blob TEXT, ordinal INTEGER, kind TEXT, raw TEXT, path TEXT, anchor TEXT, label TEXT, why TEXT,
    why_md TEXT, rel TEXT, line INTEGER, col INTEGER, heading TEXT, within INTEGER, key TEXT,
    PRIMARY KEY (blob, ordinal)) WITHOUT ROWID;
CREATE INDEX edge_key ON edge (key);
CREATE TABLE name (key TEXT, path TEXT, PRIMARY KEY (key, path)) WITHOUT ROWID;
CREATE INDEX name_path ON name (path);
"""
EDGE = "edge.ordinal, kind, raw, edge.path, anchor, label, why, why_md, rel, line, col, heading, within"
EDGE_VALUES = attrgetter(*(each.name for each in fields(Edge)))
FINDING_VALUES = attrgetter("line", "col", "code", "message")
VISIBLE = "(? OR note.tier = 'green')"
BATCH = 500


class IndexBroken(Damaged):
    """The index's file is no longer what was written. Delete it: the next sweep fills a new one."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A note as the index knows it. `tier` is what counts: a note in the private folder is amber whatever it says."""

    path: str
    blob: str
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    tier: str
    derived: str | None


def blob_id(data: bytes) -> str:
    """The id that git gives these bytes."""
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def tier_of(path: str, said: str | None) -> str:
    """Who may see a note: amber in the private folder and where its front matter says anything but green."""
    private = path.startswith(PRIVATE) or said not in (None, Tier.GREEN)
    return str(Tier.AMBER if private else Tier.GREEN)


class EdgeIndex:
    """The index in `folder`/notes.db, made when it is not there. Many may read while one writes.

    Every method raises IndexBroken when the file is no longer what was written, Locked when another
    process has been writing for `wait` seconds.
    """

    def __init__(self, folder: Path, *, wait: float = BUSY_SECONDS) -> None:
        self.file = folder / "notes.db"
        with self._guarded():
            self._db = opened(self.file, TABLES, FORMAT, wait=wait)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    def known(self) -> dict[str, tuple[int, ...]]:
        """The stat values that were given with each note, for a sweep that looks for changed files."""
        with self._guarded():
            rows = self._db.execute("SELECT path, stat FROM note").fetchall()
        stats = json.loads(f"[{','.join(stat for _, stat in rows)}]")  # one call, not one a note: this is in every read
        return {path: tuple(stat) for (path, _), stat in zip(rows, stats, strict=True)}

    def blobs(self) -> dict[str, str]:
        """The blob id of every note, by path. 10,000 notes take 10 ms."""
        with self._guarded():
            return dict(self._db.execute("SELECT path, blob FROM note"))

    def update(self, changed: Iterable[tuple[str, bytes, Sequence[int]]], removed: Iterable[str] = ()) -> int:
        """Take in notes (path, bytes, stat values) and forget removed ones, all or nothing; how many were taken in.

        Takes in about 2,000 notes a second; a note whose bytes are known is not parsed.
        """
        count = 0
        with self._guarded(), self._transaction():
            dropped = set()
            for path in removed:
                dropped |= self._drop(path)
            for path, data, stat in changed:
                dropped |= self._drop(path)
                self._put(path, data, stat)
                count += 1
            for blob in sorted(dropped):
                if not self._db.execute("SELECT 1 FROM note WHERE blob = ?", (blob,)).fetchone():
                    self._db.execute("DELETE FROM page WHERE blob = ?", (blob,))
                    self._db.execute("DELETE FROM edge WHERE blob = ?", (blob,))
        return count

    def notes(self, clearance: Tier) -> Iterator[Entry]:
        """Every note the reader may see, by path."""
        yield from self._entries("1", (), clearance)

    def entry(self, path: str, clearance: Tier) -> Entry | None:
        """The note at exactly this path."""
        return next(self._entries("note.path = ?", (path,), clearance), None)

    def named(self, wanted: Collection[str] | None, clearance: Tier) -> Names:
        """The names of all notes, or of those that answer to one of the keys `wanted` (see `targets.key`)."""
        if wanted is None:
            return names(map(_name, self.notes(clearance)))
        found = {}
        for batch in _batches(sorted(wanted)):
            where = f"note.path IN (SELECT path FROM name WHERE {_one_of('key', batch)})"  # noqa: S608
            for each in self._entries(where, batch, clearance):
                found[each.path] = _name(each)
        return names(found.values())

    def edges(self, clearance: Tier, sources: Collection[str] | None = None) -> list[tuple[str, Edge]]:
        """The edges of all notes or of `sources`, with the note each stands in, by path and position."""
        if sources is None:
            return self._edges("1", (), clearance)
        batches = _batches(sorted(sources))
        return [row for batch in batches for row in self._edges(_one_of("note.path", batch), batch, clearance)]

    def edges_to(self, wanted: Collection[str], clearance: Tier) -> list[tuple[str, Edge]]:
        """The edges whose target has one of the keys, by path and position: those that may mean a note of that name."""
        batches = _batches(sorted(wanted))
        rows = [row for batch in batches for row in self._edges(_one_of("edge.key", batch), batch, clearance)]
        return sorted(rows, key=lambda row: (row[0], row[1].ordinal))

    def findings(self, clearance: Tier) -> Iterator[Finding]:
        """What the authors of the notes may want to know, by path and line."""
        query = f"SELECT note.path, findings FROM note JOIN page USING (blob) WHERE {VISIBLE} ORDER BY note.path"  # noqa: S608
        with self._guarded():
            rows = self._db.execute(query, (clearance == Tier.AMBER,)).fetchall()
        for path, findings in rows:
            yield from (Finding(path, *each) for each in json.loads(findings))

    def digest(self) -> str:
        """SHA-256 over everything the notes say, in order: equal for equal notes, however they came in."""
        hasher = sha256()
        said = "note.path, blob, note.tier, title, aliases, tags, derived"
        pages = f"SELECT {said} FROM note JOIN page USING (blob) ORDER BY 1"  # noqa: S608
        edges = f"SELECT note.path, {EDGE} FROM note JOIN edge USING (blob) ORDER BY 1, 2"  # noqa: S608
        with self._guarded():
            for query in (pages, edges):
                for row in self._db.execute(query):
                    hasher.update(json.dumps(row).encode() + b"\n")
        return hasher.hexdigest()

    def _put(self, path: str, data: bytes, stat: Sequence[int]) -> None:
        blob = blob_id(data)
        page = self._db.execute("SELECT title, aliases, tier FROM page WHERE blob = ?", (blob,)).fetchone()
        if page is None:
            note = parse(path, data)
            page = note.own_title, json.dumps(note.aliases), note.tier
            tags, findings = json.dumps(note.tags), json.dumps([FINDING_VALUES(each) for each in note.findings])
            said = (blob, note.own_title, page[1], tags, note.tier, note.derived, findings)
            self._db.execute("INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?)", said)
            rows = ((blob, *EDGE_VALUES(edge), key(edge.path)) for edge in note.links)
            self._db.executemany(f"INSERT INTO edge VALUES ({', '.join('?' * 15)})", rows)  # noqa: S608
        title, aliases, tier = page
        row = (path, blob, tier_of(path, tier), json.dumps(tuple(stat)))
        self._db.execute("INSERT INTO note VALUES (?, ?, ?, ?)", row)
        answers = keys(path, title or stem(path), tuple(json.loads(aliases)))
        self._db.executemany("INSERT INTO name VALUES (?, ?)", ((each, path) for each in answers))

    def _drop(self, path: str) -> set[str]:
        blobs = {blob for (blob,) in self._db.execute("SELECT blob FROM note WHERE path = ?", (path,))}
        if blobs:
            self._db.execute("DELETE FROM note WHERE path = ?", (path,))
            self._db.execute("DELETE FROM name WHERE path = ?", (path,))
        return blobs

    def _entries(self, where: str, values: Sequence[str], clearance: Tier) -> Iterator[Entry]:
        query = (
            "SELECT note.path, note.blob, title, aliases, tags, note.tier, derived FROM note JOIN page USING (blob) "  # noqa: S608
            f"WHERE {where} AND {VISIBLE} ORDER BY note.path"
        )
        with self._guarded():
            rows = self._db.execute(query, (*values, clearance == Tier.AMBER)).fetchall()
        for path, blob, title, aliases, tags, tier, derived in rows:
            own = tuple(json.loads(aliases))
            yield Entry(path, blob, title or stem(path), own, tuple(json.loads(tags)), tier, derived)

    def _edges(self, where: str, values: Sequence[str], clearance: Tier) -> list[tuple[str, Edge]]:
        query = (
            f"SELECT note.path, {EDGE} FROM edge JOIN note USING (blob) WHERE {where} AND {VISIBLE} "  # noqa: S608
            "ORDER BY note.path, ordinal"
        )
        with self._guarded():
            rows = self._db.execute(query, (*values, clearance == Tier.AMBER)).fetchall()
        return [(row[0], Edge(*row[1:])) for row in rows]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                raise Locked(f"{self.file}: another process is writing", hint="Wait for it and try again.") from error
            raise IndexBroken(f"{self.file}: {error}", hint="Delete the index folder; it is made again.") from error


def _name(entry: Entry) -> Name:
    return Name(entry.path, entry.title, entry.aliases, entry.derived is not None)


def _one_of(column: str, values: Sequence[Any]) -> str:
    return f"{column} IN ({', '.join('?' * len(values))})"


def _batches(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), BATCH):
        yield values[start : start + BATCH]
