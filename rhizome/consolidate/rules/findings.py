"""What a model found out and says in its own words: where something stands, and what made a failing run pass.

Nothing else that a model says is read: its guesses, plans, summaries and accounts of its own work are no knowledge.
"""

import re
from dataclasses import dataclass

from rhizome.consolidate.rules.qualifiers import content_words
from rhizome.consolidate.rules.reading import Mood, Reading
from rhizome.consolidate.rules.tables import one_of, words

_STANDS = re.compile(
    rf"\b{one_of('stands')}\s(?:in|at|under|em|no|na|en)\s(?:the file\s|o arquivo\s|el archivo\s)?[`\"]?",
    re.IGNORECASE,
)
_JA_STANDS = re.compile(r"[`」』\"]?\s?(?:に(?:あります|定義され|設定され|書かれ|置かれ)|で(?:定義され|設定され))")
_PASSES = re.compile(rf"\b{one_of('passes')}\s(?:(?:the|a|an|o|a|el|la)\s)?$", re.IGNORECASE)
_JA_PASSES = re.compile(r"(?:を(?:設定し|付け|つけ)|が必要|でのみ|の時だけ|ときだけ|がないと)")
_PASS = re.compile(rf"\b{one_of('passes')}\s|{_JA_PASSES.pattern}", re.IGNORECASE)
_OWN_WORK = re.compile(rf"\b{one_of('own_work')}\b", re.IGNORECASE)
_PROMISES = tuple(sorted(words("promises")))
_MARK = re.compile(r"[/=`]|\.\w")
"""What every place and every means has in its spelling."""
_CONSTANT = re.compile(r"\b[A-Z][A-Z0-9_]{2,40} = -?[\w.\"']{1,40}(?<!\.)")
_EVIDENCE = frozenset({"path", "filename"})
_MEANS = frozenset({"env", "code"})


@dataclass(frozen=True, slots=True)
class Finding:
    """A lesson or a place: its type, the words its key is made of and the value that stands in the sentence."""

    type: str
    words: tuple[str, ...]
    name: str
    value: str


def promising(text: str) -> bool:
    """Whether it is worth reading: most of what a model says is an account of its work."""
    if not _MARK.search(text):
        return False
    folded = text.casefold()
    return any(map(folded.__contains__, _PROMISES))


def may_report(sentence: str, recovered: bool) -> bool:
    """Whether a model's sentence has the words of a finding, and is neither advice nor an account of its own work."""
    if not promising(sentence) or _OWN_WORK.search(sentence):
        return False
    place = _STANDS.search(sentence) or _JA_STANDS.search(sentence)
    return place is not None or (recovered and _PASS.search(sentence) is not None)


def found(reading: Reading, recovered: bool) -> Finding | None:
    """What a model's sentence reports as found. `recovered`: before it, a tool run failed and a later one passed."""
    if reading.mood is not Mood.STATEMENT:
        return None
    if place := _place(reading):
        return _constant(reading, place) or place
    return lesson(reading) if recovered else None


def _constant(reading: Reading, place: Finding) -> Finding | None:
    """What stands in the place, where it is said: `margins are set in driver.ts, MARGIN_MM = 3`."""
    spelled = [match.group() for match in _CONSTANT.finditer(reading.text)]
    return Finding("fact", place.words, "constant", spelled[0]) if len(spelled) == 1 else None


def _place(reading: Reading) -> Finding | None:
    stands = [*_STANDS.finditer(reading.text)]
    if not stands and reading.text.isascii():
        return None
    for value in reading.standing:
        if not value.kinds & _EVIDENCE:
            continue
        latin = next((match for match in stands if match.end() == value.start), None)
        if latin or _JA_STANDS.match(reading.text, value.end):
            about = content_words(reading, 0, latin.start() if latin else value.start)
            return Finding("fact", about[-2:], "path", value.text) if about else None
    return None


def lesson(reading: Reading) -> Finding | None:
    """What it takes for something to pass: `the fix was LC_ALL=C`. A person knows; a model must have seen it pass."""
    if not _PASS.search(reading.text):
        return None
    for value in reading.standing:
        if not value.kinds & _MEANS:
            continue
        before = reading.text[: value.start].rstrip('`"')
        latin = _PASSES.search(before)
        if latin or _JA_PASSES.match(reading.text, value.end):
            about = content_words(reading, 0, latin.start() if latin else value.start)
            return (
                Finding("lesson", about[:2], "env" if "env" in value.kinds else "fix", value.text)
                if about
                else None
            )
    return None
