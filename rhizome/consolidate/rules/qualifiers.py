"""Which of several things of a kind is meant: the dev port, the upload limit, the systemd unit's name."""

import re
from collections.abc import Iterator

from rhizome.consolidate.rules.lexicon import Tag
from rhizome.consolidate.rules.naming import WORD, weak
from rhizome.consolidate.rules.reading import Reading
from rhizome.consolidate.rules.tables import Row, noun, words
from rhizome.consolidate.rules.values import PERSON, Value

NAMELESS = frozenset({"path", "time"})
"""Attributes that mean nothing without a word for whose they are."""
_PLACES = frozenset({"dev", "test", "staging", "prod", "ci", "frontend", "backend", "docs"})
"""Qualifiers that tell apart what a named tool is for."""
_BY_TOPIC = frozenset({"name", "owner", "path", "url", "day", "deadline", "launch_date", "freeze_date", "end_of_life"})
"""Attributes whose cue is a verb; what stands before it says of what."""
_FORM = frozenset({
    "copula", "set", "adopt", "now", "always", "must", "decide", "correct", "rule", "only", "here", "to", "from", "and",
})  # fmt: skip
"""Labels of words that give a sentence its form and say nothing about what it is about."""
_OF = re.compile(
    r"\s(?:de|do|da|dos|das|del|of the|of|for the|for|para)\s(?:la\s|el\s|los\s|las\s|o\s|a\s|os\s|as\s|the\s)?",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"['’]s?$")
_OUR = re.compile(r"\b(?:our|the|my|noss[oa]|nuestr[oa]|el)\s$", re.IGNORECASE)
"""`Our bundle` is a thing, and no order."""
_CJK_RUN = re.compile(r"[\u30a0-\u30ff\u3400-\u9fff]{2,12}の?$")


def qualifiers(reading: Reading, value: Value, cue: Tag, row: Row) -> tuple[str, ...]:
    """The canonical words that tell which one is meant, at most two; none where the sentence does not say."""
    if row.near:
        technology = row.qualifier or reading.text[cue.start : cue.end].casefold()
        return (technology, *places(reading, value, row.name))
    if not row.noun:
        return places(reading, value, row.name)
    start, end = reading.clause(value.start)
    start = reading.first if reading.labelled else min(start, reading.clause(cue.start)[0])
    if row.name == "owner" and cue.start >= value.end:
        return tuple(_content(reading, cue.end, end, cue))[-2:]
    if _verbal(reading, value, cue, row) and (topic := tuple(_content(reading, start, value.start, cue))):
        return topic[:2] if row.name == "interval" else topic[-2:]
    if compound := _compound(reading, cue, row):
        return compound
    named = [
        tag.name
        for tag in reading.within("qual", start, end)
        if not value.start <= tag.start < value.end and tag.name not in row.name.split("_")
        and not _is_said_to_do(reading, tag)
    ]
    beside = tuple(dict.fromkeys(named))[:2] or _modifier(reading, value, cue)
    return (
        beside
        or tuple(_content(reading, cue.end, value.start, cue))[-2:]
        or _itself(reading, cue)
        or (_of_whole(reading, start) if row.name not in NAMELESS else ())
    )


def _itself(reading: Reading, cue: Tag) -> tuple[str, ...]:
    """The changelog's language is another than the commits'."""
    said = reading.text[cue.start : cue.end].casefold()
    return tuple(map(noun, said.split())) if said in words("things") else ()


def _compound(reading: Reading, cue: Tag, row: Row) -> tuple[str, ...]:
    """The cue's own first words where it is longer than the name: `batch` size is not `page` size."""
    said = tuple(word.casefold() for word in WORD.findall(reading.text[cue.start : cue.end]))
    return said[:-1] if len(said) > 1 and said[-1] == row.name else ()


def places(reading: Reading, value: Value, name: str) -> tuple[str, ...]:
    """`dev`, `test` and the like in the value's clause, where they are not the attribute itself."""
    start, end = reading.clause(value.start)
    found = (
        tag.name
        for tag in reading.within("qual", start, end)
        if tag.name in _PLACES and tag.name not in name and not value.start <= tag.start < value.end
    )
    return tuple(dict.fromkeys(found))[:1]


def content_words(reading: Reading, start: int, end: int) -> tuple[str, ...]:
    """The words of start..end that carry meaning, in canonical form where there is one."""
    return tuple(_content(reading, start, end))


def _verbal(reading: Reading, value: Value, cue: Tag, row: Row) -> bool:
    """Whether the cue is no noun that could be qualified itself: a preposition, a verb, or `wide` after the value."""
    return weak(reading, cue) or cue.start >= value.end or _is_verb(reading, cue) or row.name in _BY_TOPIC


def _is_verb(reading: Reading, cue: Tag) -> bool:
    return any(cue.start <= tag.start < cue.end for tag in reading.of("copula"))


def _is_said_to_do(reading: Reading, qualifier: Tag) -> bool:
    """`It reports in celsius` says nothing about a report."""
    verbs = (tag for tag in reading.of("copula") if " " in reading.text[tag.start : tag.end])
    return any(tag.start == qualifier.start for tag in verbs)


def _of_whole(reading: Reading, start: int) -> tuple[str, ...]:
    """`Backups are encrypted and kept for 60 days`: what a clause that goes on is about stands in the one before it."""
    if not any(tag.start == start for tag in reading.of("and")):
        return ()
    return tuple(tag.name for tag in reading.within("qual", 0, start))[:1]


def _content(reading: Reading, start: int, end: int, cue: Tag | None = None) -> Iterator[str]:
    canonical = {tag.start: tag for tag in reading.of("qual")}
    form = [
        (tag.start, tag.end)
        for label, tags in reading.labels.items()
        if label in _FORM
        for tag in tags
        if tag.start not in canonical and not (label == "set" and _OUR.search(reading.text, 0, tag.start))
    ]
    if cue and reading.text[cue.start : cue.end].casefold() not in words("things"):
        form.append((cue.start, cue.end))
    for match in WORD.finditer(reading.text, start, end):
        at, word = match.start(), _POSSESSIVE.sub("", match.group().casefold())
        if word in words("plain") or any(a <= at < b for a, b in form) or (cue and _inside_a_value(reading, at)):
            continue
        tag = canonical.get(at)
        yield tag.name if tag and tag.end >= match.end() else noun(word)


def _inside_a_value(reading: Reading, at: int) -> bool:
    return any(value.start <= at < value.end for value in reading.values if value.kinds - PERSON)


def _modifier(reading: Reading, value: Value, cue: Tag) -> tuple[str, ...]:
    """The word beside the cue: `harvest` interval, intervalo `de colheita`, `収穫` 間隔."""
    if run := _CJK_RUN.search(reading.text, max(0, cue.start - 14), cue.start):
        return (noun(run.group().rstrip("の")),)
    of = _OF.match(reading.text, cue.end)
    word = WORD.match(reading.text, of.end()) if of else None
    if word and word.end() <= max(value.start, cue.start):
        return _unless_plain(word.group())
    start, _ = reading.clause(cue.start)
    before = [*WORD.finditer(reading.text, start, cue.start)][-1:]
    if before and before[0].end() == cue.start - 1 and not _tagged(reading, before[0].start(), before[0].end()):
        return _unless_plain(before[0].group())
    return ()


def _unless_plain(word: str) -> tuple[str, ...]:
    return () if word.casefold() in words("plain") else (noun(word.casefold()),)


def _tagged(reading: Reading, start: int, end: int) -> bool:
    return any(
        tag.start < end and start < tag.end for tag in reading.tags if tag.label not in {"qual", "attr", "tool"}
    )
