"""ChatGPT: the export a person asks for, `conversations.json` or `conversations-NNN.json`.

Written from exports of 2025. A list of conversations, each a tree: `mapping{id: {message, parent, children}}` and
`current_node`, the tip of the branch last seen. A node with a message is a record, and so is what a conversation says
of itself; nodes without a message are only structure. Nodes on the way to the tip come first, so that turns are read
from one branch. A later export of the same conversation adds what is new; what came to be a node's children is no
revision.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rhizome.log.importers.branches import Branches, Place
from rhizome.log.importers.exports import claimed, conversations, roots
from rhizome.log.importers.native import NativeNaming
from rhizome.log.importers.port import Chapter, Heading, Importer, Naming, Piece
from rhizome.log.importers.records import (
    Record,
    Value,
    exact,
    instant,
    member,
    members,
    put_together,
    strings,
    without,
)
from rhizome.log.importers.telling import ToldTranscript
from rhizome.log.importers.texts import blocks, joined, topic
from rhizome.model import Origin, Part

NAME = "chatgpt"
_META = frozenset({"meta"})
_GIVEN = {"user_editable_context", "model_editable_context"}


def claims(path: Path, start: bytes) -> bool:
    return claimed(path, start, "mapping")


def chapters(path: Path) -> Iterator[Chapter]:
    for raw in conversations(path):
        parts = members(raw)
        nodes = members(parts.pop("mapping", b"{}"))
        about = put_together(parts)
        told_of = exact(about) or {}
        own = strings(told_of, "conversation_id", "id") or path.stem
        records = [Record(0, about, told_of), *_ordered(nodes, told_of)]
        yield Chapter(Heading(own, own, project=topic(NAME, own, title(told_of))), records.copy)


def _ordered(nodes: Mapping[str, bytes], told_of: Value) -> Iterable[Record]:
    """The nodes with a message: those that lead to the tip, then the others as they stand in the file."""
    values = {name: exact(raw) or {} for name, raw in nodes.items()}
    way: list[str] = []
    at: Any = told_of.get("current_node")
    while isinstance(at, str) and at in values and at not in way:
        way.append(at)
        at = values[at].get("parent")
    order = dict.fromkeys([*reversed(way), *values])
    return [Record(0, nodes[name], values[name]) for name in order if isinstance(values[name].get("message"), dict)]


def pieces(value: Value) -> Sequence[Piece] | None:
    if "message" not in value:
        return [Piece(Part.NOTED, Origin.HARNESS, title(value) or "")] if "current_node" in value else None
    message = member(value, "message")
    author, content, about = member(message, "author"), member(message, "content"), member(message, "metadata")
    role, kind = author.get("role"), content.get("content_type")
    text = _text(content)
    if role == "tool":
        return [Piece(Part.RETURNED, Origin.TOOL, text, strings(author, "name"))]
    if about.get("is_visually_hidden_from_conversation") is True or role == "system" or kind in _GIVEN:
        return [Piece(Part.SAID if text else Part.NOTED, Origin.HARNESS, text, flags=_META)]
    if role == "user":
        return [Piece(Part.SAID, Origin.HUMAN, text)]
    if kind == "thoughts":
        return [Piece(Part.THOUGHT, Origin.MODEL, text)]
    if kind == "reasoning_recap":
        return [Piece(Part.NOTED, Origin.HARNESS, text)]
    recipient = strings(message, "recipient") or "all"
    if recipient != "all":
        return [Piece(Part.CALLED, Origin.MODEL, joined([recipient, text]), recipient, arguments={"input": text})]
    return [Piece(Part.SAID, Origin.MODEL, text)]


def _text(content: Value) -> str:
    if isinstance(thoughts := content.get("thoughts"), list):
        told_of = [each for each in thoughts if isinstance(each, dict)]
        return joined(strings(each, name) or "" for each in told_of for name in ("summary", "content"))
    parts = content.get("parts")
    return blocks(parts) if isinstance(parts, list) else strings(content, "text", "result", "content") or ""


def title(value: Value) -> str | None:
    return strings(value, "title") if "message" not in value else None


def place(value: Value) -> Place:
    if "message" not in value:
        return Place(None, None, strings(value, "current_node"))
    return Place(strings(value, "id"), strings(value, "parent"), None)


def told(container: str, value: Value) -> tuple[tuple[str, ...] | None, str | None]:
    if "message" not in value:
        return None, instant(value.get("create_time"))
    own = strings(value, "id")
    return ((container, own) if own else None), instant(member(value, "message").get("create_time"))


def naming(key: bytes, container: str, _state: str | None) -> Naming:
    return NativeNaming(key, NAME, container, lambda value: told(container, value),
                        content=lambda value: without(value, frozenset({"children"})))


IMPORTER = Importer(
    name=NAME, parser=1, roots=roots, root_of=lambda _: None, sniffs=lambda _: False, naming=naming, pieces=pieces,
    heading=lambda stem, _: Heading(stem, stem, inside=False), title=title, claims=claims, chapters=chapters,
    transcript=lambda: ToldTranscript(pieces, Branches(place)))
