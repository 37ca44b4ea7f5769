"""What a speaker says in a message: the text with everything that is not their own statement blanked out.

Blanked are fenced blocks, quoted lines, pasted blocks in tags, lines that look like code or a log, and quotations of
more than two words. A blank is as long as what it hides, so that offsets stay those of the message.
"""

import re
from collections.abc import Iterator

import msgspec

from rhizome.consolidate.pasted import tagged
from rhizome.consolidate.quotes import quotations

READ_CHARS = 8_000
"""How much of one message is read. People state things briefly; what is longer is mostly pasted."""

SENTENCE_CHARS = 600
"""A longer sentence is a paste or a list without punctuation: nothing in it can be attributed safely."""

_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})")
_QUOTED_LINE = re.compile(r"^[ \t]{0,3}[>＞|│]")
_CODE_LINE = re.compile(
    r"^(?: {4,}|\t)(?![-*•\d])|^\s{0,3}(?:\$ |# |>>> |\{|\}|\[[^\]]*\]\s*$|<[^>]{1,200}>$|@@|diff --git |\+{3} |-{3} |"
    r"[+-](?=\S)(?![-+]?\d)|at \S+\(|Traceback |File \"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|"
    r"\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|CRITICAL)\b|npm (?:ERR|WARN)|error(?:\[\w+\])?:|warning:|FAILED |"
    r"[#/*\s]{0,6}(?:TODO|FIXME|XXX|HACK)\b|[A-Za-z_][\w.-]{0,60}\s?=\s?[^\s=]{1,80}\s*$|"
    r"(?:import|export|const|let|var|def|class|fn|func|return|public|private) \S+.{0,200}[;{:(=])"
)
_CODE = re.compile(r"`[^`\n]{1,200}`")
_END = re.compile(  # one set of openings, so that the letters between are skipped at once
    r"[.!?…。！？\n–—•](?:(?<=[.!?…])[.!?…]*(?=[\s)\]\"”»*_]|$)|(?<=[。！？])[。！？]*|(?<=\n)\n*|(?<=\s[–—•])(?=\s))"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|eg|ie|ex|p\.ej|p\.ex|etc|vs|approx|aprox|sr|sra|dr|mr|mrs|ms|nr|art|fig|cf|incl))\.$",
    re.IGNORECASE,
)


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """One sentence as it stands in the message at `start`; `quiet` is the same with pasted commands blanked."""

    text: str
    quiet: str
    start: int
    question: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def own_words(text: str) -> str:
    """The first `READ_CHARS` of `text` with everything blanked that is not the speaker's own statement."""
    text = text[:READ_CHARS]
    kept = "\n".join(_own_lines(_without_pasted_blocks(text).split("\n")))
    for start, end in quotations(kept):
        kept = kept[:start] + " " * (end - start) + kept[end:]
    return kept


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of `text`, which `own_words` gave. Offsets are those of the message."""
    quiet = _CODE.sub(_quieted, text) if "`" in text else text
    start = 0
    for end, stop in _ends(quiet):
        body = text[start:end]
        stripped = body.strip(" \t\r\n•*_–—")
        if stripped and len(stripped) <= SENTENCE_CHARS:
            at = start + body.index(stripped)
            yield Sentence(stripped, quiet[at : at + len(stripped)], at, "?" in stop or "？" in stop)
        start = end


def _ends(quiet: str) -> Iterator[tuple[int, str]]:
    for match in _END.finditer(quiet):
        if match.group() == "." and _ABBREVIATION.search(quiet, max(0, match.start() - 8), match.end()):
            continue
        yield match.end(), match.group()
    yield len(quiet), ""


def _own_lines(lines: list[str]) -> Iterator[str]:
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            yield " " * len(line)
        elif mark:
            fence = mark.group(1)
            yield " " * len(line)
        elif _QUOTED_LINE.match(line) or _CODE_LINE.match(line):
            yield " " * len(line)
        else:
            yield line


def _without_pasted_blocks(text: str) -> str:
    """Blanks `<tag> … </tag>` for every tag that is not known to hold the person's own words."""
    for start, end in tagged(text):
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


def _quieted(code: re.Match[str]) -> str:
    """An inline command says nothing itself; one word in backticks stays readable for the tables of tools."""
    inner = code.group()[1:-1]
    return f"`{inner}`" if re.fullmatch(r"[\w.+#@-]+", inner) else f"`{'x' * len(inner)}`"
