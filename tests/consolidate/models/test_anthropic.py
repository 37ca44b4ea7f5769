"""The Messages endpoint: what is asked of it, and what its answers say."""

import json
from typing import Any

import pytest

from rhizome.consolidate.models.anthropic import Anthropic, address
from rhizome.consolidate.models.posting import Endpoint as Address
from tests.consolidate.models.endpoint import Endpoint, page

DRAFTS = {"drafts": [{"type": "fact"}]}
USED = {"type": "tool_use", "id": "t", "name": "take_notes", "input": DRAFTS}


def answered(*blocks: dict[str, Any], stop: str = "tool_use", **more: Any) -> str:
    usage = {"input_tokens": 100, "output_tokens": 20}
    return json.dumps({"model": "m-1", "content": blocks, "stop_reason": stop, "usage": usage} | more)


@pytest.fixture
def model(endpoint: Endpoint) -> Anthropic:
    waited: list[float] = []
    return Anthropic(Address(address(endpoint.url), {"x-api-key": "k"}, waited.append), "m")


def test_the_model_must_hand_in_its_drafts_through_the_tool(endpoint: Endpoint, model: Anthropic) -> None:
    endpoint.says(page(answered(USED).encode(), "application/json"))

    raw = model.ask("be brief", "what was said?")

    assert isinstance(raw, str)
    assert json.loads(model.read(raw).text) == DRAFTS
    asked = endpoint.asked[0]
    assert (asked["tool_choice"]["name"], asked["system"]) == ("take_notes", "be brief")
    assert asked["tools"][0]["input_schema"]["properties"]["drafts"]["items"]["additionalProperties"] is False
    assert endpoint.headers[0]["x-api-key"] == "k"


def test_words_instead_of_the_tool_are_read_as_words(model: Anthropic) -> None:
    thinking, text = {"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Sure!"}
    reply = model.read(answered(thinking, text, stop="end_turn"))

    assert (reply.text, reply.wrong, reply.sent, reply.got) == ("Sure!", "", 100, 20)


@pytest.mark.parametrize(("raw", "wrong"), [
    (answered(USED, stop="max_tokens"), "cut off"), (answered(stop="refusal"), "refused"),
    ("[]", "no message"), ("<html>", "no message"), ("[" * 50_000, "no message"), ('{"content": 7}', "no message"),
])  # fmt: skip
def test_what_cannot_be_used_says_why(model: Anthropic, raw: str, wrong: str) -> None:
    assert wrong in model.read(raw).wrong


@pytest.mark.parametrize("usage", [None, {}, {"input_tokens": -5}, {"input_tokens": "many"}, {"input_tokens": True}])
def test_a_count_that_is_none_is_not_believed(model: Anthropic, usage: object) -> None:
    assert model.read(answered(USED, usage=usage)).sent is None
