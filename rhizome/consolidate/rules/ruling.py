"""A rule as it was worded: its core words, the words its key is made of, and where it stands in the sentence."""

import re
from dataclasses import dataclass

from rhizome.consolidate.rules.qualifiers import content_words
from rhizome.consolidate.rules.reading import Reading
from rhizome.consolidate.rules.tables import one_of
from rhizome.consolidate.rules.values import Value

VALUE_CHARS = 100
"""A rule's core words; what is longer is kept in the statement only."""

SOMEBODY = re.compile(rf"\b{one_of('somebody')}\b", re.IGNORECASE)
"""Whoever tells what somebody has to do or never did lays down no rule."""

_SHORT = frozenset({"code", "env", "path", "url"})
TAIL = re.compile(r"(?:[\s,.;:!、。]|\b(?:please|por favor|ok|okay|thanks|obrigado|gracias)\b)+$", re.IGNORECASE)
_WEAK = frozenset({"that", "this", "it", "isso", "isto", "eso", "esto", "them", "do", "again", "anymore", "more"})


@dataclass(frozen=True, slots=True)
class Ruled:
    """A rule: its core words at start..end of the sentence, the words its key is made of, and named tools it bans."""

    value: str
    words: tuple[str, ...]
    start: int
    end: int
    banned: tuple[Value, ...] = ()


def rule(reading: Reading, start: int, end: int, topic: tuple[int, int] | None = None) -> Ruled | None:
    """The rule that stands at start..end, or None where it says too little; `topic` names what it is about."""
    text = reading.text[start:end]
    stripped = text.strip(" ,.;:!、。—-")
    tail = TAIL.search(stripped)
    body = stripped[: tail.start()] if tail else stripped
    at = start + text.index(stripped) if stripped else start
    about = content_words(reading, *topic) if topic else ()
    inside = content_words(reading, at, at + len(body))
    if not [word for word in inside if word not in _WEAK] or len(body) < 4:
        return None
    inner = [value for value in reading.values if at <= value.start < at + len(body)]
    standing = [value for value in reading.standing if value in inner and value.kinds & _SHORT]
    value = standing[0].text if len(standing) == 1 else body[:VALUE_CHARS]
    return Ruled(value, (about or inside)[:2], start, end)
