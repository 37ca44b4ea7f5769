"""What the authors of notes may want to mend."""

from collections.abc import Iterator
from typing import Any

import msgspec

from rhizome.errors import NotFound
from rhizome.graph.anchors import Anchor, anchors
from rhizome.graph.check import check
from rhizome.graph.neighbourhood import Graph
from rhizome.graph.note import parse
from rhizome.memory import projections
from rhizome.memory.parts import Parts
from rhizome.model import Tier


def checked(parts: Parts, path: str | None, clearance: Tier) -> dict[str, Any]:
    """The findings about one note, about the notes of a folder, or about all. Raises NotFound for neither."""
    projections.refresh_edges(parts)
    found = check(parts.edges, clearance, chosen(parts, path, clearance), lambda ref: _anchors(parts, ref))
    return {"findings": msgspec.to_builtins(found)}


def chosen(parts: Parts, path: str | None, clearance: Tier) -> list[str] | None:
    """The notes that `path` means; None for every one."""
    if path is None:
        return None
    folder = path.rstrip("/") + "/"
    inside = [entry.path for entry in parts.edges.notes(clearance) if entry.path.startswith(folder)]
    return inside or [Graph(parts.edges, clearance).find(path)]


def _anchors(parts: Parts, ref: str) -> Iterator[Anchor]:
    try:
        return anchors(parse(ref, parts.vault.read(ref, None)).sections)
    except NotFound:  # deleted since the look; the next one says so
        return iter(())
