"""Turns made by hand, for tests that are about sentences."""

from collections.abc import Callable

import pytest

from rhizome.consolidate.distill import NOTHING_KNOWN, Known
from rhizome.consolidate.rules import Rules
from rhizome.model import Draft, Message, Origin, Part, Turn

Said = tuple[str, str]
"""Who said it (`human`, `model`, `tool`, `failed` for a tool that failed) and what."""


def message(number: int, who: str, text: str, flags: frozenset[str] = frozenset()) -> Message:
    origin = {"failed": Origin.TOOL}.get(who, Origin(who) if who in set(Origin) else Origin.HUMAN)
    part = Part.RETURNED if origin is Origin.TOOL else Part.SAID
    return Message(f"{number:032x}", part, origin.value, text, flags=flags, failed=who == "failed")


def conversation(*said: Said, scope: str = "paperboat") -> list[Turn]:
    """A session: each human message opens a turn."""
    turns: list[list[Message]] = []
    for number, (who, text) in enumerate(said, start=1):
        if who == "human" or not turns:
            turns.append([])
        turns[-1].append(message(number, who, text))
    return [Turn(held[0].event, "s1", scope, tuple(held), closed=True) for held in turns]


@pytest.fixture
def drafts() -> Callable[..., list[Draft]]:
    """What a conversation gives: `drafts(("human", "..."), ("model", "..."))`."""

    def read(*said: Said, known: Known = NOTHING_KNOWN, scope: str = "paperboat") -> list[Draft]:
        return Rules().distill(conversation(*said, scope=scope), known)

    return read
