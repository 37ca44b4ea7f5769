"""Changes to one tier's index, under its lock: a set of documents in and out, or a new generation from nothing.

A change writes vectors, text and table and replaces the manifest last. A crash between leaves files that do not match
the manifest; the next reader says so, and the tier is built again.
"""

import shutil
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

import msgspec

from rhizome.search import floor
from rhizome.search import manifest as manifests
from rhizome.search.documents import Document
from rhizome.search.embedder import Embedder
from rhizome.search.language import LANGUAGES, language
from rhizome.search.manifest import IndexDamaged, Manifest, Threshold, Unready
from rhizome.search.rows import Row, read_row
from rhizome.search.sentences import chunks
from rhizome.search.table import Table
from rhizome.search.text_index import BUILD_HEAP_BYTES, Entry, TextIndex
from rhizome.search.tier import Tier, open_locked

LAYERS = ("fact", "note", "history")
BATCH = 500
"""Documents read into terms and vectors at a time; bounds the memory of a build."""

GROWTH = 2
FEW = 250
"""A tier twice as large as when its floor was fitted is built anew; one of few documents, when it has twice as many."""


class Builder:
    """A new generation of a tier, beside the one that is being read until `finish`."""

    def __init__(self, folder: Path, embedder: Embedder | None, before: Tier | None = None) -> None:
        """`before` is the open tier that this one comes from; sentences that have vectors there are not encoded."""
        self._folder, self._embedder = folder, embedder
        self._before = before if before and _has_sound_vectors(before, embedder) else None
        old = manifests.read(folder)
        taken = [int(path.name[1:]) for path in folder.glob("g*") if path.name[1:].isdigit()]
        self._number = 1 + max([old.generation if isinstance(old, Manifest) else 0, *taken])
        self._generation = folder / f"g{self._number}"
        self._generation.mkdir(mode=0o700, parents=True)
        self._table = Table.create(self._generation / "docs.db")
        self._dims = embedder.dims if embedder else 0
        self._waiting: dict[str, Document] = {}
        self._written: dict[str, str] = {}

    def add(self, document: Document) -> None:
        self._waiting[document.id] = document
        if len(self._waiting) >= BATCH:
            self._flush()

    def finish(self, seq: int, fit: Callable[[Tier], Threshold]) -> None:
        """Index the text, fit the floor, and make this generation the one that is read."""
        self._flush()
        if self._embedder:
            self._see()
        text = TextIndex.create(self._generation / "text")
        text.write(self._table.entries(), heap=BUILD_HEAP_BYTES)
        manifest = Manifest(
            seq=seq, generation=self._number, floor=floor.UNFITTED, documents=text.documents,
            model=self._embedder.fingerprint if self._embedder else "", dims=self._dims,
            files=manifests.measure(self._generation, {}),
        )
        tier = Tier(self._folder, manifest, text, self._table)
        manifests.write(self._folder, msgspec.structs.replace(manifest, floor=fit(tier)))
        tier.close()
        (self._folder / "manifest.json.damaged").unlink(missing_ok=True)
        for path in self._folder.glob("g*"):
            if path.name != self._generation.name:
                shutil.rmtree(path)

    def _flush(self) -> None:
        documents = list(self._waiting.values())
        self._waiting.clear()
        self._table.begin()
        _change(self._table, self._generation, self._dims, self._embedder, documents, (), self._before)
        self._table.commit()
        if self._embedder:
            from rhizome.search.synonyms import shortest, written

            shortest(self._written, written(_words_of(document) for document in documents))

    def _see(self) -> None:
        """Give the words their vectors, and put all vectors in relation to the middle of this store."""
        from rhizome.search import centring, synonyms

        assert self._embedder
        before = self._before.vectors(synonyms.LAYER) if self._before else None
        self._table.begin()
        synonyms.add(self._table, self._generation, self._dims, self._embedder, self._written, before)
        self._table.commit()
        centring.write_all(self._generation, LAYERS, self._dims, dict(self._table.languages()))


def apply(
    folder: Path, seq: int, upserts: Sequence[Document], deletes: Collection[str], embedder: Embedder | None
) -> None:
    """Change one tier, whole or not at all; raises `IndexDamaged` when it has to be built first."""
    tier = _ready(folder)
    try:
        table, text = tier.table, tier.text
        table.begin()
        entries, gone = _change(table, tier.generation, tier.manifest.dims, embedder, upserts, deletes, apart=False)
        if entries or gone:
            text.write(entries, gone)
        table.commit()
        manifest = msgspec.structs.replace(
            tier.manifest, seq=max(seq, tier.manifest.seq), documents=text.documents,
            model=tier.manifest.model if embedder or not upserts else "",
            files=manifests.measure(tier.generation, tier.manifest.files))
    finally:
        tier.close()
    manifests.write(folder, manifest)


def needs_rewrite(
    folder: Path, upserts: Sequence[Document], leaving: Collection[str], embedder: Embedder | None
) -> bool:
    """Whether a change leaves words behind that have to go, brings vectors of another model, or outgrows the floor."""
    tier = _ready(folder)
    try:
        other_model = embedder is not None and bool(upserts) and tier.manifest.model != embedder.fingerprint
        new = len(upserts) - len(tier.table.numbers([document.id for document in upserts]))
        grown = tier.manifest.documents + new >= GROWTH * max(tier.manifest.floor.documents, FEW)
        return other_model or grown or bool(tier.table.numbers(leaving))
    finally:
        tier.close()


def rewrite(
    folder: Path, seq: int, upserts: Sequence[Document], deletes: Collection[str], embedder: Embedder | None,
    fit: Callable[[Tier], Threshold],
) -> None:
    """The same change as a new generation: no word of what went stays in any file, and all vectors are of one model."""
    tier = _ready(folder)
    builder = Builder(folder, embedder, tier)
    out = {*deletes, *(document.id for document in upserts)}
    try:
        for document in tier.table.documents():
            if document.id not in out:
                builder.add(document)
        for document in upserts:
            builder.add(document)
        builder.finish(max(seq, tier.manifest.seq), fit)
    finally:
        tier.close()


def _ready(folder: Path) -> Tier:
    found = open_locked(folder)
    if isinstance(found, Unready):
        raise IndexDamaged(folder.name, found.detail)
    return found


def _change(
    table: Table, generation: Path, dims: int, embedder: Embedder | None, upserts: Iterable[Document],
    deletes: Iterable[str], before: Tier | None = None, *, apart: bool = True,
) -> tuple[list[Entry], list[int]]:
    """Take out what is deleted or differs, put in what is new; what is already there as it is stays untouched.

    A generation that is built `apart` gets its words and its middle when all documents are there.
    """
    wanted = {document.id: document for document in upserts}
    there = table.rows(table.numbers([*wanted, *deletes]).values())
    same = {row.document.id for row in there if wanted.get(row.document.id) == row.document}
    gone = [row for row in there if row.document.id not in same]
    rows = [read_row(document, number) for number, document in enumerate(
        (document for document in wanted.values() if document.id not in same), table.next_number())]
    if dims:
        rows = _with_vectors(rows, gone, generation, dims, embedder, before)
        if embedder and not apart:
            _place(table, rows, generation, dims, embedder)
    table.drop([row.number for row in gone])
    return table.put(rows), [row.number for row in gone]


def _with_vectors(
    rows: Sequence[Row], gone: Sequence[Row], generation: Path, dims: int, embedder: Embedder | None,
    before: Tier | None,
) -> list[Row]:
    from rhizome.search.vectors import Vectors

    placed: list[Row] = []
    for layer in sorted({row.document.layer for row in (*rows, *gone)}):
        vectors = Vectors(generation, layer, dims)
        known = before.vectors(layer).find if before else vectors.find
        coming = [row for row in rows if row.document.layer == layer]
        if embedder:
            spans = vectors.append([(row.number, chunks(row.document)) for row in coming], embedder, known)
        else:
            spans = [(0, 0)] * len(coming)
        vectors.forget([(row.first, row.vectors) for row in gone if row.document.layer == layer])
        placed += [msgspec.structs.replace(row, first=first, vectors=count)
                   for row, (first, count) in zip(coming, spans, strict=True)]
    return placed


def _place(table: Table, rows: Sequence[Row], generation: Path, dims: int, embedder: Embedder) -> None:
    """What a reader needs beside new vectors: the words that are new, and their rows seen from the store's middle."""
    from rhizome.search import centring, synonyms
    from rhizome.search.vectors import Vectors

    synonyms.add(table, generation, dims, embedder, synonyms.written(_words_of(row.document) for row in rows), None)
    middle = centring.Middle.read(generation, dims)
    for layer in sorted({row.document.layer for row in rows}):
        coming = [row for row in rows if row.document.layer == layer]
        spans = [(row.first, row.vectors) for row in coming]
        languages = [LANGUAGES.index(language(row.document.text or row.document.title)) for row in coming]
        centring.add(generation, layer, middle.beside(Vectors(generation, layer, dims), spans, languages))


def _words_of(document: Document) -> str:
    return "\n".join((document.title, *document.aliases, document.heading, document.text))


def _has_sound_vectors(tier: Tier, embedder: Embedder | None) -> bool:
    """Whether a tier's vectors are of this model and, read whole, as they were written."""
    return embedder is not None and tier.manifest.model == embedder.fingerprint and all(
        manifests.crc(tier.generation / name) == checksum
        for name, (_, checksum) in tier.manifest.files.items() if not name.startswith("text/"))
