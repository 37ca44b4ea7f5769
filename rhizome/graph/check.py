"""What authors may want to mend: what their notes and links say wrongly, and what they link to in vain."""

from collections.abc import Callable, Collection, Iterable, Iterator

from rhizome.graph.anchors import Anchor, find
from rhizome.graph.edges import EdgeIndex
from rhizome.graph.links import Edge
from rhizome.graph.neighbourhood import LINKS
from rhizome.graph.resolve import Resolution, resolve
from rhizome.graph.targets import key
from rhizome.model import Finding, Tier


def check(
    index: EdgeIndex,
    clearance: Tier,
    paths: Collection[str] | None = None,
    anchors: Callable[[str], Iterable[Anchor]] | None = None,
) -> list[Finding]:
    """The findings about all notes the reader may see, or about those at `paths`, by path, line and column.

    `anchors` tells the anchors of a note; it is asked once for each note that a link with an anchor leads to.
    """
    rows = [(source, edge) for source, edge in index.edges(clearance, paths) if edge.kind in (*LINKS, "embed")]
    names = index.named({key(edge.path) for _, edge in rows}, clearance)
    said = (each for each in index.findings(clearance) if paths is None or each.path in paths)
    resolved = [(source, edge, resolve(source, edge.path, names)) for source, edge in rows]
    about = (each for row in resolved for each in _about(*row))
    astray = _astray(resolved, anchors) if anchors else ()
    return sorted((*said, *about, *astray), key=lambda each: (each.path, each.line, each.col, each.code))


def _astray(
    rows: Iterable[tuple[str, Edge, Resolution]], anchors: Callable[[str], Iterable[Anchor]]
) -> Iterator[Finding]:
    """Links that lead to a note, and to no place in it."""
    known: dict[str, tuple[Anchor, ...]] = {}
    for source, edge, found in rows:
        if not edge.anchor or found.path is None:
            continue
        if found.path not in known:
            known[found.path] = tuple(anchors(found.path))
        if find(edge.anchor, known[found.path]) is None:
            message = f"`{edge.raw}`: {found.path} has no heading or place called {edge.anchor}"
            yield Finding(source, edge.line, edge.col, "broken-anchor", message)


def _about(source: str, edge: Edge, found: Resolution) -> Iterator[Finding]:
    asked = f"`{edge.raw}`"
    if found.by == "ambiguous":
        message = f"{asked} may mean {' or '.join(found.candidates[:5])}; write the path"
        yield Finding(source, edge.line, edge.col, "ambiguous-link", message)
    elif found.by == "outside":
        yield Finding(source, edge.line, edge.col, "outside-link", f"{asked} leaves the notes and is never read")
    elif found.by == "broken" and edge.kind in LINKS:
        yield Finding(source, edge.line, edge.col, "broken-link", f"{asked} leads to no note")
    elif found.finding == "case-mismatch":
        yield Finding(source, edge.line, edge.col, "case-mismatch", f"{asked} is spelled {found.path}")
    elif found.finding == "alias-link":
        yield Finding(source, edge.line, edge.col, "alias-link", f"{asked} is another name of {found.path}")
