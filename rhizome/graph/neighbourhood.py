"""What stands around a note: its links and backlinks with their reasons, and the ways from one note to another.

Only the edges and names that an answer needs are fetched, and only what the reader may see: to a green reader a
private note is neither a source, nor a target, nor a reason for a name to be ambiguous.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from typing import TYPE_CHECKING

from rhizome.errors import NotFound, OutsidePath, Refused
from rhizome.graph.edges import EdgeIndex
from rhizome.graph.links import Edge
from rhizome.graph.resolve import Names, resolve
from rhizome.graph.targets import key, keys
from rhizome.model import Link, Tier

if TYPE_CHECKING:
    from networkx import MultiDiGraph

LINKS = ("link", "wiki", "html")
"""Kinds of edges that lead from note to note; embeds and bare anchors are no links."""

AWAY = ("external", "file")
MAX_NOTES = 500
"""As many notes one neighbourhood holds; a hub would otherwise answer with the whole vault."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """One note's links and backlinks in order of position; what leads out of the notes is listed apart."""

    note: str
    links: tuple[Link, ...]
    backlinks: tuple[Link, ...]
    external: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Around:
    """Every note within some hops with its distance, and the links among those on the way; cut off when `truncated`."""

    note: str
    distances: dict[str, int]
    links: tuple[Link, ...]
    truncated: bool = False

    def graph(self) -> "MultiDiGraph[str]":
        """The same as a networkx graph: one edge for each link, with the link as its attribute."""
        return _graph(self.distances, self.links)


class Graph:
    """The notes and links that a reader of one clearance sees."""

    def __init__(self, index: EdgeIndex, clearance: Tier) -> None:
        self._index = index
        self._clearance = clearance

    def find(self, name: str) -> str:
        """The path of the note that a person calls `name`: a path, `path:line`, unique end of a path, title or alias.

        Raises NotFound with near names, Refused with the candidates of an ambiguous one, OutsidePath.
        """
        head, _, line = name.rpartition(":")
        for text in (name, head) if head and line.isdigit() else (name,):
            found = resolve("", text, self._index.named({key(text)}, self._clearance))
            if found.path is not None:
                return found.path
            if found.by == "ambiguous":
                several = ", ".join(found.candidates[:10])
                raise Refused(f"{name}: {len(found.candidates)} notes have this name", hint=f"Say which: {several}")
            if found.by == "outside":
                raise OutsidePath(f"{name}: leaves the notes", hint="Name a note by its path from the notes root.")
        near = self._near(name)
        hint = f"Did you mean {', '.join(near)}?" if near else "`rhizome list` shows every note."
        raise NotFound(f"{name}: no such note", hint=hint)

    def neighbours(self, path: str) -> Neighbours:
        """Links, backlinks and external links of the note at `path`."""
        return Neighbours(path, self.links(path), self.backlinks(path), self.external(path))

    def links(self, path: str) -> tuple[Link, ...]:
        """The note's links in order of position, broken and ambiguous ones included."""
        return tuple(self._resolved(self._index.edges(self._clearance, [path])))

    def external(self, path: str) -> tuple[Link, ...]:
        """What the note links to that is no note: web addresses and other files."""
        rows = self._index.edges(self._clearance, [path])
        return tuple(_link(source, edge, edge.path, "external") for source, edge in rows if edge.kind in AWAY)

    def backlinks(self, path: str) -> tuple[Link, ...]:
        """The links of other notes to the one at `path`, by their path and position."""
        return tuple(self._into([path]))

    def everything(self) -> list[Link]:
        """All links between notes. Costs about 20 us a link."""
        return self._resolved(self._index.edges(self._clearance))

    def broken(self) -> list[Link]:
        """Links to notes that are not there."""
        return [link for link in self.everything() if link.resolved_by == "broken"]

    def ambiguous(self) -> list[Link]:
        """Links that may mean more than one note."""
        return [link for link in self.everything() if link.resolved_by == "ambiguous"]

    def orphans(self) -> list[str]:
        """Notes that no other note links to or embeds."""
        rows = self._index.edges(self._clearance)
        linked = {link.target for link in self._resolved(rows, (*LINKS, "embed")) if link.resolved_by != "self"}
        return [each.path for each in self._index.notes(self._clearance) if each.path not in linked]

    def around(self, path: str, hops: int = 1, direction: str = "both", limit: int = MAX_NOTES) -> Around:
        """The neighbourhood of a note along links (`out`), against them (`in`) or `both`, the nearest notes first."""
        distances = {path: 0}
        links: dict[Link, None] = {}
        edge = [path]
        truncated = False
        for distance in range(1, hops + 1):
            step = self._step(edge, direction)
            fresh = sorted({end for link in step for end in (link.source, link.target)} - distances.keys())
            truncated |= len(distances) + len(fresh) > limit
            edge = fresh[: limit - len(distances)]
            distances |= dict.fromkeys(edge, distance)
            links |= {link: None for link in step if link.source in distances and link.target in distances}
            if not edge:
                break
        ordered = sorted(links, key=lambda link: (link.source, link.line, link.target))
        return Around(path, distances, tuple(ordered), truncated)

    def way(self, start: str, end: str, hops: int = 6, limit: int = 10 * MAX_NOTES) -> tuple[Link, ...] | None:
        """The links along a shortest way between two notes, whichever way they point; None when none is found."""
        if start == end:
            return ()
        from networkx import NetworkXNoPath, shortest_path

        seen = {start, end}
        links: dict[Link, None] = {}
        edges = [[start], [end]]
        for hop in range(hops):
            step = self._step(edges[hop % 2], "both")
            links |= dict.fromkeys(step)
            edges[hop % 2] = sorted({each for link in step for each in (link.source, link.target)} - seen)
            seen |= set(edges[hop % 2])
            graph = _graph(seen, links)
            try:
                notes = shortest_path(graph.to_undirected(as_view=True), start, end)
            except NetworkXNoPath:
                if not edges[hop % 2] or len(seen) > limit:
                    return None
                continue
            return tuple(self._between(graph, a, b) for a, b in pairwise(notes))
        return None

    @staticmethod
    def _between(graph: "MultiDiGraph[str]", a: str, b: str) -> Link:
        """The first link from `a` to `b`, else from `b` to `a`."""
        between = graph.get_edge_data(a, b) or graph.get_edge_data(b, a)
        first: Link = min((each["link"] for each in between.values()), key=lambda link: link.line)
        return first

    def _step(self, paths: Collection[str], direction: str) -> list[Link]:
        """The links between notes that lead out of, or into, one of `paths`."""
        out: list[Link] = []
        if direction in ("out", "both"):
            out = [each for each in self._resolved(self._index.edges(self._clearance, paths)) if _leads(each)]
        return out + (self._into(paths) if direction in ("in", "both") else [])

    def _into(self, paths: Collection[str]) -> list[Link]:
        entries = [entry for path in paths if (entry := self._index.entry(path, self._clearance))]
        wanted = {name for each in entries for name in keys(each.path, each.title, each.aliases)}
        goals = {each.path for each in entries}
        rows = self._index.edges_to(wanted, self._clearance)
        return [link for link in self._resolved(rows) if link.target in goals and _leads(link)]

    def _resolved(self, rows: Iterable[tuple[str, Edge]], kinds: Collection[str] = LINKS) -> list[Link]:
        wanted = [(source, edge) for source, edge in rows if edge.kind in kinds]
        names = self._index.named({key(edge.path) for _, edge in wanted}, self._clearance) if wanted else None
        return [resolved(source, edge, names) for source, edge in wanted if names is not None]

    def _near(self, name: str) -> list[str]:
        called = {
            text.casefold(): each.path
            for each in self._index.notes(self._clearance)
            for text in (each.path, key(each.path), each.title, *each.aliases)
        }
        return list(dict.fromkeys(called[text] for text in get_close_matches(name.casefold(), called, n=5)))


def resolved(source: str, edge: Edge, names: Names) -> Link:
    """The edge with the note it means; where it means none, with the target as its author wrote it."""
    found = resolve(source, edge.path, names)
    return _link(source, edge, found.path if found.path is not None else edge.path, found.by)


def _link(source: str, edge: Edge, target: str, by: str) -> Link:
    return Link(
        source=source,
        target=target,
        anchor=edge.anchor,
        label=edge.label,
        why=edge.why,
        line=edge.line,
        heading=edge.heading,
        rel=edge.rel,
        resolved_by=by,
    )


def _leads(link: Link) -> bool:
    """Whether the link leads from one note to another."""
    return link.resolved_by in ("relative", "exact", "root", "suffix", "alias")


def _graph(notes: Iterable[str], links: Iterable[Link]) -> "MultiDiGraph[str]":
    from networkx import MultiDiGraph  # an import of a fifth of a second that most answers do without

    graph: MultiDiGraph[str] = MultiDiGraph()
    graph.add_nodes_from(notes)
    graph.add_edges_from((link.source, link.target, {"link": link}) for link in links)
    return graph
