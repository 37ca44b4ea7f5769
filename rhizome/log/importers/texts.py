"""How records are put into words, alike for every harness: calls, results, and what came out of a memory."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from rhizome.log.importers.records import Value

_TOOLS = re.compile(r"(?:^|_)rhizome(?:_|$)|(?:^|__)memory_(?:search|read|graph|fact|brief|remember)$")
_COMMAND = re.compile(r"(?:^|[;&|(`\n]|\buv run|\bpipx run|\buvx|\s-m)\s*(?:\w+=\S*\s+)*(?:\S*/)?rhizome(?=\s|$)")


def joined(texts: Iterable[str]) -> str:
    """The texts that say something, a line break between them."""
    return "\n".join(text for text in texts if text)


def blocks(content: Any) -> str:
    """The text in a `content` member: a string, or the text members of a list of blocks."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return joined(block if isinstance(block, str) else _text(block) for block in content)


def topic(harness: str, conversation: str, title: str | None) -> str:
    """What a conversation outside any folder counts as a project: itself, by the title it had when first seen."""
    name = " ".join((title or conversation).replace("/", "-").replace("\\", "-").split())
    return f"{harness}/{conversation}/{name}"


def called(tool: str, arguments: Mapping[str, Any]) -> str:
    """A call in words: the tool, then an argument a line."""
    return joined([tool, *(f"{name}: {_shown(value)}" for name, value in arguments.items())])


def remembers(tool: str | None, arguments: Mapping[str, Any]) -> bool:
    """Whether what this call returns came out of a memory: a tool of ours, or our own program in a shell."""
    if tool and _TOOLS.search(tool):
        return True
    return any(_COMMAND.search(text) for text in _commands(arguments))


def _commands(arguments: Mapping[str, Any]) -> list[str]:
    found = [arguments.get(name) for name in ("command", "cmd")]
    lists = [" ".join(map(str, item)) for item in found if isinstance(item, list)]
    return lists + [item for item in found if isinstance(item, str)]


def _text(block: Value) -> str:
    text = block.get("text") if isinstance(block, dict) else None
    return text if isinstance(text, str) else ""


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
