"""The words of a draft made safe to keep: one line, nothing invisible, values that really stand in their text."""

import re
import unicodedata

from rhizome.ledger.keys import folded
from rhizome.ledger.values import comparable

_KEPT = {"\u200c", "\u200d"}
"""Joiners are letters' shaping in Persian and Indic scripts and hold emoji together."""

UNSPACED = (r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
            r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]")  # kana, ideographs, Hangul
"""Characters of scripts that part words by no space (or, in Hangul, glue endings to them)."""

_SPACED = re.compile(rf"(?!{UNSPACED})\w")
_PIECES = re.compile(rf"\d+|{UNSPACED}+|(?:(?!{UNSPACED})[^\W\d])+|[^\w\s]")


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
    """Whether `value` was said in `text`: as whole words in its order, whatever the white space, or each somewhere."""
    wanted, said = comparable(value), comparable(text)
    if set(wanted.split()) <= set(said.split()):
        return True
    begins, ends = _SPACED.match(wanted), _SPACED.match(wanted[-1:])
    pieces, at = re.compile(r"\s*".join(map(re.escape, _PIECES.findall(wanted)))), 0
    while found := pieces.search(said, at):  # no class of letters in it: those take long to compile for each value
        if not (begins and _SPACED.match(said[found.start() - 1 : found.start()])) and not (
            ends and _SPACED.match(said, found.end())
        ):
            return True
        at = found.start() + 1
    return False


def _visible(char: str) -> str:
    category = unicodedata.category(char)
    if char == "\n":
        return char
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "" if category in ("Cf", "Cs") and char not in _KEPT else char
