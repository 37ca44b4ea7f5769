"""BM25 over one tier: a tantivy index that only finds candidates; what they are worth is computed exactly elsewhere.

Fields hold terms made by `tokens`, joined by spaces, so tantivy analyses nothing and a question is never parsed.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import tantivy

from rhizome.search.manifest import IndexDamaged

HEAP_BYTES = 15_000_000
"""The least that tantivy accepts for one thread."""

BUILD_HEAP_BYTES = 64_000_000

HEAD_BOOST = 2.0
BEFORE_BOOST = 0.5


class Entry(msgspec.Struct, frozen=True):
    """The terms of one document by field, with what it may be filtered by; `moment` is in seconds, 0 when unknown."""

    number: int
    layer: str
    head: str
    body: str
    before: str = ""
    scope: str | None = None
    session: str | None = None
    moment: int = 0


class Filter(msgspec.Struct, frozen=True):
    """What a question is restricted to; `until` is in seconds and leaves out what has no date."""

    layers: tuple[str, ...] = ()
    scope: str | None = None
    session: str | None = None
    until: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether nothing but layers is restricted."""
        return self.scope is None and self.session is None and self.until is None


def _schema() -> Any:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("number", indexed=True, fast=True)
    builder.add_unsigned_field("moment", indexed=True, fast=True)
    for name in ("layer", "scope", "session"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in ("head", "body", "before"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    return builder.build()


SCHEMA = _schema()


class TextIndex:
    """An open index. Whatever tantivy finds wrong with its files is `IndexDamaged`."""

    def __init__(self, folder: Path, index: Any) -> None:
        self._folder = folder
        self._index = index
        index.config_reader("manual")  # an opened index stays as it was, and no thread watches its folder
        self._searcher = index.searcher()

    @classmethod
    def create(cls, folder: Path) -> "TextIndex":
        """A new, empty index in `folder`, which is made."""
        folder.mkdir(mode=0o700, parents=True)
        return cls(folder, tantivy.Index(SCHEMA, str(folder)))

    @classmethod
    def open(cls, folder: Path) -> "TextIndex":
        try:
            return cls(folder, tantivy.Index.open(str(folder)))
        except ValueError as error:
            raise _damaged(folder, error) from error

    def write(self, entries: Iterable[Entry], deletes: Iterable[int] = (), *, heap: int = HEAP_BYTES) -> None:
        """Delete by number, add, commit, and wait until no file changes any more."""
        try:
            writer = self._index.writer(heap, 1)
            for number in deletes:
                writer.delete_documents_by_query(tantivy.Query.term_query(SCHEMA, "number", number, "basic"))
            for entry in entries:
                writer.add_document(_document(entry))
            writer.commit()
            writer.garbage_collect_files()
            writer.wait_merging_threads()
            self._index.reload()
            self._searcher = self._index.searcher()
        except ValueError as error:
            raise _damaged(self._folder, error) from error

    def search(self, terms: Sequence[tuple[str, float]], filter: Filter, limit: int) -> list[int]:  # noqa: A002
        """The numbers of the best `limit` documents for weighted terms, the best first; filtered before ranking."""
        if not terms or limit < 1:
            return []
        clauses = [(tantivy.Occur.Should, tantivy.Query.boost_query(_anywhere(term), weight)) for term, weight in terms]
        query = tantivy.Query.boolean_query(clauses)
        restrictions = _restrictions(filter)
        if restrictions:
            query = tantivy.Query.boolean_query([(tantivy.Occur.Must, each) for each in [query, *restrictions]])
        try:
            hits = self._searcher.search(query, limit, count=False).hits
            numbers = self._searcher.fast_field_values("number", [address for _, address in hits])
        except ValueError as error:
            raise _damaged(self._folder, error) from error
        scored = sorted(zip((-score for score, _ in hits), numbers, strict=True))
        return [int(number) for _, number in scored]

    @property
    def documents(self) -> int:
        """How many documents the index holds."""
        return int(self._searcher.num_docs)


def _document(entry: Entry) -> Any:
    document = tantivy.Document()
    document.add_unsigned("number", entry.number)
    document.add_unsigned("moment", entry.moment)
    for name in ("layer", "scope", "session", "head", "body", "before"):
        if text := getattr(entry, name):
            document.add_text(name, text)
    return document


def _anywhere(term: str) -> Any:
    query = tantivy.Query
    return query.disjunction_max_query([
        query.boost_query(query.term_query(SCHEMA, "head", term, "freq"), HEAD_BOOST),
        query.term_query(SCHEMA, "body", term, "freq"),
        query.boost_query(query.term_query(SCHEMA, "before", term, "freq"), BEFORE_BOOST),
    ])


def _restrictions(filter: Filter) -> list[Any]:  # noqa: A002
    query = tantivy.Query
    found = [query.term_set_query(SCHEMA, "layer", list(filter.layers))] if filter.layers else []
    found += [
        query.term_query(SCHEMA, name, value, "basic")
        for name, value in (("scope", filter.scope), ("session", filter.session))
        if value is not None
    ]
    if filter.until is not None:
        found.append(query.range_query(SCHEMA, "moment", tantivy.FieldType.Unsigned, 1, max(filter.until, 1)))
    return [query.const_score_query(each, 0.0) for each in found]


def _damaged(folder: Path, error: ValueError) -> IndexDamaged:
    return IndexDamaged(folder.parent.parent.name, f"text: {error}")
