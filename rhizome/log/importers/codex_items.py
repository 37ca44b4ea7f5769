"""Codex CLI: what a completed item of a turn says.

A paginated rollout has one `item_completed` for everything that a turn shows, where others have an event of its own
kind. What was said or called stands in a `response_item`, too, mostly under the same id. A plan is a part of the answer
that it stands in.
"""

from collections.abc import Sequence
from typing import Any

from rhizome.log.importers.port import Piece
from rhizome.log.importers.records import Value, member, strings
from rhizome.log.importers.texts import blocks, called, joined
from rhizome.model import Origin, Part

_QUIET = {"Plan", "ContextCompaction", "Sleep", "SubAgentActivity", "CollabAgentToolCall", "ImageView",
          "ImageGeneration"}  # fmt: skip
_FAILED = {"failed", "declined"}
_SHELLS = {"-c", "-lc", "-Command"}


def pieces(item: Value) -> Sequence[Piece] | None:
    """What an item says that is no message; None for an item of an unknown type."""
    kind = item.get("type")
    if kind == "Reasoning":
        thoughts = [each for name in ("summary_text", "raw_content") for each in _listed(item, name)]
        return [Piece(Part.THOUGHT, Origin.MODEL, joined(filter(_is_text, thoughts)))]
    if kind == "HookPrompt":
        return [Piece(Part.SAID, Origin.HARNESS, blocks(_listed(item, "fragments")), flags=frozenset({"meta"}))]
    if kind == "WebSearch":
        return _call(item, "web_search", {"query": strings(item, "query") or ""})[:1]
    if kind == "CommandExecution":
        output = strings(item, "aggregated_output", "formatted_output", "stdout", "stderr")
        return _call(item, "exec_command", {"command": _command(item.get("command"))}, output)
    if kind == "FileChange":
        return _call(item, "apply_patch", member(item, "changes"), joined(_texts(item, "stdout", "stderr")))
    if kind == "McpToolCall":
        output = blocks(member(item, "result").get("content")) or strings(member(item, "error"), "message")
        return _call(item, f"{item.get('server')}__{item.get('tool')}", item.get("arguments"), output)
    if kind == "DynamicToolCall":
        tool = "__".join(_texts(item, "namespace", "tool"))
        return _call(item, tool, item.get("arguments"), blocks(item.get("content_items")) or strings(item, "error"))
    return [Piece(Part.NOTED, Origin.HARNESS, "")] if kind in _QUIET else None


def _call(item: Value, tool: str, given: Any, output: str | None = None) -> list[Piece]:
    """A call and what it returned, which are one item here."""
    arguments = given if isinstance(given, dict) else {} if given is None else {"input": given}
    call, code = strings(item, "id"), item.get("exit_code")
    failed = item.get("status") in _FAILED or item.get("success") is False or code not in {0, None}
    return [Piece(Part.CALLED, Origin.MODEL, called(tool, arguments), tool, call, arguments),
            Piece(Part.RETURNED, Origin.TOOL, output or "", tool, call, failed=failed)]


def _command(words: Any) -> str:
    """A command as it was given: what a shell was told, without the shell."""
    if not isinstance(words, list):
        return words if isinstance(words, str) else ""
    told = words[-1:] if len(words) == 3 and words[1] in _SHELLS else words
    return " ".join(map(str, told))


def _listed(item: Value, name: str) -> list[Any]:
    found = item.get(name)
    return found if isinstance(found, list) else []


def _texts(item: Value, *names: str) -> list[str]:
    return [text for name in names if (text := strings(item, name))]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)
