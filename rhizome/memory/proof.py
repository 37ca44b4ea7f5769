"""Law 2, checked: what is derived is what the log says, to the byte for notes, row by row for projections.

The proof reads the log alone and builds everything again beside what stands there. It writes nothing into the home.
"""

import hashlib
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from rhizome.consolidate.derive import Derived
from rhizome.consolidate.plan import differences
from rhizome.errors import NotFound
from rhizome.graph.edges import EdgeIndex
from rhizome.ledger.projection import LedgerIndex
from rhizome.memory import projections
from rhizome.memory.parts import Parts
from rhizome.model import Tier
from rhizome.search.documents import Document, cleaned


@dataclass(frozen=True, slots=True)
class Difference:
    """Something derived that the log does not explain: a note's ref or a file of the index, what is wrong, a diff."""

    path: str
    what: str
    diff: str = ""


def notes(parts: Parts, derived: Derived) -> list[Difference]:
    """Derived notes whose file is missing, changed, or should not be there."""
    have = {}
    for note in parts.known.derived():
        try:
            have[note.ref] = parts.vault.read(note.ref)
        except NotFound:
            continue
    found = []
    for difference in differences(derived.files, have):
        missing = difference.path not in have
        what = (
            "missing" if missing else "not what the log says" if difference.path in derived.files else "should be gone"
        )
        found.append(Difference(difference.path, what, difference.diff))
    return found


def indexes(parts: Parts) -> list[Difference]:
    """Projections whose rows differ from those built anew from the log and the notes."""
    found = []
    fold = parts.fold()
    with tempfile.TemporaryDirectory(prefix="rhizome-proof-") as folder:
        for clearance in Tier:
            fresh = LedgerIndex(Path(folder), clearance)
            fresh.rebuild(fold, parts.heads())
            live = parts.ledger(clearance)
            if fresh.digest() != live.digest():
                found.append(Difference(f"index/ledger-{clearance}.db", "rows differ from the log's facts"))
            fresh.close()
            live.close()
        with EdgeIndex(Path(folder)) as links:
            links.update((entry.path, parts.vault.read(entry.path), ()) for entry in parts.edges.notes(Tier.AMBER))
            if links.digest() != parts.edges.digest():
                found.append(Difference("index/notes.db", "rows differ from the notes' links"))
    if search_digest(projections.everything(parts, projections.Changes())) != parts.engine.digest(tuple(Tier)):
        found.append(Difference("index/search", "documents differ from the log and the notes"))
    return found


def search_digest(documents: Iterable[Document]) -> str:
    """What `SearchEngine.digest` gives for an index of exactly these documents."""
    digest, made = hashlib.sha256(), list(documents)
    for tier in sorted(Tier):
        digest.update(f"{tier}\n".encode())
        for document in sorted((each for each in made if each.tier == tier), key=lambda each: each.id):
            digest.update(msgspec.msgpack.encode(cleaned(document)))
    return digest.hexdigest()
