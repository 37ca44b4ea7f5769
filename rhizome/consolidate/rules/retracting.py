"""What a person takes back in words: `forget the dev port`, `that rule no longer holds`, `we don't use Redis any more`.

Only what is known can be taken back, and only where the words mean exactly one fact: by its value, by the name of its
attribute, or for a rule by its own words.
"""

import re
from collections.abc import Iterator

from rhizome.consolidate.distill import USER, KnownFact
from rhizome.consolidate.rules.keys import Memory, mentions, split
from rhizome.consolidate.rules.qualifiers import content_words
from rhizome.consolidate.rules.reading import Reading
from rhizome.consolidate.rules.tables import one_of, rows, words
from rhizome.consolidate.rules.values import PERSON

TAKES_BACK = frozenset({"forget", "expired", "disuse"})
"""Labels without which a sentence takes nothing back."""

_A_MOMENT = re.compile(rf"\b{one_of('a_moment')}(?!\w)|{one_of('a_moment')}$", re.IGNORECASE)
_ANY_MORE = re.compile(
    r"\b(?:any ?more|any longer|no longer|stopped|quit|done with|rid of|mais|já não|paramos|deixamos|livramos|ya|más)\b"
    r"|dejamos|もう|やめ",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\s?(?:que|that)\s", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_STEM = 4
"""So many first letters make two words one: `pushing` and `push`, `testes` and `teste`."""


def taken_back(reading: Reading, memory: Memory, scope: str) -> tuple[str, KnownFact] | None:
    """The one known fact that a sentence in the mood of a statement takes back, and the scope it is known in."""
    if _A_MOMENT.search(reading.text):
        return None
    for start, end, by_value in _targets(reading):
        for where in (scope, USER):
            found = _meant(reading, start, end, memory, where, by_value)
            if len(found) == 1:
                return where, found[0]
            if found:
                break
    return None


def _targets(reading: Reading) -> Iterator[tuple[int, int, bool]]:
    """Where the sentence names what it takes back, and whether by its value alone."""
    for tag in reading.of("forget"):
        if reading.opens(tag):
            end = reading.clause(tag.end)[1]
            yield tag.end, reading.clause(end)[1] if _RELATIVE.match(reading.text, end) else end, False
    for tag in reading.of("expired"):
        yield reading.clause(tag.start)[0], tag.start, False
    for tag in reading.of("disuse"):
        start, end = reading.clause(tag.start)
        if _ANY_MORE.search(reading.text, start, end):
            yield (start, tag.start, True) if tag.name == "ja" else (tag.end, end, True)


def _meant(reading: Reading, start: int, end: int, memory: Memory, scope: str, by_value: bool) -> list[KnownFact]:
    here, target = memory.of(scope), reading.text[start:end]
    held = [fact for fact in here.facts.values() if len(fact.value) > 1 and mentions(target, fact.value)]
    if held or by_value:
        return held
    named = [*_named(reading, start, end, memory, scope)]
    return named or _worded(reading, start, end, [*here.facts.values()])


def _named(reading: Reading, start: int, end: int, memory: Memory, scope: str) -> Iterator[KnownFact]:
    """The facts of the attribute that start..end names; the one with just its qualifiers before all others."""
    here = memory.of(scope)
    said = {tag.name for tag in reading.within("qual", start, end)} | {*_words(reading, start, end)}
    names = {rows()[int(tag.name)].name for tag in reading.within("attr", start, end)}
    fitting = {
        key: theirs
        for name in names
        for key, theirs in here.named.get(name, {}).items()
        if theirs <= said or not said - set(name.split("_"))
    }
    fullest = max(map(len, fitting.values()), default=0)
    yield from (here.facts[key] for key, theirs in fitting.items() if len(theirs) == fullest)


def _worded(reading: Reading, start: int, end: int, facts: list[KnownFact]) -> list[KnownFact]:
    """The rules whose statement has all the words that start..end says, in this or a near form."""
    wanted = {word[:_STEM] for word in _words(reading, start, end)}
    if not wanted or sum(map(len, wanted)) < _STEM:
        return []
    return [
        fact
        for fact in facts
        if split(fact.attribute)[1] == fact.attribute
        and wanted <= {word[:_STEM] for word in _WORD.findall(f"{fact.statement} {fact.attribute}".casefold())}
    ]


def _words(reading: Reading, start: int, end: int) -> list[str]:
    values = [value for value in reading.values if value.kinds - PERSON and start <= value.start < end]
    said = content_words(reading, start, end)
    return [word for word in said if word not in words("about_it") and not any(word == v.text for v in values)]
