"""What events say, as far as reconciling needs it: the text a quote must stand in, and who said it, where and when."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rhizome.consolidate.repeating import repeats, tells
from rhizome.model import UNDONE, Event, Message, Origin, Part, Turn, moment

Lookup = Callable[[str], "Heard | None"]
"""An event id -> what that event says, None where there is no such event."""

_WEB_TOOL = re.compile(r"web|fetch|brows|http|url|crawl|scrape|tavily|google|bing", re.IGNORECASE)
_ABROAD = re.compile(r"\b(?:curl|wget|https?://|lynx)", re.IGNORECASE)
"""Tools, and commands in a shell, that return a stranger's text."""

UNSAID = UNDONE | {"mirror", "meta", "summary", "replay"}
"""Flags of messages that say nothing of their own, or that nobody stands by any more."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A part of an event in one voice. `stands` is False where nobody stands by it (any more)."""

    origin: str
    text: str
    stands: bool = True


@dataclass(frozen=True, slots=True)
class Heard:
    """One event: what it says (`text`, which quotes are checked against) and by whom, part by part.

    `at` is when it was said: its own time, else its nearest earlier dated neighbour's, else when it was recorded.
    `root` is the session that its session forked from. `returned` is what tools returned in the same turn and thread (a
    subagent's report returns to the one that sent it, and is its own words all the same), for a proposal in its whole
    session; `abroad` those of them that came from the web, `recalled` what a memory returned in the session.
    """

    event: str
    text: str
    parts: tuple[Spoken, ...]
    at: str
    session: str = ""
    root: str = ""
    scope: str = ""
    actor: str = ""
    turn: str | None = None
    returned: tuple[Message, ...] = ()
    abroad: tuple[Message, ...] = ()
    recalled: tuple[Message, ...] = ()
    proposal: bool = False

    def speaker(self, quote: str) -> Spoken | None:
        """Who says `quote`: the best voice whose own part holds it whole, else the least trusted it runs over.

        None where the event's text holds it and no part of it that was read does.
        """
        quote = plain(quote)
        whole = [part for part in self.parts if quote in plain(part.text)]
        if whole:
            return max(whole, key=lambda part: (part.stands, trust(part.origin)))
        if quote in plain("\n".join(part.text for part in self.parts)):
            return min(self.parts, key=lambda part: (part.stands, trust(part.origin)))
        return None

    def repeats_a_tool(self, quote: str) -> bool:
        """Whether a tool had returned these words earlier; undated returns count as earlier."""
        return any(repeats(quote, other.text) for other in self._before(self.returned))

    def repeats_memory(self, quote: str) -> bool:
        """Whether a memory had returned these words earlier in the session."""
        return any(repeats(quote, other.text) for other in self._before(self.recalled))

    def is_from_abroad(self, value: str, statement: str) -> bool:
        """Whether the web told what `statement` tells, in whatever words, and nothing that is at home here did."""
        abroad = [*self._before(self.abroad)]
        at_home = (other for other in self._before(self.returned) if other not in abroad)
        return any(tells(value, statement, other.text) for other in abroad) and not any(
            tells(value, statement, other.text) for other in at_home
        )

    def _before(self, others: Iterable[Message]) -> Iterator[Message]:
        now = moment(self.at)
        for other in others:
            then = moment(other.at)
            if other.event != self.event and (then is None or now is None or then < now):
                yield other


class Hearing:
    """A `Lookup` over turns, proposals and, for what is older, the log.

    `event(id)` is the log's event or None; `says(event)` its text. `root(session)` is the session it forked from.
    """

    def __init__(self, turns: Iterable[Turn], event: Callable[[str], Event | None], says: Callable[[Event], str], *,
                 root: Callable[[str], str] = str) -> None:
        self._event, self._says, self._root = event, says, root
        self._turns: dict[str, tuple[Turn, str | None]] = {}
        self._messages: dict[str, list[Message]] = defaultdict(list)
        latest: dict[str, str | None] = {}
        for turn in turns:
            dated = turn.at or latest.get(turn.session)
            for message in turn.messages:
                dated = message.at or dated
                self._turns.setdefault(message.event, (turn, dated))
                if message.part in (Part.CALLED, Part.RETURNED):
                    for name in (turn.session, turn.session.partition(":")[2], f"scope:{turn.scope}"):
                        self._messages[name].append(message)
            latest[turn.session] = dated

    def __call__(self, event_id: str) -> Heard | None:
        event = self._event(event_id)
        if event is None:
            return None
        if event.kind == "memory.proposed":
            said = proposed(event)
        elif event_id in self._turns:
            turn, dated = self._turns[event_id]
            said = in_turn(event_id, turn, text=self._says(event), at=dated or event.recorded_at)
        else:
            said = Heard(event_id, self._says(event), (), event.happened_at or event.recorded_at, event.session or "")
        here = self._messages.get(said.session or f"scope:{said.scope}", [])
        said = replace(said, root=self._root(said.session), recalled=recalled(here))
        return replace(said, returned=returned(here), abroad=abroad(here)) if said.proposal else said


def in_turn(event: str, turn: Turn, *, text: str, at: str) -> Heard:
    """What `event` of `turn` says."""
    messages = [message for message in turn.messages if message.event == event]
    parts = tuple(Spoken(message.origin, message.text, not message.flags & UNSAID)
                  for message in messages if message.text)
    human = any(part.origin == Origin.HUMAN for part in parts)
    around = [each for each in turn.messages if each.thread == messages[0].thread]
    return Heard(
        event=event, text=text, parts=parts, at=at, session=turn.session, root=turn.session, scope=turn.scope,
        actor="human" if human else f"agent:{turn.harness}", turn=turn.id, returned=returned(around),
        abroad=abroad(around), recalled=recalled(around),
    )


def returned(messages: Iterable[Message]) -> tuple[Message, ...]:
    """What tools returned."""
    return tuple(message for message in messages if message.part is Part.RETURNED)


def recalled(messages: Iterable[Message]) -> tuple[Message, ...]:
    """What a memory returned."""
    return tuple(message for message in returned(messages) if message.origin == Origin.MEMORY)


def abroad(messages: Sequence[Message]) -> tuple[Message, ...]:
    """What came from the web: through a tool for it, or a command that fetches."""
    fetched = {message.call for message in messages if message.part is Part.CALLED and _ABROAD.search(message.text)}
    return tuple(message for message in returned(messages)
                 if _WEB_TOOL.search(message.tool or "") or (message.call and message.call in fetched))


def proposed(event: Event) -> Heard:
    """What a `memory.proposed` event says: its statement, in the voice of whoever typed it."""
    statement = str(event.fields.get("statement", ""))
    origin = Origin.HUMAN if event.fields.get("typed") else Origin.MODEL
    session = event.session or ""
    return Heard(
        event=event.id, text=statement, parts=(Spoken(origin, statement),), at=event.happened_at or event.recorded_at,
        session=session, root=session, scope=event.scope or "", actor=event.actor, proposal=True,
    )


def trust(origin: str) -> int:
    """Whose word weighs more: a person's 3, a model's or a peer's 2, a tool's 1, anything else 0."""
    if origin.startswith("peer:"):
        return 2
    return {"human": 3, "model": 2, "tool": 1}.get(origin, 0)


def plain(text: str) -> str:
    """`text` as quotes are compared: NFC, white space as single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def hearings(turns: Sequence[Turn]) -> dict[str, Heard]:
    """What each event of `turns` says by its messages alone, for where there is no log to ask."""
    found: dict[str, Heard] = {}
    for turn in turns:
        texts: dict[str, list[str]] = defaultdict(list)
        for message in turn.messages:
            texts[message.event].append(message.text)
        for event, said in texts.items():
            at = next((each.at for each in turn.messages if each.event == event and each.at), None) or turn.at or ""
            found[event] = in_turn(event, turn, text="\n".join(filter(None, said)), at=at)
    return found
