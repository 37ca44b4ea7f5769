"""Reads a batch of turns message by message and drafts what people state and what models found."""

import re
from collections.abc import Iterator, Sequence

from rhizome.config import DRAFTS_PER_TURN
from rhizome.consolidate.distill import Known
from rhizome.consolidate.heard import UNSAID
from rhizome.consolidate.rules.agreement import agrees
from rhizome.consolidate.rules.drafts import Context, adopted, from_model, from_person
from rhizome.consolidate.rules.findings import promising
from rhizome.consolidate.rules.keys import Memory
from rhizome.consolidate.rules.tables import lexicon
from rhizome.model import Draft, Message, Origin, Part, Turn

_OPENING_CHARS = 60
_STOP = re.compile(r"[.!?。！\n]")


class Rules:
    """The distiller that works everywhere: no model, no network, the same drafts for the same turns."""

    name = "rules"

    def distill(self, turns: Sequence[Turn], known: Known) -> list[Draft]:
        memory = Memory(known)
        said_before = dict(known.answers)
        drafts: list[Draft] = []
        followed = _followed(turns)
        for turn in turns:
            drafts += [*_drafts(turn, memory, said_before, followed)][:DRAFTS_PER_TURN]
        return drafts


def _drafts(
    turn: Turn, memory: Memory, said_before: dict[str, Message], followed: dict[str, str]
) -> Iterator[Draft]:
    """The drafts of one turn in the order they were said; `said_before` keeps each session's last answer."""
    context = Context(turn, memory)
    failed = recovered = False
    for message in turn.messages:
        if message.flags & UNSAID:
            continue
        if message.part is Part.RETURNED and message.origin == Origin.TOOL:
            failed, recovered = failed or message.failed, recovered or (failed and not message.failed)
        elif message.part is not Part.SAID:
            continue
        elif message.origin == Origin.HUMAN:
            answer = said_before.get(turn.session)
            if answer and agrees(message.text):
                yield from adopted(context, answer, message)
            else:
                yield from _last_of_each_key(from_person(context, message))
            said_before.pop(turn.session, None)
        elif message.origin == Origin.MODEL:
            if "sidechain" not in message.flags:
                said_before[turn.session] = message
            if promising(message.text) and not _corrects(followed.get(message.event, "")):
                yield from from_model(context, message, recovered)


def _followed(turns: Sequence[Turn]) -> dict[str, str]:
    """What the person said after each of the model's own messages, by its event; subagents report to the model."""
    followed: dict[str, str] = {}
    since: dict[str, list[str]] = {}
    for turn in turns:
        for message in turn.messages:
            if message.part is not Part.SAID or message.flags & UNSAID:
                continue
            if message.origin == Origin.MODEL and "sidechain" not in message.flags:
                since.setdefault(turn.session, []).append(message.event)
            elif message.origin == Origin.HUMAN:
                followed.update(dict.fromkeys(since.pop(turn.session, ()), message.text))
    return followed


def _corrects(text: str) -> bool:
    """Whether a person's message takes back what they answer to: nothing in that was a finding."""
    opening = _STOP.split(text.strip()[:_OPENING_CHARS], maxsplit=1)[0]
    return any(
        tag.label == "correct" or (tag.label == "ban" and tag.start < 3) or (tag.label == "neg" and tag.start < 3)
        for tag in lexicon().tags(opening)
    ) or opening.startswith(("いや", "いいえ", "違"))


def _last_of_each_key(drafts: Iterator[Draft]) -> list[Draft]:
    """Of two values for one key in one breath the later; the order is that of the first mention."""
    latest: dict[tuple[str, str, str], Draft] = {}
    for draft in drafts:
        latest[draft.scope, draft.subject, draft.attribute] = draft
    return list(latest.values())
