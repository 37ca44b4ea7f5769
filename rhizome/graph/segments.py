"""Text cut into the pieces a search matches one by one: sentences, list items, table rows, blocks of code."""

import re
from collections.abc import Iterator

import msgspec

from rhizome.patterns import late

END = late(r"[.!?…؟।][\"'”’»)\]*_]{0,4}(?=\s)|[。！？｡][」』）”’\"')\]]{0,3}|`")
NOT_AN_END = late(
    r"(?:^|[\s(\[“\"'])(?:[A-Za-z]|e\.g|i\.e|a\.m|p\.m|z\.B|d\.h|u\.a|p\.ex|ex|cf|vs|etc|approx|ca|no|nr|núm|fig|sec|ch|pp?|vol|"
    r"Dr|Mr|Mrs|Ms|Prof|St|Sr|Sra|Dra|Jr|Inc|Ltd|bzw|usw)\.\Z",
    re.IGNORECASE,
)
OPENS = late(r"[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+|[|#>])")
MARKER = late(r"[ \t>]{0,40}(?:(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?")
FENCE = late(r"[ \t]*(`{3,9}|~{3,9})")
MAX_CODE_SPAN = 300
WIDE = "。！？｡"


class Span(msgspec.Struct, frozen=True):
    """A piece of a text: `text[start:end]`, without white space or list marker around it."""

    start: int
    end: int


def sentences(text: str) -> list[Span]:
    """The pieces of `text` in order, none overlapping; only white space, list markers and quote signs are in none.

    A full stop ends a sentence when white space and no small letter follow, so that versions, paths, identifiers and
    most abbreviations stay whole; code spans and fenced blocks are never cut. Linear in the text's length.
    """
    found: list[Span] = []
    for start, end, code in _blocks(text):
        if code:
            _add(found, text, start, end)
        else:
            _cut(found, text, start, end)
    return found


def _blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """Stretches of lines that no sentence crosses, and whether each is a fenced block of code."""
    start = place = 0
    sign = ""
    while place < len(text):
        end = text.find("\n", place) + 1 or len(text)
        fence = FENCE.match(text, place, end)
        if sign:
            if fence and fence[1].startswith(sign) and not text[fence.end() : end].strip(fence[1][0] + " \t\n"):
                yield start, end, True
                start, sign = end, ""
        elif fence:
            yield start, place, False
            start, sign = place, fence[1]
        elif text[place:end].isspace():
            yield start, place, False
            start = end
        elif opens := OPENS.match(text, place, end):
            yield start, place, False
            start = place
            if opens[0][-1] in "#|":
                yield start, end, False
                start = end
        place = end
    yield start, len(text), bool(sign)


def _cut(found: list[Span], text: str, start: int, end: int) -> None:
    place = start
    while match := END.search(text, place, end):
        place = match.end()
        if match[0] == "`":
            place = text.find("`", place, min(end, place + MAX_CODE_SPAN)) + 1 or place
        elif match[0][0] in WIDE or _ends(text, start, place):
            _add(found, text, start, place)
            start = place
    _add(found, text, start, end)


def _ends(text: str, start: int, end: int) -> bool:
    following = text[end : end + 40].lstrip().lstrip("\"'“‘«¿¡([*_")[:1]
    return not following.islower() and not NOT_AN_END.search(text, max(start, end - 12), end)


def _add(found: list[Span], text: str, start: int, end: int) -> None:
    if marker := MARKER.match(text, start, end):
        start = marker.end()
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        found.append(Span(start, end))
