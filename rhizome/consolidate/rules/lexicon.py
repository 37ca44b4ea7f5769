"""A table of phrases, and where they stand in a sentence.

Latin words match whole, whatever their case, with a space, hyphen, underscore, dot or apostrophe between them, so that
`rust version` also finds `rust-version`; between letters and digits (`UUIDv7`) nothing need stand. CJK phrases match
anywhere.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

_WORD = re.compile(r"[A-Za-zÀ-ÖØ-öø-ɏ]+|\d+")
_GAPS = frozenset({"", " ", "-", "_", "'", "’", ".", "/", "\u00a0", "  "})
_CJK = re.compile(r"[\u3005\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]")
_LONGEST = 6


class Tag(msgspec.Struct, frozen=True, gc=False):
    """A phrase that stands in a sentence at start..end: `label` says what kind of phrase, `name` which one."""

    start: int
    end: int
    label: str
    name: str


Named = tuple[str, str]
"""A label and a name."""


class _Entry:
    """What begins with one word: labels of the word alone, and phrases with theirs and with their second words."""

    __slots__ = ("alone", "phrases", "seconds")

    def __init__(self) -> None:
        self.alone: list[Named] = []
        self.phrases: dict[tuple[str, ...], list[Named]] = {}
        self.seconds: set[str] = set()


class Lexicon:
    """Built once from (phrase, label, name) rows; `tags` takes time in proportion to the text."""

    def __init__(self, rows: Iterable[tuple[str, str, str]]) -> None:
        self._first: dict[str, _Entry] = defaultdict(_Entry)
        self._cjk: dict[str, list[tuple[str, Named]]] = defaultdict(list)
        for phrase, label, name in rows:
            self._add(phrase, (label, name))

    def _add(self, phrase: str, named: Named) -> None:
        if _CJK.search(phrase):
            self._cjk[phrase[0].casefold()].append((phrase.casefold(), named))
            return
        words = tuple(word.casefold() for word in _WORD.findall(phrase))
        entry = self._first[words[0]]
        entry.seconds.update(words[1:2])
        labels = entry.alone if len(words) == 1 else entry.phrases.setdefault(words, [])
        if named not in labels:
            labels.append(named)

    def tags(self, text: str) -> list[Tag]:
        """Every phrase in `text` in order; of one label, only the longest where one contains the other."""
        found = self._latin(text)
        if not text.isascii() and _CJK.search(text):
            found += self._in_cjk(text)
        found.sort(key=lambda tag: (tag.start, -tag.end))
        return _outermost(found)

    def _latin(self, text: str) -> list[Tag]:
        found: list[Tag] = []
        words = _WORD.findall(text.lower()) if text.isascii() else [each.casefold() for each in _WORD.findall(text)]
        spans = [match.span() for match in _WORD.finditer(text)]
        known, after = self._first, [*words[1:], ""]
        for at, word in enumerate(words):
            if word not in known:
                continue
            entry, (start, end) = known[word], spans[at]
            if entry.alone:
                found += [Tag(start, end, label, name) for label, name in entry.alone]
            if after[at] in entry.seconds:
                run = _run(text, spans, words, at)
                for length in range(2, len(run) + 1):
                    if named := entry.phrases.get(run[:length]):
                        end = spans[at + length - 1][1]
                        found += [Tag(start, end, label, name) for label, name in named]
        return found

    def _in_cjk(self, text: str) -> Iterator[Tag]:
        folded = text.casefold()
        if len(folded) != len(text):
            return
        for at, letter in enumerate(folded):
            for phrase, named in self._cjk.get(letter, ()):
                if folded.startswith(phrase, at):
                    yield Tag(at, at + len(phrase), *named)


def _run(text: str, spans: list[tuple[int, int]], words: list[str], at: int) -> tuple[str, ...]:
    """The words from word `at` on that only a phrase's own gaps separate."""
    end = at + 1
    while end < len(words) and end - at < _LONGEST and text[spans[end - 1][1] : spans[end][0]] in _GAPS:
        end += 1
    return tuple(words[at:end])


def _outermost(found: list[Tag]) -> list[Tag]:
    """Without the tags that stand inside a longer one of their label; equal spans with other names both stay."""
    kept: list[Tag] = []
    last: dict[str, Tag] = {}
    for tag in found:
        longer = last.get(tag.label)
        if longer is None or tag.end > longer.end or (tag.start, tag.end) == (longer.start, longer.end):
            kept.append(tag)
            last[tag.label] = tag
    return kept
