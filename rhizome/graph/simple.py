"""Links read by their shape alone, line by line: for what is too large or too odd to be parsed."""

import re
from collections.abc import Iterator, Sequence

from rhizome.graph.markdown import Mark, Paragraph
from rhizome.graph.reasons import Span
from rhizome.graph.sections import MARKER, Scan

SHAPE = re.compile(
    r"(?P<image>!?)\[(?P<label>[^\[\]\n]{0,300})\]"
    r"\([ \t]*(?:<(?P<angle>[^<>\n]{0,1000})>|(?P<bare>[^\s()<>]{0,1000}))"
    r"(?:[ \t]+\"(?P<title>[^\"\n]{0,300})\")?[ \t]*\)"
    r"|(?P<embed>!?)\[\[(?P<wiki>[^\[\]\n]{1,1000})\]\]"
)
CODE = re.compile(r"(`{1,10})[^`\n]{0,1000}\1")
MAX_LINE = 64 * 1024
"""As much of one line is read; what a person writes in a line is a hundredth of it."""


def paragraphs(lines: Sequence[str], first: int) -> Iterator[Paragraph]:
    """The lines from `first` on that may hold links and stand in no code or comment, each as a paragraph."""
    scan = Scan()
    for index in range(first, len(lines)):
        scan.heading(lines[index], index, lines)
        if scan.prose and ("](" in lines[index] or "[[" in lines[index]):
            yield from lines_of(Paragraph(lines[index], index + 1))


def lines_of(paragraph: Paragraph) -> Iterator[Paragraph]:
    """A paragraph's lines, each by itself; list markers are no part of them."""
    for offset, line in enumerate(paragraph.source.split("\n")):
        text = line.lstrip()[:MAX_LINE]
        marker = MARKER.match(text)
        opens = marker is not None or (paragraph.first_in_item and not offset)
        yield Paragraph(text[marker.end() :] if marker else text, paragraph.line + offset, first_in_item=opens)


def simple_marks(line: str) -> list[Mark]:
    """The links of one line: inline links and wikilinks, in order."""
    found = []
    for match in SHAPE.finditer(without_code(line)):
        place = match.span()
        if name := match["wiki"]:
            target, _, label = name.replace("\\|", "|").partition("|")
            kind = "embed" if match["embed"] else "wiki"
            found.append(Mark(kind, Span(*place, link=kind == "wiki"), target.strip(), (label or target).strip()))
        else:
            kind = "image" if match["image"] else "link"
            label = " ".join(match["label"].split())
            target = match["angle"] or match["bare"] or ""
            found.append(Mark(kind, Span(*place, link=kind == "link"), target, label, match["title"] or ""))
    return found


def without_code(text: str) -> str:
    """The text with its code spans made unreadable, every place kept."""
    return CODE.sub(lambda match: "\ufffd" * len(match[0]), text)
