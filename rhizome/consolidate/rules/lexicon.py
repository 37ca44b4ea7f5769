"""A table of phrases, and where they stand in a sentence.

Latin words match whole, whatever their case, with a space, hyphen, underscore, dot or apostrophe between them, so that
`rust version` also finds `rust-version`; between letters and digits (`UUIDv7`) nothing need stand. CJK phrases match
anywhere.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate

import msgspec
from ahocorasick_rs import AhoCorasick

_WORD = re.compile(r"([A-Za-zÀ-ÖØ-öø-ɏ]+|\d+)")
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
        cjk: dict[str, list[Named]] = defaultdict(list)
        for phrase, label, name in rows:
            if _CJK.search(phrase):
                cjk[phrase.casefold()].append((label, name))
            else:
                self._add(phrase, (label, name))
        self._cjk, self._cjk_names = AhoCorasick([*cjk]), [*cjk.values()]

    def _add(self, phrase: str, named: Named) -> None:
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
            found = sorted([*found, *self._in_cjk(text)], key=lambda tag: (tag.start, -tag.end))
        return _outermost(found)

    def _latin(self, text: str) -> list[Tag]:
        """In order: by start, the longest first."""
        found: list[Tag] = []
        parts = _WORD.split(text.lower() if text.isascii() else text)
        words = parts[1::2] if text.isascii() else [each.casefold() for each in parts[1::2]]
        edges, known = [*accumulate(map(len, parts))], self._first
        for at, word in enumerate(words):
            if word not in known:
                continue
            entry, start = known[word], edges[2 * at]
            if entry.seconds and at + 1 < len(words) and words[at + 1] in entry.seconds:
                run = _run(parts, words, at)
                for length in range(len(run), 1, -1):
                    if named := entry.phrases.get(run[:length]):
                        end = edges[2 * (at + length) - 1]
                        found += [Tag(start, end, label, name) for label, name in named]
            if entry.alone:
                end = edges[2 * at + 1]
                found += [Tag(start, end, label, name) for label, name in entry.alone]
        return found

    def _in_cjk(self, text: str) -> Iterator[Tag]:
        folded = text.casefold()
        if len(folded) != len(text):
            return
        for number, start, end in self._cjk.find_matches_as_indexes(folded, overlapping=True):
            for named in self._cjk_names[number]:
                yield Tag(start, end, *named)


def _run(parts: list[str], words: list[str], at: int) -> tuple[str, ...]:
    """The words from word `at` on that only a phrase's own gaps separate; every second part is a gap."""
    end = at + 1
    while end < len(words) and end - at < _LONGEST and parts[2 * end] in _GAPS:
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
