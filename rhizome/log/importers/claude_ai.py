"""Claude.ai: the export a person asks for, `conversations.json`.

Written from exports of 2025: a list of `{uuid, name, created_at, chat_messages: [{uuid, sender, text, content,
created_at, attachments}]}`. A message is a record, and so is what a conversation says of itself. `content` is fuller
than `text`, which repeats it. The text of an attachment is not what the person typed. That newer exports tell branches
by `parent_message_uuid` and `current_leaf_message_uuid` is a guess.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rhizome.log.importers import chat
from rhizome.log.importers.branches import Branches, Place
from rhizome.log.importers.exports import claimed, conversations, roots
from rhizome.log.importers.native import NativeNaming
from rhizome.log.importers.port import Chapter, Heading, Importer, Naming, Piece
from rhizome.log.importers.records import Value, instant, parted, strings
from rhizome.log.importers.telling import ToldTranscript
from rhizome.log.importers.texts import topic
from rhizome.model import Origin, Part

NAME = "claude-ai"


def claims(path: Path, start: bytes) -> bool:
    return claimed(path, start, "chat_messages")


def chapters(path: Path) -> Iterator[Chapter]:
    for raw in conversations(path):
        about, messages = parted(raw, "chat_messages")
        told_of = about.value or {}
        own = strings(told_of, "uuid") or path.stem
        yield Chapter(Heading(own, own, project=topic(NAME, own, title(told_of))), [about, *messages].copy)


def pieces(value: Value) -> Sequence[Piece] | None:
    if "sender" not in value:
        return [Piece(Part.NOTED, Origin.HARNESS, title(value) or "")] if "name" in value else None
    role = "user" if value["sender"] == "human" else "assistant"
    found = chat.message({"role": role, "content": value.get("content")})
    if not any(piece.part is Part.SAID for piece in found) and (text := strings(value, "text")):
        found += chat.message({"role": role, "content": text})
    attached = value.get("attachments")
    for each in attached if isinstance(attached, list) else ():
        if isinstance(each, dict) and (text := strings(each, "extracted_content")):
            found.append(Piece(Part.RETURNED, Origin.TOOL, text, strings(each, "file_name")))
    return found


def title(value: Value) -> str | None:
    return strings(value, "name") if "sender" not in value else None


def place(value: Value) -> Place:
    if "sender" not in value:
        return Place(None, None, strings(value, "current_leaf_message_uuid"))
    return Place(strings(value, "uuid"), strings(value, "parent_message_uuid"), None)


def told(value: Value) -> tuple[tuple[str, ...] | None, str | None]:
    own = strings(value, "uuid") if "sender" in value else None
    return ((own,) if own else None), instant(value.get("created_at"))


def naming(key: bytes, container: str, _state: str | None) -> Naming:
    return NativeNaming(key, NAME, container, told)


IMPORTER = Importer(
    name=NAME, parser=1, roots=roots, root_of=lambda _: None, sniffs=lambda _: False, naming=naming, pieces=pieces,
    heading=lambda stem, _: Heading(stem, stem, inside=False), title=title, claims=claims, chapters=chapters,
    transcript=lambda: ToldTranscript(pieces, Branches(place)))
