"""A document as a hit: what may be believed of it, and words that can be understood without opening it."""

import re

from rhizome.model import Hit, Origin, Receipt
from rhizome.search.documents import Document
from rhizome.search.question import Question
from rhizome.search.rescore import Scored
from rhizome.search.sentences import sentences
from rhizome.search.tokens import terms
from rhizome.search.units import speaker

SNIPPET_CHARS = 320
ASKED_CHARS = 120
SHORT_ANSWER = 40
"""A turn shorter than this is an answer: its snippet begins with what it answers."""

_MARK = re.compile(r"\s*\[\^[^\]\s]+\]")
_RECEIPT = re.compile(r"\[\^[^\]\s]+\]:")


def receipt(document: Document, subject: str | None = None) -> Receipt:
    return Receipt(
        source=document.source, status=document.status, origin=document.origin, actor=document.actor,
        recorded_at=document.recorded_at, confirmed_at=document.confirmed_at, superseded_by=document.superseded_by,
        subject=subject,
    )


def hit(scored: Scored, question: Question, evidence: float) -> Hit:
    """A hit; its parts add up to its score, but for coverage, cosine and `evidence`, a multiple of the floor."""
    document = shown(scored)
    parts = {**scored.parts, "coverage": scored.coverage, "cosine": scored.cosine, "evidence": evidence}
    parts = {name: round(each, 6) for name, each in parts.items()}
    believed = receipt(document, _subject(scored, question))
    return Hit(document.layer, document.ref, document.title, snippet(scored, question), scored.score, believed, parts)


def _subject(scored: Scored, question: Question) -> str | None:
    """Who said it and who was asked about, where these are two people."""
    said_by = scored.candidate.unit.speaker
    if not question.speaker or not said_by or said_by == question.speaker:
        return None
    names = question.speaker.split()
    asked = " ".join(each.word.surface for each in question.asked if each.word.term in names)
    return f"said by {speaker(shown(scored))}, asked about {asked}"


def shown(scored: Scored) -> Document:
    """The document of a candidate that is good enough to be shown."""
    assert scored.document is not None
    return scored.document


def snippet(scored: Scored, question: Question) -> str:
    """`Title › Heading (2026-09-08): the best sentence`, the next ones too while there is room."""
    document = shown(scored)
    said = _best_words(_told(document), scored, question)
    title, day = _title(document), (document.date or document.recorded_at or "")[:10]
    if title and said.startswith(title.rstrip("…")):
        title = ""  # a session named after its first words would say them twice
    name = f"{title} ({day})" if title and day else title or day
    if document.before and len(said) < SHORT_ANSWER and (asked := sentences(document.before)):
        said = f"“{_cut(asked[-1], ASKED_CHARS)}” — {said}"
    return f"{name}: {said}" if name and said else name or said


def _title(document: Document) -> str:
    """What names it: the path of headings below its title, which notes often repeat as their first heading."""
    title, heading = document.title.replace("|", " · "), document.heading
    if not heading or heading == title or heading.startswith(f"{title} › "):
        return heading or title
    return f"{title} › {heading}" if title else heading


def _told(document: Document) -> list[str]:
    """The sentences of a document. The footnotes of a derived note are receipts and no answer: each leaves its place
    empty."""
    found = sentences(document.text)
    if document.layer != "note" or document.origin != Origin.MEMORY:
        return found
    return ["" if _RECEIPT.match(each) else _MARK.sub("", each).strip() for each in found]


def _best_words(found: list[str], scored: Scored, question: Question) -> str:
    if not any(found):
        return ""
    weights = {term: asked.weight for asked in question.asked
               for term in (asked.word.term, *(t for each in asked.instead for t in each.terms))}
    held = [sum(weights.get(term, 0.0) for term in set(terms(sentence))) for sentence in found]
    best = max((at for at, each in enumerate(found) if each),
               key=lambda at: (held[at], at == scored.candidate.place - 1, -at))
    text, at = found[best], best + 1
    while at < len(found) and len(text) + len(found[at]) < SNIPPET_CHARS:
        text, at = f"{text} {found[at]}".rstrip(), at + 1
    return _cut(text, SNIPPET_CHARS)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
