"""Whether words stand in a text that was returned, however they are spaced, cased, cut out, put in order or told."""

import re
from functools import lru_cache

from rhizome.consolidate.echo import CHARS_IN_SHINGLE, ECHO_SHARE, WORDS_IN_SHINGLE
from rhizome.consolidate.wording import UNSPACED
from rhizome.ledger.keys import folded

_WORD = re.compile(r"\w+")
_STEM = 4
"""So many first letters make a word another's: `deploys` and `deployment`."""

BESIDE = 200
"""How many characters around a value may say what it is the value of."""

_UNSPACED_PAIR = re.compile(f"{UNSPACED}{{2}}")
_UNSPACED = re.compile(UNSPACED)


def is_long(words: str) -> bool:
    """Whether nobody says just these words by chance: eight of them, or twelve characters without spaces."""
    unspaced = len(_UNSPACED.findall(words))
    return len(_WORD.findall(words)) >= WORDS_IN_SHINGLE or unspaced >= CHARS_IN_SHINGLE


def repeats(words: str, returned: str) -> bool:
    """Whether `returned` has `words` in one piece, or most runs of eight of them."""
    said, there = _plain(words), _plain(returned)
    if not said.strip():
        return False
    if said in there or (_UNSPACED.search(said) and said.replace(" ", "") in there.replace(" ", "")):
        return True
    each = said.split()
    runs = [" ".join(each[start : start + WORDS_IN_SHINGLE]) for start in range(len(each) - WORDS_IN_SHINGLE + 1)]
    return bool(runs) and sum(f" {run} " in there for run in runs) >= ECHO_SHARE * len(runs)


def tells(value: str, statement: str, returned: str) -> bool:
    """Whether `returned` has `value` as whole words, and beside it a word of what `statement` says about it."""
    wanted, there = _plain(value), _plain(returned)
    if not wanted.strip():
        return False
    about = {word[:_STEM] for word in _plain(statement).replace(wanted, " ").split() if len(word) >= _STEM}
    about |= set(_UNSPACED_PAIR.findall(statement))
    at = there.find(wanted)
    while at >= 0:
        beside = there[max(0, at - BESIDE) : at] + " " + there[at + len(wanted) : at + len(wanted) + BESIDE]
        if any(word in beside for word in about):
            return True
        at = there.find(wanted, at + 1)
    return False


@lru_cache(maxsize=64)
def _plain(text: str) -> str:
    """The words of `text` under NFKC and case folding, without invisible characters, one space around each."""
    return f" {' '.join(_WORD.findall(folded(text)))} "
