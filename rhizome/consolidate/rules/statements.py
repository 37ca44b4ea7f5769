"""What a sentence says is the value of what: the pairs of attribute and value that it states."""

import re

import msgspec

from rhizome.consolidate.rules.lexicon import Tag
from rhizome.consolidate.rules.naming import cue
from rhizome.consolidate.rules.qualifiers import NAMELESS, places, qualifiers
from rhizome.consolidate.rules.reading import ASSERTED, Reading
from rhizome.consolidate.rules.tables import IMPLIED, NEEDS_A_CUE, Row, words
from rhizome.consolidate.rules.values import PERSON, Value

TAKEN_UP_WITHIN = 40
"""How many characters may stand between a verb and the tool it takes up."""

_WITH = re.compile(
    r"\s(?:with|to|in|on|into|using|as|under|com|para|pra|pro|em|no|na|como|con|a|al|en)\s[`\"]?(?:the\s|o\s|el\s)?$",
    re.IGNORECASE,
)
_FOR = re.compile(r"\s(?:por|pelo|pela|pelos|pelas|for|with|by)\s(?:(?:the|o|a|el|la)\s)?[`\"]?$", re.IGNORECASE)
_NOUN = re.compile(r"[`\"]?\s([a-z]\w+)")
_THE = re.compile(r"\bthe\s[`\"]?$", re.IGNORECASE)
_HABIT = re.compile(r"\b(?:every|each|cada)\s$", re.IGNORECASE)
"""`Readings arrive every 250 ms` needs no verb of a known kind."""
_IT_IS = re.compile(r"[`\"]?\sit(?:\sis|['’]s)(?:\sthen)?[\s.,;!]*$", re.IGNORECASE)
_LINK = re.compile(r"\s*(?:=|:|：|->|→)")
_ONE_OFF = re.compile(r"[`\"]?\s(?:to|para|pra)\s(?!the\b|all\b|el\b|la\b|os?\b|as?\b)[^\W\d_]+", re.IGNORECASE)
_SINGULAR = re.compile(r"\w+day\b|(?:segunda|terça|quarta|quinta|sexta)\b|s[áa]bado\b|domingo\b|\w+es\b", re.IGNORECASE)
_TO_TRY = re.compile(
    r"\s(?:to|para|pra)\s(?:debug|test|try|testar|debugar|probar|depurar)(?:\s(?:it|this|that))?[\s.!]*$"
)
"""`Set the port to 9999 to debug.`"""
_WAS_CHANGED = re.compile(
    r"(?:was|were)\s(?:changed|cut|raised|lowered|moved|reduced|increased|renamed|switched|set|bumped|extended|shortened)\sto\s"
    r"(?!.*\b(?:by|last|yesterday|ago)\b)",
    re.IGNORECASE,
)
"""`The budget was cut to 350 euros` tells what holds since."""
_DAY_OF = re.compile(r"\b(?:day|dia|día)\b")
_ONE_DAY = re.compile(r"(?<!every )(?<!each )\b(?:on|by|until|till|next|this|na|no|até|el|este|hasta el)\s$")
"""`On Friday` is one day, `on Fridays` and `every Friday` all of them."""
_RELATIVE = re.compile(r"\s?(?:que|which|that)\s", re.IGNORECASE)
"""What an errand is about: `write a script that listens on port 4567`."""
_OWN_DAY = re.compile(r"[\s:]*(?:i|i've|i'm|eu|yo|tenho|estou|tengo|estoy)\b|私は|僕は", re.IGNORECASE)
"""What somebody does on Wednesdays is their own affair."""


class Stated(msgspec.Struct, frozen=True):
    """An attribute of the vocabulary, which one is meant, and the value; `start..end` holds both in the sentence."""

    name: str
    qualifiers: tuple[str, ...]
    value: Value
    start: int
    end: int


def stated(reading: Reading, *, proposed: bool = False) -> list[Stated]:
    """The pairs a sentence in the mood of a statement stands by, in order; each value and each attribute once.

    `proposed`: the sentence is an offer that somebody agreed to, so that it needs no verb of its own.
    """
    found: dict[tuple[str, tuple[str, ...]], Stated] = {}
    for value in reading.standing:
        if not _blocked(reading, value) and (pair := _pair(reading, value, proposed)):
            found.setdefault((pair.name, pair.qualifiers), pair)
    return list(found.values())


def _pair(reading: Reading, value: Value, proposed: bool) -> Stated | None:
    if named := cue(reading, value):
        tag, row = named
        if row.name in {"prefix", "suffix"} and " " in value.text.strip():
            return None
        which = qualifiers(reading, value, tag, row)
        if not which and ((row.name == "version" and _orders(reading)) or _renames(reading, tag, row)):
            return None
        if (proposed or _asserts(reading, value, tag)) and (which or row.name not in NAMELESS):
            return Stated(row.name, which, value, min(tag.start, value.start), max(tag.end, value.end))
    if (name := _implied(value)) and (proposed or _taken_up(reading, value)):
        return Stated(name, places(reading, value, name), value, value.start, value.end)
    return None


def _renames(reading: Reading, tag: Tag, row: Row) -> bool:
    """`Rename x to y` without a word for what they are: some function's name, an errand."""
    return row.name == "name" and reading.text[tag.start : tag.end].casefold().startswith("ren")


def _implied(value: Value) -> str:
    """The attribute that the value's kind names by itself, or nothing."""
    for kind in sorted(value.kinds):
        if kind in IMPLIED:
            return IMPLIED[kind]
    if "tool" not in value.kinds:
        return ""
    named = sorted(value.kinds - {"tool", "name", "code", "branch", "ident", "path"} - PERSON - NEEDS_A_CUE)
    return named[0] if named else ""


def _blocked(reading: Reading, value: Value) -> bool:
    """Trouble, the past and one-off tasks are told, not laid down."""
    start, end = reading.clause(value.start)
    if value.kinds & {"day", "time"} and _OWN_DAY.match(reading.text, start):
        return True
    if reading.is_theirs(value.start) or _is_once(reading, value) or _TO_TRY.search(reading.text, value.end):
        return True
    if any(not value.start <= tag.start < value.end for tag in reading.within("trouble", start, end)):
        return True
    if any(not _WAS_CHANGED.match(reading.text, tag.start) for tag in reading.within("past", start, end)):
        return True
    if _meant(reading):
        return False
    if _RELATIVE.match(reading.text, start) and any(tag.start <= reading.first for tag in reading.of("task")):
        return True
    tasks = reading.of("task") if _orders(reading) else reading.within("task", start, end)
    return any(_is_task(reading, tag) for tag in tasks)


def _orders(reading: Reading) -> bool:
    """Whether the sentence opens with an order; `bump the version to 1.5.0` is one errand, `bump X to 2` sets X."""
    return any(tag.start <= reading.first for label in ("set", "task") for tag in reading.of(label))


def _is_once(reading: Reading, value: Value) -> bool:
    """A day or an hour of this week: `the standup is at 11:00 today`, `the release is on Friday`."""
    if not value.kinds & {"day", "time"} or _meant(reading):
        return False
    if reading.of("moment"):
        return True
    before = reading.text[: value.start].casefold()
    if _DAY_OF.search(before):
        return False
    return "day" in value.kinds and _ONE_DAY.search(before) is not None and _SINGULAR.match(value.text) is not None


def _is_task(reading: Reading, tag: Tag) -> bool:
    return reading.opens(tag) or tag.name == "ja" or " " in reading.text[tag.start : tag.end]


def _meant(reading: Reading) -> bool:
    return reading.settled or bool(reading.of("always"))


def _asserts(reading: Reading, value: Value, tag: Tag) -> bool:
    """There is a verb that states or sets, not only one that comes after, or the sentence is written like an entry."""
    if _meant(reading) or reading.labelled:
        return True
    start, end = reading.clause(value.start)
    reach = max(value.start, tag.start)
    for label, verbs in reading.labels.items():
        for verb in verbs if label in ASSERTED else ():
            if not (start <= verb.start and verb.end <= end):
                continue
            if verb.start <= reach or verb.name == "ja" or label == "only":
                return True
    if "duration" in value.kinds and _HABIT.search(reading.text, 0, value.start) and not reading.of("gone"):
        return True
    return tag.end <= value.start and _LINK.fullmatch(reading.text, tag.end, value.start) is not None


def _is_of_something(reading: Reading, value: Value) -> bool:
    """`Use the Stripe test key`: the key is used, and whose it is said."""
    noun = _NOUN.match(reading.text, value.end)
    if noun is None or not _THE.search(reading.text, 0, value.start) or noun[1].casefold() in words("goes_on"):
        return False
    return not any(tag.start == noun.start(1) for tag in reading.of("attr"))


def _to_it(reading: Reading, verb: Tag, value: Value) -> bool:
    """`Vitestに移行しました`, `Trocamos o Jest pelo Vitest`."""
    if verb.name == "ja":
        return verb.start == value.end and reading.text[verb.start] in "にへ"
    return any(tag.start == verb.start for tag in reading.of("swap")) and _FOR.search(
        reading.text, verb.end, value.start
    ) is not None


def _taken_up(reading: Reading, value: Value) -> bool:
    """Somebody uses, chooses or moves to it, or it is the only one; not merely for one errand (`use X to check`)."""
    start, end = reading.clause(value.start)
    if (not _meant(reading) and _ONE_OFF.match(reading.text, value.end)) or _is_of_something(reading, value):
        return False
    moved = [
        tag
        for tag in reading.within("set", start, end)
        if _WITH.search(reading.text, tag.end, value.start) or _to_it(reading, tag, value)
    ]
    for verb in (*reading.within("adopt", start, end), *moved):
        if 0 <= value.start - verb.end <= TAKEN_UP_WITHIN or (
            verb.name == "ja" and 0 <= verb.start - value.end <= 4
        ):
            return True
    for only in reading.within("only", start, end):
        if 0 <= only.start - value.end <= 2 or 0 <= value.start - only.end <= 2:
            return True
    if _IT_IS.match(reading.text, value.end) and not reading.text[start : value.start].strip(" `"):
        return True
    alone = reading.text[start:end].strip(" `,.;:!。") == value.text
    is_now = any(0 <= value.start - verb.end <= 2 for verb in reading.within("copula", start, end))
    if alone:
        return reading.settled or bool(reading.of("here"))
    return is_now and (reading.settled or bool(reading.within("now", start, end)))
