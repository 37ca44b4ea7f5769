"""Whether a value was drawn by a machine, or is a word, a path, a number, a name in a program."""

import re
from itertools import pairwise

_RUNS = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_UUID = re.compile(rb"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_MEMBER = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)+")
_WORDS = re.compile(rb"[A-Za-z0-9_.-]+")
_SLUG = re.compile(rb"(?:[A-Za-z]{1,24}[0-9]{0,2}[-_.]){1,9}[A-Za-z]{1,24}[0-9]{0,2}")
_SMALL, _CAPITAL, _DIGIT = re.compile(rb"[a-z]"), re.compile(rb"[A-Z]"), re.compile(rb"[0-9]")
_SYMBOL = re.compile(rb"[^A-Za-z0-9_./:-]")
_MEANT = re.compile(rb"(?i)example|dummy|change_?me|placeholder|redacted|your|insert|xxxx|\.\.\.|\*\*\*")

RESTLESS, RESTLESS_MIXED = 0.18, 0.22
"""Drawn letters change between small, capital and digit at 40 to 60 of 100 places, names in programs at 10 to 20; of
20 drawn letters 2 in 100 are taken for a name, of 32 fewer than 1. The second number is for small and capital mixed."""

DISTINCT = 7
PASSWORD_MIN = 8


def drawn(value: bytes, least: int) -> bool:
    """Whether `value`, of at least `least` bytes, looks drawn. A UUID does not: most of them name something."""
    if len(value) < least or _UUID.fullmatch(value) or _SLUG.fullmatch(value) or meant(value):
        return False
    runs = [found.span() for found in _RUNS.finditer(value)]
    letters = sum(end - start for start, end in runs)
    changes = sum(1 for (_, end), (start, _) in pairwise(runs) if start == end)
    restless = RESTLESS_MIXED if _SMALL.search(value) and _CAPITAL.search(value) else RESTLESS
    return (letters * 5 >= len(value) * 4 and len(set(value)) >= DISTINCT and _DIGIT.search(value) is not None
            and changes >= restless * letters)


def password(value: bytes, *, quoted: bool) -> bool:
    """Whether `value` can only be a password: drawn, or of three sorts of characters and no name in a program."""
    if len(value) < PASSWORD_MIN or _UUID.fullmatch(value) or meant(value):
        return False
    if not quoted and _MEMBER.fullmatch(value):
        return False
    if _WORDS.fullmatch(value) and (not quoted or not value.isalnum()):
        return drawn(value, PASSWORD_MIN)
    sorts = [sort.search(value) for sort in (_SMALL, _CAPITAL, _DIGIT, _SYMBOL)]
    return sum(map(bool, sorts)) >= 3


def meant(value: bytes) -> bool:
    """Whether a value says of itself that it stands for another one."""
    return _MEANT.search(value) is not None
