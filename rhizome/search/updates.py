"""Old values give way to new ones: of what people said, a later turn that changes a number stands before the earlier.

Only for questions that ask for one present value, and only where the later turn says that something changed, or counts
the same thing: the ledger knows what holds now, but most of what is said never becomes a fact.
"""

import re
from collections.abc import Collection, Container, Sequence

import msgspec

from rhizome.patterns import late
from rhizome.search.question import Question
from rhizome.search.rescore import Scored
from rhizome.search.sentences import sentences
from rhizome.search.tokens import terms

LOOKED_AT = 12
"""Turns of people among the best that are compared."""

UNDER = 10
"""The place an outdated turn goes to: below what is shown."""

AS_GOOD = 0.6
"""A turn counts when its sentence covers this share of what the best one does."""

SAME_SUBJECT = 0.5
"""The later turn is about the same when it holds this share of the earlier one's words of the question, by rarity."""

LEAST = 2
"""Words of the question that two turns must share, for one name is in everything that is said of somebody."""

BEGINNING = 600
"""Characters of a turn in which it says that something changed; further on it is about something else."""

_PRESENT = late(
    r"^\W*(?:what|which|how (?:many|much|long|often|old|far|big|high)|when (?:is|does|do|will)"
    r"|qual|quais|quanto|quantos|quantas|quando [ée]|cu[áa]l|cu[áa]nto|cu[áa]ntos|cu[áa]ntas)\b"
    r"|いくつ|何|いつ|多少|几|什么时候", re.IGNORECASE)
_ELSE = late(
    r"\b(?:was|were|did|had|before|previous|previously|originally|initial|initially|earlier|between|order|sequence"
    r"|summar\w*|compare\w*|change[ds]?|history|since|until|foi|era|antes|fue|primero)\b"
    r"|以前|最初|前は|之前", re.IGNORECASE)
_CHANGED = late(
    r"\b(?:now|new|newer|updated?|extended?|increased?|decreased?|reduced|raised|lowered|rescheduled|postponed|moved"
    r"|changed|switched|reached|recently|grown?|grew|improved|dropped|instead|anymore|agora|novo|nova|mudou|aumentou"
    r"|adiad[oa]|ahora|nuevo|nueva|cambi[óo]|aument[óo])\b|今は|新しい|変更|延期|现在|新的|改为|改到", re.IGNORECASE)
_NUMBER = late(
    r"(?P<number>\d+(?:[.,:]\d+)*"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)"
    r"(?P<after>\s?[ap]\.?m\b|(?:[\s-]+[^\W\d_]+){0,3})", re.IGNORECASE)
_CLOCK = late(r"[ap]\.?m")
CLOCK = "a time of day"


class Value(msgspec.Struct, frozen=True):
    """The sentence of a turn that says a number: which words of the question it holds, and how much they tell.

    Each of the `numbers` goes with what it counts: a time of day, a word of the question, or nothing known.
    """

    scored: Scored
    numbers: frozenset[tuple[str, str]]
    held: frozenset[str]
    weight: float
    changed: bool


def asks_for_what_holds(text: str) -> bool:
    """Whether a question asks for one present value."""
    return bool(_PRESENT.search(text[:200])) and not _ELSE.search(text[:2_000])


def renewed(text: str, question: Question, scored: Sequence[Scored]) -> list[Scored]:
    """The same order, but where a later turn renews what an earlier one says it stands in its place."""
    found = list(scored)
    if not asks_for_what_holds(text):
        return found
    values = _values(text, question, found)
    for earlier, later in [(a, b) for a in values for b in values if _renews(b, a, question)]:
        old, new = found.index(earlier.scored), found.index(later.scored)
        if old < UNDER:
            found.insert(min(old, new), found.pop(new))
            found.remove(earlier.scored)
            found.insert(min(UNDER, len(found)), earlier.scored)
    return found


def _values(text: str, question: Question, scored: Sequence[Scored]) -> list[Value]:
    """What the best turns of people say in numbers, the best first."""
    asked = {each["number"] for each in _NUMBER.finditer(text)}
    weights = {each.word.term: each.weight for each in question.content}
    turns = [each for each in scored if each.document and each.document.role == "human"]
    found = [value for each in turns[:LOOKED_AT] if (value := _value(each, asked, weights))]
    least = AS_GOOD * max((value.weight for value in found), default=0.0)
    return [value for value in found if value.weight >= least]


def _value(scored: Scored, asked: set[str], weights: dict[str, float]) -> Value | None:
    best: Value | None = None
    assert scored.document
    changed = bool(_CHANGED.search(scored.document.text[:BEGINNING]))
    for sentence in sentences(scored.document.text):
        numbers = _numbers(sentence, asked, weights.keys())
        if not numbers:
            continue
        held = frozenset(terms(sentence)) & weights.keys()
        weight = sum(weights[term] for term in held)
        if weight and (best is None or weight > best.weight):
            best = Value(scored, numbers, held, weight, changed)
    return best


def _numbers(sentence: str, asked: Collection[str], words: Container[str]) -> frozenset[tuple[str, str]]:
    """(what it counts, number) of the numbers in a sentence that are not in the question."""
    return frozenset((_counted(each, words), each["number"]) for each in _NUMBER.finditer(sentence)
                     if each["number"] not in asked)


def _counted(number: re.Match[str], words: Container[str]) -> str:
    """A word of the question right after a number, or what makes it a time of day; "" for all others."""
    after = number["after"].strip().lower()
    return CLOCK if _CLOCK.fullmatch(after) else next((term for term in terms(after) if term in words), "")


def _after(later: Scored, earlier: Scored) -> bool:
    """Whether one was said after the other: by their times, else by the order in which they came."""
    one, other = later.document, earlier.document
    assert one and other
    if one.date and other.date and one.date != other.date:
        return one.date > other.date
    if one.session == other.session:
        return one.position > other.position
    return later.candidate.unit.number > earlier.candidate.unit.number


def _renews(later: Value, earlier: Value, question: Question) -> bool:
    """Whether one turn is about the same as another, later, and says another number.

    It must say that something changed, or count the same thing.
    """
    weights = {each.word.term: each.weight for each in question.content}
    both, new = later.held & earlier.held, later.numbers - earlier.numbers
    if not new or len(both) < LEAST or not _after(later.scored, earlier.scored):
        return False
    counted = {what for what, _ in new} & {what for what, _ in earlier.numbers - later.numbers}
    about = sum(weights[term] for term in both) >= SAME_SUBJECT * earlier.weight
    return about and (later.changed or any(counted))
