"""What a person wants everywhere: the language and manner of answers, what to be called, the units they read."""

import re
from dataclasses import dataclass

from rhizome.consolidate.rules.reading import Reading
from rhizome.consolidate.rules.statements import Stated
from rhizome.consolidate.rules.values import Value

_THIS_ONE = re.compile(
    r"\b(?:this (?:one|time|question|email|mail|message|ticket)|[de]?[ds]?es[st]a (?:vez|pergunta|pregunta))\b|今回",
    re.IGNORECASE,
)
_REQUEST = re.compile(r"(?:ください|下さい|ほしい|欲しい|お願いします|してね|して)[。\s]*$")
_NAME = re.compile(r"\s*[\"'“「]?([^\W\d_][\w’'-]{0,30})")
_JA_NAME = re.compile(r"([A-Za-z\u3041-\u306e\u3070-\u3091\u3093-\u30ff\u3400-\u9fff]{1,12}?)(?:さん|ちゃん)?$")
_JA_NAMED = re.compile(r"([A-Za-z\u3040-\u30ff\u3400-\u9fff]{1,12}?)(?:です|だ|といいます|と言います)")
_SELF = re.compile(r"\b(?:i|i'd|i’d|me|prefiro|prefiero|gosto|me gusta|eu|yo)\b|私|僕", re.IGNORECASE)
_WISH = re.compile(
    r"\bi['’]d (?:like|prefer|rather|appreciate)\b|\b(?:gostaria de|quero|quiero|me gustaría|quisiera)\b"
    r"|がいいです|好みです",
    re.IGNORECASE,
)
_MEETING = re.compile(
    r"\b(?:meetings?|calls?|reuniões|reunião|reuniones|reunión|chamadas|llamadas)\b|会議|打ち合わせ", re.IGNORECASE
)
_ANSWERS = re.compile(
    r"\byour (?:answers?|repl(?:y|ies)|responses?|messages?|explanations?)\b|\b(?:suas|tuas) (?:respostas|mensagens)\b"
    r"|\btus (?:respuestas|mensajes)\b|返信|返事|回答",
    re.IGNORECASE,
)
_WHEN_ASKED = re.compile(
    r"\b(?:when(?:ever)? i ask|quando eu (?:perguntar|pedir)|cuando (?:te )?(?:pregunte|pida))\b"
    r"|(?:聞いた|尋ねた)(?:ら|とき)",
    re.IGNORECASE,
)
_METRIC = re.compile(r"metric|imperial|métric|imperia|メートル法|ヤード", re.IGNORECASE)
_OF_A_PERSON = frozenset({"manner", "call_me"})
OWN = frozenset({"timezone", "language", "currency", "unit", "name", "hours"})
"""Attributes that are a person's when the sentence says `my`."""


@dataclass(frozen=True, slots=True)
class Preferred:
    """A standing preference: the attribute of `user` and the value that stands in the sentence."""

    name: str
    value: str


def preferred(reading: Reading) -> list[Preferred]:
    """The preferences a sentence in the mood of a statement states about answers and about the person."""
    found: list[Preferred] = []
    if not reading.has(_OF_A_PERSON):
        return found
    if not _THIS_ONE.search(reading.text) and not _WHEN_ASKED.search(reading.text) and _about_answers(reading):
        found += [
            Preferred("reply_language", value.text)
            for value in reading.standing
            if "natural_language" in value.kinds
        ][:1]
        if styles := [tag for tag in reading.of("style") if not reading.of("task")]:
            found.append(Preferred("reply_style", reading.text[styles[0].start : styles[0].end]))
    if name := _called(reading):
        found.append(Preferred("called", name))
    return found


def _about_answers(reading: Reading) -> bool:
    manners = reading.of("manner")
    if not manners:
        return False
    if any(tag.name == "ja" for tag in manners):
        return bool(_REQUEST.search(reading.text) or reading.of("always"))
    ordered = any(reading.opens(tag) or reading.of("lasting") for tag in manners) or any(
        reading.opens(tag) and tag.end < manner.start
        for label in ("always", "lasting")
        for tag in reading.of(label)
        for manner in manners
    )
    wanted = bool(_WISH.search(reading.text) or (reading.of("adopt") and _SELF.search(reading.text)))
    kept = any(reading.opens(tag) for tag in reading.of("set")) and "your" in reading.text.casefold()
    return ordered or wanted or kept


def _called(reading: Reading) -> str:
    for tag in reading.of("call_me"):
        if tag.name == "ja" and reading.text[tag.end - 1] == "は":
            name = _JA_NAMED.match(reading.text, tag.end)
        elif tag.name == "ja":
            asked = _REQUEST.search(reading.text) or _SELF.search(reading.text)
            name = _JA_NAME.search(reading.text, max(0, tag.start - 14), tag.start) if asked else None
        else:
            name = _NAME.match(reading.text, tag.end) if reading.opens(tag) else None
        if name and (tag.name == "ja" or name.group(1)[0].isupper()):
            return name.group(1)
    return ""


def is_personal(reading: Reading, pair: Stated) -> bool:
    """Whether a stated value holds for the person everywhere and not for the project."""
    if reading.of("everywhere") or _WHEN_ASKED.search(reading.text):
        return True
    if reading.of("my") and pair.name in OWN and (pair.name == "hours" or not pair.qualifiers):
        return True
    return pair.name == "unit" and not pair.qualifiers and _is_system(pair.value)


def _is_system(value: Value) -> bool:
    return _METRIC.match(value.text) is not None


def is_own_rule(reading: Reading, rule: str) -> bool:
    """`No meetings before 11`, `always show dates when I ask`: a rule about a person's calendar, or about answers."""
    return (
        bool(reading.of("everywhere"))
        or _WHEN_ASKED.search(reading.text) is not None
        or _MEETING.search(rule) is not None
        or _ANSWERS.search(reading.text) is not None
    )
