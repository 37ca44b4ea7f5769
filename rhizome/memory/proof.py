"""Law 2, checked: what is derived is what the log says, to the byte for notes, row by row for projections.

The proof reads the log alone and builds everything again beside what stands there. It writes nothing into the home.
"""

import hashlib
import sqlite3
import tempfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from rhizome.consolidate.derive import Derived
from rhizome.consolidate.plan import differences
from rhizome.errors import NotFound, OutsidePath
from rhizome.graph.edges import EdgeIndex
from rhizome.ledger.projection import LedgerIndex
from rhizome.memory import projections
from rhizome.memory.parts import Parts
from rhizome.model import Tier
from rhizome.search.documents import Document, cleaned

MISSING = "missing"

AGAIN = 2
"""So many times a difference is looked at again; one that is real stays."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something derived that the log does not explain: a note's ref or a file of the index, what is wrong, a diff."""

    path: str
    what: str
    diff: str = ""


def notes(parts: Parts, derived: Derived, waiting: Collection[str] = ()) -> list[Difference]:
    """Derived notes whose file is missing, changed, or should not be there; not those that are known to wait."""
    have = {}
    for note in parts.known.derived():
        try:
            have[note.ref] = parts.vault.read(note.ref)
        except (NotFound, OutsidePath):
            continue
    return [
        Difference(path, _what(path, derived.files, have), diff)
        for path, diff in differences(derived.files, have).items()
        if path not in waiting
    ]


def _what(ref: str, wanted: Mapping[str, bytes], have: Mapping[str, bytes]) -> str:
    if ref not in wanted:
        return "should be gone"
    return "not what the log says" if ref in have else MISSING


def indexes(parts: Parts) -> list[Difference]:
    """Projections whose rows differ from those built anew from the log and the notes.

    Others may write meanwhile: what differs is brought up to date and compared again before it counts.
    """
    found = _different(parts)
    for _ in range(AGAIN):
        if not found or not projections.refresh(parts):
            break
        found = _different(parts)
    return found


def _different(parts: Parts) -> list[Difference]:
    found = []
    fold = parts.fold()
    with tempfile.TemporaryDirectory(prefix="rhizome-proof-") as folder:
        for clearance in Tier:
            fresh = LedgerIndex(Path(folder), clearance)
            fresh.rebuild(fold, parts.heads())
            if fresh.digest() != parts.ledger(clearance).digest():
                found.append(Difference(f"index/ledger-{clearance}.db", "rows differ from the log's facts"))
            fresh.close()
        with EdgeIndex(Path(folder)) as links:
            links.update((ref, parts.vault.read(ref), ()) for ref in parts.edges.blobs())
            if links.digest() != parts.edges.digest():
                found.append(Difference("index/notes.db", "rows differ from the notes' links"))
        documents = projections.everything(parts, projections.Changes())
        if search_digest(documents, Path(folder)) != parts.engine.digest(tuple(Tier)):
            found.append(Difference("index/search", "documents differ from the log and the notes"))
    return found


def search_digest(documents: Iterable[Document], folder: Path) -> str:
    """What `SearchEngine.digest` gives for an index of exactly these documents; of equal ids the last counts.

    They are put in order on the disk, in `folder`: there may be more of them than memory has room for.
    """
    digest, db = hashlib.sha256(), sqlite3.connect(folder / "documents.db", isolation_level=None)
    try:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("CREATE TABLE document (id TEXT PRIMARY KEY, tier TEXT, bytes BLOB) WITHOUT ROWID")
        db.execute("BEGIN")
        db.executemany("INSERT OR REPLACE INTO document VALUES (?, ?, ?)", map(_row, documents))
        for tier in sorted(Tier):
            digest.update(f"{tier}\n".encode())
            for (data,) in db.execute("SELECT bytes FROM document WHERE tier = ? ORDER BY id", (tier,)):
                digest.update(data)
    finally:
        db.close()
    return digest.hexdigest()


def _row(document: Document) -> tuple[str, str, bytes]:
    clean = cleaned(document)
    return clean.id, Tier.GREEN if clean.tier == Tier.GREEN else Tier.AMBER, msgspec.msgpack.encode(clean)
