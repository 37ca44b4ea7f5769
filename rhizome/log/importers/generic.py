"""Chats without a harness, in JSON Lines: a conversation (`{"messages": [...]}`) or a message (`{"role": ...}`) a line.

The shapes are those of the common APIs and of what people export by hand (seen: the samples; the rest is a guess). A
line is one record, so the prompts of a conversation in one line are one turn. Ids are not trusted to be unique: a line
is named by its file's stem, its content and its occurrence.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rhizome.log.importers import chat
from rhizome.log.importers.native import NativeNaming
from rhizome.log.importers.port import Heading, Importer, Naming, Piece
from rhizome.log.importers.records import Value, instant, member, strings
from rhizome.log.importers.telling import ToldTranscript

NAME = "generic"
_TIMES = ("ts", "timestamp", "created_at", "created", "create_time", "time")


def roots(_environment: Mapping[str, str], _user_home: Path) -> list[Path]:
    """Nobody keeps these in a place of their own."""
    return []


def sniffs(value: Value) -> bool:
    listed = value.get("messages")
    if isinstance(listed, list) and listed:
        return all(_is_message(each) for each in listed)
    return _is_message(value)


def heading(stem: str, _head: Iterable[Value]) -> Heading:
    return Heading(stem, stem, inside=False)


def placed(path: Path, heading: Heading) -> Heading:
    """What a chat without a project is about, nobody says; chats that lie together are about one thing."""
    return replace(heading, project=str(path.absolute().parent))


def pieces(value: Value) -> Sequence[Piece] | None:
    listed = value.get("messages")
    if isinstance(listed, list):
        return [piece for each in listed if isinstance(each, dict) for piece in chat.message(each)]
    return chat.message(value) if _is_message(value) else None


def told(value: Value) -> tuple[None, str | None]:
    times = (instant(each.get(name)) for each in (value, member(value, "metadata")) for name in _TIMES)
    return None, next((at for at in times if at), None)


def title(value: Value) -> str | None:
    return strings(value, "title") if "messages" in value else None


def naming(key: bytes, container: str, _state: str | None) -> Naming:
    return NativeNaming(key, NAME, container, told)


def _is_message(value: object) -> bool:
    if not isinstance(value, dict) or str(value.get("role")).lower() not in chat.ROLES:
        return False
    return not value.keys().isdisjoint({"content", "tool_calls", "function_call"})


IMPORTER = Importer(name=NAME, parser=1, roots=roots, root_of=lambda _: None, sniffs=sniffs, heading=heading,
                    naming=naming, pieces=pieces, transcript=lambda: ToldTranscript(pieces), title=title,
                    placed=placed)
