"""A table of phrases, and where they stand in a sentence.

Latin words match whole, whatever their case, with a space, hyphen, underscore, dot or apostrophe between them, so that
`rust version` also finds `rust-version`. A phrase ending in `*` matches by its beginning. CJK phrases match anywhere.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_WORD = re.compile(r"[A-Za-zÀ-ÖØ-öø-ɏ]+|\d+")
_GAP = re.compile(r"[ \-_'’./\u00a0]|[ ]{2}")
_CJK = re.compile(r"[\u3005\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]")
_LONGEST = 6


@dataclass(frozen=True, slots=True)
class Tag:
    """A phrase that stands in a sentence at start..end: `label` says what kind of phrase, `name` which one."""

    start: int
    end: int
    label: str
    name: str


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    text: str


class Lexicon:
    """Built once from (phrase, label, name) rows; `tags` takes time in proportion to the text."""

    def __init__(self, rows: Iterable[tuple[str, str, str]]) -> None:
        self._phrases: dict[str, dict[tuple[str, ...], list[tuple[str, str]]]] = defaultdict(dict)
        self._stems: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        self._cjk: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        for phrase, label, name in rows:
            self._add(phrase, label, name)
        for entries in self._cjk.values():
            entries.sort(key=lambda entry: -len(entry[0]))

    def _add(self, phrase: str, label: str, name: str) -> None:
        if _CJK.search(phrase):
            self._cjk[phrase[0].casefold()].append((phrase.casefold(), label, name))
        elif phrase.endswith("*"):
            stem = phrase[:-1].casefold()
            self._stems[stem[:3]].append((stem, label, name))
        else:
            words = tuple(word.casefold() for word in _WORD.findall(phrase))
            labels = self._phrases[words[0]].setdefault(words, [])
            if (label, name) not in labels:
                labels.append((label, name))

    def tags(self, text: str) -> list[Tag]:
        """Every phrase in `text` in order; of one label, only the longest where one contains the other."""
        found = [*self._latin(text)]
        if not text.isascii() and _CJK.search(text):
            found += self._in_cjk(text)
        found.sort(key=lambda tag: (tag.start, -tag.end))
        return _outermost(found)

    def _latin(self, text: str) -> Iterator[Tag]:
        tokens = [_Token(m.start(), m.end(), m.group().casefold()) for m in _WORD.finditer(text)]
        for at, token in enumerate(tokens):
            for stem, label, name in self._stems.get(token.text[:3], ()):
                if token.text.startswith(stem):
                    yield Tag(token.start, token.end, label, name)
            phrases = self._phrases.get(token.text)
            if phrases is None:
                continue
            words = _run(text, tokens, at)
            for length in range(len(words), 0, -1):
                for label, name in phrases.get(words[:length], ()):
                    yield Tag(token.start, tokens[at + length - 1].end, label, name)

    def _in_cjk(self, text: str) -> Iterator[Tag]:
        folded = text.casefold()
        if len(folded) != len(text):
            return
        for at, letter in enumerate(folded):
            for phrase, label, name in self._cjk.get(letter, ()):
                if folded.startswith(phrase, at):
                    yield Tag(at, at + len(phrase), label, name)


def _run(text: str, tokens: list[_Token], at: int) -> tuple[str, ...]:
    """The words from token `at` on that only a phrase's own gaps separate."""
    words = [tokens[at].text]
    for previous, token in zip(tokens[at : at + _LONGEST - 1], tokens[at + 1 : at + _LONGEST], strict=False):
        if not _GAP.fullmatch(text, previous.end, token.start):
            break
        words.append(token.text)
    return tuple(words)


def _outermost(found: list[Tag]) -> list[Tag]:
    kept: list[Tag] = []
    reach: dict[str, int] = {}
    for tag in found:
        if tag.end > reach.get(tag.label, 0):
            kept.append(tag)
            reach[tag.label] = tag.end
        elif kept and any(k.start == tag.start and k.end == tag.end and k.label == tag.label for k in kept[-4:]):
            kept.append(tag)
    return kept
