"""What the search index holds beyond the log's seq: which note blobs, and which facts it shows to one reader only.

A projection in `index/indexed.db`, written after the index itself; when the two disagree, applying again is harmless.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from rhizome.database import opened

SCHEMA = """
CREATE TABLE notes (ref TEXT PRIMARY KEY, blob TEXT NOT NULL, recorded_at TEXT NOT NULL,
    sections INTEGER NOT NULL, derived INTEGER NOT NULL);
CREATE TABLE facts (id TEXT PRIMARY KEY, digest TEXT NOT NULL);
CREATE TABLE shadowed (id TEXT PRIMARY KEY);
CREATE TABLE reached (home TEXT PRIMARY KEY, seq INTEGER NOT NULL);
"""
VERSION = 1


class IndexedNote(NamedTuple):
    """One note as the search index has it; its documents are `note:<ref>#0` to `#<sections - 1>`."""

    blob: str
    recorded_at: str
    sections: int
    derived: bool


class Indexed:
    """Opens `file`; one that is no database is thrown away: everything is then indexed again."""

    def __init__(self, file: Path) -> None:
        self._db = opened(file, SCHEMA, VERSION)

    def close(self) -> None:
        self._db.close()

    @property
    def reached(self) -> dict[str, int]:
        return dict(self._db.execute("SELECT home, seq FROM reached"))

    def blobs(self) -> dict[str, tuple[str, str]]:
        """Which bytes of a note are indexed, and with which time: ref -> (blob, recorded_at)."""
        return {ref: (blob, at) for ref, blob, at in self._db.execute("SELECT ref, blob, recorded_at FROM notes")}

    def documents(self, ref: str) -> set[str]:
        """The ids of a note's documents in the index; none for a note that is not there."""
        found = self._db.execute("SELECT sections FROM notes WHERE ref = ?", (ref,)).fetchone()
        return set(documents(ref, found[0])) if found else set()

    def facts(self) -> dict[str, str]:
        """The fact documents in the index: id -> digest."""
        return dict(self._db.execute("SELECT id, digest FROM facts"))

    def shadowed(self) -> set[str]:
        """Ids of documents that only a green reader may take as current: an amber value is newer."""
        return {id_ for (id_,) in self._db.execute("SELECT id FROM shadowed")}

    def derived(self) -> set[str]:
        """Ids of the documents of derived notes."""
        rows = self._db.execute("SELECT ref, sections FROM notes WHERE derived")
        return {document for ref, sections in rows for document in documents(ref, sections)}

    def write(
        self, notes: Mapping[str, IndexedNote], gone: Iterable[str], facts: Mapping[str, str], shadowed: Iterable[str],
        reached: Mapping[str, int], *, anew: bool = False,
    ) -> None:  # fmt: skip
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            for table in ("facts", "shadowed", "reached", *(("notes",) if anew else ())):
                self._db.execute(f"DELETE FROM {table}")  # noqa: S608
            self._db.executemany("DELETE FROM notes WHERE ref = ?", [(ref,) for ref in gone])
            self._db.executemany(
                "INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?, ?)", [(ref, *note) for ref, note in notes.items()]
            )
            self._db.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
            self._db.executemany("INSERT INTO shadowed VALUES (?)", [(id_,) for id_ in shadowed])
            self._db.executemany("INSERT INTO reached VALUES (?, ?)", reached.items())


def documents(ref: str, sections: int) -> Iterable[str]:
    """The ids of a note's documents."""
    return (f"note:{ref}#{nth}" for nth in range(sections))
