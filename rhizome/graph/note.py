"""A note as text: what it says of itself, its sections, and its links as they are written.

Parsing never fails. What cannot be read is kept as text and reported; what would take too long is read more simply.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rhizome.graph import frontmatter
from rhizome.graph.links import Edge, links
from rhizome.graph.markdown import plain
from rhizome.graph.sections import Section, sections
from rhizome.model import Finding


@dataclass(frozen=True, slots=True)
class Note:
    """One note, parsed. Lines count from 1 in the file; `body_line` is the first after the front matter."""

    path: str
    own_title: str | None
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    tier: str | None
    derived: str | None
    sections: tuple[Section, ...]
    links: tuple[Edge, ...]
    findings: tuple[Finding, ...]
    body_line: int

    @property
    def title(self) -> str:
        """Front matter's title, else the first level-one heading, else the file's name without its ending."""
        return self.own_title or stem(self.path)


def stem(path: str) -> str:
    """The title of a note that gives none."""
    name = path.rpartition("/")[2]
    return name[:-3] if name.lower().endswith(".md") else name


def parse(path: str, data: bytes) -> Note:
    """The note that `data` is, whatever the bytes. About 0.1 ms for a page without links, 0.5 ms with."""
    text, findings = _decoded(path, data)
    lines = text.split("\n")
    head = frontmatter.read(path, lines)
    parts = sections(lines, head.lines, plain)
    edges, more = links(path, lines, head.lines, parts)
    every = sorted((*findings, *head.findings, *more), key=lambda each: (each.line, each.col, each.code))
    return Note(
        path=path,
        own_title=head.title or _first_heading(parts),
        aliases=head.aliases,
        tags=head.tags,
        tier=head.tier,
        derived=head.derived,
        sections=parts,
        links=tuple(edges),
        findings=tuple(every),
        body_line=head.lines + 1,
    )


def _decoded(path: str, data: bytes) -> tuple[str, list[Finding]]:
    """The text without a byte order mark, line endings as `\\n`, what is no UTF-8 as U+FFFD and reported."""
    findings = []
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = data.decode("utf-8-sig", errors="replace")
        line = data[: error.start].count(b"\n") + 1
        findings.append(Finding(path, line, 1, "not-utf-8", "bytes that are no UTF-8 are read as U+FFFD"))
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd"), findings


def _first_heading(parts: Sequence[Section]) -> str | None:
    heads = (part.heading[-1] for part in parts if part.level == 1)
    return next(filter(None, heads), None)
