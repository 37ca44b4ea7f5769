"""The spans of a sentence that can be a value, each with the kinds it could be."""

import re
from collections.abc import Iterable, Iterator

import msgspec

from rhizome.consolidate.rules.lexicon import Tag
from rhizome.consolidate.rules.tables import kind, spellings, words

_NOT_A_PATH = words("no_path")
_PLAINLY = {
    group: frozenset({group, *more})
    for group, more in {
        "url": ("host",), "host": (), "filename": ("name",), "version": ("decimal",), "ident": ("name",),
        "kebab": ("name",), "header": ("name",), "quoted": ("name",), "unit_system": ("unit",), "person": ("capital",),
    }.items()
} | {"called": frozenset({"name"})}  # fmt: skip
"""What a spelling can be, where that does not depend on the words around it."""
_TO_A_BRANCH = re.compile(
    r"(?:\b(?:from|against|into|off|branch|ramo|rama|desde|contra|do|da|de)\s"
    r"(?:the\s|la\s|o\s|branch\s|rama\s|ramo\s)?|から\s?)$",
    re.IGNORECASE,
)
_BRANCH_IS = re.compile(
    r"(?:branch|rama|ramo)\s(?:[\w-]+\s){0,2}(?:is|becomes|é|es|passa a ser|pasa a ser|ahora es|agora é)\s(?:now\s)?$"
    r"|(?:branch|rama|ramo|ブランチ\S?)\s?:?\s?$",
    re.IGNORECASE,
)
_TO_MAIN = re.compile(r"\b(?:to|on|para|a|em|en|na|no|target|directly)\s(?:the\s|la\s|o\s|a\s)?$", re.IGNORECASE)
_BRANCH_CALLED = re.compile(
    r"\sbranch(?:\s(?:is|will be|becomes|should be|stays)\b|:\s)|ブランチは"
    r"|\s(?:é|es|será|passa a ser|pasa a ser|fica)\b",
    re.IGNORECASE,
)
"""`The release branch is stable`: the first word tells which branch, and is none."""
_A_BRANCH = re.compile(r"\s?(?:branch|ブランチ|から)", re.IGNORECASE)

PERSON = frozenset({"person", "capital"})
"""Kinds of a word that is merely capitalised; every sentence begins with one."""


class Value(msgspec.Struct, frozen=True, gc=False):
    """A span that could be a value: what stands at start..end (without backticks or quotes) and the kinds it may be."""

    start: int
    end: int
    text: str
    kinds: frozenset[str]


def values(text: str, tags: Iterable[Tag] = ()) -> list[Value]:
    """The values of `text` in order. `tags` labelled `tool` are values of the kind they name."""
    found = list(_spelled(text))
    for tag in tags:
        if tag.label == "tool":
            _take(found, Value(tag.start, tag.end, text[tag.start : tag.end], frozenset({tag.name, "tool"})))
    return sorted(found, key=lambda value: value.start)


def _spelled(text: str) -> Iterator[Value]:
    for match in spellings().finditer(text):
        group, start, end = kind(match), match.start(), match.end()
        if group in {"code", "quoted"}:
            start, end = start + 1, end - 1
        kinds = _PLAINLY.get(group) or frozenset(_kinds(group, text, start, end))
        if kinds:
            if group == "env" and text.startswith("TZ=", start):
                start += 3
            yield Value(start, end, text[start:end], kinds)


def _kinds(group: str, text: str, start: int, end: int) -> set[str]:
    word = text[start:end]
    if group == "code":
        inner = spellings().fullmatch(word)
        group = kind(inner) if inner else "code"
        within = set() if group == "code" else _PLAINLY.get(group) or _kinds(group, word, 0, len(word))
        return {"code", "name", *within} | ({"branch"} if re.fullmatch(r"[\w./-]{2,40}", word) else set())
    if group == "int":
        number = int(word.replace(",", ""))
        kinds = {"int", "decimal"}
        kinds |= {"port"} if 79 < number < 65_536 and "," not in word else set()
        kinds |= {"port4"} if 1_023 < number < 65_536 and "," not in word else set()
        return kinds | ({"major"} if number < 100 else set())
    if group == "env":
        return {"timezone", "env"} if word.startswith("TZ=") else {"env"}
    if group == "path":
        return set() if word.casefold() in _NOT_A_PATH or word.strip("/") == "" else {"path"}
    if group == "branchname":
        return {"branch"} if _is_branch(word, text, start, end) else set()
    return {group}


def _is_branch(word: str, text: str, start: int, end: int) -> bool:
    """`main` is one after to, on or from; `release` only after from; `staging` only beside the word branch."""
    before = text[max(0, start - 40) : start]
    if _BRANCH_CALLED.match(text, end):
        return False
    if "/" in word or _A_BRANCH.match(text, end) or _BRANCH_IS.search(before):
        return True
    if word in {"staging", "production"}:
        return False
    return bool(_TO_A_BRANCH.search(before)) or (
        word in {"main", "master", "develop", "trunk"} and bool(_TO_MAIN.search(before))
    )


def _take(found: list[Value], value: Value) -> None:
    """A named tool joins what was found in its place; of two that overlap the longer one stays."""
    for at, other in enumerate(found):
        if other.start < value.end and value.start < other.end:
            if other.start == value.start and other.end == value.end:
                found[at] = Value(other.start, other.end, other.text, other.kinds | value.kinds)
            elif value.end - value.start > other.end - other.start:
                found[at] = value
            return
    found.append(value)
