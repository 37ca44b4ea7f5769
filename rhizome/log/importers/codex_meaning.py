"""Codex CLI: what a record says, and who says it as far as the record alone can tell.

`role: user` is also used for instructions, environment, interruptions and what an editor adds.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from rhizome.log.importers import codex_items
from rhizome.log.importers.port import Piece
from rhizome.log.importers.records import Value, member, strings
from rhizome.log.importers.texts import blocks, called, joined
from rhizome.model import Origin, Part

_INJECTED = re.compile(
    r"\s*(?:# AGENTS\.md instructions|<(?:environment_context|user_instructions|INSTRUCTIONS|turn_aborted|skill"
    r"|user_shell_command|permissions instructions|collaboration_mode|subagent_notification"
    r"|EXTERNAL SESSION IMPORTED)\b)"
)
_EDITOR = re.compile(r"\s*# Context from my IDE setup:")
_REQUEST = re.compile(r"^## My request for Codex:[ \t]*\n?", re.MULTILINE)
_SUMMARY_TEXT = "Another language model started to solve this problem"
_EXIT_CODE = re.compile(r"(?:Process exited with code|Exit code:) (-?\d+)")

_QUIET_EVENTS = {
    "token_count", "task_started", "turn_started", "task_complete", "turn_complete", "turn_aborted",
    "thread_rolled_back", "context_compacted", "patch_apply_end", "web_search_end", "image_generation_end",
    "entered_review_mode", "exited_review_mode", "sub_agent_activity", "thread_goal_updated", "thread_name_updated",
}
_QUIET_TYPES = {
    "session_meta", "turn_context", "world_state", "security_risk_score", "realtime_item", "token_usage_record",
    "inter_agent_communication", "inter_agent_communication_metadata",
}
_SPOKEN = {
    "user_message": (Part.SAID, Origin.HUMAN, "message"),
    "agent_message": (Part.SAID, Origin.MODEL, "message"),
    "agent_reasoning": (Part.THOUGHT, Origin.MODEL, "text"),
    "agent_reasoning_raw_content": (Part.THOUGHT, Origin.MODEL, "text"),
}
_META = frozenset({"meta"})


def is_bare_meta(value: Value) -> bool:
    """The first line of a rollout of 2025: no type, an id, a time, and what the model was told."""
    return "type" not in value and isinstance(value.get("id"), str) and {"timestamp", "instructions"} <= value.keys()


def in_force(kind: str, item: Value) -> str | None:
    """What names the records from this one on: the turn it begins, or the session it tells of."""
    if kind == "turn_context" or (kind == "event_msg" and item.get("type") in {"task_started", "turn_started"}):
        turn = strings(item, "turn_id")
        return f"turn:{turn}" if turn else None
    if kind == "session_meta" or is_bare_meta(item):
        thread = strings(item, "id")
        return f"thread:{thread}" if thread else None
    return None


def unwrapped(value: Value) -> tuple[str, Value]:
    """The type of a line and its item; a bare item of 2025 is a response_item."""
    payload = value.get("payload")
    if isinstance(payload, dict):
        return str(value.get("type")), payload
    return ("session_meta" if is_bare_meta(value) else "response_item"), value


def base(meta: Value) -> tuple[str, int] | None:
    """The rollout whose history a paginated one goes on from, and the ordinal at which it leaves it."""
    position = member(meta, "history_base")
    rollout, end = strings(position, "thread_id"), position.get("end_ordinal_exclusive")
    return (rollout, end) if rollout and isinstance(end, int) else None


def ordinal(value: Value) -> int:
    """A record's number along its history; -1 where it has none."""
    found = value.get("ordinal")
    return found if isinstance(found, int) else -1


def shown(kind: str, item: Value) -> str | None:
    """The id that what a record shows has in each record that shows it."""
    return strings(member(item, "item") if kind == "event_msg" else item, "id")


def pieces(value: Value) -> Sequence[Piece] | None:
    """What one record says; None for a record of an unknown type."""
    kind, item = unwrapped(value)
    if kind == "response_item":
        return _item(item)
    if kind == "event_msg":
        return _event(item)
    if kind == "compacted":
        return [Piece(Part.COMPACTED, Origin.HARNESS, strings(item, "message") or "", flags=frozenset({"summary"}))]
    return [Piece(Part.NOTED, Origin.HARNESS, "")] if kind in _QUIET_TYPES else None


def prompt(text: str) -> list[Piece]:
    """A text with the role of a user, cut into what was injected and what a person asked."""
    if text.startswith(_SUMMARY_TEXT):
        return [Piece(Part.COMPACTED, Origin.HARNESS, text, flags=frozenset({"summary"}))]
    if _INJECTED.match(text):
        return [Piece(Part.SAID, Origin.HARNESS, text, flags=_META)]
    if not _EDITOR.match(text):
        return [Piece(Part.SAID, Origin.HUMAN, text)]
    request = _REQUEST.search(text)
    if request is None or not text[request.end() :].strip():
        return [Piece(Part.SAID, Origin.HARNESS, text, flags=_META)]
    around = Piece(Part.SAID, Origin.HARNESS, text[: request.end()].rstrip("\n"), flags=_META)
    return [around, Piece(Part.SAID, Origin.HUMAN, text[request.end() :])]


def _item(item: Value) -> Sequence[Piece] | None:
    kind = str(item.get("type"))
    if kind == "message":
        return _message(str(item.get("role")), item.get("content"))
    if kind == "reasoning":
        text = joined([blocks(item.get("summary")), blocks(item.get("content"))])
        return [Piece(Part.THOUGHT, Origin.MODEL, text)]
    if kind == "agent_message":
        return [Piece(Part.SAID, Origin.MODEL, strings(item, "message") or blocks(item.get("content")))]
    if kind == "compaction":
        return [Piece(Part.COMPACTED, Origin.HARNESS, "", flags=frozenset({"summary"}))]
    if kind.endswith("_output"):
        return [_returned(item)]
    return [_called(kind, item)] if kind.endswith("_call") else None


def _message(role: str, content: Any) -> Sequence[Piece]:
    if role == "assistant":
        return [Piece(Part.SAID, Origin.MODEL, blocks(content))]
    if role != "user":
        return [Piece(Part.SAID, Origin.HARNESS, blocks(content), flags=_META)]
    if not isinstance(content, list):
        return prompt(blocks(content))
    found = [piece for block in content if (text := blocks([block])) for piece in prompt(text)]
    return found or [Piece(Part.SAID, Origin.HUMAN, "")]


def _called(kind: str, item: Value) -> Piece:
    tool = strings(item, "name") or kind.removesuffix("_call")
    if space := strings(item, "namespace"):
        tool = f"{space}__{tool}"
    given: Any = item.get("arguments", item.get("action", item.get("input", {})))
    if isinstance(given, str):
        given = _decoded(given) or {"input": given}
    arguments = given if isinstance(given, dict) else {"input": given}
    return Piece(Part.CALLED, Origin.MODEL, called(tool, arguments), tool, strings(item, "call_id"), arguments)


def _returned(item: Value) -> Piece:
    """A tool's output: plain text with an exit code in it, a list of blocks, or an object in a string."""
    output: Any = item.get("output")
    told = _decoded(output) if isinstance(output, str) else output
    text, failed = blocks(output), False
    if isinstance(told, dict):
        failed = member(told, "metadata").get("exit_code", 0) != 0 or told.get("success") is False
        inner = told.get("output", told.get("content"))
        text = blocks(inner) if isinstance(inner, str | list) else text or json.dumps(told, ensure_ascii=False)
    elif code := _EXIT_CODE.search(text[:400]):
        failed = code.group(1) != "0"
    return Piece(Part.RETURNED, Origin.TOOL, text, call=strings(item, "call_id"), failed=failed)


def _event(item: Value) -> Sequence[Piece] | None:
    kind = str(item.get("type"))
    if kind in _SPOKEN:
        part, origin, name = _SPOKEN[kind]
        text = strings(item, name) or ""
        return prompt(text) if origin == Origin.HUMAN else [Piece(part, origin, text)]
    if kind == "item_completed":
        return _completed(member(item, "item"))
    if kind == "mcp_tool_call_end":
        invocation = member(item, "invocation")
        tool = f"{invocation.get('server')}__{invocation.get('tool')}"
        text = blocks(member(member(item, "result"), "Ok").get("content"))
        return [Piece(Part.RETURNED, Origin.TOOL, text, tool, strings(item, "call_id"))]
    return [Piece(Part.NOTED, Origin.HARNESS, "")] if kind in _QUIET_EVENTS else None


def _completed(item: Value) -> Sequence[Piece] | None:
    role = {"UserMessage": "user", "AgentMessage": "assistant"}.get(str(item.get("type")))
    return _message(role, item.get("content")) if role else codex_items.pieces(item)


def _decoded(text: str) -> Value | None:
    if not text.startswith("{"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
