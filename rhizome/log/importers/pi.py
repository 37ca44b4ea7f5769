"""Pi: where its sessions lie, what names an entry, and what it says.

The source is open (badlogic/pi-mono); versions 1 and 3 were seen. JSON Lines in
`agent/sessions/--<cwd>--/<time>_<session id>.jsonl`: a `session` line, then entries `{type, id, parentId, timestamp}`
that form a tree. `PI_CODING_AGENT_DIR` moves `~/.pi/agent`. An entry's id is 8 hex digits and only unique within a
session; together with its time, to the millisecond, it names the entry wherever a fork has copied it. Version 1 has no
ids: entries are named by content. What the last entry does not descend from was abandoned. That `parentSession` may be
a path or an id is a guess.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from rhizome.log.importers import chat
from rhizome.log.importers.branches import Branches, Place
from rhizome.log.importers.native import NativeNaming
from rhizome.log.importers.port import Heading, Importer, Naming, Piece
from rhizome.log.importers.records import Value, instant, member, strings
from rhizome.log.importers.telling import ToldTranscript
from rhizome.log.importers.texts import blocks, called, joined
from rhizome.model import Origin, Part

NAME = "pi"
_QUIET = {"session", "model_change", "thinking_level_change", "custom", "label", "usage", "context_edit"}
_ENTRIES = _QUIET | {"message", "compaction", "branch_summary", "custom_message", "session_info"}
_SUMMARY = frozenset({"summary"})
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def roots(environment: Mapping[str, str], user_home: Path) -> list[Path]:
    home = environment.get("PI_CODING_AGENT_DIR")
    return [(Path(home) if home else user_home / ".pi" / "agent") / "sessions"]


def root_of(path: Path) -> Path | None:
    return next((f.parent for f in path.parents if f.name == "sessions" and f.parent.name == "agent"), None)


def sniffs(value: Value) -> bool:
    kind = value.get("type")
    if kind == "session":
        return isinstance(value.get("id"), str) and "cwd" in value
    if kind not in _ENTRIES or not isinstance(value.get("timestamp"), str | int):
        return False
    return "parentId" in value or (kind == "message" and "role" in member(value, "message") and "uuid" not in value)


def heading(stem: str, head: Iterable[Value]) -> Heading:
    first = next((value for value in head if value.get("type") == "session"), None)
    session = strings(first or {}, "id")
    if first is None or session is None:
        return Heading(stem, stem, inside=False)
    return Heading(session, session, cwd=strings(first, "cwd"), parent=_parent(first))


def _parent(first: Value) -> str | None:
    """The session this one was forked from, by the id in its path."""
    named = strings(first, "parentSession", "branchedFrom")
    found = _ID.findall(PurePosixPath(named.replace("\\", "/")).name) if named else []
    return found[-1] if found else named


def pieces(value: Value) -> Sequence[Piece] | None:
    kind = value.get("type")
    if kind == "message":
        return _message(member(value, "message"))
    if kind in {"compaction", "branch_summary"}:
        return [Piece(Part.COMPACTED, Origin.HARNESS, strings(value, "summary") or "", flags=_SUMMARY)]
    if kind == "custom_message":
        return [Piece(Part.SAID, Origin.HARNESS, blocks(value.get("content")), flags=frozenset({"meta"}))]
    if kind == "session_info":
        return [Piece(Part.NOTED, Origin.HARNESS, strings(value, "name") or "", flags=_SUMMARY)]
    return [Piece(Part.NOTED, Origin.HARNESS, "")] if kind in _QUIET else None


def _message(message: Value) -> Sequence[Piece] | None:
    role = message.get("role")
    if role == "assistant":
        return [piece for block in _listed(message) for piece in _block(block)]
    if role == "toolResult":
        text, failed = blocks(message.get("content")), message.get("isError") is True
        tool, call = strings(message, "toolName"), strings(message, "toolCallId")
        return [Piece(Part.RETURNED, Origin.TOOL, text, tool, call, failed=failed)]
    if role == "bashExecution":
        command = strings(message, "command") or ""
        text = joined([command, strings(message, "output") or ""])
        failed = message.get("exitCode") not in {0, None}
        return [Piece(Part.RETURNED, Origin.TOOL, text, "bash", arguments={"command": command}, failed=failed)]
    if role == "user":
        return chat.message(message)
    meta = frozenset({"meta"})
    return [Piece(Part.SAID, Origin.HARNESS, blocks(message.get("content")), flags=meta)] if role else None


def _listed(message: Value) -> list[Value]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _block(block: Value) -> list[Piece]:
    if block.get("type") == "toolCall":
        tool, arguments = strings(block, "name") or "", member(block, "arguments")
        return [Piece(Part.CALLED, Origin.MODEL, called(tool, arguments), tool, strings(block, "id"), arguments)]
    return chat.message({"role": "assistant", "content": [block]})


def told(value: Value) -> tuple[tuple[str, ...] | None, str | None]:
    own, at = strings(value, "id"), instant(value.get("timestamp"))
    if own is None:
        return None, at
    return ("session", own) if value.get("type") == "session" else (own, str(value.get("timestamp"))), at


def title(value: Value) -> str | None:
    return strings(value, "name") if value.get("type") == "session_info" else None


def place(value: Value) -> Place:
    """The last entry of a file is the tip of its tree."""
    own = strings(value, "id") if value.get("type") != "session" else None
    return Place(own, strings(value, "parentId"), own)


def naming(key: bytes, container: str, _state: str | None) -> Naming:
    return NativeNaming(key, NAME, container, told)


IMPORTER = Importer(
    name=NAME, parser=1, roots=roots, root_of=root_of, sniffs=sniffs, heading=heading, naming=naming, pieces=pieces,
    transcript=lambda: ToldTranscript(pieces, Branches(place)), title=title)
