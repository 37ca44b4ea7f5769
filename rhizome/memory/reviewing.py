"""The review as a person meets it: what awaits them, and their decisions, appended as events of their own."""

from typing import Any

from rhizome.consolidate.derive import KINDS, derive
from rhizome.consolidate.review import Item, Words, awaiting, decided, settled
from rhizome.errors import NotFound, Refused
from rhizome.memory.home import red
from rhizome.memory.parts import Parts
from rhizome.model import Event, Fact

NAME_DIGITS = 8
"""Fewer digits of an item's id than this name nothing."""


def items(parts: Parts) -> list[Item]:
    """Everything that awaits a person. Reads the log as a rebuild does, about a second for a year of notes."""
    removed = {str(event.fields.get("path")): event.id for event in parts.log.history(("note.removed",))}
    done = settled(parts.log.history(("review.rejected",)))
    return awaiting(derive(parts.log.history(KINDS)), key=parts.home.key, removed=removed, settled=done)


def decide(
    parts: Parts, name: str, decision: str, *, yes: bool, statement: str = "", value: str | None = None,
    into: str | None = None,
) -> tuple[Item, list[Event]]:  # fmt: skip
    """Append what a person decided about the item called `name`.

    Raises Refused where no person can be meant (an agent's shell; no terminal and no `yes`) and for a decision that
    does not fit, NotFound where nothing of that name awaits anybody.
    """
    _by_a_person(parts, yes=yes)
    item = _named(items(parts), name)
    said = decision == "edit" or (decision == "supersede" and statement.strip())
    words = _words(parts, statement, value or "") if said else None
    events = decided(item, decision, key=parts.home.key, at=parts.log.head.seq, words=words, into=into or "")
    parts.append(events)
    return item, events


def _by_a_person(parts: Parts, *, yes: bool) -> None:
    if parts.around.by_agent:
        raise Refused("review: decisions are a person's", "Run it in a terminal of your own, outside the agent.")
    if not (parts.around.typed or yes):
        raise Refused("review: there is no terminal to decide at", "Say --yes if a person decided this.")


def _named(awaits: list[Item], name: str) -> Item:
    found = [item for item in awaits if item.id.startswith(name)] if len(name) >= NAME_DIGITS else []
    if len(found) > 1:
        raise Refused(f"{name}: {len(found)} items begin so", "Give more digits of the one you mean.")
    if not found:
        raise NotFound(f"{name}: nothing of this name awaits you", "`rhizome review` lists what does.")
    return found[0]


def _words(parts: Parts, statement: str, value: str) -> Words:
    """A person's words as they may be kept: without secrets, and not at all where they are red."""
    said, short = parts.door.clean(statement.strip()).text, parts.door.clean(value.strip()).text
    if not said:
        raise Refused("review: the statement is empty", "Say in one sentence what holds.")
    if any(pattern.search(f"{said}\n{short}") for pattern in red(parts.home)):
        raise Refused("review: the words match [red] patterns", "Say it without what must never be kept.")
    return Words(" ".join(said.split()), " ".join(short.split()), frozenset({parts.configured["person"]}))


def told(item: Item) -> dict[str, Any]:
    """An item as the doors show it, each of its facts with a receipt."""
    return {
        "id": item.id, "what": item.what, "told": item.told, "suggests": item.suggests, "path": item.path,
        "decisions": list(item.decisions), "receipts": [_receipt(fact) for fact in item.facts],
        "facts": [
            {"id": fact.id, "scope": fact.scope, "fact_key": fact.fact_key, "value": fact.value,
             "statement": fact.statement, "status": fact.status, "tier": fact.tier, "origin": fact.origin,
             "observed_at": fact.observed_at, "event": fact.evidence[0].event if fact.evidence else None}
            for fact in item.facts
        ],
    }  # fmt: skip


def _receipt(fact: Fact) -> str:
    """Who said it, where and when, in a line."""
    event = f", event {fact.evidence[0].event[:12]}" if fact.evidence else ""
    voice = fact.origin or fact.actor or "unknown"
    return f"“{fact.statement}” ({fact.scope}, {fact.status}, {voice}, {fact.observed_at[:10]}{event})"
