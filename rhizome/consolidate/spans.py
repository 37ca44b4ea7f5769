"""The value of a statement that a person edited: the old one if it still stands, else what stands where it stood.

Statements are compared word by word (character by character where a script has no spaces), and a value is always made
of whole words.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rhizome.consolidate.wording import UNSPACED

WORDS_COMPARED = 400
"""Longer statements are compared at their ends only; comparing costs the product of both lengths."""

_EDGE = " \t\r\n.,;:!?…。、，；：！？\"'“”‘’«»()[]{}（）「」『』`*_"
_WORD = re.compile(rf"{UNSPACED}|[\w+#@%/~-](?:[.,:](?=\w)|(?!{UNSPACED})[\w+#@%/~-])*|\S")
_PLAIN = re.compile(r"\w")

Read = Callable[[str], str]
"""A sentence -> the value it states by itself; empty for none."""


class Word(NamedTuple):
    """A word of a statement and where it stands."""

    text: str
    start: int
    stop: int


def value_after(old_value: str, old: str, new: str, read: Read = lambda _sentence: "") -> str:
    """The value that `new` gives where `old` gave `old_value`.

    The old value where it still stands in the words; else what stands between the words it stood between; else what
    the new sentence states by itself (`read`); empty where nothing tells, or where there was no value before.
    """
    if not old_value or stands(old_value, new):
        return old_value
    old, new, old_value = (" ".join(text.split()) for text in (old, new, old_value))
    candidate, sure = _between(old_value, old, new)
    sure = sure and bool(candidate)
    if sure and len(candidate.split()) <= len(old_value.split()):
        return candidate
    stated = read(new)
    if stated and stands(stated, candidate if sure else new):
        return stated
    return _alike(old_value, candidate or new) or candidate


def stands(value: str, words: str) -> bool:
    """Whether `words` contain `value` as a whole: `80` does not stand in `8080`, 十分 does in 十分間."""
    return _found(value, words) >= 0


def _found(value: str, words: str) -> int:
    """Where `value` stands as a whole in `words`, both with single spaces; -1 where it does not."""
    value, words = " ".join(value.split()).casefold(), " ".join(words.split()).casefold()
    at = words.find(value)
    while at >= 0:
        before, after = words[:at][-1:], words[at + len(value):][:1]
        if not (_splits(before, value[0]) or _splits(value[-1], after)):
            return at
        at = words.find(value, at + 1)
    return -1


def _splits(left: str, right: str) -> bool:
    """Whether a cut between two characters would go through an ASCII word or number."""
    return bool(left and right and left.isascii() and right.isascii() and left.isalnum() and right.isalnum())


# ---------------------------------------------------------------- what stands where it stood


def _between(value: str, old: str, new: str) -> tuple[str, bool]:
    """What `new` has between the words that stood next to `value` in `old`, and whether both of them still stand.

    Where only one of them does, as many words beside it as the value had; empty where neither does.
    """
    start = _found(value, old)
    if start < 0:
        return "", False
    before, after = words(old), words(new)
    first = sum(word.stop <= start for word in before)
    last = sum(word.start < start + len(value) for word in before)
    pairs = {at: to for at, to in _aligned(before, after).items() if _PLAIN.search(before[at].text)}
    left = max((at for at in pairs if at < first), default=-1)
    right = min((at for at in pairs if at >= last), default=len(before))
    held = after[pairs[left] + 1 if left >= 0 else 0:pairs[right] if right < len(before) else len(after)]
    follows, leads = _only_marks(before[left + 1:first]), _only_marks(before[last:right])
    if follows and leads and pairs:
        return _text(held, new), True
    if follows and left >= 0:
        return _text(held[:last - first], new), False
    if leads and right < len(before):
        return _text(held[max(0, len(held) - (last - first)):], new), False
    return "", False


def words(text: str) -> list[Word]:
    """The words of a text with single spaces; marks stand alone, and so does each character of an unspaced script."""
    return [Word(found[0].casefold(), found.start(), found.end()) for found in _WORD.finditer(text)]


def _only_marks(between: Sequence[Word]) -> bool:
    return not any(_PLAIN.search(word.text) for word in between)


def _text(held: Sequence[Word], new: str) -> str:
    return new[held[0].start:held[-1].stop].strip(_EDGE) if held else ""


def _alike(value: str, text: str) -> str:
    """The one word of `text` with a digit, where the value was one word with a digit."""
    numbers = [found[0] for found in re.finditer(r"\S+", text) if any(map(str.isdigit, found[0]))]
    fits = len(value.split()) == 1 and any(map(str.isdigit, value)) and len(numbers) == 1
    return numbers[0].strip(_EDGE) if fits else ""


def _aligned(before: Sequence[Word], after: Sequence[Word]) -> dict[int, int]:
    """Places of words that stand in both texts in the same order, as many as can be: old place -> new place."""
    first, last = 0, 0
    shorter = min(len(before), len(after))
    while first < shorter and before[first].text == after[first].text:
        first += 1
    while last < shorter - first and before[-1 - last].text == after[-1 - last].text:
        last += 1
    pairs = {at: at for at in range(first)} | {len(before) - at: len(after) - at for at in range(1, last + 1)}
    left, right = before[first:len(before) - last], after[first:len(after) - last]
    if max(len(left), len(right)) > WORDS_COMPARED:
        return pairs
    longest = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for at in reversed(range(len(left))):
        for to in reversed(range(len(right))):
            same = left[at].text == right[to].text
            longest[at][to] = longest[at + 1][to + 1] + 1 if same else max(longest[at + 1][to], longest[at][to + 1])
    at = to = 0
    while at < len(left) and to < len(right):
        if left[at].text == right[to].text:
            pairs[first + at] = first + to
            at, to = at + 1, to + 1
        elif longest[at + 1][to] >= longest[at][to + 1]:
            at += 1
        else:
            to += 1
    return pairs
