"""The spans of a sentence that can be a value, each with the kinds it could be.

Every pattern is bounded; digits and Latin letters are ASCII here so that `8087に` and `10分` end where they should.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

from rhizome.consolidate.rules.lexicon import Tag

_NUMBER = r"\d+(?:[.,]\d+)?"
_FEW = (
    "one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|um|uma|dois|duas|três|tres|quatro|cinco|"
    "seis|sete|oito|nove|dez|doze|quinze|vinte|trinta|un|una|dos|cuatro|siete|ocho|nueve|diez|doce|veinte|treinta"
)
_SPAN_OF_TIME = (
    r"milliseconds?|milissegundos?|milisegundos?|msec|ms|seconds?|segundos?|secs?|minutes?|minutos?|mins?|hours?|horas?|hrs?|"
    r"days?|dias?|días?|weeks?|semanas?|months?|mês|meses|mes|years?|anos?|años?|s|m|h|d"
)
_CLOCK = r"\d{1,2}:\d\d(?:\s?(?:UTC|GMT|JST|CET|CEST|BRT|am|pm|h)\b)?"
_HALF = r"(?:\s(?:mornings?|afternoons?|evenings?|nights?|de manhã|à tarde|à noite|por la mañana|por la tarde))?"
_EN_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
_PT_DAY = r"(?:segundas?|terças?|quartas?|quintas?|sextas?)(?:-feiras?)|(?:terças|quintas|sextas|segundas|quartas)|sábados?|domingos?"
_ES_DAY = r"lunes|martes|miércoles|jueves|viernes|sábados?|domingos?"
_ORDINAL = r"first|second|third|fourth|last|primeir[oa]|segund[oa]|últim[oa]|primer|segundo|último"
_REGION = (
    r"(?:us|eu|sa|ap|ca|me|af|il)-(?:gov-)?(?:north|south|east|west|central|northeast|southeast|northwest|southwest)-\d|"
    r"(?:europe|us|asia|southamerica|northamerica|australia|me)-(?:west|east|north|south|central|northeast|southeast)\d"
)
_EXTENSION = (
    "py|pyi|ts|tsx|js|jsx|mjs|cjs|rs|go|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|ex|exs|erl|scala|sh|bash|zsh|fish|sql|toml|yaml|yml|json|"
    "jsonl|jsonc|json5|ini|cfg|conf|env|lock|md|mdx|rst|txt|csv|tsv|xml|html|css|scss|vue|svelte|astro|proto|graphql|tf|hcl|nix|"
    "service|timer|socket|db|sqlite|sqlite3|log|ipynb|parquet|jsonnet|libsonnet|mod|sum|gradle|kts|cmake|mk|dart|lua|zig|nim|r|jl|pem|key"
)
_PATTERNS: tuple[tuple[str, str], ...] = (
    ("code", r"`[^`\n]{1,200}`"),
    ("url", r"\b(?:https?|wss?|postgres|redis|ssh|s3|git)://[^\s<>\"'`)\],、。]{1,300}(?<![.:;])"),
    ("env", r"\b[A-Z][A-Z0-9_]{1,60}=[^\s,;`\"')、。]{1,80}(?<![.])"),
    (
        "dateformat",
        r"\b(?:DD|MM|YYYY|YY|dd|mm|yyyy)(?:[-/.](?:DD|MM|YYYY|YY|dd|mm|yyyy)){1,2}\b|\bISO[- ]?8601\b|\bRFC[- ]?3339\b",
    ),
    ("date", r"\b\d{4}-\d\d-\d\d\b|(?:\d{4}年)?\d{1,2}月\d{1,2}日"),
    (
        "timezone",
        r"\b(?:Europe|America|Asia|Africa|Australia|Pacific|Atlantic)/[A-Z]\w{1,30}(?:/\w{1,30})?"
        r"|\b(?:UTC|GMT|JST|CET|CEST|BRT|EST|PST)(?:[+-]\d{1,2})?\b",
    ),
    (
        "path",
        r"(?<![\w/.:@-])(?:~|\.{1,2})?/?[\w.@{}*+<>-]{1,60}(?:/[\w.@{}*+<>-]{1,60}){1,12}/?(?<![.,])"
        r"|(?<![\w/.:])(?:~/|/)[\w.-]{1,60}(?<![.,])/?",
    ),
    (
        "host",
        r"\b(?:[a-z0-9][a-z0-9-]{0,60}\.){1,6}(?:org|com|net|io|dev|app|example|local|internal|test|lan|cloud|ai|co|br|jp|eu|uk|de|pt)"
        r"(?::\d{2,5})?\b",
    ),
    (
        "filename",
        rf"(?<![\w/])\.?[A-Za-z0-9_][\w-]{{0,60}}(?:\.[\w-]{{1,40}}){{0,3}}\.(?:{_EXTENSION})\b|(?<![\w/])\.env(?:\.\w+)?\b",
    ),
    (
        "license",
        r"\bMIT\b|\bApache(?:[- ]License)?[- ]2(?:\.0)?\b|\b[AL]?GPL(?:v|-| )?[23](?:\.\d)?(?:-only|-or-later|\+)?|\bBSD[- ][023]-Clause\b"
        r"|\bMPL[- ]2\.0\b|\bISC\b|\b0BSD\b|\bEUPL(?:[- ]1\.2)?\b|\bCC[- ]BY(?:-SA|-NC)*(?:[- ]4\.0)?\b|\bCC0\b|\bUnlicense\b",
    ),
    ("region", rf"\b(?:{_REGION})\b"),
    (
        "model",
        r"\b(?:gpt|claude|gemini|llama|qwen|mistral|mixtral|deepseek|gemma|phi|whisper|kimi|glm|grok)[-\w.:]{0,40}\d[\w.:-]{0,20}(?<![.:])",
    ),
    (
        "money",
        r"(?:R\$|US\$|[€$£¥])\s?\d[\d.,]{0,12}(?<![.,])(?:k|M|\smil)?"
        r"|\b\d[\d.,]{0,12}\s?(?:euros?|reais|dollars?|dólares|pesos|cents|centavos|EUR|USD|BRL|GBP|JPY|円|ドル|ユーロ|万円)",
    ),
    (
        "day",
        rf"\b(?:(?:{_ORDINAL})\s)?(?:{_EN_DAY})\b{_HALF}(?:\sat\s{_CLOCK})?(?:\sof\s(?:the|each|every)\smonth)?"
        rf"|\b(?:(?:{_ORDINAL})\s)?(?:{_PT_DAY}|{_ES_DAY})\b{_HALF}(?:\s(?:às|a las)\s(?:{_CLOCK}|\d{{1,2}}h?))?(?:\s(?:do|de cada|del)\smês|\sdel?\s(?:cada\s)?mes)?"
        r"|[月火水木金土日]曜日?",
    ),
    ("time", rf"\b{_CLOCK}|\b\d{{1,2}}\s?(?:am|pm)\b|(?:午前|午後)?\d{{1,2}}時(?:\d{{1,2}}分|半)?(?!間)"),
    ("dimension", rf"\b{_NUMBER}\s?[x×]\s?{_NUMBER}(?:\s?(?:mm|cm|px|m|in)\b)?"),
    (
        "rate",
        rf"\b{_NUMBER}k?\s?(?:[A-Za-zçõãéíóñ]{{1,14}}\s?)?(?:/|\bper\s|\bpor\s|\ba\s)(?:{_SPAN_OF_TIME})\b"
        rf"|\b{_NUMBER}\s?(?:fps|kHz|MHz|Hz|baud|rps|qps|bps|kbps|Mbps)\b|(?:毎[秒分時日]|1[秒分時]間?に)\d+[回件]",
    ),
    ("size", rf"\b{_NUMBER}\s?(?:[KMGT]i?B|kB|bytes|megabytes|gigabytes|megas)\b"),
    ("percent", rf"\b{_NUMBER}\s?(?:%|％|percent\b|por cento\b|por ciento\b|パーセント)"),
    ("degrees", rf"\b{_NUMBER}\s?(?:°\s?[CF]\b|°|degrees\b|graus\b|grados\b|度)"),
    (
        "indent",
        r"\b(?:\d|two|four|eight|dois|quatro|dos|cuatro)[\s-](?:spaces?|espaços|espacios)\b|\btabs\b|\btabulações\b|\btabuladores\b"
        r"|スペース\d|\d\s?スペース|タブ",
    ),
    (
        "duration",
        rf"\b(?:{_NUMBER}\s?|(?:{_FEW})\s)(?:{_SPAN_OF_TIME})\b|\b{_NUMBER}\s?(?:ミリ秒|秒間?|分間?|時間|日間?|週間|[かヶカケ]月|年)",
    ),
    (
        "length",
        rf"\b{_NUMBER}\s?(?:mm|cm|km|px|pt|metres|meters|inches|characters|chars|cols|columns|caracteres|colunas|columnas)\b"
        rf"|\b{_NUMBER}\s?(?:文字|桁|ミリ|センチ)",
    ),
    (
        "quantity",
        rf"\b(?:{_NUMBER}k?|(?:{_FEW}))\s(?:lines?|words?|approvals|aprovações|aprobaciones|revisores|líneas|palabras|palavras|requests?|items?|rows?|records?|files?|messages?|entries|workers?|attempts?|tries|times|retries|connections?|threads?|"
        r"replicas?|instances?|users?|jobs?|events?|commits?|reviewers?|approvals?|tentativas?|vezes|itens|linhas|arquivos|usuários|réplicas|"
        r"requisições|conexões|instâncias|mensagens|intentos?|veces|reintentos|elementos|filas|entradas|archivos|usuarios|réplicas|conexiones|mensajes)\b"
        rf"|\b{_NUMBER}\s?[回件個台名人行]",
    ),
    (
        "version",
        r"\bv?\d{1,4}(?:\.\d{1,5}){1,3}(?:[-.]?(?:rc|beta|alpha|lts|LTS|dev|post)\.?\d*)?(?:\.x)?\+?(?![\w])|\bv\d{1,3}\b|\b\d{1,3}\.x\b",
    ),
    ("color", r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b"),
    ("int", r"\b\d{1,3}(?:,\d{3})+\b|\b\d{1,9}(?![\w])|\b\d{1,9}(?=[^\x00-\x7f])"),
    ("ident", r"\bv?YYYY[\w.-]{0,20}(?<![.-])|\b[A-Za-z][A-Za-z0-9]{0,40}(?:_[A-Za-z0-9]{0,40}){1,6}"),
    ("quoted", r"\"[^\"\n]{1,40}\"|“[^”\n]{1,40}”|«[^»\n]{1,40}»|「[^」\n]{1,40}」|(?<!\w)'[^'\n]{1,40}'(?!\w)"),
    ("unit_system", r"\b(?:metric|imperial)(?:\sunits)?\b|\bmétric[oa]s?\b|\bimperia(?:l|is|les)\b|メートル法"),
    (
        "unit",
        r"\b(?:centimet(?:re|er)s?|millimet(?:re|er)s?|met(?:re|er)s|kilomet(?:re|er)s|inches|feet|seconds|milliseconds|microseconds|minutes|hours|"
        r"cents|bytes|kelvin|celsius|fahrenheit|degrees|grams|kilograms|pounds|litres|liters|knots|pixels|mm|cm|kg|hPa|"
        r"centímetros|milímetros|metros|quilômetros|kilómetros|segundos|milissegundos|milisegundos|centavos|graus|grados|gramas|gramos|litros)\b|センチメートル|ミリメートル|メートル|ミリ秒|センチ|ミリ|摂氏|華氏",
    ),
    ("currency", r"\b(?:EUR|USD|BRL|GBP|JPY|CHF|euros|reais|dollars|dólares|pesos|yen)\b|日本円|ユーロ|ドル"),
    (
        "natural_language",
        r"\b(?:English|Portuguese|Spanish|Japanese|French|German|Italian|Chinese|Korean|Dutch|Polish|Swedish|British English|American English|"
        r"português|inglês|espanhol|japonês|francês|alemão|inglés|español|portugués|japonés|francés|alemán|castellano)(?!\w)"
        r"|日本語|英語|ポルトガル語|スペイン語|フランス語|ドイツ語|中国語|韓国語",
    ),
    (
        "branchname",
        r"\b(?:main|master|develop|trunk|stable|next|release|dev|staging|production)\b(?:/[\w.-]{1,40})?",
    ),
    (
        "person",
        r"@[A-Za-z][\w-]{1,38}\b|\b[A-Z][a-zà-ÿ]{1,20}\b|(?:[A-Za-z]{2,20}|[\u30a0-\u30ff\u4e00-\u9fff]{1,6})さん",
    ),
)
_ANY = "|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS)
_VALUE = re.compile(rf"(?<![A-Za-z0-9])(?=\S)(?:{_ANY})", re.ASCII)
_NOT_A_PATH = frozenset(
    {
        "and/or",
        "e/ou",
        "y/o",
        "i/o",
        "tcp/ip",
        "ci/cd",
        "24/7",
        "n/a",
        "client/server",
        "read/write",
        "input/output",
    }
)
_ALSO = {
    "url": {"url", "host"},
    "host": {"host"},
    "filename": {"filename", "name"},
    "version": {"version", "decimal"},
    "ident": {"ident", "name"},
    "quoted": {"quoted", "name"},
    "path": {"path"},
    "unit_system": {"unit", "unit_system"},
    "person": {"person", "capital"},
}
_TO_A_BRANCH = re.compile(
    r"(?:\b(?:from|against|into|off|branch|ramo|rama|desde|contra|do|da|de)\s(?:the\s|la\s|o\s|branch\s|rama\s|ramo\s)?|から\s?)$",
    re.IGNORECASE,
)
_TO_MAIN = re.compile(r"\b(?:to|on|para|a|em|en|na|no|target|directly)\s(?:the\s|la\s|o\s|a\s)?$", re.IGNORECASE)
_A_BRANCH = re.compile(r"\s?(?:branch|ブランチ|から)", re.IGNORECASE)

PERSON = frozenset({"person", "capital"})
"""Kinds of a word that is merely capitalised; every sentence begins with one."""


class Value(msgspec.Struct, frozen=True):
    """A span that could be a value: what stands at start..end (without backticks or quotes) and the kinds it may be."""

    start: int
    end: int
    text: str
    kinds: frozenset[str]


def values(text: str, tags: Iterable[Tag] = ()) -> list[Value]:
    """The values of `text` in order. `tags` labelled `tool` are values of the kind they name."""
    found = list(_spelled(text))
    for tag in tags:
        if tag.label == "tool":
            _take(found, Value(tag.start, tag.end, text[tag.start : tag.end], frozenset({tag.name, "tool"})))
    return sorted(found, key=lambda value: value.start)


def _spelled(text: str) -> Iterator[Value]:
    for match in _VALUE.finditer(text):
        group, start, end = match.lastgroup or "", match.start(), match.end()
        if group in {"code", "quoted"}:
            start, end = start + 1, end - 1
        kinds = _kinds(group, text, start, end)
        if kinds:
            if group == "env" and text.startswith("TZ=", start):
                start += 3
            yield Value(start, end, text[start:end], frozenset(kinds))


def _kinds(group: str, text: str, start: int, end: int) -> set[str]:
    word = text[start:end]
    if group == "code":
        inner = _VALUE.fullmatch(word)
        within = _kinds(inner.lastgroup or "", word, 0, len(word)) if inner and inner.lastgroup != "code" else set()
        return {"code", "name", *within} | ({"branch"} if re.fullmatch(r"[\w./-]{2,40}", word) else set())
    if group == "int":
        number = int(word.replace(",", ""))
        kinds = {"int", "decimal"}
        kinds |= {"port"} if 79 < number < 65_536 and "," not in word else set()
        kinds |= {"port4"} if 1_023 < number < 65_536 and "," not in word else set()
        return kinds | ({"major"} if number < 100 else set())
    if group == "env":
        return {"timezone", "env"} if word.startswith("TZ=") else {"env"}
    if group == "path":
        return set() if word.casefold() in _NOT_A_PATH or word.strip("/") == "" else {"path"}
    if group == "branchname":
        return {"branch"} if _is_branch(word, text, start, end) else set()
    return _ALSO.get(group, {group})


def _is_branch(word: str, text: str, start: int, end: int) -> bool:
    """`main` is one after to, on or from; `release` or `stable` only after from and the like; `staging` only as such."""
    before = text[max(0, start - 20) : start]
    if "/" in word or _A_BRANCH.match(text, end) or re.search(r"(?:branch|rama|ramo|ブランチ\S?)\s?$", before):
        return True
    if word in {"staging", "production"}:
        return False
    return bool(_TO_A_BRANCH.search(before)) or (
        word in {"main", "master", "develop", "trunk"} and bool(_TO_MAIN.search(before))
    )


def _take(found: list[Value], value: Value) -> None:
    """A named tool joins what was found in its place; of two that overlap the longer one stays."""
    for at, other in enumerate(found):
        if other.start < value.end and value.start < other.end:
            if other.start == value.start and other.end == value.end:
                found[at] = Value(other.start, other.end, other.text, other.kinds | value.kinds)
            elif value.end - value.start > other.end - other.start:
                found[at] = value
            return
    found.append(value)
