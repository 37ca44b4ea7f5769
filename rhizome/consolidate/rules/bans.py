"""What is never done: bans in the speaker's own words, and what of them is their core."""

import re
from dataclasses import replace

from rhizome.consolidate.rules.lexicon import Tag
from rhizome.consolidate.rules.reading import Reading
from rhizome.consolidate.rules.ruling import SOMEBODY, Ruled, rule
from rhizome.consolidate.rules.tables import one_of, words

_WHERE = re.compile(rf"\s{one_of('where')}\s", re.IGNORECASE)
_SUCH_A_THING = re.compile(r"\s(?:for\s(?:just\s|such\s)?an?|para\s(?:uma?|una?))\s", re.IGNORECASE)
"""`No external service for a CLI`: of what kind the thing is gives the reason for a choice, and lays nothing down."""
_NO_BAN = re.compile(
    rf"(?:(?:must\s)?never|nunca|not|{one_of('noun_bans')}|não|nao)\s{one_of('no_ban')}\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_][\w-]*")
_EVER = re.compile(r"\b(?:ever|anywhere|again|jamais|nunca|nunca más|nunca mais)\b", re.IGNORECASE)
_PLACE = re.compile(r"\s(?:in|on|em|na|no|nas|nos|en)\s", re.IGNORECASE)
_WE = re.compile(r"[\s`*_-]*we\s", re.IGNORECASE)
_DONE = re.compile(
    r"\s(?:\w+ed|got|had|did|went|found|made|saw|knew|thought|were|was|ran|came|heard|wrote|managed|really|quite)\b",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"(?:nunca|jamais|jamás|no|não|nao)\s(?:(?:me|te|se|lo|la|los|las|le|nos|o|a)\s)?"
    r"(?:\w+(?:[íéó]|ei|eu|iu|ou|ía|ían|aron|ieron|aram|eram)|vi|li|fui|consegui|subi|pedi|tinha|tinham)\b",
    re.IGNORECASE,
)
"""`Nunca entendí` is an account; an imperative ends otherwise."""
_HAPPENED = re.compile(
    r"\b(?!allowed|permitted|required|unused|generated|hard-?coded|nested|shared|typed)(?:found|were|was|left|given|\w{2,}ed)\b",
    re.IGNORECASE,
)
"""`No files found in src/` tells what was so."""


def forbidden(reading: Reading) -> Ruled | None:
    """The first thing a sentence forbids, with the named tools it bans; or None."""
    for tag in reading.of("never") + reading.of("ban"):
        if ruled := _forbidden(reading, tag):
            inner = (value for value in reading.values if ruled.start <= value.start < ruled.end)
            return replace(ruled, banned=tuple(value for value in inner if "tool" in value.kinds))
    return None


def _forbidden(reading: Reading, tag: Tag) -> Ruled | None:
    """`never edit out/ by hand`, `drafts must never be published`, `no emojis in any output`."""
    strong = tag.label == "never" or bool(reading.of("rule")) or bool(reading.of("lasting"))
    if tag.name == "ja":
        if tag.label != "never" or reading.text[: tag.start].endswith("忘れ"):
            return None
        return rule(reading, reading.clause(tag.start)[0], tag.end)
    start, end = reading.clause(tag.start)
    if _NO_BAN.match(reading.text, tag.start):
        return None
    if reading.opens(tag):
        where = _WHERE.search(reading.text, tag.end, end) and not _SUCH_A_THING.search(reading.text, tag.end, end)
        named = bool(where or reading.of("here"))
        lasting = named and (_is_noun_ban(reading, tag) or any(reading.within("adopt", tag.end, end)))
        lasting = lasting or _keeps_out(reading, tag, end)
        days = any("day" in value.kinds and tag.end <= value.start < end for value in reading.values)
        meant = strong or lasting or days or _EVER.search(reading.text, tag.end) or _generic(reading, tag, end)
        if not meant or _TOLD.match(reading.text, tag.start):
            return None
        return _core(reading, tag, end) if _is_noun_ban(reading, tag) else rule(reading, tag.start, end)
    if _is_ours(reading, tag, start):
        return rule(reading, start, len(reading.text) if tag.label == "ban" else end)
    if SOMEBODY.search(reading.text, start, tag.start):
        return None
    modal = " " in reading.text[tag.start : tag.end].strip()
    if tag.label == "never" and (modal or reading.of("here") or reading.of("rule")):
        joined = any(other.start == start for other in reading.of("and"))
        return rule(reading, tag.start, end, topic=(reading.first if joined else start, tag.start))
    return None


def _generic(reading: Reading, tag: Tag, end: int) -> bool:
    """`Don't commit generated files`: a verb and things of a kind; `don't run the tests` is about these, for now."""
    said = [word.casefold() for word in _WORD.findall(reading.text[tag.end : end])]
    numbers = any(tag.end <= value.start < end and value.text[:1].isdigit() for value in reading.values)
    return len(said) > 1 and not numbers and said[0] in words("ban_verbs") and not words("one_off").intersection(said)


def _keeps_out(reading: Reading, tag: Tag, end: int) -> bool:
    """`Don't touch the code under third_party/`, `no añadas nada a este módulo`: of a folder or of this code base."""
    first = _WORD.search(reading.text, tag.end, end)
    if first is None or first.group().casefold() not in words("ban_verbs"):
        return False
    said = {word.casefold() for word in _WORD.findall(reading.text[tag.end : end])}
    if said & words("for_now"):
        return False
    folders = any("path" in value.kinds and value.text.endswith("/") for value in reading.values if value.start < end)
    return folders or any(reading.within("here", tag.end, end))


def _core(reading: Reading, tag: Tag, end: int) -> Ruled | None:
    """`No emojis` of `no emojis in any output`: where it holds is left to the statement, unless it is all there is."""
    ruled = rule(reading, tag.start, end)
    if _HAPPENED.search(reading.text, tag.end, end):
        return None
    place = _PLACE.search(reading.text, tag.end + 2, end)
    if ruled is None or place is None or not ruled.value.startswith(reading.text[tag.start : place.start()]):
        return ruled
    core = reading.text[tag.start : place.start()].rstrip(" ,")
    days = any("day" in value.kinds and value.start >= place.start() for value in reading.values)
    limited = any(tag.end <= value.start and value.end <= place.start() for value in reading.values)
    return ruled if days and not limited else replace(ruled, value=core)


def _is_ours(reading: Reading, tag: Tag, start: int) -> bool:
    """`We never deploy after 4pm`, `we don't log bodies, ever`; what we never got around to is no rule."""
    if not _WE.fullmatch(reading.text, start, tag.start):
        return False
    if tag.label == "ban":
        return _EVER.search(reading.text, tag.end) is not None
    return tag.label == "never" and not _DONE.match(reading.text, tag.end)


def _is_noun_ban(reading: Reading, tag: Tag) -> bool:
    return reading.text[tag.start : tag.end].casefold() in words("noun_bans")
