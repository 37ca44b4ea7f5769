"""The Messages endpoint of Anthropic, which is held to the schema through the one tool it must use."""

from dataclasses import dataclass

import msgspec

from rhizome.config import ANSWER_TOKENS
from rhizome.consolidate.models.answer import SCHEMA
from rhizome.consolidate.models.port import NoReply, Reply, count
from rhizome.consolidate.models.posting import Endpoint, post

URL = "https://api.anthropic.com/v1"
VERSION = "2023-06-01"
TOOL = "take_notes"

WRONG = {"max_tokens": "the answer was cut off", "refusal": "the model refused to answer"}
"""Reasons to stop that leave no answer."""


class _Block(msgspec.Struct):
    type: str
    text: str = ""
    name: str = ""
    input: msgspec.Raw = msgspec.Raw(b"")


class _Usage(msgspec.Struct):
    input_tokens: object = None
    output_tokens: object = None


class _Body(msgspec.Struct):
    content: list[_Block]
    stop_reason: str | None = None
    model: str = ""
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class Anthropic:
    """Posts to `<url>/messages`; the answer is what the tool was called with, else what was said instead."""

    endpoint: Endpoint
    model: str
    backend: str = "anthropic"

    def ask(self, system: str, text: str) -> str | NoReply:
        return post(self.endpoint, {
            "model": self.model, "max_tokens": ANSWER_TOKENS, "system": system,
            "messages": [{"role": "user", "content": text}],
            "tools": [{"name": TOOL, "description": "Hands in the drafts.", "input_schema": SCHEMA}],
            "tool_choice": {"type": "tool", "name": TOOL},
        })  # fmt: skip

    def read(self, raw: str) -> Reply:
        try:
            body = msgspec.json.decode(raw.encode("utf-8", "replace"), type=_Body)
        except (msgspec.MsgspecError, RecursionError) as wrong:
            return Reply(raw, f"the endpoint's answer is no message: {wrong}")
        usage = body.usage or _Usage()
        used = [block for block in body.content if (block.type, block.name) == ("tool_use", TOOL)]
        said = "\n".join(block.text for block in body.content if block.type == "text")
        text = bytes(used[0].input).decode() if used else said
        return Reply(text, WRONG.get(body.stop_reason or "", ""), body.model,
                     count(usage.input_tokens), count(usage.output_tokens))  # fmt: skip


def address(url: str) -> str:
    """Where to post, for a base address (with or without its `/v1`) or a whole one."""
    url = url.rstrip("/")
    if url.endswith("/messages"):
        return url
    return f"{url}/messages" if url.endswith("/v1") else f"{url}/v1/messages"
