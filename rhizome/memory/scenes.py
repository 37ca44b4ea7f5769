"""An event where it happened: whose words they were, in which session, and what was said right before and after."""

from collections.abc import Iterator
from typing import Any

from rhizome.errors import NotFound
from rhizome.log.lineage import Lineage
from rhizome.log.sessions import info, says, turns
from rhizome.memory.parts import Parts
from rhizome.model import Event, Message, Origin, Part, Tier, Turn, visible

Answer = dict[str, Any]

NEAR = 3
"""So many messages before and after the quoted one are told; `read` and the session have the rest."""

CHARS = 500
"""How much of each message is repeated; `read EVENT` prints all of it."""


def scene(parts: Parts, event: str, quote: str, clearance: Tier) -> Answer:
    """One event: `quote` and text, who said it and when, its session, and the `turns` around it.

    Of an event that is not in the log, or above the reader's clearance, the id alone is told (`withheld` says which).
    """
    found: Answer = {"event": event, "quote": "", "text": "", "turns": [], "withheld": None}
    found |= dict.fromkeys(("kind", "origin", "actor", "happened_at", "recorded_at", "session", "title", "scope"))
    try:
        said = parts.log.get(event.partition("#")[0])
    except NotFound:
        return found | {"withheld": "not in this log"}
    if not visible(said.tier, clearance):
        return found | {"withheld": "above the reader's clearance"}
    found |= {
        "quote": quote, "text": _cut(says(said)), "kind": said.kind, "origin": said.origin, "actor": said.actor,
        "happened_at": said.happened_at, "recorded_at": said.recorded_at, "scope": said.scope,
    }  # fmt: skip
    return found | _in_session(parts, said) if said.kind == "session.record" and said.session else found


def _in_session(parts: Parts, event: Event) -> Answer:
    lineage = Lineage.of(parts.log, sides=True)
    session = event.session or ""
    if session not in lineage.sessions:
        return {"session": session}
    about = info(parts.log, session, lineage)
    heard = turns(parts.log, session, parts.around.clock(), lineage)
    told, own = _around(heard, event.id)
    return {"session": session, "title": about.title, "turns": told} | ({"origin": own.origin} if own else {})


def _around(heard: Iterator[Turn], event: str) -> tuple[list[Answer], Message | None]:
    """The turn that holds an event with the messages near it, what the turn before came to, and the next prompt."""
    before: Turn | None = None
    for turn in heard:
        at = next((at for at, message in enumerate(turn.messages) if message.event == event), None)
        if at is None:
            before = turn
            continue
        near = [*([0] if at > NEAR else []), *range(max(0, at - NEAR), min(len(turn.messages), at + NEAR + 1))]
        told = [_turn(before, _ends(before), event)] if before else []
        told.append(_turn(turn, [turn.messages[each] for each in near], event))
        after = next(heard, None)
        told += [_turn(after, list(after.messages[:1]), event)] if after else []
        return told, turn.messages[at]
    return [], None


def _ends(turn: Turn) -> list[Message]:
    """How a turn began and the last that was said in it."""
    answers = [each for each in turn.messages[1:] if each.part is Part.SAID and each.origin == Origin.MODEL]
    return [*turn.messages[:1], *answers[-1:]]


def _turn(turn: Turn, messages: list[Message], event: str) -> Answer:
    told = [_message(each, event) for each in messages if each.text.strip()]
    return {"id": turn.id, "at": turn.at, "messages": told}


def _message(message: Message, event: str) -> Answer:
    return {
        "event": message.event, "at": message.at, "origin": message.origin, "part": message.part,
        "tool": message.tool, "text": _cut(message.text), "cut": len(message.text) > CHARS,
        "quoted": message.event == event,
    }  # fmt: skip


def _cut(text: str) -> str:
    return text if len(text) <= CHARS else text[: CHARS - 1] + "…"
