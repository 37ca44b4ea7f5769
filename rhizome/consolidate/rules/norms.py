"""Rules without a value of a known kind: what is always, never or by agreement done, in the speaker's own words."""

import re
from dataclasses import dataclass

from rhizome.consolidate.rules.lexicon import Tag
from rhizome.consolidate.rules.qualifiers import content_words
from rhizome.consolidate.rules.reading import Reading
from rhizome.consolidate.rules.tables import one_of, words
from rhizome.consolidate.rules.values import Value

VALUE_CHARS = 100
"""A rule's core words; what is longer is kept in the statement only."""

_SHORT = frozenset({"code", "env", "path", "url"})
_WHERE = re.compile(rf"\s{one_of('where')}\s", re.IGNORECASE)
_NO_BAN = re.compile(rf"(?:never|nunca|not|{one_of('noun_bans')}|não|nao)\s{one_of('no_ban')}\b", re.IGNORECASE)
_TAIL = re.compile(r"(?:[\s,.;:!、。]|\b(?:please|por favor|ok|okay|thanks|obrigado|gracias)\b)+$", re.IGNORECASE)
_SOMEBODY = re.compile(rf"\b{one_of('somebody')}\b", re.IGNORECASE)
"""Whoever tells what somebody has to do or never did lays down no rule."""
_EVER = re.compile(r"\b(?:ever|anywhere|again|jamais|nunca|nunca más|nunca mais)\b", re.IGNORECASE)
_WEAK = frozenset({"that", "this", "it", "isso", "isto", "eso", "esto", "them", "do", "again", "anymore", "more"})


@dataclass(frozen=True, slots=True)
class Ruled:
    """A rule: its core words at start..end of the sentence, and the words its key is made of."""

    value: str
    words: tuple[str, ...]
    start: int
    end: int
    banned: tuple[Value, ...] = ()


def ruled(reading: Reading) -> Ruled | None:
    """The rule a sentence in the mood of a statement lays down, or None."""
    if reading.of("trouble") or reading.of("past"):
        return None
    for tag in reading.of("never") + reading.of("ban"):
        if rule := _forbidden(reading, tag):
            return rule
    for label, decide in (("always", _always), ("must", _must), ("rule", _laid_down), ("lasting", _laid_down)):
        for tag in reading.of(label):
            if rule := decide(reading, tag):
                return rule
    return None


def _forbidden(reading: Reading, tag: Tag) -> Ruled | None:
    """`never edit out/ by hand`, `drafts must never be published`, `no emojis in any output`."""
    strong = tag.label == "never" or bool(reading.of("rule")) or bool(reading.of("lasting"))
    if tag.name == "ja":
        return _rule(reading, reading.clause(tag.start)[0], tag.end) if tag.label == "never" else None
    start, end = reading.clause(tag.start)
    if _NO_BAN.match(reading.text, tag.start):
        return None
    if reading.opens(tag):
        named = bool(_WHERE.search(reading.text, tag.end, end)) or bool(reading.of("here"))
        lasting = named and (_is_noun_ban(reading, tag) or any(reading.within("adopt", tag.end, end)))
        days = any("day" in value.kinds and tag.end <= value.start < end for value in reading.values)
        return (
            _rule(reading, tag.start, end)
            if strong or lasting or days or _EVER.search(reading.text, tag.end)
            else None
        )
    if _SOMEBODY.search(reading.text, start, tag.start):
        return None
    modal = " " in reading.text[tag.start : tag.end].strip()
    if tag.label == "never" and (modal or reading.of("here") or reading.of("rule")):
        return _rule(reading, tag.start, end, topic=(start, tag.start))
    return None


def _is_noun_ban(reading: Reading, tag: Tag) -> bool:
    return reading.text[tag.start : tag.end].casefold() in words("noun_bans")


def _always(reading: Reading, tag: Tag) -> Ruled | None:
    """`always run make lint`, `rode sempre make lint`, `run it with TZ=UTC, always`; not `it always fails`."""
    if tag.name == "ja":
        start, end = reading.clause(tag.start)
        asked = re.search(r"(?:てください|で下さい|て下さい|ること|ます|する)[。\s]*$", reading.text)
        return _rule(reading, tag.end, end) if asked else None
    start, end = reading.clause(tag.start)
    alone = not reading.text[start:end].replace(reading.text[tag.start : tag.end], "").strip(" .,!")
    if alone and tag.start > reading.first:
        start, end = reading.clause(max(reading.first, start - 2))
        return _rule(reading, start, end) if _ordered(reading, start) else None
    if reading.opens(tag) or _ordered(reading, start):
        return _rule(reading, tag.end if reading.opens(tag) else start, end)
    return None


def _ordered(reading: Reading, start: int) -> bool:
    """Whether a verb that sets or takes up opens the clause: an instruction, not a description."""
    return any(
        reading.opens(tag) and reading.clause(tag.start)[0] == start
        for label in ("set", "adopt", "task")
        for tag in reading.of(label)
    )


def _must(reading: Reading, tag: Tag) -> Ruled | None:
    start, end = reading.clause(tag.start)
    if tag.name == "ja":
        return _rule(reading, start, tag.end)
    if reading.opens(tag):
        return _rule(reading, tag.end, end) if tag.start <= reading.first or reading.of("always") else None
    if _SOMEBODY.search(reading.text, start, tag.start) or reading.text[tag.end : tag.end + 1] == "-":
        return None
    orders = "sure" not in reading.text[tag.start : tag.end] and content_words(reading, start, tag.start)
    return _rule(reading, tag.start, end, topic=(start, tag.start)) if orders else None


def _laid_down(reading: Reading, tag: Tag) -> Ruled | None:
    """What follows `house rule:`, `from now on,`, `remember that`."""
    if not (reading.opens(tag) or tag.start <= reading.first + 12):
        return None
    noun = reading.text[tag.start : tag.end].casefold()
    if (tag.label == "rule" or noun in words("labels")) and not re.match(
        r"\s?[:：は]|\s(?:is|é|es)\b", reading.text[tag.end :]
    ):
        return None
    opening = re.compile(r"[\s,:：、]*").match(reading.text, tag.end)
    body = opening.end() if opening else tag.end
    return _rule(reading, body, reading.clause(body)[1])


def _rule(reading: Reading, start: int, end: int, topic: tuple[int, int] | None = None) -> Ruled | None:
    text = reading.text[start:end]
    stripped = text.strip(" ,.;:!、。—-")
    tail = _TAIL.search(stripped)
    body = stripped[: tail.start()] if tail else stripped
    at = start + text.index(stripped) if stripped else start
    about = content_words(reading, *topic) if topic else ()
    inside = content_words(reading, at, at + len(body))
    if not [word for word in inside if word not in _WEAK] or len(body) < 4:
        return None
    inner = [value for value in reading.values if at <= value.start < at + len(body)]
    standing = [value for value in reading.standing if value in inner and value.kinds & _SHORT]
    value = standing[0].text if len(standing) == 1 else body[:VALUE_CHARS]
    banned = tuple(value for value in inner if "tool" in value.kinds)
    return Ruled(value, (about or inside)[:2], start, end, banned)
