"""The tables of cues, attributes, qualifiers and tools, read once from the TOML files beside this one."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rhizome.consolidate.rules.lexicon import Lexicon

LANGUAGES = ("en", "pt", "es", "ja")

REPLIES = frozenset({"agree", "consent", "refuse", "propose"})

NEEDS_A_CUE = frozenset({"file_format", "place", "font", "log_level"})
"""Kinds of named tools that say nothing without the word for what they are the value of: JSON is the format of what?"""

IMPLIED = {
    "license": "license",
    "region": "region",
    "model": "model",
    "dateformat": "date_format",
    "indent": "indent",
    "unit_system": "unit",
}
"""Kinds of spelled values that name their attribute themselves."""


@dataclass(frozen=True, slots=True)
class Row:
    """One reading of an attribute, as `attributes.toml` has it."""

    name: str
    kinds: frozenset[str]
    near: bool = False
    noun: bool = False
    qualifier: str = ""


def _table(path: str) -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / path).read_text(encoding="utf-8"))


@cache
def words(name: str) -> frozenset[str]:
    """One list of `words.toml`."""
    found = _table("words.toml")[name]
    return frozenset(found.split() if isinstance(found, str) else found)


@cache
def _nouns() -> dict[str, str]:
    return {form: noun for noun, forms in _table("nouns.toml").items() for form in forms}


def noun(word: str) -> str:
    """The one word for all forms of a thing, whatever the language; a word that is in no table is its own."""
    return _nouns().get(word, word)


@cache
def one_of(name: str) -> str:
    """A list of `words.toml` as an alternation for a pattern, the longest first."""
    return (
        "(?:" + "|".join(re.escape(word) for word in sorted(words(name), key=lambda word: (-len(word), word))) + ")"
    )


@cache
def spellings() -> re.Pattern[str]:
    """All kinds of `patterns.toml` as one pattern; a value never begins inside a word or number.

    Which kind it is, an empty group says after it: setting a group costs, so only what matches sets one.
    """
    table = _table("patterns.toml")
    parts = {name: f"(?:{'|'.join(alternatives)})" for name, alternatives in table["parts"].items()}

    def spelled(alternatives: list[str]) -> str:
        return re.sub(r"<([a-z_]+)>", lambda part: parts[part.group(1)], "|".join(alternatives))

    def starting(number: int, opening: str, kinds: list[str]) -> str:
        tried = (
            f"(?:{spelled(table['kinds'][kind])})(?P<{kind}_{number}>)" for kind in table["kinds"] if kind in kinds
        )
        return f"(?={opening})(?:{'|'.join(tried)})"

    *plain, other = (starting(number, *first) for number, first in enumerate(table["first"].items()))
    return re.compile(rf"(?<![A-Za-z0-9])(?:(?<!_)(?:{'|'.join(plain)})|{other})", re.ASCII)


@cache
def _kind(group: str) -> str:
    return group.rpartition("_")[0]


def kind(match: re.Match[str]) -> str:
    """Which kind of value `spellings` found."""
    return _kind(match.lastgroup or "")


@cache
def ordinary() -> frozenset[str]:
    """Ordinary words that are a tool's name only with a capital or in backticks."""
    return frozenset(_table("tools.toml")["ordinary"])


def _tools() -> dict[str, list[str]]:
    return {kind: tools for kind, tools in _table("tools.toml").items() if kind != "ordinary"}


@cache
def rows() -> tuple[Row, ...]:
    return tuple(
        Row(
            row["name"],
            frozenset(row["kinds"]),
            row.get("near", False),
            row.get("noun", False),
            row.get("qualifier", ""),
        )
        for row in _table("attributes.toml")["attribute"]
    )


@cache
def names() -> frozenset[str]:
    """Every attribute name of the vocabulary; a key's attribute ends in one of them."""
    return frozenset({row.name for row in rows()} | set(_tools()) | set(IMPLIED.values()))


@cache
def lexicon() -> Lexicon:
    """What statements are read with, all languages at once: cues, `attr` (name: number of its row), `qual`, `tool`."""
    return Lexicon([*_cues(lambda label: label not in REPLIES), *_vocabulary()])


@cache
def replies() -> Lexicon:
    """What agreement and proposals are read with."""
    return Lexicon(_cues(lambda label: label in REPLIES))


def _cues(wanted: Callable[[str], bool]) -> Iterator[tuple[str, str, str]]:
    """The cues of all languages; the name says the script, because particles follow where prepositions precede."""
    for language in LANGUAGES:
        for label, phrases in _table(f"cues/{language}.toml").items():
            if wanted(label):
                yield from ((phrase, label, "ja" if language == "ja" else "") for phrase in phrases)


def _vocabulary() -> Iterator[tuple[str, str, str]]:
    for number, row in enumerate(_table("attributes.toml")["attribute"]):
        for language in LANGUAGES:
            yield from ((phrase, "attr", str(number)) for phrase in row.get(language, ()))
    for canonical, phrases in _table("qualifiers.toml").items():
        yield from ((phrase, "qual", canonical) for phrase in phrases)
    for kind, tools in _tools().items():
        yield from ((tool, "tool", kind) for tool in tools)
