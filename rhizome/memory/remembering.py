"""What somebody asks the memory to keep: a proposal, which the next consolidation takes in."""

from typing import Any

from rhizome.consolidate.gather import consumed
from rhizome.consolidate.proposals import Proposal, propose
from rhizome.memory import saves
from rhizome.memory.home import red
from rhizome.memory.parts import Parts


def proposed(
    parts: Parts, key: str, statement: str, *, value: str, type: str, scope: str | None, tier: str | None,  # noqa: A002
) -> dict[str, Any]:  # fmt: skip
    """Append a proposal, unless it is known, refused, or one too many. A key without a bar is the scope's own."""
    parts.around.unasked()
    parts.sound()
    saves.take_saves(parts)
    where = parts.scope(scope) if scope else parts.project()
    earlier = list(parts.log.history(("memory.proposed",)))
    outcome = propose(
        Proposal(
            key=parts.door.clean(key if "|" in key else f"{where}|{key}").text,
            statement=parts.door.clean(statement).text, scope=where,
            value=parts.door.clean(value).text, type=type, tier=tier, typed=parts.around.typed,
            actor=parts.around.actor if parts.around.typed else "agent", session=parts.around.session,
        ),
        fold=parts.fold(), key=parts.home.key, earlier=earlier,
        settled=consumed(parts.log.history(("consolidated",))), red=red(parts.home),
    )  # fmt: skip
    if outcome.event is not None:
        parts.append([outcome.event])
    return {
        "event": outcome.event.id if outcome.event else outcome.known,
        "outcome": outcome.outcome,
        "other": outcome.other.statement if outcome.other else None,
        "why": outcome.why or None,
    }
