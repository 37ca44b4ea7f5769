"""One sentence, read: its tags and values, its clauses, its mood, and which of its values it stands by."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from rhizome.consolidate.rules.lexicon import Tag
from rhizome.consolidate.rules.prose import Sentence
from rhizome.consolidate.rules.tables import lexicon, one_of, ordinary, rows
from rhizome.consolidate.rules.values import PERSON, Value, values

_BREAK = re.compile(
    r"[,;、；](?=\s|$|[^\d\s])|(?<=\s)\((?=[^)\s])|(?<![(\s])\)(?=[\s,.;])|[（）]|:(?=\s)|：|\s[–—-]\s"
)
_GLUE = re.compile(
    r"[\s`\"]*(?:(?:,|/|\+|or|and|nor|ou|nem|e|o|u|y|ni|や|と|も)[\s`\"]*)*(?:(?:the|o|a|el|la)\s)?[\s`\"]*"
)
_OR = re.compile(r"[\s`\"]*(?:or|ou|o|u|または|か)[\s`\"]*(?:(?:the|o|a|el|la)\s)?")
_EACH = re.compile(r"\s(?:and|e|y|と)\s|、")
_PLACE = re.compile(r"\s?(?:in|on|for|em|no|na|en|para|で|では)?\s?(?:the\s)?", re.IGNORECASE)
_FOR = re.compile(r"[\s`\"]*(?:por|for|with|by)\s[\s`\"]*(?:(?:the|o|a|el|la)\s)?[`\"]*")
_ARROW = re.compile(r"[\s`\"]*(?:->|=>|→|⇒|➜)[\s`\"]*")
_ARTICLE = re.compile(
    r"[\s`\"]*(?:(?:the|a|an|o|a|os|as|el|la|los|las|ao|na|no)\s)?(?:(?:version|versão|versión|port|porta|puerto|branch|rama|ramo)\s)?[\s`\"]*"
)
_LABEL = re.compile(
    rf"(?!{one_of('no_label')}\b)[^\W\d][\w/-]*(?:\s[\w/-]+){{0,3}}\s?[:：](?=\s)|[^\W\d][^\s:：、。]{{0,14}}：",
    re.IGNORECASE,
)
_FILLER = re.compile(
    rf"(?:[\s`*_>#-]|\d{{1,2}}[.)]\s|(?:{one_of('fillers')}\b|{one_of('fillers_cjk')})[\s,.:;!、]*)*", re.IGNORECASE
)
_ASKS = re.compile(r"(?:[かの](?:な|ね|しら)?|でしょう|かい)[\s。」』)）]*$")
SETTLED = frozenset({"decide", "rule", "correct"})
"""Labels that make a statement of a whole sentence."""
ASSERTED = frozenset({"copula", "set", "adopt", "always", "must", "only", "now"})
"""Labels that make a statement of their clause."""


_DENIALS = ("neg", "ban", "near", "gone", "neg_after")


class Mood(StrEnum):
    STATEMENT = "statement"
    QUESTION = "question"
    DOUBT = "doubt"
    REPORT = "report"


@dataclass(frozen=True)
class Reading:
    """A sentence with what the tables and patterns found in it. Positions count from the sentence's start."""

    sentence: Sentence
    tags: tuple[Tag, ...]
    labels: dict[str, list[Tag]] = field(default_factory=dict)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """What could be a value; a capitalised word only beside a word for people, `1行` not where it is the cue."""
        text, cues = self.text, self.of("attr")
        spans = {(tag.start, tag.end) for tag in cues}
        people = any("person" in rows()[int(tag.name)].kinds for tag in cues)
        tools = [
            tag
            for tag in self.of("tool")
            if text[tag.start : tag.end] not in ordinary() or text[tag.start - 1 : tag.start] == "`"
        ]
        return tuple(
            value
            for value in values(text, tools)
            if (people or not value.kinds <= PERSON)
            and ("quantity" not in value.kinds or (value.start, value.end) not in spans)
        )

    @property
    def text(self) -> str:
        return self.sentence.text

    @cached_property
    def first(self) -> int:
        """Where the sentence really begins: after `ok, so please` and the like."""
        match = _FILLER.match(self.text)
        return match.end() if match else 0

    @cached_property
    def bounds(self) -> tuple[int, ...]:
        """Where a new clause begins: after a comma, a colon, a bracket, `but`, and `and` before another verb."""
        inside = [(value.start, value.end) for value in self.values]
        cuts = {
            m.end() for m in _BREAK.finditer(self.sentence.quiet) if not any(a <= m.start() < b for a, b in inside)
        }
        cuts |= {tag.start for tag in self.of("boundary")}
        verbs = {tag.start for label in ("set", "adopt", "task", "never") for tag in self.of(label)}
        cuts |= {tag.start for tag in self.of("and") if tag.end + 1 in verbs}
        return tuple(sorted(cuts))

    @cached_property
    def settled(self) -> bool:
        """Whether something in it says that it is decided, a rule or a correction."""
        return any(self.of(label) for label in SETTLED)

    @cached_property
    def labelled(self) -> bool:
        """Whether it is written like an entry: `Port: 8087`, `Commits: in English`."""
        lead = any(tag.start <= self.first for label in SETTLED for tag in self.of(label))
        return not lead and _LABEL.match(self.text, self.first) is not None

    def of(self, label: str) -> list[Tag]:
        return self.labels.get(label, [])

    def clause(self, at: int) -> tuple[int, int]:
        """The clause that holds position `at`."""
        number = bisect_right(self.bounds, at)
        start = self.bounds[number - 1] if number else 0
        return start, self.bounds[number] if number < len(self.bounds) else len(self.text)

    def within(self, label: str, start: int, end: int) -> Iterator[Tag]:
        return (tag for tag in self.of(label) if start <= tag.start and tag.end <= end)

    def opens(self, tag: Tag) -> bool:
        """Whether `tag` is the first word of its clause, fillers aside."""
        start, _ = self.clause(tag.start)
        match = _FILLER.match(self.text, start, tag.start)
        return (match.end() if match else start) >= tag.start

    @cached_property
    def mood(self) -> Mood:
        text = self.text
        if self.sentence.question or _ASKS.search(text):
            return Mood.QUESTION
        if any(tag.start <= self.first for tag in self.of("question_start")):
            return Mood.QUESTION
        if self.of("report"):
            return Mood.REPORT
        if self.of("hedge") or self.of("if"):
            return Mood.DOUBT
        return Mood.STATEMENT

    @cached_property
    def standing(self) -> tuple[Value, ...]:
        """The values the sentence stands by: not denied, not replaced, not one of two alternatives."""
        kept = self.values
        if any(self.of(label) for label in _DENIALS):
            kept = tuple(value for value in kept if not self._denied(value))
        if len(self.values) > 1:
            kept = tuple(value for value in kept if not self._replaced(value))
            kept = tuple(value for value in kept if not any(_alternatives(self, value, other) for other in kept))
        return _joined(self, [*kept])

    @cached_property
    def dropped(self) -> tuple[Value, ...]:
        return tuple(
            value for value in self.values if not any(v.start <= value.start < v.end for v in self.standing)
        )

    def _denied(self, value: Value) -> bool:
        start, end = self.clause(value.start)
        return self._negated(value, start) or self._near(value) or self._gone(value, end)

    def _negated(self, value: Value, start: int) -> bool:
        """A negation reaches the next value and what a list joins to it; one that opens a clause, all of the clause."""
        if any(start <= tag.start < value.start and self.opens(tag) for tag in self.of("ban")):
            return True
        for tag in self.of("neg"):
            if not (tag.end <= value.start and (tag.start >= start or self._reaches(tag, value))):
                continue
            between = [v for v in self.values if tag.end <= v.start and v.end <= value.start and v.kinds - PERSON]
            if not between or _GLUE.fullmatch(self.text, between[-1].end, value.start):
                return True
        return False

    def _reaches(self, tag: Tag, value: Value) -> bool:
        """Over a comma a negation reaches only along a list: `no npm, yarn or bun`."""
        between = [v for v in self.values if tag.end <= v.start and v.end <= value.start]
        return (
            bool(between)
            and all(
                _GLUE.fullmatch(self.text, a.end, b.start)
                for a, b in zip(between, [*between[1:], value], strict=True)
            )
            and bool(between[0].kinds & value.kinds)
            and self.clause(between[0].start)[0] <= tag.start
        )

    def _near(self, value: Value) -> bool:
        """Directly after `until`, `was`, `old`; not where that word belongs to a cue (`expires after`)."""
        return "branch" not in value.kinds and any(
            tag.end <= value.start
            and _ARTICLE.fullmatch(self.text, tag.end, value.start)
            and not any(cue.start < tag.start and tag.end <= cue.end for cue in self.of("attr"))
            for tag in self.of("near")
        )

    def _gone(self, value: Value, end: int) -> bool:
        after = (tag for label in ("gone", "neg_after") for tag in self.of(label))
        return any(
            value.end <= tag.start < end
            and tag.start - value.end <= (4 if tag.label == "neg_after" else 10)
            and not any(value.end <= v.start < tag.start for v in self.values)
            for tag in after
        )

    def _replaced(self, value: Value) -> bool:
        """The first of `from 15 to 10`, `15 → 10`, `15分から10分に`."""
        later = [other for other in self.values if other.start >= value.end]
        if not later:
            return False
        if _ARROW.fullmatch(self.text, value.end, later[0].start):
            return True
        if _FOR.fullmatch(self.text, value.end, later[0].start) and any(
            tag.end <= value.start for tag in self.of("swap")
        ):
            return _same_sort(value, later[0])
        if any(tag.start == value.end and tag.name == "ja" for tag in self.of("from")):
            return _same_sort(value, later[0])
        if not any(
            _ARTICLE.fullmatch(self.text, tag.end, value.start) for tag in self.of("from") if tag.end <= value.start
        ):
            return False
        return any(
            value.end <= tag.start
            and tag.end <= other.start
            and _ARTICLE.fullmatch(self.text, tag.end, other.start)
            and _same_sort(value, other)
            for tag in self.of("to")
            for other in later
        )


def read(sentence: Sentence) -> Reading:
    tags = tuple(lexicon().tags(sentence.quiet))
    labels: dict[str, list[Tag]] = {}
    for tag in tags:
        labels.setdefault(tag.label, []).append(tag)
    return Reading(sentence, tags, labels)


def _same_sort(value: Value, other: Value) -> bool:
    """`from 15 to 10`, and `from 10 to 5 seconds`, where the unit is said once."""
    return bool(value.kinds & other.kinds) or ("int" in value.kinds and other.text[:1].isdigit())


def _alternatives(reading: Reading, one: Value, other: Value) -> bool:
    first, second = (one, other) if one.start < other.start else (other, one)
    gap = second.start - first.end
    return bool(
        one != other
        and 0 < gap < 24
        and one.kinds & other.kinds
        and _OR.fullmatch(reading.text, first.end, second.start)
    )


def _joined(reading: Reading, standing: list[Value]) -> tuple[Value, ...]:
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
