"""Cursor: its editor's state database and its agent's transcripts.

Closed source; written from what readers of it found, not from files. `state.vscdb` in the editor's
`User/globalStorage` holds `composerData:<id>` (a chat, and the order of its bubbles) and `bubbleId:<chat>:<bubble>` in
`cursorDiskKV`; rows change in place, and the times of old bubbles are missing. The agent writes
`projects/<slug>/agent-transcripts/<id>/ <id>.jsonl`, `{role, message}` a line, without ids or times; prompts stand in
`<user_query>`. Older shapes (`tabs`, the chat panel's `ItemTable`, `.txt` transcripts, `store.db`) are not read yet.
Guesses: the members of `toolFormerData`.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rhizome.log.importers import chat
from rhizome.log.importers.databases import MAGIC, beside, snapshot, tables
from rhizome.log.importers.editors import user_folders
from rhizome.log.importers.native import NativeNaming
from rhizome.log.importers.port import Chapter, Heading, Importer, Naming, Piece
from rhizome.log.importers.records import Record, Value, compact, exact, instant, member, strings, without
from rhizome.log.importers.telling import ToldTranscript
from rhizome.log.importers.texts import called, topic
from rhizome.model import Origin, Part

NAME = "cursor"
_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_PERSON = 1
_STATE = frozenset({"fullConversationHeadersOnly", "lastUpdatedAt", "status", "context", "contextUsagePercent",
                    "usageData", "codeBlockData", "generatingBubbleIds"})
"""What changes of a chat with every message, and is no new revision of what the chat says of itself."""


def roots(environment: Mapping[str, str], user_home: Path) -> list[Path]:
    states = [each / "globalStorage" / "state.vscdb" for each in user_folders(environment, user_home)
              if each.parent.name == "Cursor"]
    return [user_home / ".cursor" / "projects", *states]


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
    return path.name == "state.vscdb" and start.startswith(MAGIC) and "Cursor" in path.parts


def chapters(path: Path) -> Iterator[Chapter]:
    with snapshot(path) as db:
        if "cursorDiskKV" not in tables(db):
            return
        query = "select key, value from cursorDiskKV where key like 'composerData:%' order by key"
        for row in db.execute(query).fetchall():
            about = _record(row["value"])
            own = str(row["key"]).partition(":")[2]
            if about is None or about.value is None:
                continue
            heading = Heading(own, own, project=topic(NAME, own, strings(about.value, "name")))
            yield Chapter(heading, _loading(db, own, about))


def _loading(db: sqlite3.Connection, chat_id: str, about: Record) -> Callable[[], Sequence[Record]]:
    def load() -> list[Record]:
        rows = db.execute("select key, value from cursorDiskKV where key >= ? and key < ?",
                          (f"bubbleId:{chat_id}:", f"bubbleId:{chat_id};")).fetchall()
        found = {str(row["key"]).rpartition(":")[2]: _record(row["value"]) for row in rows}
        heads = (about.value or {}).get("fullConversationHeadersOnly")
        listed = heads if isinstance(heads, list) else []
        order = [str(each.get("bubbleId")) for each in listed if isinstance(each, dict)]
        bubbles = [found[own] for own in dict.fromkeys([*order, *found]) if own in found]
        return [about, *(each for each in bubbles if each is not None)]

    return load


def _record(value: object) -> Record | None:
    if not isinstance(value, str | bytes):
        return None
    raw = compact(value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass"))
    return Record(0, raw, exact(raw))


def pieces(value: Value) -> Sequence[Piece] | None:
    if "role" in value:
        return chat.message({"role": value["role"], **member(value, "message")}, prompt)
    if "bubbleId" in value:
        return _bubble(value)
    return [Piece(Part.NOTED, Origin.HARNESS, title(value) or "")] if "composerId" in value else None


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
    text = strings(value, "text") or ""
    if value.get("type") == _PERSON:
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
    return strings(value, "name") if "composerId" in value and "bubbleId" not in value else None


def told(container: str, value: Value) -> tuple[tuple[str, ...] | None, str | None]:
    if "bubbleId" in value:
        sent = value.get("createdAt") or member(value, "timingInfo").get("clientRpcSendTime")
        return (container, str(value["bubbleId"])), instant(sent)
    if "composerId" in value:
        return (container, "chat"), instant(value.get("createdAt"))
    return None, None


def content(value: Value) -> Value:
    return value if "bubbleId" in value else without(value, _STATE)


def naming(key: bytes, container: str, _state: str | None) -> Naming:
    return NativeNaming(key, NAME, container, lambda value: told(container, value), content=content)


IMPORTER = Importer(
    name=NAME, parser=1, roots=roots, root_of=root_of, sniffs=sniffs, heading=heading, placed=placed, naming=naming,
    pieces=pieces, transcript=lambda: ToldTranscript(pieces), title=title, claims=claims, chapters=chapters,
    beside=beside)
