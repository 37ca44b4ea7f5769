"""What a model found out and says in its own words: where something stands, and what made a failing run pass.

Nothing else that a model says is read: its guesses, plans, summaries and accounts of its own work are no knowledge.
"""

import re
from dataclasses import dataclass

from rhizome.consolidate.rules.qualifiers import content_words
from rhizome.consolidate.rules.reading import Mood, Reading

_STANDS = re.compile(
    r"\b(?:lives?|(?:is|are) (?:set|defined|configured|located|declared|hard-?coded|registered|kept|stored)|"
    r"fica(?:m)?|mora(?:m)?|(?:está|estão) (?:definid|configurad|declarad)[oa]s?|"
    r"vive(?:n)?|(?:está|están) (?:definid|configurad|declarad)[oa]s?)\s(?:in|at|under|em|no|na|en)\s(?:the file\s|o arquivo\s|el archivo\s)?[`\"]?"
)
_JA_STANDS = re.compile(r"[`」』\"]?\s?(?:に(?:あります|定義され|設定され|書かれ|置かれ)|で(?:定義され|設定され))")
_PASSES = re.compile(
    r"\b(?:only (?:pass|passes|work|works|run|runs|build|builds|start|starts|succeed|succeeds) (?:with|when|if|under|after)|"
    r"(?:need|needs|require|requires|must have|must be run with)|só (?:passam?|funcionam?|rodam?) (?:com|quando)|precisam? d[eo]|exigem?|"
    r"solo (?:pasan?|funcionan?) (?:con|cuando)|necesitan?|requieren?)\s[^.;]{0,30}?$|"
    r"\b(?:was|is|were|are|got|now) (?:fixed|solved|resolved) (?:by|with)\s[^.;]{0,30}?$|\b(?:the fix|fix) (?:is|was)\s[^.;]{0,30}?$"
)
_JA_PASSES = re.compile(r"(?:を(?:設定し|付け|つけ)|が必要|でのみ|の時だけ|ときだけ|がないと)")
_OWN_WORK = re.compile(
    r"\b(?:I|I'll|I've|I'm|we|let me|let's|added|moved|created|changed|updated|now (?:lives?|loads?|reads?|uses?)|will|eu|vou|adicionei|movi|criei|voy|añadí|moví|creé)\b",
    re.IGNORECASE,
)
_PROMISES = re.compile(
    r"\b(?:lives?|is set|are set|defined|configured|located|declared|hard-?coded|registered|kept|stored|fica|ficam|moram?|definid|configurad|"
    r"declarad|viven?|only|needs?|requires?|must|fixed|solved|resolved|fix|só|precisam?|exigem?|solo|necesitan?|requieren?)|に|で|が必要|を"
)
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
    return _PROMISES.search(text) is not None


def found(reading: Reading, recovered: bool) -> Finding | None:
    """What a model's sentence reports as found. `recovered`: before it, a tool run failed and a later one passed."""
    if reading.mood is not Mood.STATEMENT or _OWN_WORK.search(reading.text):
        return None
    return _place(reading) or (_lesson(reading) if recovered else None)


def _place(reading: Reading) -> Finding | None:
    for value in reading.standing:
        if not value.kinds & _EVIDENCE:
            continue
        latin = next((m for m in _STANDS.finditer(reading.text) if m.end() == value.start), None)
        if latin or _JA_STANDS.match(reading.text, value.end):
            words = content_words(reading, 0, latin.start() if latin else value.start)
            return Finding("fact", words[-2:], "path", value.text) if words else None
    return None


def _lesson(reading: Reading) -> Finding | None:
    for value in reading.standing:
        if not value.kinds & _MEANS:
            continue
        before = reading.text[: value.start].rstrip('`"')
        latin = _PASSES.search(before)
        if latin or _JA_PASSES.match(reading.text, value.end):
            words = content_words(reading, 0, latin.start() if latin else value.start)
            return (
                Finding("lesson", words[:2], "env" if "env" in value.kinds else "fix", value.text)
                if words
                else None
            )
    return None
