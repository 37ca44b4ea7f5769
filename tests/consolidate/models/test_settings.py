"""What `[distill]` may say, who is asked then, and where a key goes."""

from pathlib import Path
from typing import Any

import pytest

from rhizome.consolidate.models.anthropic import Anthropic
from rhizome.consolidate.models.anthropic import address as messages
from rhizome.consolidate.models.command import Command
from rhizome.consolidate.models.openai import OpenAI
from rhizome.consolidate.models.settings import World, chosen, distill
from rhizome.errors import Refused

KEYS = {"OPENAI_API_KEY": "sk-o", "ANTHROPIC_API_KEY": "sk-a"}


def asked(environment: dict[str, str] | None = None, **settings: Any) -> Any:
    waited: list[float] = []
    world = World(KEYS if environment is None else environment, Path("apart"), waited.append)
    return chosen(distill({"distill": settings}), world)


def test_nobody_is_asked_unless_somebody_is_named() -> None:
    assert asked() is None
    assert asked(backend="rules") is None


def test_each_vendor_gets_its_own_key_in_its_own_header() -> None:
    openai, anthropic = asked(backend="openai", model="m"), asked(backend="anthropic", model="m")

    assert isinstance(openai, OpenAI)
    assert isinstance(anthropic, Anthropic)
    assert openai.endpoint.headers == {"authorization": "Bearer sk-o"}
    assert anthropic.endpoint.headers == {"anthropic-version": "2023-06-01", "x-api-key": "sk-a"}


def test_our_own_variable_comes_first() -> None:
    here = asked({**KEYS, "RHIZOME_DISTILL_KEY": "mine"}, backend="openai", model="m", url="https://models.example/v1")

    assert here.endpoint.headers == {"authorization": "Bearer mine"}
    assert here.endpoint.url == "https://models.example/v1/chat/completions"


@pytest.mark.parametrize(("url", "goes"), [
    ("http://localhost:11434/v1", True), ("http://127.0.0.1:80/v1", True), ("http://[::1]:80/v1", True),
    ("https://models.example/v1", True), ("http://models.example/v1", False), ("http://127.evil.example/v1", False),
    ("http://localhost.evil.example/v1", False), ("http://192.168.1.4/v1", False),
])  # fmt: skip
def test_a_key_leaves_this_machine_only_encrypted(url: str, goes: bool) -> None:
    assert bool(asked(backend="openai", model="m", url=url).endpoint.headers) is goes


@pytest.mark.parametrize("url", ["https://a.example", "https://a.example/v1/", "https://a.example/v1/messages"])
def test_an_address_may_be_given_whole_or_not(url: str) -> None:
    assert messages(url) == "https://a.example/v1/messages"


@pytest.mark.parametrize("settings", [
    {"backend": "oracle"}, {"backend": "openai"}, {"backend": "anthropic"}, {"backend": "command"}, {"backend": 7},
    {"backend": "command", "command": "claude -p"}, {"backend": "openai", "model": "m", "url": "models.example"},
    {"backend": "openai", "model": "m", "url": "file:///etc/passwd"}, {"budget": 5}, {"budget_tokens": -1},
    {"backend": "openai", "model": "m", "url": "https://ines:secret@models.example"}, {"budget_tokens": "many"},
])  # fmt: skip
def test_settings_that_cannot_be_meant_are_refused_by_name(settings: dict[str, Any]) -> None:
    with pytest.raises(Refused, match=r"rhizome\.toml: \[distill\]") as refused:
        asked(**settings)

    assert "secret" not in f"{refused.value.message} {refused.value.hint}"


def test_a_command_is_run_as_it_is_written() -> None:
    named = asked(backend="command", command=["claude", "-p"])

    assert isinstance(named, Command)
    assert (named.words, named.folder) == (("claude", "-p"), Path("apart"))
