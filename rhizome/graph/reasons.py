"""The words that justify a link: `[label](other.md): why`, as a grammar over one paragraph's source.

A link has a reason when a colon and white space follow it (past closing emphasis, quotes and brackets), or a
full-width colon, or, for the first thing in a list item, a dash between spaces. The reason runs to the end of the
paragraph, a hard break, the next link that has a reason of its own, or a line that starts with a link or image.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

OPENING = "*_~\"'“‘«‹(（「『"
CLOSING = r"[*_~\"'”’»›)）」』]*"
COLON = re.compile(CLOSING + r"(?: ?:(?=\s|\Z)|：)")
DASH = re.compile(CLOSING + r"[ \t]+[-–—](?=\s)")
LEAD = re.compile(r"\s*(?:\[[ xX]\][ \t]+)?[*_~]*")
LINE_END = re.compile(r"( {2,}|\\)?\n[ \t*_~\"'“‘«‹(（「『]*")
BRACKET = re.compile(r"[()（）]")
SEPARATORS = ",;.、，；"


@dataclass(frozen=True, slots=True)
class Span:
    """Where a link, wikilink or image stands in its paragraph's source; only links can have a reason."""

    start: int
    end: int
    link: bool = True


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason's place in the source: `source[start:end]`, with no white space at either end. It may be empty."""

    start: int
    end: int


def reasons(source: str, spans: Sequence[Span], first_in_item: bool = False) -> list[Reason | None]:
    """The reason of each span of a paragraph; spans in the order of their starts, none inside another.

    `source` is the paragraph's Markdown with its line breaks; `first_in_item` says that it opens a list item.
    """
    starts = [_reason_start(source, span, first_in_item) if span.link else None for span in spans]
    if not any(starts):
        return [None] * len(spans)
    text = _masked(source, spans)
    stops = _stops(text, spans, starts)
    closings = _closings(text)
    return [
        None if start is None else _reason(source, span, start, _stop(stops, closings, span, start, len(source)))
        for span, start in zip(spans, starts, strict=True)
    ]


def within(spans: Sequence[Span], found: Sequence[Reason | None]) -> list[int | None]:
    """For each span without a reason, the index of the span in whose reason it stands."""
    owners: list[int | None] = []
    holder: tuple[int, Reason] | None = None
    for index, (span, own) in enumerate(zip(spans, found, strict=True)):
        if own is not None:
            holder = index, own
        inside = own is None and holder is not None and span.end <= holder[1].end
        owners.append(holder[0] if inside and holder else None)
    return owners


def _reason_start(source: str, span: Span, first_in_item: bool) -> int | None:
    if match := COLON.match(source, span.end):
        return match.end()
    if first_in_item and LEAD.fullmatch(source, 0, span.start) and (match := DASH.match(source, span.end)):
        return match.end()
    return None


def _masked(source: str, spans: Sequence[Span]) -> str:
    """The source with nothing to be seen inside its links."""
    parts, last = [], 0
    for span in spans:
        parts += [source[last : span.start], "\0" * (span.end - span.start)]
        last = span.end
    return "".join([*parts, source[last:]])


def _stops(text: str, spans: Sequence[Span], starts: Sequence[int | None]) -> list[tuple[int, bool]]:
    """Every place where a reason may end, in order, and whether another link follows there."""
    links = {span.start for span in spans}
    own = [span for span, start in zip(spans, starts, strict=True) if start is not None]
    stops = {_before_opening(text, span.start): True for span in own}
    for match in LINE_END.finditer(text):
        if match[1] or match.end() in links:
            stops.setdefault(match.start(), match.end() in links)
    return sorted(stops.items())


def _closings(text: str) -> list[tuple[int, int]]:
    """Where each closing bracket stands, and where the one it closes; brackets that close nothing are left out."""
    open_at: list[int] = []
    pairs = []
    for match in BRACKET.finditer(text):
        if match[0] in "(（":
            open_at.append(match.start())
        elif open_at:
            pairs.append((match.start(), open_at.pop()))
    return pairs


def _stop(
    stops: list[tuple[int, bool]], closings: list[tuple[int, int]], span: Span, start: int, end: int
) -> tuple[int, bool]:
    """The end of a reason: the next stop, or the closing bracket before it whose opening stands before the link."""
    at = bisect_left(stops, (start, False))
    stop = stops[at] if at < len(stops) else (end, False)
    for close, opened in closings[bisect_left(closings, (start, 0)) :]:
        if close >= stop[0]:
            break
        if opened < span.start:
            return close, False
    return stop


def _before_opening(source: str, start: int) -> int:
    while start > 0 and source[start - 1] in OPENING:
        start -= 1
    return start


def _reason(source: str, span: Span, start: int, stop: tuple[int, bool]) -> Reason:
    end, link_follows = stop
    words = source[start:end]
    start += len(words) - len(words.lstrip())
    words = words.strip()
    if link_follows:
        words = words.rstrip(SEPARATORS + " \t\n")
    before = source[_before_opening(source, span.start) : span.start]
    marks = before[len(before.rstrip("*_~")) :]
    if marks and words.endswith(marks[::-1]) and words.count(marks[::-1]) % 2 == 1:
        words = words[: -len(marks)].rstrip()  # emphasis that opened before the link closes here
    return Reason(start, start + len(words))
