"""Claude Code: what a record says, and who says it.

Not everything of `type: user` is a person: tool results, compaction summaries, notices of the harness (`isMeta`, and
texts in tags of its own) and the prompt of a subagent come that way too.
"""

import re
from collections.abc import Sequence
from typing import Any

from rhizome.log.importers.port import Piece
from rhizome.log.importers.records import Value, member, strings
from rhizome.log.importers.texts import blocks, called, joined
from rhizome.model import Origin, Part

TITLES = {"summary", "ai-title", "custom-title"}
_QUIET = {"mode", "permission-mode", "file-history-snapshot", "progress", "queue-operation", "last-prompt"}

_TAGS = (
    "system-reminder|local-command-caveat|local-command-stdout|local-command-stderr|bash-input|bash-stdout|bash-stderr"
    "|task-notification|ide_opened_file|ide_selection|user-prompt-submit-hook|session-start-hook"
)
_WRAPPED = re.compile(rf"<({_TAGS})\b[^>]*>.*?</\1>", re.DOTALL)
_NOTICE = re.compile(rf"\s*(?:<(?:{_TAGS})\b|\[Request interrupted by user|Caveat: The messages below)")
INTERRUPTED = "[Request interrupted by user"
_CONTINUED = "This session is being continued from a previous conversation"
_COMMAND = re.compile(r"\s*<command-(?:name|message)>")
_COMMAND_NAME = re.compile(r"<command-name>\s*(.*?)\s*</command-name>", re.DOTALL)
_COMMAND_ARGS = re.compile(r"<command-args>\s*(.*?)\s*</command-args>", re.DOTALL)

_META = frozenset({"meta"})
_SUMMARY = frozenset({"summary"})
_QUEUED = frozenset({"queued"})


def pieces(value: Value) -> Sequence[Piece] | None:
    """What one record says, in its own order; None for a record of an unknown type."""
    kind = value.get("type")
    if kind == "user":
        found = _user(value)
    elif kind == "assistant":
        found = _assistant(value)
    elif kind == "system":
        part = Part.COMPACTED if value.get("subtype") == "compact_boundary" else Part.NOTED
        found = [Piece(part, Origin.HARNESS, blocks(value.get("content")))]
    elif kind == "attachment":
        found = _attachment(member(value, "attachment"))
    elif kind == "queue-operation" and value.get("operation") == "enqueue":
        found = [piece._replace(flags=piece.flags | _QUEUED) for piece in prompt(blocks(value.get("content")))]
    elif kind in TITLES:
        text = strings(value, "customTitle", "aiTitle", "summary") or ""
        found = [Piece(Part.NOTED, Origin.HARNESS, text, flags=_SUMMARY)]
    elif kind in _QUIET:
        found = [Piece(Part.NOTED, Origin.HARNESS, "")]
    else:
        return None
    return [_aside(piece) for piece in found] if value.get("isSidechain") is True else found


def prompt(text: str) -> list[Piece]:
    """A text that stands where a person types, cut into what the harness put there and what the person typed."""
    if _COMMAND.match(text):
        return _command(text)
    if text.startswith(_CONTINUED):
        return [Piece(Part.COMPACTED, Origin.HARNESS, text, flags=_SUMMARY)]
    found, done = [], 0
    for match in _WRAPPED.finditer(text):
        found += _typed(text[done : match.start()])
        found.append(Piece(Part.SAID, Origin.HARNESS, match.group(), flags=_META))
        done = match.end()
    return found + _typed(text[done:])


def _typed(text: str) -> list[Piece]:
    if not text.strip():
        return []
    if _NOTICE.match(text):
        return [Piece(Part.SAID, Origin.HARNESS, text, flags=_META)]
    return [Piece(Part.SAID, Origin.HUMAN, text)]


def _command(text: str) -> list[Piece]:
    """A slash command: its name is the harness's business, its arguments are a person's words."""
    name, words = _COMMAND_NAME.search(text), _COMMAND_ARGS.search(text)
    found = [Piece(Part.SAID, Origin.HARNESS, name.group(1) if name else text, flags=_META)]
    return [*found, Piece(Part.SAID, Origin.HUMAN, words.group(1))] if words and words.group(1) else found


def _user(value: Value) -> list[Piece]:
    content = member(value, "message").get("content")
    if value.get("isCompactSummary") is True:
        return [Piece(Part.COMPACTED, Origin.HARNESS, blocks(content), flags=_SUMMARY)]
    found: list[Piece] = []
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, dict) and block.get("type") == "tool_result":
            found.append(_returned(block, value.get("toolUseResult")))
        else:
            found += prompt(block if isinstance(block, str) else blocks([block]))
    if value.get("isMeta") is True or value.get("isVisibleInTranscriptOnly") is True:
        found = [p._replace(origin=Origin.HARNESS, flags=_META) if p.part is Part.SAID else p for p in found]
    return found or [Piece(Part.SAID, Origin.HARNESS if value.get("isMeta") is True else Origin.HUMAN, "")]


def _returned(block: Value, beside: Any) -> Piece:
    """A tool's result; `toolUseResult` beside it repeats the content and speaks only where that is empty."""
    text = blocks(block.get("content"))
    if not text and isinstance(beside, dict):
        text = joined(strings(beside, name) or "" for name in ("stdout", "stderr")) or blocks(beside.get("content"))
    elif not text and isinstance(beside, str):
        text = beside
    call = strings(block, "tool_use_id")
    return Piece(Part.RETURNED, Origin.TOOL, text, call=call, failed=block.get("is_error") is True)


def _assistant(value: Value) -> list[Piece]:
    message = member(value, "message")
    content = message.get("content")
    if value.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>":
        return [Piece(Part.NOTED, Origin.HARNESS, blocks(content))]
    if not isinstance(content, list):
        return [Piece(Part.SAID, Origin.MODEL, blocks(content))]
    return [_block(block) for block in content if isinstance(block, dict)]


def _block(block: Value) -> Piece:
    kind = str(block.get("type"))
    if kind == "text":
        return Piece(Part.SAID, Origin.MODEL, blocks([block]))
    if kind in {"thinking", "redacted_thinking"}:
        return Piece(Part.THOUGHT, Origin.MODEL, strings(block, "thinking") or "")
    if kind.endswith("tool_use"):
        tool, arguments = strings(block, "name") or "", member(block, "input")
        return Piece(Part.CALLED, Origin.MODEL, called(tool, arguments), tool, strings(block, "id"), arguments)
    if kind.endswith("tool_result"):
        return _returned(block, None)
    return Piece(Part.UNKNOWN, Origin.HARNESS, blocks([block]))


def _attachment(attached: Value) -> list[Piece]:
    """A prompt typed while the model worked, or something the harness put beside the conversation."""
    text = blocks(attached.get("prompt"))
    if attached.get("type") != "queued_command":
        return [Piece(Part.NOTED, Origin.HARNESS, blocks(attached.get("content")))]
    if attached.get("commandMode", "prompt") != "prompt":
        return [Piece(Part.NOTED, Origin.HARNESS, text)]
    return [piece._replace(flags=piece.flags | _QUEUED) for piece in prompt(text)]


def _aside(piece: Piece) -> Piece:
    """In a subagent's thread, what looks like a person is the model that sent it."""
    origin = Origin.MODEL if piece.origin == Origin.HUMAN else piece.origin
    return piece._replace(origin=origin, flags=piece.flags | {"sidechain"})
