"""From a question to scored documents: candidates by words and by vectors, then every one of them scored exactly.

The opened tiers and the recent documents are asked as one store, so an answer does not depend on where a document lies.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rhizome.search.dates import days
from rhizome.search.documents import Document
from rhizome.search.embedder import Embedder
from rhizome.search.question import Question, Vocabulary, understand
from rhizome.search.rescore import NEIGHBOURS, Candidate, Scored, rescore
from rhizome.search.rows import Row, names, read_row, seconds
from rhizome.search.text_index import Filter
from rhizome.search.tier import Tier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BY_WORDS = 100
BY_VECTORS = 50
LAYERS = ("fact", "note", "history")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A question as it was understood, with its candidates in order, and whether nearness counted too."""

    question: Question
    scored: tuple[Scored, ...]
    vectors: bool = False


@dataclass(frozen=True, slots=True)
class Store:
    """What one reader may be answered from. `hidden` ids of the tiers do not count as documents."""

    tiers: Sequence[Tier]
    recent: Sequence[Row] = ()
    hidden: frozenset[str] = frozenset()
    filter: Filter = field(default_factory=Filter)

    def admits(self, document: Document) -> bool:
        """Whether the filter lets a recent document through."""
        wanted = self.filter
        return (
            (not wanted.layers or document.layer in wanted.layers)
            and wanted.scope in (None, document.scope)
            and wanted.session in (None, document.session)
            and (wanted.until is None or 1 <= seconds(document) <= wanted.until)
        )

    def is_empty(self) -> bool:
        """Whether there is nothing at all to answer from, whatever the question."""
        if any(self.admits(row.document) for row in self.recent):
            return False
        return not any(set(tier.table.selected(self.filter, len(self.hidden) + 1)) - self.hidden_numbers(tier)
                       for tier in self.tiers)

    def vocabulary(self) -> Vocabulary:
        """The words of the tiers and the recent documents, counted together."""
        counts = Counter(term for row in self.recent for term in row.terms)
        pairs = sorted({pair for row in self.recent for pair in names(row.document)})
        tables = [tier.table for tier in self.tiers]

        def frequencies(terms: Collection[str]) -> Mapping[str, int]:
            found = Counter({term: counts[term] for term in terms if term in counts})
            for table in tables:
                found.update(table.frequencies(terms))
            return found

        def gathered(found: Iterable[Iterable[str]], more: Iterable[str]) -> list[str]:
            return sorted({term for some in found for term in some} | set(more))

        return Vocabulary(
            documents=len(self.recent) + sum(d for table in tables for d, _ in table.layers().values()),
            frequencies=frequencies,
            terms_from=lambda prefix, limit: gathered(
                (table.terms_from(prefix, limit) for table in tables), (t for t in counts if t.startswith(prefix))
            )[:limit],
            terms_like=lambda first, shortest, longest: gathered(
                (table.terms_like(first, shortest, longest) for table in tables),
                (t for t in counts if t[0] == first and shortest <= len(t) <= longest)),
            other_names=lambda among: sorted({
                *(pair for table in tables for pair in table.other_names(among)),
                *(pair for pair in pairs if pair[0] in set(among))}),
        )

    def lengths(self) -> dict[str, float]:
        """The mean length of a document by layer."""
        documents, lengths = Counter[str](), Counter[str]()
        for tier in self.tiers:
            for layer, (number, length) in tier.table.layers().items():
                documents[layer] += number
                lengths[layer] += length
        for row in self.recent:
            documents[row.document.layer] += 1
            lengths[row.document.layer] += row.length
        return {layer: lengths[layer] / number for layer, number in documents.items() if number}

    def hidden_numbers(self, tier: Tier) -> set[int]:
        return set(tier.table.numbers(self.hidden).values()) if self.hidden else set()


def rank(text: str, store: Store, vector: "NDArray[np.float32] | None", embedder: Embedder | None) -> "Ranked":
    """Everything worth a look for a question, the best first; without its vector only words count."""
    question = understand(text, store.vocabulary())
    candidates = [each for tier in store.tiers for each in _candidates(question, tier, store, vector, embedder)]
    candidates += _recent(store, vector, embedder)
    return Ranked(question, tuple(rescore(question, candidates, store.lengths(), days(text))), vector is not None)


def _candidates(
    question: Question, tier: Tier, store: Store, vector: "NDArray[np.float32] | None", embedder: Embedder | None
) -> list[Candidate]:
    hidden = store.hidden_numbers(tier)
    found = tier.text.search(question.weighted_terms(), store.filter, BY_WORDS + len(hidden))
    near = None
    if vector is not None and embedder is not None and tier.manifest.model == embedder.fingerprint:
        from rhizome.search.nearness import Nearness

        near = Nearness(vector, tier, store.filter.layers or LAYERS)
        allowed = None if store.filter.is_open else tier.table.selected(store.filter)
        found += near.nearest(BY_VECTORS, allowed, hidden)
    rows = tier.table.rows(set(found) - hidden)
    around = _around(rows, tier, hidden)
    if near is None:
        return [Candidate(row, around[row.number]) for row in rows]
    found_near = near.of([(row, around[row.number]) for row in rows])
    return [Candidate(row, around[row.number], *each) for row, each in zip(rows, found_near, strict=True)]


def _around(rows: Sequence[Row], tier: Tier, hidden: Collection[int]) -> dict[int, dict[int, Row]]:
    """The said turns beside each history row, by distance; listings of tools say nothing about their neighbours."""
    turns = [row for row in rows if row.document.session]
    there = {_place(row): row for row in turns}
    wanted: dict[str, set[int]] = {}
    for session, position in there:
        wanted.setdefault(session, set()).update(
            position + distance for distance in NEIGHBOURS if (session, position + distance) not in there)
    for session, positions in wanted.items():
        there |= {_place(row): row for row in tier.table.neighbours(session, positions) if row.number not in hidden}
    said = {place: row for place, row in there.items() if row.document.role != "tool"}
    return {row.number: {} for row in rows} | {
        row.number: {distance: said[place] for distance in NEIGHBOURS
                     if (place := (session, position + distance)) in said}
        for row in turns for session, position in [_place(row)]
    }


def _place(row: Row) -> tuple[str, int]:
    return row.document.session or "", row.document.position


def _recent(
    store: Store, vector: "NDArray[np.float32] | None", embedder: Embedder | None
) -> list[Candidate]:
    """Recent documents with what stood before them in place of neighbours, and vectors made now."""
    rows = [row for row in store.recent if store.admits(row.document)]
    befores = [{-1: read_row(Document(id="", layer="history", ref="", text=row.document.before))}
               if row.document.before else {} for row in rows]
    if vector is None or embedder is None or not rows:
        return [Candidate(*each) for each in zip(rows, befores, strict=True)]
    from rhizome.search.nearness import recent_nearness

    near = recent_nearness(rows, vector, embedder)
    return [Candidate(row, around, *each) for row, around, each in zip(rows, befores, near, strict=True)]
