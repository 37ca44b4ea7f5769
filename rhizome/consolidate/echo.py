"""The echo guard: recognising text that a memory tool returned, so that what came out does not go in again (law 12)."""

import re
from collections.abc import Iterable, Iterator

from rhizome.consolidate.wording import UNSPACED
from rhizome.ledger.keys import folded

WORDS_IN_SHINGLE = 8
CHARS_IN_SHINGLE = 12
ECHO_SHARE = 0.6
"""A text is an echo from this share of its shingles on; shared words of a common subject stay well below it."""

LINE_WORDS = 3
"""A line shorter than this ("yes", "ok, go") is nobody's in particular and makes no echo."""

_PIECE = re.compile(r"[.;:!?。；！？\n](?=\s|$)|[。；！？\n]")
"""Where a text may have been cut and put together in another order."""

_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(UNSPACED)


class Echoes:
    """What the memory tools of one session returned. Cost: one pass over the returns, then one over each text asked."""

    def __init__(self, returned: Iterable[str]) -> None:
        self._words: set[int] = set()
        self._chars: set[int] = set()
        self._lines: set[str] = set()
        self._whole = ""
        for text in map(_folded_lines, returned):
            self._words.update(_word_shingles(text))
            self._chars.update(_char_shingles(text))
            self._lines.update(_words(line) for line in [text, *text.splitlines()])
            self._whole += f" {_words(text)} \n"

    def __contains__(self, text: str) -> bool:
        """Whether `text` is such a return, one of its lines, or mostly made of its words."""
        if not self._lines:
            return False
        text = _folded_lines(text)
        plain = _words(text)
        if plain in self._lines and (plain.count(" ") + 1 >= LINE_WORDS or _UNSPACED.search(plain)):
            return True
        letters = _WORD.findall(text)
        unspaced = 2 * len(_UNSPACED.findall(text)) > sum(map(len, letters))
        cut, known = (_char_shingles, self._chars) if unspaced else (_word_shingles, self._words)
        whole = list(cut(text))
        apart = [shingle for piece in _PIECE.split(text) for shingle in cut(piece)]
        enough = ECHO_SHARE * len(whole) / 2
        return _mostly(whole, known) or (len(apart) >= enough and _mostly(apart, known))

    def repeats(self, statement: str) -> bool:
        """Whether `statement`, however short, stands in a return: stricter, for what an agent proposes."""
        plain = _words(_folded_lines(statement))
        return bool(plain) and (f" {plain} " in self._whole or statement in self)


def _mostly(shingles: list[int], known: set[int]) -> bool:
    return bool(shingles) and sum(shingle in known for shingle in shingles) >= ECHO_SHARE * len(shingles)


def _folded_lines(text: str) -> str:
    return "\n".join(folded(line) for line in text.splitlines())


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text))


def _word_shingles(text: str) -> Iterator[int]:
    words = _WORD.findall(text)
    return (hash(tuple(words[start:start + WORDS_IN_SHINGLE])) for start in range(len(words) - WORDS_IN_SHINGLE + 1))


def _char_shingles(text: str) -> Iterator[int]:
    joined = "".join(_WORD.findall(text))
    return (hash(joined[start:start + CHARS_IN_SHINGLE]) for start in range(len(joined) - CHARS_IN_SHINGLE + 1))
