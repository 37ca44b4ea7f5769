"""The words of a draft made safe to keep: one line, nothing invisible, values that really stand in their text."""

import unicodedata

from rhizome.ledger.keys import folded
from rhizome.ledger.values import comparable

_KEPT = {"\u200c", "\u200d"}
"""Joiners are letters' shaping in Persian and Indic scripts and hold emoji together."""


def one_line(text: str) -> str:
    """`text` on one line, without control characters, bidi overrides and other invisible format characters."""
    return " ".join(visible(text).split())


def visible(text: str) -> str:
    """`text` with its lines, without control characters and invisible ones that could hide or turn its meaning."""
    return "".join(map(_visible, text))


def key_part(text: str) -> str:
    """A subject or attribute as it may stand in a key: canonical, and without the bar that parts the two."""
    return folded(one_line(text).replace("|", "/"))


def stands_in(value: str, text: str) -> bool:
    """Whether `value` was said in `text`: as it is written there, or each of its words somewhere in it."""
    wanted, said = comparable(value), comparable(text)
    if wanted in said or wanted.replace(" ", "") in said.replace(" ", ""):
        return True
    return set(wanted.split()) <= set(said.split())


def _visible(char: str) -> str:
    category = unicodedata.category(char)
    if char == "\n":
        return char
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "" if category in ("Cf", "Cs") and char not in _KEPT else char
