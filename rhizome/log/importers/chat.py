"""Messages with a role, as most APIs exchange them: text or blocks inside, calls beside or among the blocks."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from rhizome.log.importers.port import Piece
from rhizome.log.importers.records import Value, member, strings
from rhizome.log.importers.texts import blocks, called
from rhizome.model import Origin, Part

ROLES = {
    "user": Origin.HUMAN, "human": Origin.HUMAN, "assistant": Origin.MODEL, "model": Origin.MODEL, "ai": Origin.MODEL,
    "bot": Origin.MODEL, "tool": Origin.TOOL, "function": Origin.TOOL, "system": Origin.HARNESS,
    "developer": Origin.HARNESS,
}
_META = frozenset({"meta"})


def typed(text: str) -> list[Piece]:
    """A person's text where a harness adds nothing to it."""
    return [Piece(Part.SAID, Origin.HUMAN, text)]


def message(value: Value, prompt: Callable[[str], Sequence[Piece]] = typed) -> list[Piece]:
    """What one message says. `prompt` tells what a text in the role of a user is made of."""
    origin = ROLES.get(str(value.get("role")).lower(), Origin.HARNESS)
    content = value.get("content")
    if origin == Origin.TOOL:
        call = strings(value, "tool_call_id", "call_id")
        return [Piece(Part.RETURNED, Origin.TOOL, blocks(content), strings(value, "name"), call)]
    found: list[Piece] = []
    if thought := strings(value, "reasoning_content", "reasoning"):
        found.append(Piece(Part.THOUGHT, Origin.MODEL, thought))
    for block in content if isinstance(content, list) else [content]:
        found += _block(block, origin, prompt)
    calls = value.get("tool_calls")
    found += [_call(call) for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    if isinstance(value.get("function_call"), dict):
        found.append(_call({"function": value["function_call"]}))
    return found


def _block(block: Any, origin: str, prompt: Callable[[str], Sequence[Piece]]) -> Sequence[Piece]:
    kind = str(block.get("type")) if isinstance(block, dict) else "text"
    if kind == "tool_use":
        tool, arguments = strings(block, "name") or "", member(block, "input")
        return [Piece(Part.CALLED, Origin.MODEL, called(tool, arguments), tool, strings(block, "id"), arguments)]
    if kind == "tool_result":
        text, call = blocks(block.get("content")), strings(block, "tool_use_id")
        return [Piece(Part.RETURNED, Origin.TOOL, text, call=call, failed=block.get("is_error") is True)]
    if kind in {"thinking", "reasoning", "redacted_thinking"}:
        return [Piece(Part.THOUGHT, Origin.MODEL, strings(block, "thinking", "text", "reasoning") or "")]
    text = blocks([block])
    if not text:
        return []
    if origin == Origin.HUMAN:
        return prompt(text)
    return [Piece(Part.SAID, origin, text, flags=_META if origin == Origin.HARNESS else frozenset())]


def _call(call: Value) -> Piece:
    function = member(call, "function")
    tool = strings(function, "name") or strings(call, "name") or ""
    arguments = decoded(function.get("arguments", call.get("arguments")))
    return Piece(Part.CALLED, Origin.MODEL, called(tool, arguments), tool, strings(call, "id"), arguments)


def decoded(arguments: Any) -> Value:
    """A call's arguments, which most APIs give as JSON in a string."""
    if isinstance(arguments, str):
        try:
            told = json.loads(arguments)
        except (ValueError, RecursionError):
            told = arguments
        return told if isinstance(told, dict) else {"input": arguments} if arguments else {}
    return arguments if isinstance(arguments, dict) else {}
