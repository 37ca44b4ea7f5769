"""Whose affair a sentence is: what Bo likes and what Django does by itself says nothing about this project."""

import re
from collections.abc import Collection

from rhizome.consolidate.rules.reading import Reading
from rhizome.consolidate.rules.tables import one_of

_DOES = re.compile(
    rf"(?:(?:[oOaA]|[lL]a|[eE]l)\s)?(?P<who>@?[A-ZÀ-Ý][\w.-]{{1,20}}|[a-z][\w.-]{{1,20}})\s(?:(?:also|always|lo|la|o|a|se)\s)?{one_of('does')}\b"
)
_BY_ITSELF = re.compile(rf"(?:\s\d[\w.]*)?\s(?:{one_of('does')}|{one_of('does_by_itself')})\b")
_WORD = re.compile(r"\w+")
_ITS_OWN = re.compile(rf"{one_of('by_itself')}\b", re.IGNORECASE)


def is_anothers(reading: Reading, project: str, subjects: Collection[str]) -> bool:
    """Whether a person or a tool does something that is neither the project nor a known subject.

    `Here`, `now` and a decision make it the project's: `Postgres listens on 5433 now`.
    """
    if reading.settled or reading.of("now") or reading.of("here"):
        return False
    opening = _ITS_OWN.match(reading.text, reading.first)
    at = opening.end() if opening else reading.first
    if any(tag.start == at and _BY_ITSELF.match(reading.text, tag.end) for tag in reading.of("tool")):
        return True
    does = _DOES.match(reading.text, at)
    if does is None:
        return False
    who = does["who"]
    if who.casefold() in subjects or who.casefold() in _WORD.findall(project.casefold()):
        return False
    named = {label for label in ("attr", "qual", "tool") for tag in reading.of(label) if tag.start == does.start("who")}
    if opening is None and named & {"attr", "qual"}:
        return False
    is_tool = bool(named & {"attr", "tool"})
    return who[:1] == "@" or who[:1].isupper() or (is_tool and opening is not None)
