"""The links of a note as they are written: each with its place, its reason, and what it asks for."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rhizome.graph.lint import lint, unused_definitions
from rhizome.graph.markdown import Mark, Page, Paragraph, marks, page, plain
from rhizome.graph.reasons import reasons, within
from rhizome.graph.sections import Section
from rhizome.graph.simple import lines_of, paragraphs, simple_marks
from rhizome.graph.targets import Target, target
from rhizome.model import Finding

MAX_CHARS = 256 * 1024
"""A longer note is read line by line for its links: no person writes one, and a hostile one must not cost a minute."""

MAY_LINK = re.compile(r"\]\(|\[\[|<[A-Za-z]|^[ \t>*+-]{0,40}\[[^\]^\n][^\]\n]{0,300}\]:|<!--", re.MULTILINE)
MATH = re.compile(r"\$(?=\S)[^$\n]{1,300}(?<=\S)\$(?!\d)")


@dataclass(frozen=True, slots=True)
class Edge:
    """A link as it is written. `kind` is link, wiki, html, embed, file, anchor, external or template.

    `raw` is the destination in the file, `path` and `anchor` what it asks for (decoded once); `why` is plain text and
    `why_md` the same as written; `within` is the ordinal of the edge in whose reason this one stands.
    """

    ordinal: int
    kind: str
    raw: str
    path: str
    anchor: str
    label: str
    why: str | None
    why_md: str | None
    rel: str | None
    line: int
    col: int
    heading: str
    within: int | None = None


class Places:
    """Where the offsets into a paragraph's source stand in the file."""

    def __init__(self, paragraph: Paragraph, lines: Sequence[str]) -> None:
        self._line = paragraph.line
        self._starts = [0]
        self._columns = []
        for number, text in enumerate(paragraph.source.split("\n"), paragraph.line):
            inset = len(text) - len(text.lstrip())
            column = lines[number - 1].find(text.strip()) if number <= len(lines) else 0
            self._columns.append(max(column, 0) + 1 - inset)
            self._starts.append(self._starts[-1] + len(text) + 1)

    def at(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, both from 1."""
        index = bisect_right(self._starts, offset) - 1
        return self._line + index, max(1, self._columns[index] + offset - self._starts[index])


class Headings:
    """Which heading stands above a line."""

    def __init__(self, parts: Sequence[Section]) -> None:
        self._lines = [part.line for part in parts]
        self._parts = parts

    def at(self, line: int) -> str:
        """The nearest heading above `line` or in it; empty before the first."""
        index = bisect_right(self._lines, line) - 1
        return "".join(self._parts[index].heading[-1:]) if index >= 0 else ""


def links(path: str, lines: Sequence[str], first: int, parts: Sequence[Section]) -> tuple[list[Edge], list[Finding]]:
    """The edges of `lines[first:]` in order, and what their author may want to know about them."""
    body = "\n".join(lines[first:])
    if not MAY_LINK.search(body):
        return [], []
    findings: list[Finding] = []
    if len(body) > MAX_CHARS:
        findings.append(Finding(path, 1, 1, "note-too-large", "over 256 KB: its links are read line by line"))
        parsed = Page(list(paragraphs(lines, first)))
        read = [(paragraph, simple_marks(paragraph.source)) for paragraph in parsed.paragraphs]
    else:
        parsed = page("\n" * first + body)
        read = list(_read(path, parsed, findings))
    headings = Headings(parts)
    edges: list[Edge] = []
    for paragraph, found in read:
        if found:
            places = Places(paragraph, lines)
            kept = list(_kept(path, paragraph, found, places, findings))
            edges += _edges(path, paragraph, kept, len(edges), parsed.env, places, headings, findings)
    findings += unused_definitions(path, parsed, {mark.reference for _, found in read for mark in found})
    for paragraph in parsed.paragraphs:
        findings += lint(path, paragraph)
    return edges, findings


def _read(path: str, parsed: Page, findings: list[Finding]) -> Iterator[tuple[Paragraph, list[Mark]]]:
    for paragraph in parsed.paragraphs:
        found = marks(paragraph, parsed.env)
        if found is not None:
            yield paragraph, found
            continue
        message = "too many brackets in one paragraph: its links are read line by line"
        findings.append(Finding(path, paragraph.line, 1, "too-many-brackets", message))
        for line in lines_of(paragraph):
            yield line, simple_marks(line.source)


def _kept(
    path: str, paragraph: Paragraph, found: Sequence[Mark], places: Places, findings: list[Finding]
) -> Iterator[tuple[Mark, Target]]:
    """The marks that are links of a note, with their targets; what must never be opened is reported instead."""
    formulas = [match.span() for match in MATH.finditer(paragraph.source)] if "$" in paragraph.source else []
    for mark in found:
        if formulas and not any(sign in mark.target for sign in "./#") and _inside(mark, formulas):
            continue  # `$f[x](y)$` only looks like a link
        aim = target(mark.target, wiki=mark.kind in ("wiki", "embed"))
        if aim.kind in ("refused", "drive"):
            code = "refused-scheme" if aim.kind == "refused" else "windows-path"
            message = f"`{mark.target[:80]}` leads to no note and is never opened"
            findings.append(Finding(path, *places.at(mark.span.start), code, message))
        if aim.kind != "refused":
            yield mark, aim


def _inside(mark: Mark, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(start < mark.span.start and mark.span.end < end for start, end in ranges)


def _edges(
    path: str,
    paragraph: Paragraph,
    kept: Sequence[tuple[Mark, Target]],
    base: int,
    env: dict[str, Any],
    places: Places,
    headings: Headings,
    findings: list[Finding],
) -> Iterator[Edge]:
    outer = _outermost([mark for mark, _ in kept])
    spans = [kept[index][0].span for index in outer]
    found = reasons(paragraph.source, spans, paragraph.first_in_item)
    why_of = dict(zip(outer, found, strict=True))
    owner_of = {outer[at]: base + outer[owner] for at, owner in enumerate(within(spans, found)) if owner is not None}
    for index, (mark, aim) in enumerate(kept):
        line, col = places.at(mark.span.start)
        reason = why_of.get(index)
        why = paragraph.source[reason.start : reason.end] if reason else ""
        if reason and not why:
            findings.append(Finding(path, line, col, "empty-reason", "nothing follows the colon after the link"))
        yield Edge(
            ordinal=base + index,
            kind=_kind(mark, aim),
            raw=mark.target,
            path=aim.path,
            anchor=aim.anchor,
            label=mark.label,
            why=plain(why, env) or None,
            why_md=why or None,
            rel=mark.title or None,
            line=line,
            col=col,
            heading=headings.at(line),
            within=owner_of.get(index),
        )


def _kind(mark: Mark, aim: Target) -> str:
    if mark.kind in ("embed", "image"):
        return "embed"
    return mark.kind if aim.kind in ("note", "drive") else aim.kind


def _outermost(found: Sequence[Mark]) -> list[int]:
    """The marks that stand in no other one: an image in a link's label has no reason of its own."""
    outer: list[int] = []
    end = 0
    for index, mark in enumerate(found):
        if mark.span.start >= end:
            outer.append(index)
            end = mark.span.end
    return outer
