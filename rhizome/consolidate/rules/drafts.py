"""From what a message states to drafts: scope, key, statement, quote, type and tier."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from rhizome.consolidate.distill import USER
from rhizome.consolidate.rules.agreement import proposal
from rhizome.consolidate.rules.findings import Finding, found, lesson, may_report, promising
from rhizome.consolidate.rules.keys import Memory, slug
from rhizome.consolidate.rules.norms import ruled
from rhizome.consolidate.rules.others import is_anothers
from rhizome.consolidate.rules.personal import is_own_rule, is_personal, preferred
from rhizome.consolidate.rules.phrasing import limited, placed, ruled_clause, type_of, worded, worded_clause
from rhizome.consolidate.rules.prose import own_words, sentences
from rhizome.consolidate.rules.reading import Mood, Reading, read
from rhizome.consolidate.rules.retracting import TAKES_BACK, taken_back
from rhizome.consolidate.rules.ruling import VALUE_CHARS, Ruled
from rhizome.consolidate.rules.statements import Stated, stated
from rhizome.consolidate.rules.tables import one_of, words
from rhizome.consolidate.rules.values import Value
from rhizome.model import Draft, Message, Tier, Turn

_MAKE_IT = re.compile(rf"\b{one_of('make_it')}\b|{one_of('make_it_cjk')}", re.IGNORECASE)
_TELLING = frozenset({
    "attr", "tool", "manner", "call_me", "never", "ban", "always", "must", "rule", "lasting", "each", "ask", "adopt",
    "set", "correct", "decide", "forget", "expired", "disuse",
})  # fmt: skip
"""What a sentence without any of it says, no rule reads: most of what people say to an agent is done with here."""
_WHICH = re.compile(r"[`\s]*(?:for|in|on|em|no|na|para|en)\s(?:(?:the|o|a|el|la)\s)?|で?の?")
_CHANGEABLE = words("changeable")
"""Kinds of values that a sentence can change without naming their attribute again."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a message is read in: its turn and what is known."""

    turn: Turn
    memory: Memory

    @property
    def subjects(self) -> set[str]:
        """What has a name of its own."""
        return self.memory.of(self.turn.scope).subjects


def from_person(context: Context, message: Message) -> Iterator[Draft]:
    """What a person's message states, each draft learned before the next sentence is read."""
    text = own_words(message.text)
    readings = [read(sentence) for sentence in sentences(text) if not sentence.question]
    statements = [
        reading
        for reading in readings
        if reading.has(_TELLING) or _MAKE_IT.search(reading.text) or promising(reading.text)
        if reading.mood is Mood.STATEMENT and not is_anothers(reading, context.turn.scope, context.subjects)
    ]
    tier = Tier.AMBER.value if any(reading.of("private") for reading in readings) else None
    tools = (value for reading in statements if reading.of("tool") for value in reading.standing)
    positive = {kind for value in tools if "tool" in value.kinds for kind in value.kinds}
    days, said = 0, set[tuple[str, str]]()
    for reading in statements:
        drafts = (
            [*_preferences(reading)] or [*_values(context, reading, text)] or [*_changes(context, reading, text)]
        )
        if drafts:
            drafts += _beside(context, reading)
        elif (rule := ruled(reading)) and not _restates(rule, reading, positive, days > 0):
            drafts = [_norm(context, reading, rule)]
        elif finding := lesson(reading):
            drafts = [_finding(context, reading, finding)]
        for unplaced in filter(lambda each: each.statement, drafts):
            draft = placed(unplaced, message, reading, tier)
            context.memory.learn(draft, context.turn.session)
            days += draft.attribute.endswith("day")
            said.add((draft.scope, f"{draft.subject}|{draft.attribute}"))
            yield draft
    for draft, reading in _retractions(context, statements, said):
        yield placed(draft, message, reading, None)


def _retractions(
    context: Context, statements: Iterable[Reading], said: Collection[tuple[str, str]]
) -> Iterator[tuple[Draft, Reading]]:
    """What a message takes back, unless it says in the same breath what holds instead (`said`: scope and key)."""
    for reading in statements:
        if not reading.has(TAKES_BACK):
            continue
        found = taken_back(reading, context.memory, context.turn.scope)
        if found and (found[0], found[1].fact_key) not in said:
            scope, fact = found
            context.memory.forget(scope, fact.fact_key)
            draft = Draft("fact", fact.subject, fact.attribute, "", scope, worded(reading), "", "", retract=True)
            yield draft, reading


def from_model(context: Context, message: Message, recovered: bool) -> Iterator[Draft]:
    """Places and lessons in a model's own words."""
    for sentence in sentences(own_words(message.text)):
        if not may_report(sentence.text, recovered):
            continue
        reading = read(sentence)
        if finding := found(reading, recovered):
            draft = placed(_finding(context, reading, finding), message, reading, None)
            context.memory.learn(draft, context.turn.session)
            yield draft


def adopted(context: Context, answer: Message, consent: Message) -> Iterator[Draft]:
    """The one proposal of `answer` that `consent` takes up, quoted from there; the consent stands in the detail."""
    if offer := proposal(answer.text):
        reading, pair = offer
        draft = _draft(context, reading, pair, answer.text, [pair])
        draft = replace(
            placed(draft, answer, reading, None), type="decision", detail=f"Agreed to in event {consent.event}."
        )
        context.memory.learn(draft, context.turn.session)
        yield draft


# ---------------------------------------------------------------- one kind of draft each


def _preferences(reading: Reading) -> Iterator[Draft]:
    for wish in preferred(reading):
        kind = "profile" if wish.name == "called" else "preference"
        yield Draft(kind, USER, wish.name, wish.value, USER, worded(reading), "", "", tier=Tier.AMBER.value)


def _values(context: Context, reading: Reading, text: str) -> Iterator[Draft]:
    pairs = stated(reading)
    return (_draft(context, reading, pair, text, pairs) for pair in pairs)


def _draft(context: Context, reading: Reading, pair: Stated, text: str, pairs: list[Stated]) -> Draft:
    if is_personal(reading, pair):
        attribute = slug([*pair.qualifiers, pair.name])
        return Draft("preference", USER, attribute, pair.value.text, USER, worded(reading), "", "",
                     tier=Tier.AMBER.value)  # fmt: skip
    scope = context.turn.scope
    stood_by = {value.start for value in reading.standing}
    denied = " , ".join(value.text for value in reading.values if value.start not in stood_by)
    subject, attribute = context.memory.key(
        scope, _subject(context, reading), pair.name, pair.qualifiers, text, denied
    )
    statement = worded(reading) if len(pairs) == 1 and not reading.of("task") else worded_clause(reading, pair)
    return Draft(type_of(reading), subject, attribute, pair.value.text, scope, statement, "", "")


def _changes(context: Context, reading: Reading, text: str) -> Iterator[Draft]:
    """`Make it 12, 20 is too long`: the fact whose old value is named, or that was stated last, has a new one."""
    candidates = [value for value in reading.standing if value.kinds & _CHANGEABLE]
    if len(candidates) != 1 or reading.of("trouble") or reading.within("past", *reading.clause(candidates[0].start)):
        return
    if not _MAKE_IT.search(reading.text) and not _is_all(reading, candidates[0]):
        return
    value, scope = candidates[0], context.turn.scope
    beside = text[: reading.sentence.start + value.start] + " " + text[reading.sentence.start + value.end :]
    if fact := context.memory.changed(scope, value.kinds & _CHANGEABLE, beside):
        where = scope
    elif last := context.memory.last(context.turn.session, value.kinds & _CHANGEABLE):
        where, fact = last
    else:
        return
    statement = (
        fact.statement.replace(fact.value, value.text)
        if fact.value and fact.value in fact.statement
        else worded(reading)
    )
    yield Draft("decision", fact.subject, fact.attribute, value.text, where, statement, "", "")


def _is_all(reading: Reading, value: Value) -> bool:
    """`Change of plan: 8087`, `sorry: 5440 for staging`."""
    start, end = reading.clause(value.start)
    if not reading.settled or start == 0 or reading.text[start : value.start].strip(" `,.;:!。、"):
        return False
    after = reading.text[value.end : end].strip(" `,.;:!。、")
    return not after or any(_WHICH.fullmatch(reading.text, value.end, tag.start) for tag in reading.of("qual"))


def _norm(context: Context, reading: Reading, rule: Ruled) -> Draft:
    if is_own_rule(reading, rule.value):
        said, value = ruled_clause(reading, rule), rule.value
        if limited(reading, rule.start, rule.end):  # by words that are no part of the key: then the value has them
            said, whole = worded(reading), " ".join(reading.text[reading.first :].split()).rstrip(" .!。")
            value = whole if len(whole) <= VALUE_CHARS else value
        return Draft("preference", USER, slug(rule.words), value, USER, said, "", "", tier=Tier.AMBER.value)
    scope = context.turn.scope
    subject, attribute = _subject(context, reading), slug([*rule.words, "rule"])
    return Draft("norm", subject, attribute, rule.value, scope, worded(reading), "", "")


def _beside(context: Context, reading: Reading) -> list[Draft]:
    """What a sentence forbids besides the values it states: `drafts live in _drafts and must never be published`."""
    if not any(" " in reading.text[tag.start : tag.end] for tag in reading.of("never")):
        return []
    rule = ruled(reading)
    if rule is None or any(rule.start <= value.start < rule.end for value in reading.values):
        return []
    return [_norm(context, reading, rule)] if rule.start > reading.first else []


def _finding(context: Context, reading: Reading, found: Finding) -> Draft:
    scope = context.turn.scope
    subject, attribute = context.memory.key(scope, _subject(context, reading), found.name, found.words, "")
    return Draft(found.type, subject, attribute, found.value, scope, worded(reading), "", "")


def _restates(rule: Ruled, reading: Reading, positive: set[str], said_days: bool) -> bool:
    """A ban that only sets off the choice beside it: `no pip` beside `we use uv`, `not on Fridays` beside a day."""
    if any(value.kinds & positive - {"tool"} for value in rule.banned):
        return True
    if rule.banned and not (reading.of("never") or reading.of("rule")):
        return True
    return said_days and any("day" in value.kinds for value in reading.values)


def _subject(context: Context, reading: Reading) -> str:
    """The longest known subject that the sentence names, else the project."""
    text = reading.text.casefold()
    named = [
        subject
        for subject in context.subjects
        if len(subject) > 2
        and subject in text
        and subject != context.turn.scope
        and re.search(rf"(?<!\w){re.escape(subject)}(?!\w)", text)
    ]
    return max(named, key=lambda subject: (len(subject), subject), default=context.turn.scope)
