"""Rules without a value of a known kind: what is always, never or by agreement done, in the speaker's own words."""

import re

from rhizome.consolidate.rules.bans import forbidden
from rhizome.consolidate.rules.lexicon import Tag
from rhizome.consolidate.rules.qualifiers import content_words
from rhizome.consolidate.rules.reading import Reading
from rhizome.consolidate.rules.ruling import SOMEBODY, Ruled, rule
from rhizome.consolidate.rules.tables import words


def ruled(reading: Reading) -> Ruled | None:
    """The rule a sentence in the mood of a statement lays down, or None."""
    if reading.of("trouble") or reading.of("past"):
        return None
    if ban := forbidden(reading):
        return ban
    for label, decide in (("always", _always), ("must", _must), ("rule", _laid_down), ("lasting", _laid_down)):
        for tag in reading.of(label):
            if found := decide(reading, tag):
                return found
    return None


def _always(reading: Reading, tag: Tag) -> Ruled | None:
    """`always run make lint`, `rode sempre make lint`, `run it with TZ=UTC, always`; not `it always fails`."""
    if tag.name == "ja":
        start, end = reading.clause(tag.start)
        asked = re.search(r"(?:てください|で下さい|て下さい|ること|ます|する)[。\s]*$", reading.text)
        return rule(reading, tag.end, end) if asked else None
    start, end = reading.clause(tag.start)
    alone = not reading.text[start:end].replace(reading.text[tag.start : tag.end], "").strip(" .,!")
    if alone and tag.start > reading.first:
        start, end = reading.clause(max(reading.first, start - 2))
        return rule(reading, start, end) if _ordered(reading, start) else None
    if reading.opens(tag) or _ordered(reading, start):
        return rule(reading, tag.end if reading.opens(tag) else start, end)
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
        return rule(reading, start, tag.end)
    if reading.opens(tag):
        return rule(reading, tag.end, end) if tag.start <= reading.first or reading.of("always") else None
    if SOMEBODY.search(reading.text, start, tag.start) or reading.text[tag.end : tag.end + 1] == "-":
        return None
    orders = "sure" not in reading.text[tag.start : tag.end] and content_words(reading, start, tag.start)
    return rule(reading, tag.start, end, topic=(start, tag.start)) if orders else None


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
    return rule(reading, body, reading.clause(body)[1])
