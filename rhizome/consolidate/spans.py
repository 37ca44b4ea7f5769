"""The value of a statement that a person edited: the old one if it still stands, else what they put in its place."""

import re

_EDGE = " \t\r\n.,;:!?…。、，；：！？\"'“”‘’«»()[]{}（）「」『』`*_"
_JOINED = re.compile(r"[\w.+#@%/:~-]", re.ASCII)


def value_after(old_value: str, old: str, new: str) -> str:
    """The value that `new` gives where `old` gave `old_value`.

    The old value where it still stands in the words; else the span that changed; empty where the whole statement is
    another one, or had no value before.
    """
    if not old_value or stands(old_value, new):
        return old_value
    return changed_span(old, new)


def stands(value: str, words: str) -> bool:
    """Whether `words` contain `value` as a whole: `80` does not stand in `8080`, 十分 does in 十分間."""
    value, words = " ".join(value.split()).casefold(), " ".join(words.split()).casefold()
    at = words.find(value)
    while at >= 0:
        before, after = words[:at][-1:], words[at + len(value):][:1]
        if not (_splits(before, value[0]) or _splits(value[-1], after)):
            return True
        at = words.find(value, at + 1)
    return False


def _splits(left: str, right: str) -> bool:
    """Whether a cut between two characters would go through an ASCII word or number."""
    return bool(left and right and left.isascii() and right.isascii() and left.isalnum() and right.isalnum())


def changed_span(old: str, new: str) -> str:
    """The part of `new` that is not in `old`, widened to whole words; empty where both share nothing at their ends."""
    old, new = " ".join(old.split()), " ".join(new.split())
    start, limit = 0, min(len(old), len(new))
    while start < limit and old[start] == new[start]:
        start += 1
    end = 0
    while end < limit - start and old[-1 - end] == new[-1 - end]:
        end += 1
    stop = len(new) - end
    while 0 < start < len(new) and _inside(new, start):
        start -= 1
    while 0 < stop < len(new) and _inside(new, stop):
        stop += 1
    shared = new[:start].strip(_EDGE) or new[stop:].strip(_EDGE)
    return new[start:stop].strip(_EDGE) if shared else ""


def _inside(text: str, at: int) -> bool:
    """Whether the place `at` is inside one ASCII word, path, version or number."""
    return bool(_JOINED.match(text[at - 1]) and _JOINED.match(text[at]))
