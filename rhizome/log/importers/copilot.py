"""Copilot CLI: where its sessions lie, what names an event, and what it says.

Written from descriptions, not from files: `~/.copilot/session-state/<session>/events.jsonl`, before that
`<session>.jsonl`, an event `{type, data, timestamp, id?, parentId?}` a line. `session-store.db` is derived from them.
Guesses: that ids are unique within a session only, and which events merely repeat others.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rhizome.log.importers.chat import decoded
from rhizome.log.importers.native import NativeNaming
from rhizome.log.importers.port import Heading, Importer, Naming, Piece
from rhizome.log.importers.records import Value, instant, member, strings
from rhizome.log.importers.telling import ToldTranscript
from rhizome.log.importers.texts import blocks, called
from rhizome.model import Origin, Part

NAME = "copilot-cli"
_FAMILIES = ("session.", "user.", "assistant.", "tool.", "system.", "subagent.", "hook.", "skill.")
_QUIET = {"abort", "tool.execution_start", "assistant.turn_start", "assistant.turn_end", "assistant.reasoning"}


def roots(_environment: Mapping[str, str], user_home: Path) -> list[Path]:
    return [user_home / ".copilot" / "session-state"]


def root_of(path: Path) -> Path | None:
    return next((folder.parent for folder in path.parents if folder.name == "session-state"), None)


def sniffs(value: Value) -> bool:
    return str(value.get("type")).startswith(_FAMILIES) and isinstance(value.get("data"), dict) and "timestamp" in value


def heading(stem: str, head: Iterable[Value]) -> Heading:
    first = next((member(value, "data") for value in head if value.get("type") == "session.start"), {})
    session = strings(first, "sessionId")
    return Heading(session or stem, session or stem, inside=session is not None,
                   cwd=strings(member(first, "context"), "cwd"))


def placed(path: Path, heading: Heading) -> Heading:
    """A file called `events.jsonl` is its folder's."""
    if heading.inside or path.name != "events.jsonl":
        return heading
    return replace(heading, container=path.parent.name, session=path.parent.name, inside=True)


def pieces(value: Value) -> Sequence[Piece] | None:
    kind, event = str(value.get("type")), member(value, "data")
    if kind == "user.message":
        return [Piece(Part.SAID, Origin.HUMAN, strings(event, "content") or "")]
    if kind == "assistant.message":
        return _answer(event)
    if kind == "tool.execution_complete":
        result = event.get("result")
        text = result if isinstance(result, str) else _text(member(event, "result"))
        return [Piece(Part.RETURNED, Origin.TOOL, text, strings(event, "toolName"), strings(event, "toolCallId"),
                      failed=event.get("success") is False)]
    if kind == "session.compaction_complete":
        summary = frozenset({"summary"})
        return [Piece(Part.COMPACTED, Origin.HARNESS, strings(event, "summaryContent") or "", flags=summary)]
    if kind == "system.message":
        return [Piece(Part.SAID, Origin.HARNESS, strings(event, "content") or "", flags=frozenset({"meta"}))]
    if kind in _QUIET or kind.startswith(("session.", "hook.", "skill.", "subagent.")):
        return [Piece(Part.NOTED, Origin.HARNESS, "")]
    return None


def _answer(event: Value) -> list[Piece]:
    found = [Piece(part, Origin.MODEL, text) for part, text in (
        (Part.THOUGHT, strings(event, "reasoningText")), (Part.SAID, strings(event, "content"))) if text]
    requests = event.get("toolRequests")
    for each in requests if isinstance(requests, list) else ():
        if isinstance(each, dict):
            tool, arguments = strings(each, "name") or "", decoded(each.get("arguments"))
            call = strings(each, "toolCallId")
            found.append(Piece(Part.CALLED, Origin.MODEL, called(tool, arguments), tool, call, arguments))
    return found


def _text(result: Value) -> str:
    return strings(result, "content", "detailedContent", "text") or blocks(result.get("content"))


def told(container: str, value: Value) -> tuple[tuple[str, ...] | None, str | None]:
    own = strings(value, "id")
    return ((container, own) if own else None), instant(value.get("timestamp"))


def naming(key: bytes, container: str, _state: str | None) -> Naming:
    return NativeNaming(key, NAME, container, lambda value: told(container, value))


IMPORTER = Importer(
    name=NAME, parser=1, roots=roots, root_of=root_of, sniffs=sniffs, heading=heading, placed=placed, naming=naming,
    pieces=pieces, transcript=lambda: ToldTranscript(pieces))
