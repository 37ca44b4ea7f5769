"""Text as terms, the same for documents and questions: NFKC, lower case, accents folded, English stems.

Scripts written without spaces (and Hangul, whose words carry particles) become pairs of neighbouring characters.
Identifiers stand whole and in parts: `deploy_branch`, `deploy-branch` and `deployBranch` are one term, with `deploy`
and `branch` beside it; `1.0.21` keeps its dots. A term never holds white space.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import msgspec
import tantivy

from rhizome.search.stop_words import STOP_WORDS

ANALYZER = 1
"""Whoever changes what a text's terms are raises it: an index made by another analyzer is rebuilt."""

TERM_CHARS = 64
"""A longer word is data. Its first characters find it."""

PARTS = 8
"""An identifier with more parts than this is a hash or a blob, and only the whole is kept."""

_UNSPACED = (
    "\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Indic, Thai, Lao, Burmese, Khmer
    "\u3005\u3007\u3040-\u30ff\u31f0-\u31ff"  # iteration mark, zero, kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han with its extensions
    "\u1100-\u11ff\uac00-\ud7a3"  # Hangul
)
_WORD = rf"[^\W_{_UNSPACED}]"
_NAME = r"[A-Za-z](?:\+\+|#)(?!\w)|{0}+(?:(?:[._\-/:@+\\]|__)_*{0}+)*"
_CHUNK = f"([{_UNSPACED}]+)|({_NAME.format(_WORD)})"
"""Written here, compiled by whoever first meets a text that is not ASCII: that takes ten milliseconds."""

_ASCII_CHUNK = re.compile("()(" + _NAME.format(r"[^\W_]") + ")", re.ASCII)
_MARKS = "[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]"  # accents left over, Hebrew and Arabic points
_SEGMENT = re.compile(r"[/\\:@]+")
_ASCII_PART = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+"
_PART = rf"{_ASCII_PART}|[^\W\d_A-Za-z{_UNSPACED}]+"
_ROW_OF_CAPITALS = re.compile(r"[A-Z]{2,}s?")
_PARTICLE = (  # pairs that say little: with hiragana, Chinese function words, Korean particles and questions
    "[\u3040-\u309f的了是在吗呢么什怎哪个我你他它们这那有和与或]|[은는이가을를에의도로와과]$|^(?:언제|무엇|어디|누가|얼마|어떻)$"
)
_STEM = (
    tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    .filter(tantivy.Filter.ascii_fold())
    .filter(tantivy.Filter.stemmer("english"))
    .build()
)
_FOLD = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).filter(tantivy.Filter.ascii_fold()).build()


class Word(msgspec.Struct, frozen=True):
    """One word of a question: its term, the terms of its parts when it is an identifier, and whether it says little.

    `surface` is the word as it was written, lower-cased, for naming it to a reader; `written` is what has the word's
    vector where that is another text, as for a pair of an unspaced script.
    """

    term: str
    parts: tuple[str, ...] = ()
    stop: bool = False
    surface: str = ""
    written: str = ""


def normal(text: str) -> str:
    """`text` in NFKC without loose accents and points; case is kept, because `deployBranch` needs it."""
    return text if text.isascii() else re.sub(_MARKS, "", unicodedata.normalize("NFKC", text))


def terms(text: str) -> list[str]:
    """The terms of a document's text in order; an identifier's whole comes before its parts. About 1 µs a word."""
    found: list[str] = []
    for run, chunk in _chunks(text):
        found += pairs(run) if run else _chunk_terms(chunk)
    return found


def surfaces(text: str) -> dict[str, str]:
    """By term, the shortest way a text writes it: words of letters, parts of identifiers, pairs of unspaced scripts."""
    found: dict[str, str] = {}
    for run, chunk in set(_chunks(text)):
        for term, surface in [(pair, pair) for pair in pairs(run)] if run else _written(chunk):
            known = found.get(term)
            if known is None or (len(surface), surface) < (len(known), known):
                found[term] = surface
    return found


@lru_cache(maxsize=1 << 16)
def _written(chunk: str) -> tuple[tuple[str, str], ...]:
    if len(chunk) > TERM_CHARS:
        return ()
    parts = [chunk] if chunk.isalpha() and not _parts(chunk) else _pieces(chunk)
    return tuple((stem(part), part.lower()) for part in parts if len(part) > 2 and part.isalpha())


def words(text: str) -> list[Word]:
    """The words of a question in order, each term once."""
    seen: dict[str, Word] = {}
    for word in _question_words(text):
        seen.setdefault(word.term, word)
    return list(seen.values())


def pairs(run: str) -> list[str]:
    """The pairs of neighbours in a run of an unspaced script; a single character stands alone."""
    return [run[at : at + 2] for at in range(len(run) - 1)] if len(run) > 1 else [run]


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """A word lower-cased, with folded accents, as an English stem; words of other languages mostly stay as they are."""
    lower = word.lower().replace("i\u0307", "i")
    if not lower.isalpha():
        return _fold(lower)
    return "".join(_STEM.analyze(lower)) or lower


def _fold(word: str) -> str:
    return word if word.isascii() else "".join(_FOLD.analyze(word))


def _question_words(text: str) -> Iterator[Word]:
    for run, chunk in _chunks(text):
        if run:
            for pair in pairs(run):
                yield Word(pair, stop=bool(re.search(_PARTICLE, pair)), surface=run, written=pair)
            continue
        whole, *parts = _chunk_terms(chunk)
        surface = chunk.lower()
        yield Word(whole, tuple(parts), not parts and _fold(surface) in STOP_WORDS, surface)


def _chunks(text: str) -> list[tuple[str, str]]:
    """(run of an unspaced script, or else a word or identifier) of a text, in order."""
    same = normal(text)
    return _ASCII_CHUNK.findall(same) if same.isascii() else re.findall(_CHUNK, same)


def _pieces(segment: str) -> list[str]:
    return re.findall(_ASCII_PART if segment.isascii() else _PART, segment)


@lru_cache(maxsize=1 << 17)
def _chunk_terms(chunk: str) -> tuple[str, ...]:
    """The whole first, then the segments of a path and the parts of each, every term once."""
    if len(chunk) > 2 * TERM_CHARS:
        return (chunk[:TERM_CHARS].lower(),)
    found = dict.fromkeys([_whole(chunk)])
    segments = [segment for segment in _SEGMENT.split(chunk) if segment]
    for segment in segments:
        found.setdefault(_whole(segment))
    for segment in segments:
        found.update(dict.fromkeys(_parts(segment)))
    return tuple(found)


def _whole(chunk: str) -> str:
    """The term of a whole identifier: separators go, except a dot where two digits would run together.

    The v of a version goes too.
    """
    if chunk.isalpha() or chunk[-1] in "+#":
        return stem(chunk)[:TERM_CHARS]
    joined = re.sub(r"(?<=\d)[^\w]+(?=\d)", ".", chunk)
    joined = re.sub(r"^[vV](?=\d+\.\d)", "", joined)
    return stem(re.sub(r"[^\w.]+|_+|(?<!\d)\.+|\.+(?!\d)", "", joined))[:TERM_CHARS]


def _parts(segment: str) -> list[str]:
    """What an identifier is made of; none for a plain word, a row of capitals or a blob."""
    if segment.isalpha() and (segment.islower() or segment.istitle() or _ROW_OF_CAPITALS.fullmatch(segment)):
        return []
    found = _pieces(segment)
    if len(found) < 2 or len(found) > PARTS:
        return []
    if not any(part.isalpha() for part in found[segment[0] in "vV" :]):
        return [part for part in found if len(part) > 2]  # of a version or a date only the year says something
    return [stem(part) for part in found if len(part) > 1]
