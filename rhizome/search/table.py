"""The documents of one tier in SQLite: their terms for exact scoring, their words for snippets, counts and aliases.

The counts (documents per term, documents and length per layer) are exact after every change, so the same documents
have the same scores whatever happened before. Lists go in as JSON, so that no list is too long.
"""

import json
import sqlite3
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rhizome.database import Connection
from rhizome.errors import Locked, RhizomeError
from rhizome.search.documents import Document
from rhizome.search.manifest import IndexDamaged
from rhizome.search.rows import Row, names, seconds
from rhizome.search.text_index import Entry, Filter
from rhizome.search.tokens import terms
from rhizome.search.units import Unit, unit

if TYPE_CHECKING:
    import hashlib

SCHEMA = """
CREATE TABLE document (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, layer TEXT NOT NULL, scope TEXT, session TEXT,
    position INTEGER NOT NULL, moment INTEGER NOT NULL, speaker TEXT, language TEXT NOT NULL,
    unit BLOB NOT NULL, record BLOB NOT NULL, crc_unit INTEGER NOT NULL, crc INTEGER NOT NULL
);
CREATE INDEX place ON document (session, position) WHERE session IS NOT NULL;
CREATE INDEX filtered ON document (layer, scope, session, moment);
CREATE INDEX speaking ON document (speaker, scope) WHERE speaker IS NOT NULL;
CREATE TABLE term (term TEXT, scope TEXT, documents INTEGER NOT NULL, PRIMARY KEY (term, scope)) WITHOUT ROWID;
CREATE TABLE layer (
    layer TEXT, scope TEXT, documents INTEGER NOT NULL, length INTEGER NOT NULL, PRIMARY KEY (layer, scope)
) WITHOUT ROWID;
CREATE TABLE alias (name TEXT, other TEXT, number INTEGER, PRIMARY KEY (name, other, number)) WITHOUT ROWID;
CREATE INDEX named ON alias (number);
CREATE TABLE word (number INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE);
"""

_DOCUMENT = msgspec.msgpack.Decoder(Document)
_UNIT = msgspec.msgpack.Decoder(Unit)


class Table:
    """An open `docs.db`. What SQLite finds wrong, and a row whose bytes have changed, is `IndexDamaged`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._sql = sqlite3.connect(
                path, timeout=10.0, isolation_level=None, check_same_thread=False, factory=Connection
            )
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
        rows = list(rows)
        entries = [self._insert(row) for row in rows]
        self._count(rows, 1)
        return entries

    def drop(self, numbers: Collection[int]) -> None:
        """Take documents away, their aliases and their share of the counts."""
        self._count(self.rows(numbers), -1)
        self._many("DELETE FROM document WHERE number = ?", [(number,) for number in numbers])
        self._many("DELETE FROM alias WHERE number = ?", [(number,) for number in numbers])
        self._all("DELETE FROM term WHERE documents <= 0")
        self._all("DELETE FROM layer WHERE documents <= 0")

    def _insert(self, row: Row) -> Entry:
        document, at, found = row.document, seconds(row.document), unit(row)
        record, packed = msgspec.msgpack.encode(document), msgspec.msgpack.encode(found)
        self._all("INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (
            row.number, document.id, document.layer, document.scope, document.session, document.position, at,
            found.speaker or None, found.language, packed, record, zlib.crc32(packed), zlib.crc32(record)))
        self._many("INSERT OR IGNORE INTO alias VALUES (?, ?, ?)", [(*pair, row.number) for pair in names(document)])
        return _entry(row, at)

    def _count(self, rows: Iterable[Row], times: int) -> None:
        counts, layers, lengths = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        for row in rows:
            scope = row.document.scope or ""
            counts.update((term, scope) for term in row.terms)
            layers[row.document.layer, scope] += 1
            lengths[row.document.layer, scope] += row.length
        self._many("INSERT INTO term VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET documents = documents + ?3",
                   [(*key, times * counts[key]) for key in sorted(counts)])
        self._many("INSERT INTO layer VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE"
                   " SET documents = documents + ?3, length = length + ?4",
                   [(*key, times * layers[key], times * lengths[key]) for key in sorted(layers)])

    def add_words(self, new: Collection[str]) -> dict[str, int]:
        """Give the terms that have none yet a number as words with a vector of their own; what is new comes back."""
        known = {term for (term,) in self._all("SELECT term FROM word WHERE term IN (SELECT value FROM json_each(?))",
                                               [json.dumps(list(new))])}
        first = 1 + (self._all("SELECT max(number) FROM word")[0][0] or 0)
        found = {term: number for number, term in enumerate(sorted(set(new) - known), first)}
        self._many("INSERT INTO word VALUES (?, ?)", [(number, term) for term, number in found.items()])
        return found

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
            "SELECT number, unit, crc_unit, record, crc FROM document"
            " WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number", [json.dumps(list(numbers))])]

    def whole(self, numbers: Collection[int]) -> Iterator[tuple[int, Document]]:
        """The documents with these numbers, without their terms."""
        for number, record, crc in self._all(
                "SELECT number, record, crc FROM document WHERE number IN (SELECT value FROM json_each(?))",
                [json.dumps(list(numbers))]):
            yield number, self._document(number, record, crc)

    def units(self, numbers: Collection[int]) -> dict[int, Unit]:
        """What is scored of the documents with these numbers, by number. About 5 µs each."""
        return {number: self._unit(number, packed, crc) for number, packed, crc in self._all(
            "SELECT number, unit, crc_unit FROM document WHERE number IN (SELECT value FROM json_each(?))",
            [json.dumps(list(numbers))])}

    def beside(self, numbers: Collection[int], reach: int) -> list[tuple[int, int, int]]:
        """(number, distance, neighbour) for all documents at most `reach` places away in the session of each."""
        return self._all(
            "SELECT a.number, b.position - a.position, b.number FROM json_each(?) JOIN document a ON a.number = value"
            " JOIN document b ON b.session = a.session AND b.position BETWEEN a.position - ?2 AND a.position + ?2"
            " WHERE a.session IS NOT NULL AND b.position <> a.position", [json.dumps(list(numbers)), reach])

    def speaking(self, names: Collection[str], scope: str | None, least: int) -> list[str]:
        """Of these names, as terms, those under which at least `least` turns are said."""
        return [name for (name,) in self._all(
            "SELECT speaker FROM document WHERE speaker IN (SELECT value FROM json_each(?1))"
            " AND (?2 IS NULL OR scope = ?2) GROUP BY speaker HAVING count(*) >= ?3",
            [json.dumps(list(names)), scope, least])]

    def languages(self) -> list[tuple[int, str]]:
        """Number and language of every document."""
        return self._all("SELECT number, language FROM document")

    def word_terms(self, numbers: Collection[int]) -> dict[int, str]:
        """The terms of words by their number."""
        return dict(self._all("SELECT number, term FROM word WHERE number IN (SELECT value FROM json_each(?))",
                              [json.dumps(list(numbers))]))

    def frequencies(self, terms: Collection[str], scope: str | None = None) -> dict[str, int]:
        """How many documents, of one scope or of all, hold each term; a term in none is left out."""
        return dict(self._all(
            "SELECT term, sum(documents) FROM term WHERE term IN (SELECT value FROM json_each(?1))"
            " AND (?2 IS NULL OR scope = ?2) GROUP BY term", [json.dumps(list(terms)), scope]))

    def layers(self, scope: str | None = None) -> dict[str, tuple[int, int]]:
        """Documents and summed length by layer, of one scope or of all."""
        return {layer: (documents, length) for layer, documents, length in self._all(
            "SELECT layer, sum(documents), sum(length) FROM layer WHERE ?1 IS NULL OR scope = ?1 GROUP BY layer",
            [scope])}

    def terms_from(self, prefix: str, limit: int, scope: str | None = None) -> list[str]:
        """Terms of a scope that begin with `prefix`, in order."""
        return [term for (term,) in self._all(
            "SELECT DISTINCT term FROM term WHERE term >= ?1 AND term < ?2 AND (?3 IS NULL OR scope = ?3)"
            " ORDER BY term LIMIT ?4", [prefix, prefix + "\U0010ffff", scope, limit])]

    def terms_like(self, first: str, shortest: int, longest: int, scope: str | None = None) -> list[str]:
        """Terms of a scope with this first letter and a length in these bounds, in order."""
        return [term for (term,) in self._all(
            "SELECT DISTINCT term FROM term WHERE term >= ?1 AND term < ?2 AND length(term) BETWEEN ?3 AND ?4"
            " AND (?5 IS NULL OR scope = ?5) ORDER BY term", [first, first + "\U0010ffff", shortest, longest, scope])]

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
        for each in self._each("SELECT number, unit, crc_unit, record, crc FROM document ORDER BY id"):
            yield self._row(*each).document

    def entries(self) -> Iterator[Entry]:
        """What the text index needs of every document, in order of its number."""
        for each in self._each("SELECT number, unit, crc_unit, record, crc FROM document ORDER BY number"):
            row = self._row(*each)
            yield _entry(row, seconds(row.document))

    def feed(self, digest: "hashlib._Hash") -> None:
        """Add every document, in order of its id, to a digest; places and numbers do not count."""
        for document in self.documents():
            digest.update(msgspec.msgpack.encode(document))

    def faults(self) -> Iterator[str]:
        """What is wrong inside: SQLite's own check, rows whose bytes changed, counts that do not add up."""
        yield from (f"docs.db: {text}" for (text,) in self._all("PRAGMA quick_check") if text != "ok")
        counts: Counter[tuple[str, str]] = Counter()
        for each in self._each("SELECT number, unit, crc_unit, record, crc FROM document ORDER BY number"):
            row = self._row(*each)
            counts.update((term, row.document.scope or "") for term in row.terms)
        if counts != {(term, scope): number for term, scope, number in self._all("SELECT * FROM term")}:
            yield "docs.db: the counts of terms do not add up"

    def _row(self, number: int, packed: bytes, crc_unit: int, record: bytes, crc: int) -> Row:
        found = self._unit(number, packed, crc_unit)
        return Row(number, self._document(number, record, crc), found.head, found.body, found.first, found.vectors)

    def _document(self, number: int, record: bytes, crc: int) -> Document:
        if zlib.crc32(record) != crc:
            raise self._changed(number)
        return _DOCUMENT.decode(record)

    def _unit(self, number: int, packed: bytes, crc: int) -> Unit:
        if zlib.crc32(packed) != crc:
            raise self._changed(number)
        return _UNIT.decode(packed)

    def _changed(self, number: int) -> RhizomeError:
        return self._error(sqlite3.DatabaseError(f"row {number} has changed"))

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
