"""Rules without a value of a known kind: what is always, never or by agreement done, in the speaker's own words."""

import re
from collections.abc import Callable

from rhizome.consolidate.rules.bans import forbidden
from rhizome.consolidate.rules.lexicon import Tag
from rhizome.consolidate.rules.qualifiers import content_words
from rhizome.consolidate.rules.reading import Reading
from rhizome.consolidate.rules.ruling import SOMEBODY, Ruled, rule
from rhizome.consolidate.rules.tables import words

_TOLD = frozenset({"trouble", "past", "forget", "expired"})
_RULING = frozenset({"never", "ban", "ask", "each", "always", "must", "rule", "lasting"})
_NO_ORDER = re.compile(
    r"\s(?:fun|nice|good|great|happy|glad|a|an|the|been|so|like|wondered|thought|wanted|had|quis|gostei|foi|é|fue|es|quise|me)\b",
    re.IGNORECASE,
)
"""`Always fun to see`: a remark."""
_ASKED = re.compile(r"(?:てください|で下さい|て下さい|ること|ます|する)[。\s]*$")
_SAYS = re.compile(r"\s?[:：は]|\s(?:is|é|es)\b")
_PAUSE = re.compile(r"[\s,:：、]*")
_WE = re.compile(r"\b(?:we|a gente|nós|nosotros)\s$", re.IGNORECASE)


def ruled(reading: Reading) -> Ruled | None:
    """The rule a sentence in the mood of a statement lays down, or None."""
    if reading.has(_TOLD) or not reading.has(_RULING):
        return None
    if ban := forbidden(reading):
        return ban
    for label, decide in LAID_DOWN:
        for tag in reading.of(label):
            if found := decide(reading, tag):
                return found
    return None


def _always(reading: Reading, tag: Tag) -> Ruled | None:
    """`always run make lint`, `rode sempre make lint`, `run it with TZ=UTC, always`; not `it always fails`."""
    if tag.name == "ja":
        start, end = reading.clause(tag.start)
        asked = _ASKED.search(reading.text)
        return rule(reading, tag.end, end) if asked else None
    start, end = reading.clause(tag.start)
    alone = not reading.text[start:end].replace(reading.text[tag.start : tag.end], "").strip(" .,!")
    if alone and tag.start > reading.first:
        start, end = reading.clause(max(reading.first, start - 2))
        return rule(reading, start, end) if _ordered(reading, start) else None
    if reading.opens(tag) and _NO_ORDER.match(reading.text, tag.end):
        return None
    if reading.opens(tag) or _ordered(reading, start):
        return rule(reading, tag.end if reading.opens(tag) else start, end)
    return None


def _asked(reading: Reading, tag: Tag) -> Ruled | None:
    """`Ask me before deleting anything`."""
    return rule(reading, tag.start, len(reading.text)) if reading.opens(tag) else None


def _each(reading: Reading, tag: Tag) -> Ruled | None:
    """`Whenever you touch the schema, run make migrations`, `antes de cada release a gente roda make smoke`."""
    if tag.name == "ja":
        return rule(reading, reading.first, len(reading.text)) if _ASKED.search(reading.text) else None
    if tag.start <= reading.first:
        verbs = [verb for label in ("set", "adopt", "must") for verb in reading.of(label) if verb.start > tag.end]
        does = any(reading.opens(verb) or _is_ours(reading, verb) for verb in verbs)
    else:
        does = _ordered(reading, reading.clause(reading.first)[0])
    return rule(reading, reading.first, len(reading.text)) if does else None


def _is_ours(reading: Reading, verb: Tag) -> bool:
    return reading.text[: verb.end].endswith("mos") or _WE.search(reading.text, 0, verb.start) is not None


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
    if (tag.label == "rule" or noun in words("labels")) and not _SAYS.match(reading.text, tag.end):
        return None
    opening = _PAUSE.match(reading.text, tag.end)
    body = opening.end() if opening else tag.end
    return rule(reading, body, reading.clause(body)[1])


LAID_DOWN: tuple[tuple[str, Callable[[Reading, Tag], Ruled | None]], ...] = (
    ("ask", _asked), ("each", _each), ("always", _always), ("must", _must),
    ("rule", _laid_down), ("lasting", _laid_down),
)  # fmt: skip
"""The labels that lay something down, and who reads what they lay down; the first that finds a rule has it."""
