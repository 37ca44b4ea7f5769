"""Keeping what is derived for reading beside the log and the notes: links, ledgers, and the search index.

`changes` says what the search index does not hold yet; a writing verb applies it, a reading one looks at it directly.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from rhizome.config import LOCK_SECONDS
from rhizome.errors import Locked, NotFound
from rhizome.evaluate import golden
from rhizome.graph.edges import blob_id
from rhizome.ledger.claims import LEDGER_KINDS
from rhizome.log.lineage import Lineage
from rhizome.memory.alone import index_alone
from rhizome.memory.indexed import IndexedNote
from rhizome.memory.parts import Parts
from rhizome.memory.searchable import current_facts, sections, spoken
from rhizome.model import PRIVATE, Origin, Tier
from rhizome.search.documents import Document, cleaned
from rhizome.store.tree import Look

BATCH = 2_000
"""So many documents of a session go into the index at once: enough to be cheap, little enough to hold in memory."""


@dataclass(slots=True)
class Changes:
    """What the search index lacks. `upserts` are documents of notes and facts, `sessions` those that an import named.
    `notes` and `gone` say how its notes change, `facts` are the digests of all fact documents, `shadowed` those hidden
    from amber readers; `whole` asks for a build from nothing."""

    upserts: list[Document] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    deletes: set[str] = field(default_factory=set)
    notes: dict[str, IndexedNote] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    facts: dict[str, str] = field(default_factory=dict)
    shadowed: set[str] = field(default_factory=set)
    whole: bool = False

    def __bool__(self) -> bool:
        return self.whole or bool(self.upserts or self.deletes or self.sessions)


# ---------------------------------------------------------------- links and ledgers


def refresh_edges(parts: Parts, looks: Mapping[str, Look] | None = None, disk: datetime | None = None) -> None:
    """Bring the index of links to what the note files say, or said when they were looked at, at the time `disk`. A
    reader that meets a writer leaves it to that."""
    changed, removed = [], []
    for prefix, sweep in parts.vault.sweeps(parts.stats(), disk or parts.disk_time(), looks):
        for path in sweep.changed:
            stat = sweep.stats.get(path)
            try:
                changed.append((prefix + path, parts.vault.read(prefix + path), stat or ()))
            except NotFound:
                continue
        removed += [prefix + path for path in sweep.removed]
    if changed or removed:
        try:
            parts.edges.update(changed, removed)
        except Locked:
            return


def refresh_ledgers(parts: Parts) -> None:
    """Bring both ledgers to where the log is."""
    heads, behind = parts.heads(), list[Tier]()
    for clearance in Tier:
        reached = parts.ledger(clearance).reached
        if reached == heads:
            continue
        own = reached.get(parts.home.id)
        same = {home: seq for home, seq in reached.items() if home != parts.home.id} == {
            home: seq for home, seq in heads.items() if home != parts.home.id
        }
        if own is not None and same and next(iter(parts.log.read(own, LEDGER_KINDS)), None) is None:
            continue
        behind.append(clearance)
    if behind:
        fold = parts.fold()
        for clearance in behind:
            parts.ledger(clearance).rebuild(fold, heads)


# ---------------------------------------------------------------- what the index lacks


def changes(parts: Parts) -> Changes:
    """What has to change in the search index so that it holds what log and notes say now."""
    found = Changes(whole=parts.engine.reached(tuple(Tier)) is None or not parts.indexed.reached)
    if found.whole:
        return found
    _note_changes(parts, found)
    reached = parts.indexed.reached
    if reached == parts.heads():
        found.facts, found.shadowed = parts.indexed.facts(), parts.indexed.shadowed()
    else:
        found.upserts += _facts(parts, found, parts.indexed.facts())
        found.sessions = _sessions_named(parts, reached)
    return found


def searched(parts: Parts) -> dict[str, str]:
    """The notes that are searched, with their blobs: all but a person's questions for `eval run`."""
    return {ref: blob for ref, blob in parts.edges.blobs().items() if ref.removeprefix(PRIVATE) != golden.NOTE}


def _note_changes(parts: Parts, found: Changes) -> None:
    """Notes whose bytes, or what is known of them, differ from what was indexed. One that did not change costs 2 µs."""
    held, there, known = parts.indexed.blobs(), searched(parts), parts.known.blobs()
    for ref, blob in there.items():
        had, note = held.get(ref), known.get(ref)
        if had is not None and had[0] == blob and (note is None or note[0] != blob or note == had):
            continue
        made = _note(parts, ref, found)
        found.upserts += made
        found.deletes |= parts.indexed.documents(ref) - {document.id for document in made}
    for ref in held.keys() - there.keys():
        found.gone.add(ref)
        found.deletes |= parts.indexed.documents(ref)


def _note(parts: Parts, ref: str, found: Changes) -> list[Document]:
    """The documents of one note, noted in `found`; none when its file is gone by now."""
    try:
        data, mtime_ns = parts.vault.read(ref), parts.vault.mtime_ns(ref)
    except (NotFound, FileNotFoundError):
        return []
    made = sections(parts, ref, data, mtime_ns)
    derived = made[0].origin == Origin.MEMORY
    found.notes[ref] = IndexedNote(blob_id(data), made[0].recorded_at or "", len(made), derived)
    return made


def _facts(parts: Parts, found: Changes, before: Mapping[str, str]) -> list[Document]:
    """The documents of facts that the index has otherwise; all facts are noted in `found`."""
    made, found.shadowed = current_facts(parts)
    found.facts = {document.id: digest(document) for document in made}
    found.deletes |= before.keys() - found.facts.keys()
    return [document for document in made if before.get(document.id) != found.facts[document.id]]


def digest(document: Document) -> str:
    return hashlib.blake2b(msgspec.msgpack.encode(cleaned(document)), digest_size=16).hexdigest()


def _sessions_named(parts: Parts, reached: Mapping[str, int]) -> list[str]:
    """Sessions that an import named since the index was written, in the order they were first imported."""
    named = {
        event.session
        for event in parts.log.history(("source.seen", "source.attached"))
        if event.seq > reached.get(event.home, 0)
    }
    return [session for session in Lineage.of(parts.log).sessions if session in named] if named else []


def batches(parts: Parts, found: Changes, size: int = BATCH) -> Iterator[tuple[list[Document], set[str]]]:
    """What `found` comes to: documents to put in, at most about `size` at a time, and ids of those to take out."""
    upserts, deletes = list(found.upserts), set(found.deletes)
    lineage = Lineage.of(parts.log) if found.sessions else Lineage()
    for session in found.sessions:
        gone = {f"event:{event.id}" for event in parts.log.session(session)}
        for document in spoken(parts, session, lineage):
            gone.discard(document.id)
            upserts.append(document)
            if len(upserts) >= size:
                yield upserts, deletes
                upserts, deletes = [], set()
        deletes |= gone
    if upserts or deletes:
        yield upserts, deletes


def everything(parts: Parts, found: Changes) -> Iterator[Document]:
    """Every document there should be, a session at a time in memory; what it tells of notes and facts is in `found`."""
    for ref in sorted(searched(parts)):
        yield from _note(parts, ref, found)
    yield from _facts(parts, found, {})
    lineage = Lineage.of(parts.log)
    for session in lineage.sessions:
        yield from spoken(parts, session, lineage)


def apply(parts: Parts, found: Changes) -> None:
    """Write the changes into the search index, then remember what it holds."""
    seq, heads = parts.log.head.seq, parts.heads()
    if found.whole:
        parts.engine.build(seq, everything(parts, found))
    else:
        for upserts, deletes in batches(parts, found):
            parts.engine.apply(seq, upserts, deletes)
    if found or parts.indexed.reached != heads:
        parts.indexed.write(found.notes, found.gone, found.facts, found.shadowed, heads, anew=found.whole)


def refresh(parts: Parts) -> bool:
    """Bring every projection up to date; what writing verbs do last. False where another process is at it: whoever
    comes next goes on."""
    parts.notes_known()
    refresh_edges(parts)
    refresh_ledgers(parts)
    return index_apart(parts, LOCK_SECONDS)


def index_apart(parts: Parts, seconds: float) -> bool:
    """Bring the search index up to date, unless another process does so for longer than we may wait."""
    try:
        with index_alone(parts.home, seconds):
            apply(parts, changes(parts))
            return True
    except Locked:
        return False
