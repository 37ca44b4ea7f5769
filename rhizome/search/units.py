"""A document as the ranking reads it: its terms and the few facts that a score is made of, in one small record."""

import re
from datetime import date

import msgspec

from rhizome.patterns import late
from rhizome.search.dates import MONTHS
from rhizome.search.documents import Document
from rhizome.search.language import language
from rhizome.search.rows import Row, head_terms
from rhizome.search.tokens import terms

TELLS_NUMBER, TELLS_TIME = 1, 2
"""Bits of `tells`: the text holds a number, a word of time."""

_NUMBER = late(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|twice|dois|duas|tr[eê]s|quatro|cinco|dos|cuatro|seis)\b",
    re.IGNORECASE)
_TIME = late(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|weekend|weeks?|months?|years?|days?|morning|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday|ontem|hoje|amanh[ãa]|semana|ayer|hoy|ma[ñn]ana|(?:19|20)\d\d"
    r"|" + "|".join(sorted(name for name in MONTHS if len(name) > 3)) + r")\b|[年月日]|昨日|今日|明日|先週|来週",
    re.IGNORECASE)
_SPEAKER = late(r"([^\W\d_][\w'’.-]{0,30}(?: [^\W\d_][\w'’.-]{0,30}){0,2}): ")


class Unit(msgspec.Struct, frozen=True, array_like=True):
    """What is scored of one document. `day` is an ordinal, 0 when unknown; `head` and `body` are terms by spaces."""

    number: int
    id: str
    layer: str
    head: str
    body: str
    length: int
    distinct: int
    role: str = ""
    speaker: str = ""
    day: int = 0
    language: str = ""
    tells: int = 0
    first: int = 0
    vectors: int = 0


def unit(row: Row) -> Unit:
    """The unit of an indexed document; a person's turn may name its speaker first, as chats and minutes do."""
    document = row.document
    text = document.text
    return Unit(
        row.number, document.id, document.layer, row.head, row.body, row.length, len(set(row.body.split())),
        document.role or "", _speaker(document), _day(document.date), language(text or document.title),
        TELLS_NUMBER * bool(_NUMBER.search(text)) | TELLS_TIME * bool(_TIME.search(text)), row.first, row.vectors)


def read_unit(document: Document, number: int = 0) -> Unit:
    """The unit of a document that is in no index."""
    return unit(Row(number, document, " ".join(head_terms(document)), " ".join(terms(document.text))))


def _speaker(document: Document) -> str:
    if document.layer != "history" or document.role not in (None, "human"):
        return ""
    return " ".join(terms(speaker(document)))


def speaker(document: Document) -> str:
    """Who says it as the record tells, or as the text begins; "" where neither does."""
    found = _SPEAKER.match(document.text)
    return document.speaker or (found[1] if found else "")


def _day(when: str | None) -> int:
    try:
        return date.fromisoformat((when or "")[:10]).toordinal()
    except ValueError:
        return 0
