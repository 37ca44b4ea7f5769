"""A text cut into the pieces of a Unigram model, as the `tokenizers` library cuts it, from tables that lie in a file.

Nothing is parsed at the start: a piece is found by the checksum of its bytes in an open hash table, and the best way
through a word is walked in plain Python, some 0.3 ms for a question.
"""

import re
import unicodedata
from collections.abc import Sequence
from zlib import crc32

SPACE = "\u2581"
"""What stands for a space before a word."""

UNKNOWN_COSTS = 10.0
"""How much less than the least likely piece a character is worth that no piece has."""

MEMO_WORDS = 200_000
"""So many words are remembered by a process that reads many texts, at about 150 bytes each."""

_BLANKS = re.compile(r"[^\S\x1c-\x1f]+")  # the separators of ASCII are no space to the library
_WORD = re.compile(f"{SPACE}?[^{SPACE}]+|{SPACE}")


def normal(text: str, longest: int) -> str:
    """A text as the model sees it: cut, NFKC, lower case, every blank one space, none at the ends.

    Characters are lowered one at a time: the library does not know that a sigma at the end of a word is another one.
    """
    cut = text[:longest]
    lower = cut.lower() if cut.isascii() else "".join(map(str.lower, unicodedata.normalize("NFKC", cut)))
    return _BLANKS.sub(" ", lower).strip(" ")


class Pieces:
    """The pieces of a model. `table` maps checksums to ids: `crc << 32 | id + 1`, from the place `crc` on, 0 is free.

    `ends` has the place in `letters` where each piece begins, and one more; `scores` are their log
    probabilities, the `least` of them known; no piece has more than `longest` letters.
    """

    def __init__(
        self, table: Sequence[int], letters: memoryview, ends: Sequence[int], scores: Sequence[float], *,
        unknown: int, longest: int, least: float,
    ) -> None:  # fmt: skip
        self._table, self._letters, self._ends, self._scores = table, letters, ends, scores
        self._mask, self._unknown, self._longest = len(table) - 1, unknown, longest
        self._nothing = least - UNKNOWN_COSTS
        self._memo: dict[str, tuple[int, ...]] = {}

    def ids(self, text: str, limit: int) -> list[int]:
        """The ids of a normal text, at most `limit` counted with the unknown, which are then left out."""
        if not text:
            return []
        marked = text.replace(" ", SPACE)
        found: list[int] = []
        for word in _WORD.findall(marked if marked[0] == SPACE else SPACE + marked):
            if word not in self._memo:
                if len(self._memo) >= MEMO_WORDS:
                    self._memo.clear()
                self._memo[word] = self._word(word)
            found += self._memo[word]
            if len(found) >= limit:
                break
        return [id_ for id_ in found[:limit] if id_ != self._unknown]

    def common(self, word: str) -> float | None:
        """The logarithm of how common a word is, in lower case; None for one that is no piece of its own."""
        spelled = (SPACE + word).encode("utf-8", "replace")
        id_ = self._find(crc32(spelled), spelled)
        return None if id_ is None else self._scores[id_]

    def _word(self, word: str) -> tuple[int, ...]:
        """The likeliest pieces of one word; of two ways that are worth the same, the one met first."""
        letters = [letter.encode("utf-8", "replace") for letter in word]
        best: list[tuple[float, int, int] | None] = [None] * (len(letters) + 1)  # (score, begin, id) of a piece's end
        best[0] = (0.0, 0, self._unknown)
        for begin in range(len(letters)):
            before = best[begin]
            assert before is not None  # every letter is at least unknown
            checksum, spelled, alone = 0, b"", False
            for end, letter in enumerate(letters[begin : begin + self._longest], begin + 1):
                checksum, spelled = crc32(letter, checksum), spelled + letter
                id_ = self._find(checksum, spelled)
                if id_ is None:
                    continue
                alone = alone or end == begin + 1
                score, other = before[0] + self._scores[id_], best[end]
                if other is None or score > other[0]:
                    best[end] = (score, begin, id_)
            if not alone:
                score, other = before[0] + self._nothing, best[begin + 1]
                if other is None or score > other[0]:
                    best[begin + 1] = (score, begin, self._unknown)
        return self._back(best)

    def _back(self, best: list[tuple[float, int, int] | None]) -> tuple[int, ...]:
        """The way to the end of a word; unknown letters side by side are one."""
        found: list[int] = []
        at = len(best) - 1
        while at:
            step = best[at]
            assert step is not None
            _, at, id_ = step
            if id_ != self._unknown or not found or found[-1] != self._unknown:
                found.append(id_)
        return tuple(reversed(found))

    def _find(self, checksum: int, spelled: bytes) -> int | None:
        at = checksum & self._mask
        while entry := self._table[at]:
            if entry >> 32 == checksum:
                id_ = (entry & 0xFFFFFFFF) - 1
                if id_ < len(self._scores) and self._letters[self._ends[id_] : self._ends[id_ + 1]] == spelled:
                    return id_
            at = (at + 1) & self._mask
        return None


def hashed(pieces: Sequence[bytes]) -> list[int]:
    """The table of `Pieces`, at most half full; of two equal pieces the later one counts, as in the library."""
    size = 2
    while size < 2 * len(pieces) + 2:
        size *= 2
    table, last = [0] * size, {piece: id_ for id_, piece in enumerate(pieces)}
    for piece, id_ in last.items():
        checksum = crc32(piece)
        at = checksum & (size - 1)
        while table[at]:
            at = (at + 1) & (size - 1)
        table[at] = checksum << 32 | id_ + 1
    return table
