"""Why a search had nothing to look through: what was asked for, and what there is instead."""

from difflib import get_close_matches

from rhizome.memory.parts import Parts
from rhizome.model import Tier

WHAT = {"all": "nothing", "notes": "no note", "history": "no turn", "facts": "no fact"}
SHOWN = 8
"""So many scopes are named where none is like the one that was asked for."""


def nothing(
    parts: Parts, *, layer: str, scope: str | None, session: str | None, as_of: str | None, clearance: Tier
) -> str:
    """A sentence without its full stop. It names only scopes that a reader of `clearance` knows of."""
    asked = {"of scope": scope, "of session": session, "up to": as_of}
    where = " ".join(f"{word} {name}" for word, name in asked.items() if name)
    if not where and layer == "all":
        return "there is nothing here yet. `rhizome import` brings sessions in; a note is any Markdown file you write"
    said = " ".join(filter(None, (WHAT[layer], "is known", where or "yet")))
    known = scopes(parts, clearance) if scope else []
    if scope is None or parts.scope(scope) in known:
        return said
    if near := get_close_matches(scope, known, n=3):
        return f"{said}; did you mean {' or '.join(near)}?"
    more = ", ..." if len(known) > SHOWN else ""
    return f"{said}; there is {', '.join(known[:SHOWN])}{more}" if known else said


def scopes(parts: Parts, clearance: Tier) -> list[str]:
    """The scopes of facts that the reader may see; sessions are private, and theirs with them."""
    from rhizome.log.lineage import Lineage
    from rhizome.memory import projections

    projections.refresh_ledgers(parts)
    found = {fact.scope for fact in parts.ledger(clearance).facts()}
    if clearance is Tier.AMBER:
        found |= {each.scope for each in Lineage.of(parts.log).containers.values() if each.scope}
    return sorted(found)
