"""What is searched: one document per note section, said message and active fact, made from plain values.

Ids are stable (`note:<path>#<nth section>`, `event:<id>`, `fact:<id>`), so that an upsert replaces what stood there.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from rhizome.model import Fact, Message, Origin, Part, Status, Tier

SAID_CHARS = 20_000
"""A longer message is a pasted file; what follows is read from the log, and the text says how much was left out."""

TOOL_CHARS = 2_000
"""What a tool is told and what it returns is mostly code and listings: the first screen tells what it is about."""

BEFORE_CHARS = 600
"""How much of the turn before goes along, so that "yes, do that" can be found by what it answers."""

LEFT_OUT = frozenset({"mirror", "meta", "replay", "summary"})
"""Flags of messages that say again what another record says."""


class Document(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One searchable text with everything its hit and receipt need; `layer` is fact, note or history.

    `role` (human, model, tool, call), `before` and `position` (place in the session) exist for history only. Times are
    ISO 8601 text; `date` is when it happened, `recorded_at` when it was written down. `speaker` names who speaks in a
    conversation of several people.
    """

    id: str
    layer: str
    ref: str
    tier: str = Tier.AMBER
    title: str = ""
    aliases: tuple[str, ...] = ()
    heading: str = ""
    text: str = ""
    before: str = ""
    date: str | None = None
    scope: str | None = None
    session: str | None = None
    position: int = 0
    role: str | None = None
    speaker: str | None = None
    status: str | None = None
    origin: str | None = None
    actor: str | None = None
    recorded_at: str | None = None
    confirmed_at: str | None = None
    superseded_by: str | None = None
    source: str | None = None


def cleaned(document: Document) -> Document:
    """The document with lone surrogates replaced, which harness lines may hold and no file can."""
    try:
        msgspec.msgpack.encode(document)
    except UnicodeEncodeError:
        return msgspec.convert(_cleaned(msgspec.to_builtins(document)), Document)
    return document


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {key: _cleaned(each) for key, each in value.items()}
    return [_cleaned(each) for each in value] if isinstance(value, list | tuple) else value


def note_documents(
    path: str,
    title: str,
    sections: Iterable[tuple[str, int, str]],
    *,
    tier: str,
    aliases: Sequence[str] = (),
    scope: str | None = None,
    date: str | None = None,
    origin: str = Origin.HUMAN,
    actor: str | None = None,
    recorded_at: str | None = None,
    confirmed_at: str | None = None,
    source: str | None = None,
) -> list[Document]:
    """One document per section (heading, line, text) of a note; a note without any text still has its title."""
    kept = [section for section in sections if section[0].strip() or section[2].strip()] or [("", 1, "")]
    return [
        Document(
            id=f"note:{path}#{nth}", layer="note", ref=f"{path}:{line}", tier=tier, title=title, aliases=tuple(aliases),
            heading=heading, text=text, date=date, scope=scope, status="current", origin=origin, actor=actor,
            recorded_at=recorded_at, confirmed_at=confirmed_at, source=source or path,
        )
        for nth, (heading, line, text) in enumerate(kept)
    ]


def fact_documents(facts: Iterable[Fact]) -> Iterator[Document]:
    """One document per active fact; its ref is the event it quotes, its title the fact's key."""
    for fact in facts:
        if fact.status is not Status.ACTIVE:
            continue
        event = fact.evidence[0].event if fact.evidence else None
        value = "" if fact.value.casefold() in fact.statement.casefold() else fact.value
        yield Document(
            id=f"fact:{fact.id}", layer="fact", ref=event or fact.id, tier=fact.tier, title=fact.fact_key,
            aliases=fact.aliases, text="\n".join(filter(None, (fact.statement, value, fact.detail))),
            date=fact.observed_at or None, scope=fact.scope, status=fact.status, origin=fact.origin or None,
            actor=fact.actor or None, recorded_at=fact.recorded_at, confirmed_at=fact.last_confirmed_at, source=event,
        )


def session_documents(
    messages: Iterable[Message],
    *,
    session: str,
    scope: str | None,
    title: str = "",
    tier: str = Tier.AMBER,
    actors: Mapping[str, str] | None = None,
    recorded: Mapping[str, str] | None = None,
    sources: Mapping[str, str] | None = None,
    superseded: Mapping[str, str] | None = None,
    echoes: Collection[str] = (),
) -> Iterator[Document]:
    """One document per message that somebody said, a tool was told or a tool returned, in the session's order.

    `actors`, `recorded` and `sources` tell of an event who made it, when it was recorded and where it was first seen;
    `superseded` names the current fact for events whose fact is no longer current. A call stands where the next message
    does, so that what is said around keeps its neighbours. Echoes of memory, what memory returned, harness text and
    second copies are left out.
    """
    position = 0
    before = ""
    nth: dict[str, int] = {}
    for message in messages:
        if not _spoken(message) or message.event in echoes:
            continue
        limit = SAID_CHARS if message.part is Part.SAID else TOOL_CHARS
        again = nth[message.event] = nth.get(message.event, -1) + 1
        newer = (superseded or {}).get(message.event)
        yield Document(
            id=f"event:{message.event}" + (f":{again}" if again else ""), layer="history", ref=message.event,
            tier=tier, title=title or scope or session, text=_cut(message.text, limit), before=before,
            date=message.at, scope=scope, session=session, position=position, role=_role(message),
            status="superseded" if newer else message.standing, origin=message.origin, superseded_by=newer,
            actor=(actors or {}).get(message.event), recorded_at=(recorded or {}).get(message.event),
            source=(sources or {}).get(message.event),
        )
        position += message.part is not Part.CALLED
        if message.part is Part.SAID:
            before = message.text[-BEFORE_CHARS:]


def _spoken(message: Message) -> bool:
    return (
        message.part in (Part.SAID, Part.CALLED, Part.RETURNED)
        and message.origin not in (Origin.MEMORY, Origin.HARNESS)
        and bool(message.text.strip())
        and not message.flags & LEFT_OUT
    )


def _role(message: Message) -> str:
    if message.part is Part.CALLED:
        return "call"
    if message.part is Part.RETURNED or message.origin == Origin.TOOL:
        return "tool"
    return "human" if message.origin == Origin.HUMAN else "model"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}\n[{len(text) - limit} more characters in the log]"
