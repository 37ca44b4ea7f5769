"""Which of a sentence's values it stands by: what is denied, replaced or left open falls away."""

import re
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from rhizome.consolidate.rules.lexicon import Tag
from rhizome.consolidate.rules.values import PERSON, Value

if TYPE_CHECKING:
    from rhizome.consolidate.rules.reading import Reading

_GLUE = re.compile(
    r"[\s`\"]*(?:(?:,|/|\+|or|and|nor|ou|nem|e|o|u|y|ni|や|と|も)[\s`\"]*)*(?:(?:the|o|a|el|la)\s)?[\s`\"]*"
)
_OR = re.compile(r"[\s`\"]*(?:or|ou|o|u|または|か)[\s`\"]*(?:(?:the|o|a|el|la)\s)?")
_EACH = re.compile(r"\s(?:and|e|y|と)\s|、")
_PLACE = re.compile(r"\s?(?:in|on|for|em|no|na|en|para|で|では)?\s?(?:the\s)?", re.IGNORECASE)
_FOR = re.compile(r"[\s`\"]*(?:por|pelo|pela|pelos|pelas|for|with|by)\s[\s`\"]*(?:(?:the|o|a|el|la)\s)?[`\"]*")
_TO = re.compile(r"[\s`\"]*(?:to|para|a|as|pra)\s[\s`\"]*")
_RENAMES = re.compile(
    r"\b(?:rename|renamed|renomeia|renomeie|renombra|renombre)\s(?:[\w-]+\s){0,3}[`\"]?$", re.IGNORECASE
)
_OVER = re.compile(r"[\s`\"]*(?:to|over|a|ao|à|al)\s(?:(?:the|o|a|el|la)\s)?[`\"]*")
_ARROW = re.compile(r"[\s`\"]*(?:->|=>|→|⇒|➜)[\s`\"]*")
_ARTICLE = re.compile(
    r"[\s`\"]*(?:(?:of|de)\s)?(?:(?:the|a|an|o|a|os|as|el|la|los|las|ao|na|no)\s)?(?:(?:version|versão|versión|port|porta|puerto|branch|rama|ramo)\s)?[\s`\"]*"
)
_DENIALS = frozenset({"neg", "ban", "near", "gone", "neg_after", "forget", "expired", "disuse"})
_RELATIVE = re.compile(r"\s?(?:que|that)\s", re.IGNORECASE)


def standing(reading: "Reading") -> tuple[Value, ...]:
    """The values the sentence stands by: not denied, not replaced, not one of two; joined where they are one answer."""
    kept = reading.values
    if not kept:
        return kept
    if reading.has(_DENIALS):
        kept = tuple(value for value in kept if not _denied(reading, value))
    if len(reading.values) > 1:
        kept = tuple(value for value in kept if not _replaced(reading, value))
        if reading.of("rank"):
            kept = tuple(value for value in kept if not _outranked(reading, value))
        if left_open := [pair for pair in combinations(kept, 2) if _alternatives(reading, *pair)]:
            kept = tuple(value for value in kept if not any(value in pair for pair in left_open))
    return _joined(reading, [*kept]) if len(kept) > 1 else kept


def _denied(reading: "Reading", value: Value) -> bool:
    start, end = reading.clause(value.start)
    return (
        _negated(reading, value, start)
        or _near(reading, value)
        or _gone(reading, value, end)
        or _taken_back(reading, value, start, end)
    )


def _taken_back(reading: "Reading", value: Value, start: int, end: int) -> bool:
    """`Forget that we deploy on Mondays`, `the limit of 5 MB no longer holds`."""
    if any(value.end <= tag.start < end for label in ("expired", "disuse") for tag in reading.of(label)):
        return True
    return any(
        tag.end <= value.start and reading.opens(tag) and (start <= tag.start or _RELATIVE.match(reading.text, start))
        for tag in reading.of("forget")
    )


def _negated(reading: "Reading", value: Value, start: int) -> bool:
    """A negation reaches the next value and what a list joins to it; one that opens a clause, all of the clause."""
    if any(start <= tag.start < value.start and reading.opens(tag) for tag in reading.of("ban")):
        return True
    for tag in reading.of("neg"):
        if not (tag.end <= value.start and (tag.start >= start or _reaches(reading, tag, value))):
            continue
        between = [v for v in reading.values if tag.end <= v.start and v.end <= value.start and v.kinds - PERSON]
        if not between or _GLUE.fullmatch(reading.text, between[-1].end, value.start):
            return True
    return False


def _reaches(reading: "Reading", tag: Tag, value: Value) -> bool:
    """Over a comma a negation reaches only along a list: `no npm, yarn or bun`."""
    between = [v for v in reading.values if tag.end <= v.start and v.end <= value.start]
    return (
        bool(between)
        and all(
            _GLUE.fullmatch(reading.text, a.end, b.start)
            for a, b in zip(between, [*between[1:], value], strict=True)
        )
        and bool(between[0].kinds & value.kinds)
        and reading.clause(between[0].start)[0] <= tag.start
    )


def _near(reading: "Reading", value: Value) -> bool:
    """Directly after `until`, `was`, `old`; not where that word belongs to a cue (`expires after`)."""
    return "branch" not in value.kinds and any(
        tag.end <= value.start
        and _ARTICLE.fullmatch(reading.text, tag.end, value.start)
        and not any(cue.start < tag.start and tag.end <= cue.end for cue in reading.of("attr"))
        for tag in reading.of("near")
    )


def _gone(reading: "Reading", value: Value, end: int) -> bool:
    after = (tag for label in ("gone", "neg_after") for tag in reading.of(label))
    return any(
        value.end <= tag.start < end
        and tag.start - value.end <= (4 if tag.label == "neg_after" else 10)
        and not any(value.end <= v.start < tag.start for v in reading.values)
        for tag in after
    )


def _replaced(reading: "Reading", value: Value) -> bool:
    """The first of `from 15 to 10`, `15 → 10`, `15分から10分に`."""
    later = [other for other in reading.values if other.start >= value.end]
    if not later:
        return False
    if _ARROW.fullmatch(reading.text, value.end, later[0].start):
        return True
    if _FOR.fullmatch(reading.text, value.end, later[0].start) and any(
        tag.end <= value.start for tag in reading.of("swap")
    ):
        return _same_sort(value, later[0])
    if _TO.fullmatch(reading.text, value.end, later[0].start) and _RENAMES.search(reading.text, 0, value.start):
        return True
    if any(tag.start == value.end and tag.name == "ja" for tag in reading.of("from")):
        return _same_sort(value, later[0])
    if not any(
        _ARTICLE.fullmatch(reading.text, tag.end, value.start)
        for tag in reading.of("from")
        if tag.end <= value.start
    ):
        return False
    return any(
        value.end <= tag.start
        and tag.end <= other.start
        and _ARTICLE.fullmatch(reading.text, tag.end, other.start)
        and _same_sort(value, other)
        for tag in reading.of("to")
        for other in later
    )


def _outranked(reading: "Reading", value: Value) -> bool:
    """The second of `I prefer pnpm to npm`."""
    return any(
        _OVER.fullmatch(reading.text, other.end, value.start)
        and other.kinds & value.kinds - {"tool"}
        and any(0 <= other.start - tag.end <= 4 for tag in reading.of("rank"))
        for other in reading.values
        if other.end < value.start
    )


def _same_sort(value: Value, other: Value) -> bool:
    """`from 15 to 10`, and `from 10 to 5 seconds`, where the unit is said once."""
    return bool(value.kinds & other.kinds) or ("int" in value.kinds and other.text[:1].isdigit())


def _alternatives(reading: "Reading", first: Value, second: Value) -> bool:
    return bool(
        0 < second.start - first.end < 24
        and first.kinds & second.kinds
        and _OR.fullmatch(reading.text, first.end, second.start)
    )


def _joined(reading: "Reading", standing: list[Value]) -> tuple[Value, ...]:
    """`30 s in staging and 15 s in production` is one value: neither half alone answers."""
    for first, second in pairwise(standing):
        if "day" in first.kinds & second.kinds and _EACH.fullmatch(reading.text, first.end, second.start):
            both = Value(
                first.start, second.end, reading.text[first.start : second.end], first.kinds & second.kinds
            )
            return tuple(both if value is first else value for value in standing if value is not second)
        places = [tag for tag in reading.of("qual") if first.end <= tag.start]
        if len(places) < 2 or not first.kinds & second.kinds - PERSON:
            continue
        here, there = places[0], next((tag for tag in places if tag.start >= second.end), None)
        if (
            there
            and here.end <= second.start
            and _PLACE.fullmatch(reading.text, first.end, here.start)
            and _EACH.fullmatch(reading.text, here.end, second.start)
            and _PLACE.fullmatch(reading.text, second.end, there.start)
        ):
            whole = Value(first.start, there.end, reading.text[first.start : there.end], first.kinds & second.kinds)
            return tuple(whole if value is first else value for value in standing if value is not second)
    return tuple(standing)
