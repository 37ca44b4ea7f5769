"""A document as terms: what is stored of it and what a score is computed from."""

import msgspec

from rhizome.model import moment
from rhizome.search.documents import Document
from rhizome.search.tokens import terms


class Row(msgspec.Struct, frozen=True):
    """A document with its terms, joined by spaces, and where its vectors begin and how many they are."""

    number: int
    document: Document
    head: str
    body: str
    first: int = 0
    vectors: int = 0

    @property
    def length(self) -> int:
        """How many terms it has."""
        return sum(1 + terms.count(" ") for terms in (self.head, self.body) if terms)

    @property
    def terms(self) -> set[str]:
        return {*self.head.split(), *self.body.split()}


def read_row(document: Document, number: int = 0) -> Row:
    """A document with its terms, as the table would store it."""
    return Row(number, document, " ".join(head_terms(document)), " ".join(terms(document.text)))


def head_terms(document: Document) -> list[str]:
    """The terms of what names a document: title, aliases, heading. A session's title names no turn."""
    if document.layer == "history":
        return []
    return terms("\n".join((document.title, *document.aliases, document.heading)))


def canonical(document: Document) -> str:
    """The name its aliases stand for: a note's title, a fact's subject."""
    return document.title.partition("|")[0] if document.layer == "fact" else document.title


def names(document: Document) -> list[tuple[str, str]]:
    """Each alias with the canonical name and the other way round, as terms; nothing for a name made of no terms."""
    title = " ".join(terms(canonical(document)))
    aliases = {" ".join(terms(alias)) for alias in document.aliases} - {title, ""}
    return [pair for alias in sorted(aliases) if title for pair in ((alias, title), (title, alias))]


def seconds(document: Document) -> int:
    """When it happened, else when it was recorded, in seconds since 1970; 0 when neither is known."""
    at = moment(document.date) or moment(document.recorded_at)
    return max(int(at.timestamp()), 1) if at else 0
