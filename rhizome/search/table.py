"""The documents of one tier in SQLite: their terms for exact scoring, their words for snippets, counts and aliases.

The counts (documents per term, documents and length per layer) are exact after every change, so the same documents
have the same scores whatever happened before. Lists go in as JSON, so that no list is too long.
"""

import hashlib
import json
import sqlite3
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from rhizome.errors import Locked, RhizomeError
from rhizome.search.documents import Document
from rhizome.search.manifest import IndexDamaged
from rhizome.search.rows import Row, names, seconds
from rhizome.search.text_index import Entry, Filter
from rhizome.search.tokens import terms

SCHEMA = """
CREATE TABLE document (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, layer TEXT NOT NULL, scope TEXT, session TEXT,
    position INTEGER NOT NULL, moment INTEGER NOT NULL, first INTEGER NOT NULL, vectors INTEGER NOT NULL,
    head TEXT NOT NULL, body TEXT NOT NULL, record BLOB NOT NULL, crc INTEGER NOT NULL
);
CREATE INDEX place ON document (session, position) WHERE session IS NOT NULL;
CREATE INDEX filtered ON document (layer, scope, session, moment);
CREATE TABLE term (term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE layer (layer TEXT PRIMARY KEY, documents INTEGER NOT NULL, length INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE alias (name TEXT, other TEXT, number INTEGER, PRIMARY KEY (name, other, number)) WITHOUT ROWID;
CREATE INDEX named ON alias (number);
"""

_DOCUMENT = msgspec.msgpack.Decoder(Document)


class Table:
    """An open `docs.db`. What SQLite finds wrong, and a row whose bytes have changed, is `IndexDamaged`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._sql = sqlite3.connect(path, timeout=10.0, isolation_level=None, check_same_thread=False)
            self._sql.execute("PRAGMA secure_delete=ON")
        except sqlite3.DatabaseError as error:
            raise self._error(error) from error

    @classmethod
    def create(cls, path: Path) -> "Table":
        table = cls(path)
        table._sql.executescript("PRAGMA journal_mode=DELETE;" + SCHEMA)
        return table

    @classmethod
    def open(cls, path: Path) -> "Table":
        """An existing one; a file that is no database, or lacks the tables, is `IndexDamaged`."""
        table = cls(path)
        table.layers()
        return table

    def close(self) -> None:
        self._sql.close()

    # ------------------------------------------------------------ change

    def begin(self) -> None:
        self._all("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self._all("COMMIT")

    def put(self, rows: Iterable[Row]) -> list[Entry]:
        """Add documents under their numbers; what comes back is what the text index needs."""
        counts, layers, lengths, entries = Counter[str](), Counter[str](), Counter[str](), list[Entry]()
        for row in rows:
            entries.append(self._insert(row))
            counts.update(row.terms)
            layers[row.document.layer] += 1
            lengths[row.document.layer] += row.length
        self._count(counts, layers, lengths)
        return entries

    def drop(self, numbers: Collection[int]) -> None:
        """Take documents away, their aliases and their share of the counts."""
        counts, layers, lengths = Counter[str](), Counter[str](), Counter[str]()
        for row in self.rows(numbers):
            counts.subtract(row.terms)
            layers[row.document.layer] -= 1
            lengths[row.document.layer] -= row.length
        self._many("DELETE FROM document WHERE number = ?", [(number,) for number in numbers])
        self._many("DELETE FROM alias WHERE number = ?", [(number,) for number in numbers])
        self._count(counts, layers, lengths)
        self._all("DELETE FROM term WHERE documents <= 0")
        self._all("DELETE FROM layer WHERE documents <= 0")

    def _insert(self, row: Row) -> Entry:
        document, at = row.document, seconds(row.document)
        record = msgspec.msgpack.encode(row.document)
        self._all("INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (
            row.number, document.id, document.layer, document.scope, document.session, document.position, at,
            row.first, row.vectors, row.head, row.body, record, _crc(row.head, row.body, record)))
        self._many("INSERT OR IGNORE INTO alias VALUES (?, ?, ?)", [(*pair, row.number) for pair in names(document)])
        return _entry(row, at)

    def _count(self, counts: Counter[str], layers: Counter[str], lengths: Counter[str]) -> None:
        self._many("INSERT INTO term VALUES (?1, ?2) ON CONFLICT (term) DO UPDATE SET documents = documents + ?2",
                   sorted(counts.items()))
        self._many("INSERT INTO layer VALUES (?1, ?2, ?3) ON CONFLICT (layer) DO UPDATE"
                   " SET documents = documents + ?2, length = length + ?3",
                   [(layer, layers[layer], lengths[layer]) for layer in sorted(layers)])

    # ------------------------------------------------------------ ask

    def next_number(self) -> int:
        """A number that no document has had."""
        return 1 + max((last for (last,) in self._all("SELECT seq FROM sqlite_sequence")), default=0)

    def numbers(self, ids: Collection[str]) -> dict[str, int]:
        """The numbers of the documents that are here, by id."""
        return dict(self._all("SELECT id, number FROM document WHERE id IN (SELECT value FROM json_each(?))",
                              [json.dumps(list(ids))]))

    def rows(self, numbers: Collection[int]) -> list[Row]:
        """The documents with these numbers; one that is no longer here is left out."""
        return [self._row(*each) for each in self._all(
            "SELECT * FROM document WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number",
            [json.dumps(list(numbers))])]

    def neighbours(self, session: str, positions: Collection[int]) -> list[Row]:
        """The documents at these places of a session."""
        return [self._row(*each) for each in self._all(
            "SELECT * FROM document WHERE session = ? AND position IN (SELECT value FROM json_each(?))",
            [session, json.dumps(list(positions))])]

    def frequencies(self, terms: Collection[str]) -> dict[str, int]:
        """How many documents hold each term; a term in none is left out."""
        return dict(self._all("SELECT term, documents FROM term WHERE term IN (SELECT value FROM json_each(?))",
                              [json.dumps(list(terms))]))

    def layers(self) -> dict[str, tuple[int, int]]:
        """Documents and summed length by layer."""
        return {layer: (documents, length) for layer, documents, length in self._all("SELECT * FROM layer")}

    def terms_from(self, prefix: str, limit: int) -> list[str]:
        """Terms that begin with `prefix`, in order."""
        return [term for (term,) in self._all(
            "SELECT term FROM term WHERE term >= ? AND term < ? ORDER BY term LIMIT ?",
            [prefix, prefix + "\U0010ffff", limit])]

    def terms_like(self, first: str, shortest: int, longest: int) -> list[str]:
        """Terms with this first letter and a length in these bounds, in order."""
        return [term for (term,) in self._all(
            "SELECT term FROM term WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? ORDER BY term",
            [first, first + "\U0010ffff", shortest, longest])]

    def other_names(self, among: Collection[str]) -> list[tuple[str, str]]:
        """(name, other) for every alias or title among these, both as terms joined by a space."""
        return self._all("SELECT DISTINCT name, other FROM alias WHERE name IN (SELECT value FROM json_each(?))"
                         " ORDER BY name, other", [json.dumps(list(among))])

    def selected(self, filter: Filter, limit: int = -1) -> list[int]:  # noqa: A002
        """The numbers of the documents a filter lets through, read from one index."""
        return [number for (number,) in self._all(
            "SELECT number FROM document WHERE (?1 = '[]' OR layer IN (SELECT value FROM json_each(?1)))"
            " AND (?2 IS NULL OR scope = ?2) AND (?3 IS NULL OR session = ?3)"
            " AND (?4 IS NULL OR moment BETWEEN 1 AND ?4) LIMIT ?5",
            [json.dumps(filter.layers), filter.scope, filter.session, filter.until, limit])]

    # ------------------------------------------------------------ read all

    def documents(self) -> Iterator[Document]:
        """Every document in order of its id."""
        for each in self._each("SELECT * FROM document ORDER BY id"):
            yield self._row(*each).document

    def entries(self) -> Iterator[Entry]:
        """What the text index needs of every document, in order of its number."""
        for each in self._each("SELECT * FROM document ORDER BY number"):
            row = self._row(*each)
            yield _entry(row, seconds(row.document))

    def feed(self, digest: "hashlib._Hash") -> None:
        """Add every document, in order of its id, to a digest; places and numbers do not count."""
        for document in self.documents():
            digest.update(msgspec.msgpack.encode(document))

    def faults(self) -> Iterator[str]:
        """What is wrong inside: SQLite's own check, rows whose bytes changed, counts that do not add up."""
        yield from (f"docs.db: {text}" for (text,) in self._all("PRAGMA quick_check") if text != "ok")
        counts: Counter[str] = Counter()
        for each in self._each("SELECT * FROM document ORDER BY number"):
            row = self._row(*each)
            counts.update(row.terms)
        if counts != dict(self._all("SELECT term, documents FROM term")):
            yield "docs.db: the counts of terms do not add up"

    def _row(self, number: int, *columns: Any) -> Row:
        first, vectors, head, body, record, crc = columns[6:]
        if _crc(head, body, record) != crc:
            raise self._error(sqlite3.DatabaseError(f"row {number} has changed"))
        return Row(number, _DOCUMENT.decode(record), head, body, first, vectors)

    def _each(self, sql: str) -> Iterator[Any]:
        try:
            yield from self._sql.execute(sql)
        except sqlite3.DatabaseError as error:
            raise self._error(error) from error

    def _all(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        try:
            return self._sql.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._error(error) from error

    def _many(self, sql: str, values: Iterable[Sequence[object]]) -> None:
        try:
            self._sql.executemany(sql, values)
        except sqlite3.DatabaseError as error:
            raise self._error(error) from error

    def _error(self, error: sqlite3.DatabaseError) -> RhizomeError:
        tier = self._path.parent.parent.name
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            return Locked(f"search index {tier}: another process is changing it", hint="Try again in a moment.")
        return IndexDamaged(tier, f"docs.db: {error}")


def _entry(row: Row, at: int) -> Entry:
    document = row.document
    return Entry(row.number, document.layer, row.head, row.body, " ".join(terms(document.before)),
                 document.scope, document.session, at)


def _crc(head: str, body: str, record: bytes) -> int:
    return zlib.crc32(record, zlib.crc32(f"{head}\n{body}".encode()))
