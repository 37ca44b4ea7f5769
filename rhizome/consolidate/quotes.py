"""Whether an event really contains the words a draft quotes, and whose words they are there."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from rhizome.config import QUOTE_MIN_CHARS
from rhizome.consolidate.pasted import pasted

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_QUOTED_LINE = re.compile(r" {0,3}>")
_QUOTATION = re.compile(r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|「[^」\n]{1,200}」|『[^』\n]{1,200}』")


@dataclass(frozen=True, slots=True)
class Quote:
    """Verbatim words at [start:end] of an event's text (in NFC). `borrowed`: they stand there as somebody else's: in a
    fenced block, a quoted line, a quotation, or a text that was pasted."""

    text: str
    start: int
    end: int
    borrowed: bool


def find(quote: str, text: str) -> Quote | None:
    """Where `text` contains `quote`, under NFC and with white space as one space; None where it does not.

    A quote of fewer than 12 characters proves nothing unless it is the whole text. A place where the words are the
    speaker's own is preferred.
    """
    words = unicodedata.normalize("NFC", quote).split()
    text = unicodedata.normalize("NFC", text)
    if not words or (len(" ".join(words)) < QUOTE_MIN_CHARS and words != text.split()):
        return None
    others = [*borrowed(text), *pasted(text)]
    said = [*quotations(text)]
    places = re.finditer(r"\s+".join(map(re.escape, words)), text)
    found = [Quote(place[0], *place.span(), any(place.start() < end and start < place.end() for start, end in others)
                   or any(start < place.start() and place.end() < end for start, end in said)) for place in places]
    return min(found, key=lambda each: each.borrowed, default=None)


def quotations(text: str) -> Iterator[tuple[int, int]]:
    """The [start, end) of what stands between quotation marks; a name of a word or two is the speaker's own."""
    for found in _QUOTATION.finditer(text):
        inner = found[0][1:-1]
        if len(inner.split()) > 2 or (len(inner) > 12 and not inner.isascii()):
            yield found.span()


def borrowed(text: str) -> Iterator[tuple[int, int]]:
    """The [start, end) of fenced blocks (an unclosed one reaches to the end) and of `>` lines."""
    fence, opened, at = "", 0, 0
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            closes = mark and mark[1].startswith(fence) and not line[mark.end():].strip()
            if closes:
                yield opened, at + len(line)
                fence = ""
        elif mark:
            fence, opened = mark[1], at
        elif _QUOTED_LINE.match(line):
            yield at, at + len(line)
        at += len(line) + 1
    if fence:
        yield opened, len(text)
