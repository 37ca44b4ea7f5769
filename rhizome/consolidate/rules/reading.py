"""One sentence, read: its tags and values, its clauses, its mood, and which of its values it stands by."""

import re
from bisect import bisect_right
from enum import StrEnum

import msgspec

from rhizome.consolidate.rules.lexicon import Tag
from rhizome.consolidate.rules.once import once
from rhizome.consolidate.rules.prose import Sentence
from rhizome.consolidate.rules.standing import standing
from rhizome.consolidate.rules.tables import Row, lexicon, one_of, ordinary, rows, words
from rhizome.consolidate.rules.values import PERSON, Value, values

_BREAK = re.compile(  # one set of openings, so that the letters between are skipped at once
    r"[,;、；():（）：–—-](?:(?<=[,;、；])(?=\s|$|[^\d\s])|(?<=\s\()(?=[^)\s])|(?<!\s\))(?<!\(\))(?<=\))(?=[\s,.;])"
    r"|(?<=[（）：])|(?<=:)(?=\s)|(?<=\s[–—-])\s)"
)
_LABEL = re.compile(
    rf"(?!{one_of('no_label')}\b)[^\W\d][\w/-]*(?:\s[\w/-]+){{0,4}}\s?[:：](?=\s)|[^\W\d][^\s:：、。]{{0,14}}：",
    re.IGNORECASE,
)
_FILLER = re.compile(
    rf"(?:[\s`*_>#-]|\d{{1,2}}[.)]\s|(?:{one_of('fillers')}\b|{one_of('fillers_cjk')})[\s,.:;!、]*)*", re.IGNORECASE
)
_ASKS = re.compile(r"(?:[かの](?:な|ね|しら)?|でしょう|かい)[\s。」』)）]*$")
_WHO_IS = re.compile(
    r"(?:[Qq]uem|[Qq]uien|[Oo] que|[Ll]o que|[Ww]hat|[Ww]ho)\s[^?]{3,60}?\s(?:é|es|is)\s(?:(?:[oa]|el|la)\s)?"
    r"[A-ZÀ-Ý`\d]"
)
"""`Quem cuida do frete é a Ines`: who, without asking."""
_TROUBLE_NOUN = re.compile(
    r"\s(?:tracking|tracker|messages?|responses?|handling|pages?|codes?|budget|rate|format|reports?|reporting|logs?)\b"
    r"|ログ|メッセージ|コード|処理|追跡|通知",
    re.IGNORECASE,
)
"""`Error tracking` is a thing people choose and no trouble."""
SETTLED = frozenset({"decide", "rule", "correct"})
"""Labels that make a statement of a whole sentence."""
_SILENCING = frozenset({"question_start", "report", "others", "hedge", "if"})
ASSERTED = frozenset({"copula", "set", "adopt", "always", "must", "only", "now"})
"""Labels that make a statement of their clause."""


_DENYING = frozenset({"neg", "ban"})
_WORD = re.compile(r"\w+")
_NONE: list[Tag] = []


class Mood(StrEnum):
    STATEMENT = "statement"
    QUESTION = "question"
    DOUBT = "doubt"
    REPORT = "report"


class Reading(msgspec.Struct, frozen=True, dict=True, eq=False):
    """A sentence with what the tables and patterns found in it. Positions count from the sentence's start."""

    sentence: Sentence
    text: str
    tags: tuple[Tag, ...]
    labels: dict[str, list[Tag]]

    @once
    def values(self) -> tuple[Value, ...]:
        """What could be a value; a capitalised word only beside a word for people, `1行` not where it is the cue."""
        text = self.text
        tools = [
            tag
            for tag in self.of("tool")
            if text[tag.start : tag.end] not in ordinary() or text[tag.start - 1 : tag.start] == "`"
        ]
        found = values(text, tools)
        if found and any(value.kinds <= PERSON for value in found):
            nobody = {tag.start for tag in self.of("question_start")}
            named = self._about_people()
            found = [each for each in found if not each.kinds <= PERSON or (named and each.start not in nobody)]
        if any("quantity" in value.kinds for value in found):
            spans = {(tag.start, tag.end) for tag in self.of("attr")}
            found = [value for value in found if "quantity" not in value.kinds or (value.start, value.end) not in spans]
        return tuple(found)

    @once
    def cues(self) -> list[tuple[Tag, Row]]:
        """The words that name attributes, each with the reading of the attribute it names; `go with` names none."""
        text = self.text
        return [(tag, rows()[int(tag.name)]) for tag in self.of("attr") if text[tag.start : tag.end] != "go"]

    def _about_people(self) -> bool:
        return any("person" in row.kinds for _, row in self.cues)

    @once
    def first(self) -> int:
        """Where the sentence really begins: after `ok, so please` and the like."""
        match = _FILLER.match(self.text)
        return match.end() if match else 0

    @once
    def bounds(self) -> tuple[int, ...]:
        """Where a new clause begins: after a comma, a colon, a bracket, `but`, and `and` before another verb."""
        breaks = [match.span() for match in _BREAK.finditer(self.sentence.quiet)]
        if breaks and (inside := self.values):
            breaks = [(at, end) for at, end in breaks if not any(each.start <= at < each.end for each in inside)]
        must = self.of("must")
        cuts = {end for _, end in breaks} | {
            tag.start for tag in self.of("boundary") if not any(each.start < tag.start < each.end for each in must)
        }
        if ands := self.of("and"):
            verbs = {tag.start for label in ("set", "adopt", "task", "never", "manner") for tag in self.of(label)}
            cuts |= {tag.start for tag in ands if tag.end + 1 in verbs}
        return tuple(sorted(cuts))

    @once
    def settled(self) -> bool:
        """Whether something in it says that it is decided, a rule or a correction."""
        return self.has(SETTLED)

    @once
    def labelled(self) -> bool:
        """Whether it is written like an entry: `Port: 8087`, `Commits: in English`."""
        lead = any(tag.start <= self.first for label in SETTLED for tag in self.of(label))
        return not lead and _LABEL.match(self.text, self.first) is not None

    def of(self, label: str) -> list[Tag]:
        return self.labels.get(label, _NONE)

    def has(self, labels: frozenset[str]) -> bool:
        """Whether any tag has one of `labels`."""
        return not labels.isdisjoint(self.labels)

    def clause(self, at: int) -> tuple[int, int]:
        """The clause that holds position `at`."""
        number = bisect_right(self.bounds, at)
        start = self.bounds[number - 1] if number else 0
        return start, self.bounds[number] if number < len(self.bounds) else len(self.text)

    def within(self, label: str, start: int, end: int) -> list[Tag]:
        tags = self.labels.get(label)
        return [tag for tag in tags if start <= tag.start and tag.end <= end] if tags else _NONE

    def opens(self, tag: Tag) -> bool:
        """Whether `tag` is the first word of its clause, fillers aside."""
        start, _ = self.clause(tag.start)
        match = _FILLER.match(self.text, start, tag.start)
        return (match.end() if match else start) >= tag.start

    @once
    def mood(self) -> Mood:
        text = self.text
        if self.sentence.question or _ASKS.search(text, max(0, len(text) - 16)):
            return Mood.QUESTION
        if not self.has(_SILENCING):
            return Mood.STATEMENT
        asked = any(tag.start <= self.first for tag in self.of("question_start"))
        if asked and not self.of("call_me") and not self.of("lasting") and not _WHO_IS.match(text, self.first):
            return Mood.QUESTION
        if self._reports() or self.is_theirs(self.first):
            return Mood.REPORT
        if self.of("hedge") or self.of("if"):
            return Mood.DOUBT
        return Mood.STATEMENT

    def _reports(self) -> bool:
        """Whether somebody else's words are told; `forget what I said about X` tells none."""
        own = [(tag.start, tag.end) for tag in self.of("forget")]
        return any(not any(start <= tag.start < end for start, end in own) for tag in self.of("report"))

    def is_theirs(self, at: int) -> bool:
        """Whether the clause that holds `at` is about other people's affairs: `their port is`, `the user can set`."""
        return any(
            tag.name == "ja" or " " in self.text[tag.start : tag.end] or self.opens(tag)
            for tag in (self.within("others", *self.clause(at)) if self.of("others") else ())
        )

    @once
    def standing(self) -> tuple[Value, ...]:
        """The values the sentence stands by: not denied, not replaced, not one of two alternatives."""
        return standing(self)


def _is_in_the(text: str, tag: Tag) -> bool:
    """Whether `no` is Portuguese for `in the`: `fica no arquivo`."""
    if text[tag.start : tag.end].casefold() != "no":
        return False
    said = _WORD.findall(text.casefold())
    return sum(word in words("portuguese") for word in said) > sum(word in words("not_portuguese") for word in said)


def read(sentence: Sentence) -> Reading:
    tags = tuple(lexicon().tags(sentence.quiet))
    labels: dict[str, list[Tag]] = {}
    for tag in tags:
        if tag.label == "trouble" and _TROUBLE_NOUN.match(sentence.quiet, tag.end):
            continue
        if tag.label in _DENYING and tag.end - tag.start == 2 and _is_in_the(sentence.quiet, tag):
            continue
        labels.setdefault(tag.label, []).append(tag)
    return Reading(sentence, sentence.text, tags, labels)
