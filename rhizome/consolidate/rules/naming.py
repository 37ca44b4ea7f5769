"""Which word of a sentence names what a value is the value of."""

import re

from rhizome.consolidate.rules.lexicon import Tag
from rhizome.consolidate.rules.reading import Reading
from rhizome.consolidate.rules.tables import Row, words
from rhizome.consolidate.rules.values import PERSON, Value

WORD = re.compile(r"[A-Za-zÀ-ɏ][\w'’-]*|[\u30a1-\u30ff]{2,}|[\u3400-\u9fff]{2,}")
REACH = 24
"""How many characters may stand between a value and a cue that follows it, or a cue and a plain number."""

Cue = tuple[Tag, Row]

_BARE = frozenset({"int", "decimal", "major", "name", "code"})
"""Kinds so common that only a verb may stand between them and the word for what they are."""
_SPELLED = frozenset({"code", "ident", "name", "filename", "path"})
"""Kinds that follow their cue: `is called X`, never `X is called`."""
_LINKING = ("copula", "set", "to", "now", "must", "adopt")
_OF_SOMETHING = re.compile(r"\s(?:of|for|in|on|de|do|da|dos|das|del|para|en|em)\s(?:[\w-]+\s){0,3}", re.IGNORECASE)
_NOUNS = re.compile(r"\s?(?:[\w-]+\s){0,4}")
_ARTICLE = re.compile(
    r"[\s`\"]*(?:(?:the|a|an|o|a|os|as|el|la|los|las|ao|file|arquivo|archivo)\s){0,2}[\s`\"]*", re.IGNORECASE
)
_IS_PERSON = re.compile(r"(?:\b(?:is|by|are|é|são|es|son)\s(?:[ao]\s)?|\b(?:se ocupa|se encarga)\s|:\s|は|が|：)$")
_WHEN = frozenset({"time", "day", "hours"})
_NOTHING_SET = frozenset({"timezone", "day", "kebab", "name"})
"""Kinds of what may stand before a preposition without being what was set: `user-facing text is in English`."""


def cue(reading: Reading, value: Value) -> Cue | None:
    """The cue for `value`: before it in its clause, the unit it counts, after it, or earlier in the sentence."""
    start, end = reading.clause(value.start)
    start = reading.first if reading.labelled else start
    fitting = [*_fitting(reading, value)]
    if before := [(tag, row) for tag, row in fitting if start <= tag.start and _leads(reading, value, tag, row)]:
        return _head(reading, value, before)
    if own := [(tag, row) for tag, row in fitting if value.start < tag.start and tag.end == value.end]:
        return own[0]
    if after := [(tag, row) for tag, row in fitting if tag.end <= end and _follows(reading, value, tag, row)]:
        return min(after, key=lambda found: found[0].start)
    earlier = [
        (tag, row)
        for tag, row in fitting
        if tag.end <= start and not row.near and not weak(reading, tag) and not _taken(reading, tag, row, value)
    ]
    return max(earlier, key=lambda found: found[0].end, default=None)


def weak(reading: Reading, tag: Tag) -> bool:
    """Whether the cue is a mere preposition or auxiliary verb."""
    return reading.text[tag.start : tag.end].casefold() in words("prepositions")


def _fitting(reading: Reading, value: Value) -> list[Cue]:
    """The cues whose attribute takes a value of this kind, outside the value unless they are the unit it counts."""
    found = []
    for tag, row in reading.cues:
        if not row.kinds & value.kinds:
            continue
        inside = value.start <= tag.start and tag.end <= value.end
        own_unit = bool(value.kinds & {"quantity", "length"}) and tag.end == value.end
        if not inside or own_unit:
            found.append((tag, row))
    if "person" in value.kinds and not value.kinds & {"code", "tool"}:
        if value.text.casefold() in words("plain"):
            return []
        return [(tag, row) for tag, row in found if _names_owner(reading, tag, value)]
    return found


def _leads(reading: Reading, value: Value, tag: Tag, row: Row) -> bool:
    """Whether a cue before the value names it: nothing else has taken it, and it stands as near as it must."""
    if tag.end > value.start or _taken(reading, tag, row, value):
        return False
    plain = not row.kinds & value.kinds - _BARE
    if plain and not _adjacent(reading, tag, value) and not (
        row.name == "name" and (_led_to(reading, value) or _gives_a_name(reading, tag, value))
    ):
        return False
    if row.near:
        return _adjacent(reading, tag, value)
    return not weak(reading, tag) or _alone(reading, tag, value)


def _follows(reading: Reading, value: Value, tag: Tag, row: Row) -> bool:
    """`30 s timeout`, the `stable` branch; a spelled name never stands before its cue in Latin script."""
    if not value.end <= tag.start <= value.end + REACH or row.near or weak(reading, tag):
        return False
    return not row.kinds & _SPELLED or not reading.text[tag.start].isascii() or row.name == "branch"


def _head(reading: Reading, value: Value, cues: list[Cue]) -> Cue:
    """The last word of a compound (backoff cap), but the first before a preposition (limit for uploads).

    What is at most so large has a limit: the maximum upload size.
    """
    if "size" in value.kinds and (limits := [found for found in cues if found[1].name == "limit"]):
        return limits[0]
    best = max(cues, key=lambda found: (not weak(reading, found[0]), found[1].near, found[0].end))
    for tag, row in sorted(cues, key=lambda found: -found[0].end):
        of = tag.end <= best[0].start and _OF_SOMETHING.fullmatch(reading.text, tag.end, best[0].start)
        if of and not weak(reading, tag):
            best = tag, row
    return best


def _names_owner(reading: Reading, tag: Tag, value: Value) -> bool:
    """`Ada owns`, `owned by Ada`, `owner: Ada`, `担当はAda`: nothing stands between verb and name."""
    if value.end <= tag.start:
        verb = reading.text[tag.start : tag.end].casefold()
        return reading.text[value.end : tag.start] == " " and verb in words("owns")
    return _IS_PERSON.search(reading.text[max(tag.start, value.start - 12) : value.start]) is not None


def _led_to(reading: Reading, value: Value) -> bool:
    return any(
        tag.end <= value.start and _ARTICLE.fullmatch(reading.text, tag.end, value.start)
        for tag in reading.of("to")
    )


def _gives_a_name(reading: Reading, tag: Tag, value: Value) -> bool:
    """`Name the new crate x`, in backticks."""
    return (
        "code" in value.kinds
        and reading.opens(tag)
        and _NOUNS.fullmatch(reading.text, tag.end, value.start - 1) is not None
    )


def _alone(reading: Reading, tag: Tag, value: Value) -> bool:
    """A preposition names something only right before it, where no other value was set: not `X to 1 in Cargo.toml`."""
    start, _ = reading.clause(value.start)
    nothing_set = _NOTHING_SET | {"duration"} if value.kinds & _WHEN else _NOTHING_SET
    set_before = any(
        start <= other.start and other.end <= tag.start and other.kinds - PERSON - nothing_set
        for other in reading.standing
    )
    return not set_before and _ARTICLE.fullmatch(reading.text, tag.end, value.start) is not None


def _taken(reading: Reading, tag: Tag, row: Row, value: Value) -> bool:
    """Whether another value that fits as well already stands between the cue and this one."""
    return any(
        tag.end <= other.start and other.end <= value.start and other.kinds & row.kinds
        for other in reading.standing
    )


def _verb(reading: Reading, tag: Tag, value: Value) -> int:
    """Where the verb between cue and value begins, after a few words: maximum `zoom level` is, name `of it` is."""
    for verb in reading.within("copula", tag.end, value.start):
        return verb.start if _NOUNS.fullmatch(reading.text, tag.end, verb.start) else tag.end
    return tag.end


def _adjacent(reading: Reading, tag: Tag, value: Value) -> bool:
    """Whether only a verb and prepositions stand between, or a short noun phrase and a verb."""
    if any(tag.end <= other.start < value.start for other in reading.values):
        return False
    between = reading.text[_verb(reading, tag, value) : value.start]
    linking = {
        word.casefold()
        for label in _LINKING
        for verb in reading.within(label, tag.end, value.start)
        for word in WORD.findall(reading.text[verb.start : verb.end])
    }
    allowed = linking | words("between")
    return len(between) <= REACH and all(word.casefold() in allowed for word in WORD.findall(between))
