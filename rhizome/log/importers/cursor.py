"""Cursor: its editor's state database and its agent's transcripts.

Closed source; written from what readers of it found, not from files. `state.vscdb` lies in the editor's
`User/globalStorage`, and one in each `workspaceStorage/<hash>`; rows change in place, and the times of old bubbles are
missing. The agent writes `projects/<slug>/agent-transcripts/<id>/<id>.jsonl`, `{role, message}` a line, without ids or
times; prompts stand in `<user_query>`. At the terminal a chat is `~/.cursor/chats/<hash>/<id>/store.db` (a guess). What
is in the databases: `cursor_databases.py`; in older transcripts, `<id>.txt`: `cursor_texts.py`. Guesses: the members of
`toolFormerData`, and of a chat panel's bubbles.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rhizome.log.importers import chat, cursor_databases, cursor_texts
from rhizome.log.importers.cursor_databases import NAME
from rhizome.log.importers.databases import MAGIC, beside
from rhizome.log.importers.editors import user_folders
from rhizome.log.importers.native import NativeNaming
from rhizome.log.importers.port import Chapter, Heading, Importer, Naming, Piece
from rhizome.log.importers.records import Value, instant, member, strings, without
from rhizome.log.importers.telling import ToldTranscript
from rhizome.log.importers.texts import called
from rhizome.model import Origin, Part

_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_PERSON = 1
_STATE = frozenset({"fullConversationHeadersOnly", "lastUpdatedAt", "status", "context", "contextUsagePercent",
                    "usageData", "codeBlockData", "generatingBubbleIds"})
"""What changes of a chat with every message, and is no new revision of what the chat says of itself."""


def roots(environment: Mapping[str, str], user_home: Path) -> list[Path]:
    found = [user_home / ".cursor" / "projects", user_home / ".cursor" / "chats"]
    for user in user_folders(environment, user_home):
        if user.parent.name == "Cursor":
            found.append(user / "globalStorage" / "state.vscdb")
            found += sorted((user / "workspaceStorage").glob("*/state.vscdb"))
    return found


def root_of(path: Path) -> Path | None:
    return next((folder.parents[2] for folder in path.parents if folder.name == "agent-transcripts"), None)


def sniffs(value: Value) -> bool:
    return value.get("role") in {"user", "assistant"} and value.keys() <= {"role", "message"} and "content" in member(
        value, "message")


def heading(stem: str, _head: Iterable[Value]) -> Heading:
    return Heading(stem, stem, inside=False)


def placed(path: Path, heading: Heading) -> Heading:
    """A transcript's project is only known by the name of its folder, a subagent's session by the folder around it."""
    transcripts = next((folder for folder in path.parents if folder.name == "agent-transcripts"), None)
    if transcripts is None:
        return heading
    heading = replace(heading, project=str(transcripts.parent), inside=True)
    if path.parent.name != "subagents":
        return heading
    session = path.parents[1].name
    return replace(heading, container=f"{session}/{heading.container}", session=session, thread=heading.container)


def claims(path: Path, start: bytes) -> bool:
    folder = {"state.vscdb": "Cursor", "store.db": "chats"}.get(path.name)
    return (folder in path.parts and start.startswith(MAGIC)) or cursor_texts.claims(path, start)


def chapters(path: Path) -> Iterator[Chapter]:
    return cursor_texts.chapters(path, placed) if path.suffix == ".txt" else cursor_databases.chapters(path)


def pieces(value: Value) -> Sequence[Piece] | None:
    if "role" in value:
        return chat.message({**value, **member(value, "message")}, prompt)
    if value.keys() == {"text"}:
        return cursor_texts.pieces(str(value["text"]), prompt)
    if "bubbleId" in value or value.get("type") in {"user", "ai"}:
        return _bubble(value)
    known = "composerId" in value or "tabId" in value
    return [Piece(Part.NOTED, Origin.HARNESS, title(value) or "")] if known else None


def prompt(text: str) -> list[Piece]:
    """What stands in `<user_query>` was typed; text without it was, too, where there is none at all."""
    typed = [match.group(1) for match in _QUERY.finditer(text)]
    rest = _QUERY.sub("", text).strip()
    found = [Piece(Part.SAID, Origin.HUMAN, each) for each in typed]
    if rest:
        around = bool(typed) or rest.startswith("<")
        found.append(Piece(Part.SAID, Origin.HARNESS if around else Origin.HUMAN, rest,
                           flags=frozenset({"meta"}) if around else frozenset()))
    return found


def _bubble(value: Value) -> list[Piece]:
    text = strings(value, "text", "rawText") or ""
    if value.get("type") in {_PERSON, "user"}:
        return prompt(text)
    found = []
    if thought := strings(member(value, "thinking"), "text"):
        found.append(Piece(Part.THOUGHT, Origin.MODEL, thought))
    if text:
        found.append(Piece(Part.SAID, Origin.MODEL, text))
    tool = member(value, "toolFormerData")
    if tool:
        name, call = strings(tool, "name") or "", strings(tool, "toolCallId")
        arguments = chat.decoded(tool.get("rawArgs", tool.get("params")))
        found.append(Piece(Part.CALLED, Origin.MODEL, called(name, arguments), name, call, arguments))
        if result := strings(tool, "result"):
            failed = tool.get("status") in {"error", "cancelled"}
            found.append(Piece(Part.RETURNED, Origin.TOOL, result, name, call, failed=failed))
    return found


def title(value: Value) -> str | None:
    return strings(value, "name", "chatTitle") if "bubbleId" not in value and "role" not in value else None


def told(container: str, value: Value) -> tuple[tuple[str, ...] | None, str | None]:
    if "bubbleId" in value:
        sent = value.get("createdAt") or member(value, "timingInfo").get("clientRpcSendTime")
        return (container, str(value["bubbleId"])), instant(sent)
    if "composerId" in value or "tabId" in value:
        return (container, "chat"), instant(value.get("createdAt"))
    own = strings(value, "id")
    return ((container, own) if own else None), None


def content(value: Value) -> Value:
    return value if "bubbleId" in value else without(value, _STATE)


def naming(key: bytes, container: str, _state: str | None) -> Naming:
    return NativeNaming(key, NAME, container, lambda value: told(container, value), content=content)


IMPORTER = Importer(
    name=NAME, parser=3, roots=roots, root_of=root_of, sniffs=sniffs, heading=heading, placed=placed, naming=naming,
    pieces=pieces, transcript=lambda: ToldTranscript(pieces), title=title, claims=claims, chapters=chapters,
    beside=beside, decode=cursor_texts.decode)
