"""What a sentence says is the value of what: the pairs of attribute and value that it states."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rhizome.consolidate.rules.lexicon import Tag
from rhizome.consolidate.rules.reading import ASSERTED, SETTLED, Reading
from rhizome.consolidate.rules.tables import IMPLIED, NEEDS_A_CUE, Row, rows
from rhizome.consolidate.rules.values import Value

_WORD = re.compile(r"[A-Za-zÀ-ɏ][\w'’-]*|[\u30a1-\u30ff]{2,}|[\u3400-\u9fff]{2,}")
_WITH = re.compile(r"\s(?:with|to|in|on|into|using|as|under|com|para|em|no|na|como|con|a|en)\s[`\"]?(?:the\s|o\s|el\s)?$", re.IGNORECASE)
_LINK = re.compile(r"\s*(?:=|:|：|->|→)")
_OF = re.compile(r"\s(?:de|do|da|dos|das|del|of the|of|for the|for|para)\s(?:la\s|el\s|los\s|las\s|o\s|a\s|os\s|as\s|the\s)?", re.IGNORECASE)
_OF_SOMETHING = re.compile(r"\s(?:of|for|in|on|de|do|da|dos|das|del|para|en|em)\s(?:[\w-]+\s){0,3}", re.IGNORECASE)
_CJK_RUN = re.compile(r"[\u30a0-\u30ff\u3400-\u9fff]{2,12}の?$")
_ONE_OFF = re.compile(r"[`\"]?\s(?:to|para|pra)\s(?!the\b|all\b|el\b|la\b|os?\b|as?\b)[^\W\d_]+", re.IGNORECASE)
_PREPOSITION = re.compile(r"(?:in|on|at|below|with|to|em|en|com|con|às|nas|nos|na|no|el|los|a las|every|each|run|set|under|need|needs|に行)")
_BARE = frozenset({"int", "decimal", "major", "name", "code"})
"""Kinds so common that only a verb may stand between them and the word for what they are."""
_SPELLED = frozenset({"code", "ident", "name", "filename", "path"})
"""Kinds that follow their cue: `is called X`, never `X is called`."""
_OWNS = frozenset({"owns", "maintains", "approves", "leads", "cuida do", "cuida da", "cuida de", "se encarga de", "se encarga del"})
_IS_PERSON = re.compile(r"(?:\b(?:is|by|are|é|são|es|son)\s(?:[ao]\s)?|:\s|は|が|：)$")
_OF_NAME = re.compile(r"^\s(?:of|for|de|do|da|dos|das|del)\s(?:the\s|la\s|el\s|los\s|las\s)?[\w-]{2,20}(?:\s[\w-]{3,20})?(?=\s)", re.IGNORECASE)
_ARTICLE = re.compile(r"[\s`\"]*(?:(?:the|a|an|o|a|os|as|el|la|los|las|ao|file|arquivo|archivo)\s){0,2}[\s`\"]*", re.IGNORECASE)
NAMELESS = frozenset({"path", "time"})
"""Attributes that mean nothing without a word for whose they are."""
_FORM = ("copula", "set", "adopt", "now", "always", "must", "decide", "correct", "rule", "only", "here", "to", "from", "and")
"""Labels of words that give a sentence its form and say nothing about what it is about."""
_OWN_DAY = re.compile(r"[\s:]*(?:i|i've|i'm|eu|yo|tenho|estou|tengo|estoy)\b|私は|僕は", re.IGNORECASE)
"""What somebody does on Wednesdays is their own affair."""
_PLAIN = frozenset(
    "the a an our we you i it they he she this that these those all any some of for in on at to by with from as is are be "
    "and or so now new old same default main please always never only just still here there us me my your its not no must should "
    "will can own other every each everything things use set get put run make keep move change go goes o os as um uma nosso nossa este esta "
    "esse essa isso que em no na nos nas de do da dos das com por para se é são vai vão deve tem sempre nunca novo nova todo toda todos todas "
    "el la los las un una nuestro nuestra ese esa eso en del con su sus al y e es son va van debe tiene siempre nuevo nueva todo toda "
    "next time times too também también vez before after antes depois después don't don’t dont ever nothing nada sem sin nunca jamais jamás não nao ni nem without ficar estar ser ir quedar value valor setting stay stays must default ours up own mesmo mismo mesma misma repo repository project projeto proyecto repositório "
    "name names nome nombre now agora ahora hoje hoy já ya there's let's let lets rather good yes ok actually correction update note remember decision lives live stored".split()
)


@dataclass(frozen=True, slots=True)
class Stated:
    """An attribute of the vocabulary, which one is meant, and the value; `start..end` holds both in the sentence."""

    name: str
    qualifiers: tuple[str, ...]
    value: Value
    start: int
    end: int


def stated(reading: Reading, *, proposed: bool = False) -> list[Stated]:
    """The pairs a sentence in the mood of a statement stands by, in order; each value and each attribute once.

    `proposed`: the sentence is an offer that somebody agreed to, so that it needs no verb of its own.
    """
    found: list[Stated] = []
    for value in reading.standing:
        if not _blocked(reading, value) and (pair := _pair(reading, value, proposed)):
            if all((pair.name, pair.qualifiers) != (other.name, other.qualifiers) for other in found):
                found.append(pair)
    return found


def _pair(reading: Reading, value: Value, proposed: bool) -> Stated | None:
    cue = _cue(reading, value)
    if cue:
        tag, row = cue
        qualifiers = _qualifiers(reading, value, tag, row)
        if (proposed or _asserts(reading, value, tag)) and (qualifiers or row.name not in NAMELESS):
            return Stated(row.name, qualifiers, value, min(tag.start, value.start), max(tag.end, value.end))
    if (name := _implied(value)) and (proposed or _taken_up(reading, value)):
        return Stated(name, _environments(reading, value, name), value, value.start, value.end)
    return None


# ---------------------------------------------------------------- which attribute


def _cue(reading: Reading, value: Value) -> tuple[Tag, Row] | None:
    """The word that names what the value is of: before it in its clause, after it, or before it in the sentence."""
    start, end = reading.clause(value.start)
    fitting = [(tag, row) for tag in reading.of("attr") if (row := rows()[int(tag.name)]).kinds & value.kinds
               and not (value.start <= tag.start < value.end and tag.end <= value.end and not _is_own_noun(tag, value))]
    if "person" in value.kinds and not value.kinds & {"code", "tool"}:
        fitting = [(tag, row) for tag, row in fitting if _named_by(reading, tag, value)]
    before = [(t, r) for t, r in fitting if start <= t.start and t.end <= value.start and not _taken(reading, t, value)]
    before = [(t, r) for t, r in before if r.kinds & value.kinds - _BARE or _adjacent(reading, t, value)
              or (r.name == "name" and _led_to(reading, value))]
    before = [(t, r) for t, r in before if (_adjacent(reading, t, value) if r.near else not _weak(reading, t) or _alone(reading, start, t, value))]
    if before:
        return _head(reading, before)
    if own := [(t, r) for t, r in fitting if value.start < t.start and t.end == value.end]:
        return own[0]
    after = [(t, r) for t, r in fitting if value.end <= t.start and t.end <= end and t.start - value.end <= 24
             and not r.near and not (r.kinds & _SPELLED and t.end > t.start and reading.text[t.start].isascii() and r.name != "branch")]
    if after and not all(_weak(reading, t) for t, _ in after):
        return min(((t, r) for t, r in after if not _weak(reading, t)), key=lambda pair: pair[0].start)
    earlier = [(t, r) for t, r in fitting if t.end <= start and not r.near and not _weak(reading, t) and not _taken(reading, t, value)]
    return max(earlier, key=lambda pair: pair[0].end) if earlier else None


def _head(reading: Reading, cues: list[tuple[Tag, Row]]) -> tuple[Tag, Row]:
    """The last word of a compound (backoff cap), but the first before a preposition (limit for uploads)."""
    best = max(cues, key=lambda pair: (not _weak(reading, pair[0]), pair[1].near, pair[0].end))
    for tag, row in sorted(cues, key=lambda pair: -pair[0].end):
        if tag.end <= best[0].start and not _weak(reading, tag) and _OF_SOMETHING.fullmatch(reading.text, tag.end, best[0].start):
            best = tag, row
    return best


def _named_by(reading: Reading, cue: Tag, value: Value) -> bool:
    """`Ada owns`, `owned by Ada`, `the owner is Ada`, `owner: Ada`, `担当はAda`: nothing stands between verb and name."""
    if value.end <= cue.start:
        return reading.text[value.end : cue.start] == " " and reading.text[cue.start : cue.end].casefold() in _OWNS
    gap = reading.text[max(cue.end, value.start - 8) : value.start]
    return _IS_PERSON.search(gap) is not None


def _led_to(reading: Reading, value: Value) -> bool:
    return any(_ARTICLE.fullmatch(reading.text, tag.end, value.start) for tag in reading.of("to") if tag.end <= value.start)


def _alone(reading: Reading, start: int, cue: Tag, value: Value) -> bool:
    """A mere preposition names something only right before it, with no other value set first: `X to 1 in Cargo.toml`."""
    return _ARTICLE.fullmatch(reading.text, cue.end, value.start) is not None and not any(start <= v.start and v.end <= cue.start and v.kinds - {"person", "capital", "timezone"} for v in reading.standing)


def _is_own_noun(tag: Tag, value: Value) -> bool:
    """`4 workers`, `5 attempts`: the unit counted is the attribute."""
    return "quantity" in value.kinds and tag.end == value.end


def _weak(reading: Reading, tag: Tag) -> bool:
    return _PREPOSITION.fullmatch(reading.text[tag.start : tag.end].casefold()) is not None


def _taken(reading: Reading, tag: Tag, value: Value) -> bool:
    """Whether another value that fits as well already stands between the cue and this one."""
    row = rows()[int(tag.name)]
    return any(tag.end <= other.start and other.end <= value.start and other.kinds & row.kinds for other in reading.standing)


def _adjacent(reading: Reading, tag: Tag, value: Value) -> bool:
    between = _OF_NAME.sub(" ", reading.text[tag.end : value.start], count=1)
    words = [word.casefold() for word in _WORD.findall(between)]
    linking = {w.casefold() for label in ("copula", "set", "to", "now", "must", "adopt") for t in reading.within(label, tag.end, value.start)
               for w in _WORD.findall(reading.text[t.start : t.end])}
    return len(between) <= 24 and all(word in linking or word in {"version", "versão", "versión", "to", "at", "on", "em", "en", "na", "no", "a", "para", "of", "de", "above", "below", "under", "acima", "encima", "por", "the", "o", "da", "do", "del", "la", "as", "con", "com", "with"}
                                      for word in words) and not any(tag.end <= v.start < value.start for v in reading.values)


def _implied(value: Value) -> str:
    for kind in sorted(value.kinds):
        if kind in IMPLIED:
            return IMPLIED[kind]
    if "tool" in value.kinds:
        named = sorted(value.kinds - {"tool", "name", "code", "person", "capital", "branch"} - NEEDS_A_CUE)
        return named[0] if named and named[0] not in {"ident", "path"} else ""
    return ""


# ---------------------------------------------------------------- whether it is stated


def _blocked(reading: Reading, value: Value) -> bool:
    """Trouble, the past and one-off tasks are told, not laid down."""
    start, end = reading.clause(value.start)
    if _OWN_DAY.match(reading.text, start) and value.kinds & {"day", "time"}:
        return True
    if any(reading.within("trouble", start, end)) or any(reading.within("past", start, end)):
        return True
    settled = _settled(reading) or any(reading.of("always"))
    return not settled and any(reading.opens(tag) or " " in reading.text[tag.start : tag.end].strip() or tag.name == "ja"
                               for tag in reading.within("task", start, end))


def _settled(reading: Reading) -> bool:
    return any(reading.of(label) for label in SETTLED)


def _asserts(reading: Reading, value: Value, cue: Tag) -> bool:
    """There is a verb that states or sets, or the sentence is written like an entry."""
    start, end = reading.clause(value.start)
    said = [tag for label in ASSERTED for tag in reading.within(label, start, end)]
    if any(tag.start <= max(value.start, cue.start) or tag.name == "ja" or tag.label == "only" for tag in said) or _settled(reading) or reading.of("always") or reading.labelled:
        return True
    return cue.end <= value.start and _LINK.fullmatch(reading.text, cue.end, value.start) is not None


def _taken_up(reading: Reading, value: Value) -> bool:
    """Somebody uses, chooses or moves to it, or it is the only one; not merely for one errand (`use X to check`)."""
    start, end = reading.clause(value.start)
    settled = _settled(reading) or any(reading.of("always"))
    if not settled and _ONE_OFF.match(reading.text, value.end):
        return False
    adopts = [*reading.within("adopt", start, end)]
    verbs = [*adopts, *(tag for tag in reading.within("set", start, end) if _WITH.search(reading.text, tag.end, value.start))]
    if any(tag.end <= value.start and value.start - tag.end <= 40 for tag in verbs):
        return True
    if any(value.end <= tag.start <= value.end + 4 and tag.name == "ja" for tag in verbs):
        return True
    return any(value.end <= tag.start <= value.end + 2 for tag in reading.within("only", start, end)) or any(
        tag.end <= value.start <= tag.end + 2 for tag in reading.within("only", start, end)
    ) or (_settled(reading) and (any(reading.within("copula", start, end)) or start <= value.start <= start + 2))


# ---------------------------------------------------------------- which one of several


def _qualifiers(reading: Reading, value: Value, cue: Tag, row: Row) -> tuple[str, ...]:
    if row.qualifier:
        return (row.qualifier, *_environments(reading, value, row.name))
    if row.near:
        tech = reading.text[cue.start : cue.end].casefold()
        return (tech, *_environments(reading, value, row.name))
    if not row.noun:
        return _environments(reading, value, row.name)
    start, end = reading.clause(value.start)
    start = reading.first if reading.labelled else min(start, reading.clause(cue.start)[0])
    if _weak(reading, cue) or cue.start >= value.end or any(cue.start <= t.start < cue.end for t in reading.of("copula")) or row.name in {"name", "owner", "path", "url", "day"}:
        words = _topic(reading, start, cue, value)
        if words:
            return words
    named = [tag.name for tag in reading.of("qual") if start <= tag.start and tag.end <= end
             and not (value.start <= tag.start < value.end)]
    named = [name for name in named if name not in row.name.split("_")]
    if named:
        return tuple(sorted(dict.fromkeys(named[:2]), key=named.index))
    return _modifier(reading, cue, value)


def _environments(reading: Reading, value: Value, name: str) -> tuple[str, ...]:
    """`dev`, `test` and the like where they tell apart what a named tool is for."""
    start, end = reading.clause(value.start)
    found = [tag.name for tag in reading.within("qual", start, end) if tag.name in {"dev", "test", "staging", "prod", "ci", "frontend", "backend", "docs"}
             and tag.name not in name and not value.start <= tag.start < value.end]
    return tuple(dict.fromkeys(found))[:1]


def _topic(reading: Reading, start: int, cue: Tag, value: Value) -> tuple[str, ...]:
    """The last two content words before the verb, in canonical form: what lives, is called or is measured."""
    return tuple([*_content(reading, start, value.start, cue)][-2:])


def content_words(reading: Reading, start: int, end: int) -> tuple[str, ...]:
    """The words of start..end that carry meaning, in canonical form where there is one."""
    return tuple(_content(reading, start, end))


def _content(reading: Reading, start: int, end: int, cue: Tag | None = None) -> Iterator[str]:
    spans: list[tuple[int, int]] = [(cue.start, cue.end)] if cue and not _noun_cue(reading, cue) else []
    canonical = {tag.start: tag for tag in reading.of("qual")}
    for label in _FORM:
        spans += [(tag.start, tag.end) for tag in reading.within(label, start, end) if tag.start not in canonical]
    for match in _WORD.finditer(reading.text, start, end):
        if any(a <= match.start() < b for a, b in spans) or (cue and _inside_a_value(reading, match.start())) or match.group().casefold() in _PLAIN:
            continue
        tag = canonical.get(match.start())
        yield tag.name if tag and tag.end >= match.end() else match.group().casefold()


def _inside_a_value(reading: Reading, at: int) -> bool:
    return any(v.start <= at < v.end for v in reading.values if v.kinds - {"person", "capital"})


def _noun_cue(reading: Reading, cue: Tag) -> bool:
    return False if _weak(reading, cue) else reading.text[cue.start : cue.end].casefold() in {"command", "meeting", "meetings"}


def _modifier(reading: Reading, cue: Tag, value: Value) -> tuple[str, ...]:
    """The word beside the cue: `harvest` interval, intervalo `de colheita`, `収穫` 間隔."""
    if run := _CJK_RUN.search(reading.text, max(0, cue.start - 14), cue.start):
        return (run.group().rstrip("の"),)
    if (of := _OF.match(reading.text, cue.end)) and (word := _WORD.match(reading.text, of.end())) and word.end() <= max(value.start, cue.start):
        return (word.group().casefold(),) if word.group().casefold() not in _PLAIN else ()
    if (of := _OF.match(reading.text, cue.end)) and (word := _WORD.match(reading.text, of.end())) and value.start > word.start():
        return (word.group().casefold(),) if word.group().casefold() not in _PLAIN else ()
    before = [match for match in _WORD.finditer(reading.text, reading.clause(cue.start)[0], cue.start)]
    if before and cue.start - before[-1].end() == 1:
        word_before = before[-1]
        tagged = any(tag.start < word_before.end() and word_before.start() < tag.end for tag in reading.tags if tag.label not in {"qual", "attr", "tool"})
        if not tagged and word_before.group().casefold() not in _PLAIN:
            return (word_before.group().casefold(),)
    return ()


def in_order(pairs: Sequence[Stated]) -> list[Stated]:
    return sorted(pairs, key=lambda pair: pair.value.start)
