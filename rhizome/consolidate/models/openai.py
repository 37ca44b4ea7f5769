"""A chat endpoint as OpenAI has it, and as Ollama, llama.cpp, vLLM, LM Studio and many others copy it."""

from dataclasses import dataclass

import msgspec

from rhizome.config import ANSWER_TOKENS
from rhizome.consolidate.models.answer import SCHEMA
from rhizome.consolidate.models.port import NoReply, Reply, count
from rhizome.consolidate.models.posting import Endpoint, post

URL = "https://api.openai.com/v1"


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: object = None
    completion_tokens: object = None


class _Body(msgspec.Struct):
    choices: list[_Choice]
    model: str = ""
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class OpenAI:
    """Posts to `<url>/chat/completions`, asking for the schema; whether it was held to is seen in the answer."""

    endpoint: Endpoint
    model: str
    backend: str = "openai"

    def ask(self, system: str, text: str) -> str | NoReply:
        return post(self.endpoint, {
            "model": self.model, "temperature": 0, "max_tokens": ANSWER_TOKENS, "stream": False,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": text}],
            "response_format": {"type": "json_schema",
                                "json_schema": {"name": "drafts", "strict": True, "schema": SCHEMA}},
        })  # fmt: skip

    def read(self, raw: str) -> Reply:
        try:
            body = msgspec.json.decode(raw.encode("utf-8", "replace"), type=_Body)
        except (msgspec.MsgspecError, RecursionError) as wrong:
            return Reply(raw, f"the endpoint's answer is no chat completion: {wrong}")
        usage = body.usage or _Usage()
        sent, got = count(usage.prompt_tokens), count(usage.completion_tokens)
        if not body.choices:
            return Reply("", "the answer is empty", body.model, sent, got)
        choice = body.choices[0]
        said = choice.message.content or choice.message.refusal or ""
        return Reply(said, _wrong(choice), body.model, sent, got)


def _wrong(choice: _Choice) -> str:
    if choice.message.refusal or choice.finish_reason == "content_filter":
        return "the model refused to answer"
    return "the answer was cut off" if choice.finish_reason == "length" else ""


def address(url: str) -> str:
    """Where to post, for a base address or a whole one."""
    url = url.rstrip("/")
    return url if url.endswith("/chat/completions") else f"{url}/chat/completions"
