"""From a question to scored documents: candidates by words and by vectors, then every one of them scored exactly.

The opened tiers and the recent documents are asked as one store, so an answer does not depend on where a document lies.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from rhizome.errors import Damaged
from rhizome.search.dates import days
from rhizome.search.documents import Document
from rhizome.search.embedder import Embedder
from rhizome.search.fusion import by_places
from rhizome.search.question import Question, Vocabulary, understand
from rhizome.search.rescore import NEIGHBOURS, TOOLS, Candidate, Hints, Scored, rescore, tells
from rhizome.search.rows import Row, names, seconds
from rhizome.search.text_index import Filter
from rhizome.search.tier import Tier
from rhizome.search.tokens import Word
from rhizome.search.units import Unit, read_unit, unit
from rhizome.search.updates import renewed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BY_WORDS = 100
BY_VECTORS = 50
SHOWN = 50
"""So many of the best are read whole, to be shown."""

LAYERS = ("fact", "note", "history")
LEAST_TURNS = 5
"""Who opened fewer turns by name is no speaker of a conversation."""


class Ranked(msgspec.Struct, frozen=True):
    """A question as it was understood, with its candidates in order, and whether nearness counted too."""

    question: Question
    scored: tuple[Scored, ...]
    vectors: bool = False


class Asking(msgspec.Struct, frozen=True):
    """How a question is put: with its vector where there is one, by an embedder that also knows single words."""

    vector: "NDArray[np.float32] | None" = None
    embedder: Embedder | None = None
    by_places: bool = False

    def understands(self, tier: Tier) -> bool:
        """Whether a tier's vectors can be compared with the question's."""
        return (self.vector is not None and self.embedder is not None
                and tier.manifest.model == self.embedder.fingerprint)


    def common(self, word: str) -> float | None:
        """How common a word is, as the embedder has it; unknown where there is none that works."""
        try:
            return self.embedder.common(word) if self.embedder else None
        except Damaged:
            return None


NOTHING = Asking()


class Store(msgspec.Struct, frozen=True):
    """What one reader may be answered from. `hidden` ids of the tiers do not count as documents."""

    tiers: Sequence[Tier]
    recent: Sequence[Row] = ()
    hidden: frozenset[str] = frozenset()
    filter: Filter = msgspec.field(default_factory=Filter)

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

    def vocabulary(self, asking: Asking = NOTHING) -> Vocabulary:
        """The words of the tiers and the recent documents, counted together, inside the scope that is asked."""
        scope = self.filter.scope
        recent = [row for row in self.recent if scope in (None, row.document.scope)]
        counts = Counter(term for row in recent for term in row.terms)
        pairs = sorted({pair for row in self.recent for pair in names(row.document)})
        tables = [tier.table for tier in self.tiers]

        def frequencies(terms: Collection[str]) -> Mapping[str, int]:
            found = Counter({term: counts[term] for term in terms if term in counts})
            for table in tables:
                found.update(table.frequencies(terms, scope))
            return found

        def similar(words: Sequence[Word]) -> Mapping[str, Sequence[tuple[str, float]]]:
            found: dict[str, dict[str, float]] = {}
            for tier in self.tiers if words else ():
                if asking.embedder is not None and asking.understands(tier):
                    for term, near in tier.words.near(words, asking.embedder).items():
                        found.setdefault(term, {}).update(near)
            return {term: sorted(near.items(), key=lambda each: (-each[1], each[0])) for term, near in found.items()}

        def gathered(found: Iterable[Iterable[str]], more: Iterable[str]) -> list[str]:
            return sorted({term for some in found for term in some} | set(more))

        return Vocabulary(
            documents=len(recent) + sum(d for table in tables for d, _ in table.layers(scope).values()),
            frequencies=frequencies,
            terms_from=lambda prefix, limit: gathered(
                (table.terms_from(prefix, limit, scope) for table in tables),
                (t for t in counts if t.startswith(prefix)))[:limit],
            terms_like=lambda first, shortest, longest: gathered(
                (table.terms_like(first, shortest, longest, scope) for table in tables),
                (t for t in counts if t[0] == first and shortest <= len(t) <= longest)),
            other_names=lambda among: sorted({
                *(pair for table in tables for pair in table.other_names(among)),
                *(pair for pair in pairs if pair[0] in set(among))}),
            similar=similar,
            common=asking.common,
            speaking=lambda among: gathered((table.speaking(among, scope, LEAST_TURNS) for table in tables), ()),
        )

    def lengths(self) -> dict[str, float]:
        """The mean length of a document by layer."""
        documents, lengths = Counter[str](), Counter[str]()
        for tier in self.tiers:
            for layer, (number, length) in tier.table.layers(self.filter.scope).items():
                documents[layer] += number
                lengths[layer] += length
        for row in self.recent:
            documents[row.document.layer] += 1
            lengths[row.document.layer] += row.length
        return {layer: lengths[layer] / number for layer, number in documents.items() if number}

    def hidden_numbers(self, tier: Tier) -> set[int]:
        return set(tier.table.numbers(self.hidden).values()) if self.hidden else set()


def rank(text: str, store: Store, asking: Asking) -> Ranked:
    """Everything worth a look for a question, the best first; without its vector only words count."""
    question = understand(text, store.vocabulary(asking))
    recent = _recent(question, store, asking)
    candidates = [each for at in range(len(store.tiers)) for each in _candidates(question, at, store, asking)]
    scored = rescore(question, [*candidates, *(each for each, _ in recent)], store.lengths(),
                     Hints(days(text), tells(text)))
    if asking.by_places:
        scored = by_places(scored)
    by_id = {each.unit.id: row.document for each, row in recent}
    found = renewed(text, question, _with_documents(scored, store, by_id))
    return Ranked(question, tuple(found), asking.vector is not None)


def _candidates(question: Question, at: int, store: Store, asking: Asking) -> list[Candidate]:
    tier = store.tiers[at]
    hidden = store.hidden_numbers(tier)
    found = tier.text.search(question.weighted_terms(), store.filter, BY_WORDS + len(hidden))
    near = None
    if asking.vector is not None and asking.understands(tier):
        from rhizome.search.nearness import Nearness

        near = Nearness(asking.vector, question.language, tier, store.filter.layers or LAYERS)
        allowed = None if store.filter.is_open else tier.table.selected(store.filter)
        found += near.nearest(BY_VECTORS, allowed, hidden)
    units = _around(sorted(set(found) - hidden), tier, hidden)
    if near is None:
        return [Candidate(own, around, at) for own, around in units]
    return [Candidate(own, around, at, how.sentence, how.place, how.context)
            for (own, around), how in zip(units, near.of(units), strict=True)]


def _around(
    numbers: Collection[int], tier: Tier, hidden: Collection[int]
) -> list[tuple[Unit, list[tuple[int, Unit]]]]:
    """Each document with the said turns beside it; calls and listings say nothing about their neighbours."""
    units = tier.table.units(numbers)
    turns = [number for number in numbers if number in units and units[number].layer == "history"]
    beside: dict[int, list[tuple[int, int]]] = {}
    for number, distance, neighbour in tier.table.beside(turns, max(NEIGHBOURS)) if turns else ():
        if neighbour not in hidden:
            beside.setdefault(number, []).append((distance, neighbour))
    if more := {each for found in beside.values() for _, each in found} - units.keys():
        units |= tier.table.units(more)
    return [
        (units[number], [(distance, units[each]) for distance, each in sorted(beside.get(number, ()))
                         if distance in NEIGHBOURS and each in units and units[each].role not in TOOLS])
        for number in numbers if number in units
    ]


def _recent(question: Question, store: Store, asking: Asking) -> list[tuple[Candidate, Row]]:
    """Recent documents with what stood before them in place of neighbours, and vectors made now."""
    rows = [row for row in store.recent if store.admits(row.document)]
    units = [unit(row) for row in rows]
    before = [
        [(-1, read_unit(Document(id=f"before:{row.document.id}", layer="history", ref="", text=row.document.before)))]
        if row.document.before else [] for row in rows
    ]
    if asking.vector is None or asking.embedder is None or not rows:
        return [(Candidate(own, around), row) for own, around, row in zip(units, before, rows, strict=True)]
    from rhizome.search.nearness import recent_nearness

    tier = next((tier for tier in store.tiers if asking.understands(tier)), None)
    near = recent_nearness(rows, units, asking.vector, question.language, asking.embedder, tier)
    return [(Candidate(own, around, -1, how.sentence, how.place, how.context), row)
            for own, around, how, row in zip(units, before, near, rows, strict=True)]


def _with_documents(scored: Sequence[Scored], store: Store, recent: Mapping[str, Document]) -> list[Scored]:
    """The best with their documents, read whole."""
    read: dict[tuple[int, int], Document] = {}
    for at, tier in enumerate(store.tiers):
        numbers = [each.candidate.unit.number for each in scored[:SHOWN] if each.candidate.store == at]
        read.update({(at, number): document for number, document in tier.table.whole(numbers)})
    best = (msgspec.structs.replace(each, document=recent.get(each.candidate.unit.id) if each.candidate.store < 0
                    else read.get((each.candidate.store, each.candidate.unit.number))) for each in scored[:SHOWN])
    return [*(each for each in best if each.document), *scored[SHOWN:]]
