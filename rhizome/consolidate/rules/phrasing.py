"""How a draft words what was said: its statement, its quote and what type of statement it is."""

import re
from itertools import pairwise

from msgspec.structs import replace

from rhizome.config import QUOTE_MIN_CHARS
from rhizome.consolidate.rules.reading import Reading
from rhizome.consolidate.rules.ruling import TAIL, Ruled
from rhizome.consolidate.rules.statements import Stated
from rhizome.consolidate.rules.tables import one_of
from rhizome.model import Draft, Message

STATEMENT_CHARS = 200
"""A statement is one short idea; a longer sentence gives its clause."""

_LIMITS = re.compile(
    rf"[\s,;:(、]*(?:(?:and|but|e|mas|y|pero)\s)?(?:{one_of('limit_openings')}\b|{one_of('limits_cjk')})"
    rf"|.*?(?:\b{one_of('limits')}\b|{one_of('limits_cjk')})",
    re.IGNORECASE | re.DOTALL,
)
"""A clause that says when, where or for what something holds: `on Fridays`, `except in CI`, `until the move`."""

_OPENS = re.compile(r"[\s,;:(、]*(?:(?:on|each|every|at|el|los|às|aos|nas|nos|na|no)\s)?", re.IGNORECASE)
_NORM = frozenset({"rule", "never", "must", "always"})
_DECISION = frozenset({"decide", "correct", "set"})
_LEAD = re.compile(
    rf"(?:[\s`*_>#•-]|\b{one_of('lead_in_paused')}\s?[,:.;]\s?|\b{one_of('lead_in')}\b[\s,:.;]+|{one_of('lead_in_cjk')}[、,:：\s]*)+",
    re.IGNORECASE,
)


def placed(draft: Draft, message: Message, reading: Reading, tier: str | None) -> Draft:
    """The draft with the sentence it quotes."""
    quote = _quote(message.text, reading.sentence.start, reading.sentence.end)
    return replace(draft, event=message.event, quote=quote, tier=tier or draft.tier)


def _quote(text: str, start: int, end: int) -> str:
    """The sentence as it stands, with what follows or precedes it while it is too short to prove anything."""
    while len(" ".join(text[start:end].split())) <= QUOTE_MIN_CHARS and (start > 0 or end < len(text)):
        if end < len(text):
            end = min(len(text), end + 8)
        else:
            start = max(0, start - 8)
    return text[start:end].strip()


def type_of(reading: Reading) -> str:
    """What a sentence that states a value is."""
    if reading.has(_NORM):
        return "norm"
    if reading.has(_DECISION):
        return "decision"
    return "preference" if reading.of("adopt") else "fact"


def worded(reading: Reading) -> str:
    """The sentence without what leads in to it; nothing where it is too long to keep what it holds for."""
    lead = _LEAD.match(reading.text)
    text = reading.text[lead.end() if lead else 0 :].strip(" \n") or reading.text
    if len(text) <= STATEMENT_CHARS:
        return _one_line(text)
    kept = text[:STATEMENT_CHARS].rsplit(" ", 1)[0]
    return "" if limited(reading, 0, reading.text.index(text) + len(kept)) else _one_line(kept)


def limited(reading: Reading, start: int, end: int) -> bool:
    """Whether a clause outside start..end says when, where or for what the rest holds."""
    edges = sorted({0, *reading.bounds, start, end, len(reading.text)})
    outside = [(a, b) for a, b in pairwise(edges) if b <= start or a >= end]
    return any(
        _LIMITS.match(reading.text[a:b]) or any(a <= day.start < b and _OPENS.fullmatch(reading.text, a, day.start)
                                                for day in reading.values if "day" in day.kinds)
        for a, b in outside
    )


def worded_clause(reading: Reading, pair: Stated) -> str:
    """The clause or clauses that hold cue and value, where a sentence states several things; all of it where another
    clause says what they hold for."""
    start, end = reading.clause(pair.start)[0], reading.clause(max(pair.start, pair.end - 1))[1]
    if limited(reading, start, end):
        return worded(reading)
    text = reading.text[start:end].strip(" ,;:、")
    for word in ("and ", "e ", "y "):
        text = text.removeprefix(word).removesuffix(" " + word.strip())
    return _one_line(text) if len(text) >= len(pair.value.text) + 4 else worded(reading)


def ruled_clause(reading: Reading, rule: Ruled) -> str:
    """A rule with everything its clause says of when and where it holds."""
    text = reading.text[rule.start : rule.end].strip(" ,.;:!、。—-")
    return " ".join(TAIL.sub("", text).split()) or rule.value


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line[:1].upper() + line[1:] if line[:1].islower() and "`" not in line[:1] else line
