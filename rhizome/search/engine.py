"""The search backend on files: one folder per tier below `index/search/`, none of which another tier's reader opens."""

import threading
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from rhizome.errors import Damaged, Locked
from rhizome.model import Answer, Found, InsufficientEvidence, Tier, moment
from rhizome.search import floor
from rhizome.search import manifest as manifests
from rhizome.search.documents import Document, cleaned
from rhizome.search.embedder import Embedder
from rhizome.search.judging import confidence, judge
from rhizome.search.language import language
from rhizome.search.manifest import Threshold, Unready
from rhizome.search.port import Query
from rhizome.search.ranking import Asking, Store, rank
from rhizome.search.rows import read_row
from rhizome.search.sentences import covered
from rhizome.search.text_index import Filter
from rhizome.search.tier import Tier as OpenTier
from rhizome.search.tier import open_tier, stamp

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_QUERY_CHARS = 10_000


class Measured(NamedTuple):
    """An answer with the ids of all documents that were ranked for it, the best first, and how sure it is of one."""

    answer: Answer
    order: tuple[str, ...] = ()
    confidence: float = 0.0


class SearchEngine:
    """`SearchBackend` below a folder. One question at a time per engine; any number of processes may read.

    Without an embedder only words count. With one that does not work, or other vectors than its own in an index, the
    answer says `degraded`.
    """

    def __init__(self, folder: Path, embedder: Embedder | None = None) -> None:
        self._folder = folder
        self._embedder = embedder
        self._open: dict[Tier, OpenTier] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        with self._lock:
            for tier in list(self._open):
                self._open.pop(tier).close()

    # ------------------------------------------------------------ change

    def build(self, seq: int, documents: Iterable[Document]) -> None:
        """Build every tier from nothing beside what stands there, then take its place; of equal ids the last counts."""
        from rhizome.search import indexing  # who only asks never writes

        embedder = self._working()
        with ExitStack() as stack:
            for tier in Tier:
                stack.enter_context(manifests.locked(self._folder / tier, exclusive=True))
            builders = {tier: indexing.Builder(self._folder / tier, embedder) for tier in Tier}
            for document in documents:
                builders[_tier(document)].add(cleaned(document))
            for builder in builders.values():
                builder.finish(seq, self._fit)

    def apply(self, seq: int, upserts: Iterable[Document], deletes: Iterable[str] = ()) -> None:
        """Replace and delete by id.

        A tier that a document leaves for another is written anew, without its words, and so is one that has outgrown
        its floor or has vectors of another model.
        """
        from rhizome.search import indexing

        wanted = {document.id: cleaned(document) for document in upserts}
        gone = set(deletes) - set(wanted)
        embedder = self._working() if wanted else None
        for tier in Tier:
            folder = self._folder / tier
            here = [document for document in wanted.values() if _tier(document) is tier]
            elsewhere = set(wanted) - {document.id for document in here}
            with manifests.locked(folder, exclusive=True):
                if indexing.needs_rewrite(folder, here, elsewhere, embedder):
                    indexing.rewrite(folder, seq, here, gone | elsewhere, embedder or self._working(), self._fit)
                else:
                    indexing.apply(folder, seq, here, gone, embedder)

    # ------------------------------------------------------------ ask

    def stamps(self) -> dict[str, tuple[int, int, int]]:
        """What changes whenever the index of a tier does; opens none."""
        return {str(tier): stamp(self._folder / tier) for tier in Tier}

    def reached(self, allowed_tiers: Collection[Tier]) -> int | None:
        with self._lock:
            found = [self._ready(tier) for tier in sorted(allowed_tiers)]
            seqs = [tier.manifest.seq for tier in found if isinstance(tier, OpenTier)]
            return min(seqs, default=None) if len(seqs) == len(found) else None

    def query(
        self, query: Query, allowed_tiers: Collection[Tier], recent: Sequence[Document] = (),
        hidden: Collection[str] = (),
    ) -> Answer:
        return self.measured(query, allowed_tiers, recent, hidden).answer

    def measured(
        self, query: Query, allowed_tiers: Collection[Tier], recent: Sequence[Document] = (),
        hidden: Collection[str] = (),
    ) -> Measured:
        """The answer of `query` with what it was chosen from, the refused too; for who measures the ranking."""
        with self._lock:
            for _ in Tier:
                try:
                    return self._answer(query, allowed_tiers, recent, hidden)
                except manifests.IndexDamaged as error:
                    self._set_aside(Tier(error.tier))
                except Locked as error:
                    return Measured(InsufficientEvidence("index_behind", error.message))
            return self._answer(query, allowed_tiers, recent, hidden)

    def digest(self, allowed_tiers: Collection[Tier]) -> str:
        import hashlib

        digest = hashlib.sha256()
        with self._lock:
            for tier in sorted(allowed_tiers):
                found = self._ready(tier)
                if isinstance(found, Unready):
                    raise manifests.IndexDamaged(tier, found.detail)
                digest.update(f"{tier}\n".encode())
                found.table.feed(digest)
        return digest.hexdigest()

    def faults(self, allowed_tiers: Collection[Tier]) -> list[str]:
        """What is wrong with these tiers' files, reading all of them; an index that has to be built is a fault."""
        with self._lock:
            found = {tier: self._ready(tier) for tier in sorted(allowed_tiers)}
            return [f"search index {name}: {what}" for name, tier in found.items()
                    for what in ([tier.detail] if isinstance(tier, Unready) else tier.faults())]

    def _answer(
        self, query: Query, allowed_tiers: Collection[Tier], recent: Sequence[Document], hidden: Collection[str]
    ) -> Measured:
        found = {tier: self._ready(tier) for tier in sorted(allowed_tiers)}
        behind = "; ".join(f"{name}: {tier.detail}" for name, tier in found.items() if isinstance(tier, Unready))
        newer = {each.id: cleaned(each) for each in recent if _tier(each) in allowed_tiers}
        store = Store(
            tiers=[tier for tier in found.values() if isinstance(tier, OpenTier) and tier.manifest.documents],
            recent=[read_row(document) for document in newer.values()],
            hidden=frozenset(hidden) | frozenset(newer),
            filter=Filter(query.layers, query.scope, query.session, _end(query.until)),
        )
        if store.is_empty():
            return Measured(InsufficientEvidence("index_behind", behind) if behind else InsufficientEvidence(
                "empty", "nothing is known here yet"))
        vector, degraded = self._vector(query, store)
        text = query.text[:MAX_QUERY_CHARS]
        ranked = rank(text, store, Asking(vector, self._embedder, query.fusion == "rrf"))
        floors = [tier.manifest.floor for tier in store.tiers]
        sure = confidence(ranked, floors)
        answer = judge(ranked, query.k, floors, sure)
        if isinstance(answer, Found):
            answer = replace(answer, degraded=degraded or bool(behind))
        elif behind:
            answer = replace(answer, reason="index_behind", detail=f"{behind}; {answer.detail}")
        order = tuple(each.candidate.unit.id for each in ranked.scored)
        return Measured(answer, order, sure)

    def _vector(self, query: Query, store: Store) -> "tuple[NDArray[np.float32] | None, bool]":
        """The question's vector, and whether vectors were wanted and could not be had."""
        if not query.vectors or self._embedder is None or not covered(query.text[:MAX_QUERY_CHARS]):
            return None, False
        try:
            vector = self._embedder.encode([query.text[:MAX_QUERY_CHARS]])[0]
            others = any(tier.manifest.model != self._embedder.fingerprint for tier in store.tiers)
        except Damaged:
            return None, True
        return (vector if vector.any() else None), others

    def _ready(self, tier: Tier) -> OpenTier | Unready:
        """The open tier, opened again when its manifest is another one."""
        folder = self._folder / tier
        known = self._open.get(tier)
        if known and known.stamp == stamp(folder):
            return known
        if known:
            self._open.pop(tier).close()
        found = open_tier(folder)
        if isinstance(found, OpenTier):
            self._open[tier] = found
        return found

    def _set_aside(self, tier: Tier) -> None:
        if tier in self._open:
            self._open.pop(tier).close()
        manifests.set_aside(self._folder / tier)

    def _working(self) -> Embedder | None:
        """The embedder, or None when its model cannot be read: the index then serves words alone."""
        try:
            return self._embedder if self._embedder and self._embedder.dims else None
        except Damaged:
            return None

    def _fit(self, tier: OpenTier) -> Threshold:
        if tier.manifest.documents < floor.SMALL:
            return msgspec.structs.replace(floor.UNFITTED, documents=tier.manifest.documents)
        import hashlib

        from rhizome.search.off_topic import QUESTIONS

        digest = hashlib.sha256()
        tier.table.feed(digest)
        embedder = self._embedder if tier.manifest.model else None
        vectors = dict(zip(QUESTIONS, embedder.encode(QUESTIONS), strict=True)) if embedder else {}
        store = Store([tier])

        def ask(text: str, near: bool) -> float:
            ranked = rank(text, store, Asking(vectors[text] if near else None, self._working()))
            return floor.confidence(ranked.question, ranked.scored)

        spoken = Counter(name for _, name in tier.table.languages())
        home = [name for name, number in spoken.items() if name and number >= floor.SPOKEN * spoken.total()]
        return floor.fit(ask, {text: language(text) for text in QUESTIONS}, home, vectors=bool(embedder),
                         digest=digest.hexdigest(), documents=tier.manifest.documents)


def _tier(document: Document) -> Tier:
    """The tier a document lies in; an unknown one counts as amber."""
    return Tier.GREEN if document.tier == Tier.GREEN else Tier.AMBER


def _end(until: str | None) -> int | None:
    """The last second that `until` lets through; a date means its end, and what is no time lets nothing through."""
    if until is None:
        return None
    at = moment(until)
    return 1 if at is None else int(at.timestamp()) + (86_399 if len(until) == 10 else 0)
