"""What stands behind search: apply changes, build, ask. A team's backend can keep the same laws and contract tests."""

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

import msgspec

from rhizome.model import Answer, Tier
from rhizome.search.documents import Document


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """A question in a person's or an agent's own words, and what it is restricted to.

    `layers` empty means all; `scope` and `session` must be equal; `until` is ISO 8601 text, a date means its end in
    UTC, and what has no date is left out then. `vectors=False` never loads a model. `fusion` is `sum`, or `rrf` for
    reciprocal places.
    """

    text: str
    k: int = 10
    layers: tuple[str, ...] = ()
    scope: str | None = None
    session: str | None = None
    until: str | None = None
    vectors: bool = True
    fusion: str = "sum"


class SearchBackend(Protocol):
    """One index per tier. A reader opens only what it may see, and a question never raises for what it says."""

    def reached(self, allowed_tiers: Collection[Tier]) -> int | None:
        """The seq that every one of these tiers has reached; None when one has to be built."""

    def build(self, seq: int, documents: Iterable[Document]) -> None:
        """Build every tier from nothing beside what stands there, then take its place."""

    def apply(self, seq: int, upserts: Iterable[Document], deletes: Iterable[str] = ()) -> None:
        """Replace and delete documents by id; raises `Damaged` where a tier has to be built first.

        A document that moves to another tier leaves no word behind in the one it stood in.
        """

    def query(
        self,
        query: Query,
        allowed_tiers: Collection[Tier],
        recent: Sequence[Document] = (),
        hidden: Collection[str] = (),
    ) -> Answer:
        """The best answers or the reason why there is none.

        `recent` are documents newer than the index, read as they are and ranked with the others; `hidden` are ids
        in the index that no longer hold.
        """

    def digest(self, allowed_tiers: Collection[Tier]) -> str:
        """SHA-256 over the sorted documents of these tiers, in hex: equal documents, equal digest."""
