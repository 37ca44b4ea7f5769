"""Gemini CLI: what a record says, and what was rewound.

A call and its result stand in one entry of a message's `toolCalls`. Of a prompt, `displayContent` is what was typed
and `content` what was made of it; the first prompt of a session may be a context that nobody typed.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from rhizome.log.importers.port import Entry, Piece
from rhizome.log.importers.records import Value, member, strings
from rhizome.log.importers.texts import blocks, called, joined
from rhizome.model import Origin, Part

TYPES = {"user", "gemini", "info", "error", "warning"}
_INJECTED = re.compile(r"\s*<(?:session_context|system-reminder|hook_context)\b")
_META = frozenset({"meta"})
_FAILED = {"error", "cancelled", "failed"}


def pieces(value: Value) -> Sequence[Piece] | None:
    kind = value.get("type")
    if kind == "user":
        return _prompt(value)
    if kind == "gemini":
        return _answer(value)
    if kind in TYPES:
        return [Piece(Part.NOTED, Origin.HARNESS, _text(value.get("content")))]
    if "$rewindTo" in value or "projectHash" in value:
        return [Piece(Part.NOTED, Origin.HARNESS, "")]
    if "$set" in value:
        return [Piece(Part.NOTED, Origin.HARNESS, title(value) or "")]
    return None


def title(value: Value) -> str | None:
    return strings(member(value, "$set"), "summary") or ("projectHash" in value and strings(value, "summary")) or None


def _prompt(value: Value) -> list[Piece]:
    text, shown = _text(value.get("content")), _text(value.get("displayContent"))
    if _INJECTED.match(text):
        return [Piece(Part.SAID, Origin.HARNESS, text, flags=_META)]
    found = [Piece(Part.SAID, Origin.HUMAN, shown or text)] if shown or text else []
    if shown and text and shown != text:
        found.append(Piece(Part.SAID, Origin.HARNESS, text, flags=_META))
    content = value.get("content")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and isinstance(part.get("functionResponse"), dict):
            response = part["functionResponse"]
            found.append(Piece(Part.RETURNED, Origin.TOOL, _response(response), call=strings(response, "id")))
    return found


def _answer(value: Value) -> list[Piece]:
    found = []
    for thought in value.get("thoughts") or ():
        if isinstance(thought, dict):
            text = joined([strings(thought, "subject") or "", strings(thought, "description") or ""])
            found.append(Piece(Part.THOUGHT, Origin.MODEL, text))
    if text := _text(value.get("content")):
        found.append(Piece(Part.SAID, Origin.MODEL, text))
    for call in value.get("toolCalls") or ():
        if isinstance(call, dict):
            found += _call(call)
    return found


def _call(call: Value) -> list[Piece]:
    tool, arguments, id_ = strings(call, "name") or "", member(call, "args"), strings(call, "id")
    found = [Piece(Part.CALLED, Origin.MODEL, called(tool, arguments), tool, id_, arguments)]
    result, shown = call.get("result"), call.get("resultDisplay")
    if result is None and shown is None:
        return found
    texts = [_response(part["functionResponse"]) if isinstance(part.get("functionResponse"), dict) else blocks([part])
             for part in (result if isinstance(result, list) else ()) if isinstance(part, dict)]
    text = joined(texts) or (result if isinstance(result, str) else "") or (shown if isinstance(shown, str) else "")
    failed = call.get("status") in _FAILED
    return [*found, Piece(Part.RETURNED, Origin.TOOL, text, tool, id_, failed=failed)]


def _response(response: Value) -> str:
    told = response.get("response")
    if isinstance(told, dict):
        return strings(told, "output", "error", "content") or json.dumps(told, ensure_ascii=False)
    return told if isinstance(told, str) else ""


def _text(content: Any) -> str:
    """The text of a string, a part, or a list of them."""
    return blocks([content] if isinstance(content, dict) else content)


class Rewinding:
    """`$rewindTo` takes back a message and all that followed it; one that is not there takes back everything."""

    def __init__(self) -> None:
        self._stands: list[tuple[str, str]] = []
        self._gone: set[str] = set()

    def take(self, entry: Entry) -> None:
        value = entry.value or {}
        if entry.thread:
            return
        if "$rewindTo" in value:
            ids = [own for own, _ in self._stands]
            at = ids.index(value["$rewindTo"]) if value["$rewindTo"] in ids else 0
            self._gone.update(event for _, event in self._stands[at:])
            del self._stands[at:]
        elif own := strings(value, "id"):
            self._stands.append((own, entry.event))

    def flags(self, event: str) -> frozenset[str]:
        return frozenset({"rewound"}) if event in self._gone else frozenset()
