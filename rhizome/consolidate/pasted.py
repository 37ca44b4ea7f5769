"""Where a message shows somebody else's text: blocks in tags, mails, talks, and what a colon brings along.

Whoever asks `Summarize this article:` says nothing of what follows. Where such a text ends nobody marks, so it reaches
to the end of the message: what is taken for borrowed by mistake is proposed to the person, and not lost.
"""

import re
from collections.abc import Iterator

OWN_TAGS = frozenset({"task", "feedback", "user_query", "message", "answer", "result", "user_message"})
"""Tags in which harnesses put a person's own words."""

MOST_TAGS = 1_000
"""So many tags are looked at; a text with more of them is a document from there on."""

LINE_CHARS = 300
"""How much of a line may tell what follows it."""

_OPENING = re.compile(r"<([A-Za-z][\w-]{0,40})(?:\s[^<>]{0,200})?>")
_HEADER = re.compile(
    r"\s{0,3}\**(?:from|to|cc|subject|date|sent|reply-to|title|body|description|author|de|para|assunto|asunto|data|fecha"
    r"|enviad[ao](?: em| el)?|t[ií]tulo|corpo|cuerpo|descri(?:ção|pción)|差出人|宛先|件名|日時|題名|本文)\**\s?[:：]",
    re.IGNORECASE,
)
_FORWARDED = re.compile(r"\s{0,3}-{2,}[^-]*(?:message|mail|mensagem|mensaje|correo|メッセージ)[^-]*-{2}", re.IGNORECASE)
_SPEAKER = re.compile(
    r"\s{0,3}\**(?:human|user|assistant|system|ai|bot|agent|usuári[oa]|usuari[oa]|assistente|asistente|ユーザー?|アシスタント)"
    r"\**\s?[:：]", re.IGNORECASE,
)  # fmt: skip

_TEXT = (
    r"(?:article|text|page|site|website|e-?mail|mail|letter|issue|ticket|post|thread|comment|message|document|doc|readme"
    r"|transcript|chat|conversation|paragraph|announcement|newsletter|minutes|description|report|changelog|wiki|output"
    r"|log|paper|excerpt|paste|artigo|texto|página|mensagem|documento|conversa|parágrafo|comentário|anúncio|carta"
    r"|artículo|correo|mensaje|conversación|párrafo|comentario|anuncio)\b"
)
_THIS = r"(?:this|that|the following|his|her|their|an?|est[eao]|ess[eao]|[oa] seguinte|(?:el|la) siguiente)"
_WORK = (
    r"\b(?:read|review|check|explain|look at|answer|reply to|analy[sz]e|rewrite|shorten|fix|see|consider|critique|got"
    r"|received|found|what|who|is|leia|revis[ae]|veja|olhe?|explique|respond[ae]|anali[sz][ae]|corrij[ae]|corrige|recebi"
    r"|lee|mira|explica|recibí|qué|translate|summari[sz]e|proofread|traduz\w*|traduc\w*|resum[aei]\w*)\b"
)
_BRINGS = re.compile(
    rf"{_WORK}.{{0,40}}?\b{_THIS}\s(?:[\w-]+\s){{0,2}}{_TEXT}"
    r"|\b(?:translate|summari[sz]e|proofread|paraphrase|rephrase|traduz\w*|traduc\w*|resum[aei]\w*|parafrase\w*)"
    r"(?=\W*$|\s(?:this|it|that|the following|(?:in)?to|isto|isso|est[eao]|ess[eao]|o seguinte|lo siguiente|para|al)\b)"
    rf"|\b(?:here(?:'s|’s| is| are)|aqui est(?:á|ão)|aquí est(?:á|án))\s(?:\S+\s){{1,3}}?{_TEXT}"
    r"|(?<!\bi)(?<!\bwe)(?<!\beu)(?<!\byo)\s(?:says?|said|wrote|writes|posted|replied|answered"
    r"|(?:told|sent|wrote)\s(?:me|us)|diz|disse|escreveu|respondeu|dice|dijo|escribió|respondió)\W*$"
    r"|(?:次の|この|以下の)(?:文章|文|記事|メール|ページ|メッセージ|文書|会話|コメント)を|(?:要約|翻訳|校正)して|訳して|と(?:言って|書いて)",
    re.IGNORECASE,
)  # fmt: skip
_NUMBERED = re.compile(r"\b(?:issue|ticket|pr|pull request|bug|tarefa|tarea)\s?#?\d+\W*$", re.IGNORECASE)


def pasted(text: str) -> Iterator[tuple[int, int]]:
    """The [start, end) of what `text` only shows, in order and apart."""
    blocks = list(tagged(text))
    rest = _rest(text, blocks)
    yield from ((start, min(end, rest)) for start, end in blocks if start < rest)
    if rest < len(text):
        yield rest, len(text)


def tagged(text: str) -> Iterator[tuple[int, int]]:
    """The [start, end) of each `<tag> … </tag>`, but for tags that hold the person's own words."""
    at, unclosed = 0, set(OWN_TAGS)
    for _ in range(MOST_TAGS if "</" in text else 0):
        opening = _OPENING.search(text, at)
        if opening is None:
            return
        at, name = opening.end(), opening[1]
        close = text.find(f"</{name}>", at) if name.lower() not in unclosed else -1
        if close < 0:
            unclosed.add(name.lower())
        else:
            at = close + len(name) + 3
            yield opening.start(), at
    if at and _OPENING.search(text, at):
        yield at, len(text)


def _rest(text: str, blocks: list[tuple[int, int]]) -> int:
    """Where the person stops to speak: at a mail, a talk, or behind the colon of a line that brings a text along."""
    at, header = 0, False
    for line in text.split("\n"):
        before, line_at = header, at
        at += len(line) + 1
        if any(start <= line_at < end for start, end in blocks):
            continue
        header = bool(_HEADER.match(line, 0, LINE_CHARS))
        if (header and before) or _FORWARDED.match(line, 0, LINE_CHARS) or _SPEAKER.match(line, 0, LINE_CHARS):
            return line_at
        for colon in re.finditer(r"[:：](?=\s|$|(?<=：))", line[:LINE_CHARS]):
            head, last = line[: colon.start()], not line[colon.end() :].strip(" *_")
            if _BRINGS.search(head) or (last and _NUMBERED.search(head)):
                return line_at + colon.end()
    return len(text)
