"""How the memory is, and which notes it has."""

from typing import Any

from rhizome.memory import projections, saves
from rhizome.memory.parts import Parts
from rhizome.model import Status, Tier


def notes(parts: Parts, clearance: Tier) -> dict[str, Any]:
    """Every note that the reader may see."""
    projections.refresh_edges(parts)
    derived = {note.ref for note in parts.notes_known().derived()}
    found = [
        {"path": entry.path, "title": entry.title, "aliases": list(entry.aliases), "tier": entry.tier,
         "derived": entry.path in derived}
        for entry in parts.edges.notes(clearance)
    ]  # fmt: skip
    return {"notes": found}


def status(parts: Parts) -> dict[str, Any]:
    """Home, log, counts, and what waits; looks at every note and writes none."""
    head, damage = parts.log.head, parts.log.damage()
    projections.refresh_edges(parts)
    projections.refresh_ledgers(parts)
    parts.notes_known()
    taken, news, removed, _ = saves.look(parts)
    known = list(parts.edges.notes(Tier.AMBER))
    facts = list(parts.ledger(Tier.AMBER).facts(status=Status.ACTIVE))
    reached = parts.engine.reached(tuple(Tier))
    return {
        "home": str(parts.home.root), "notes": str(parts.home.notes), "person": parts.configured["person"],
        "log": {"home": parts.home.id, "seq": head.seq, "h": head.h, "damaged": len(damage)},
        "counts": {"events": sum(parts.heads().values()), "notes": len(known), "facts": len(facts)},
        "index": {"seq": reached, "behind": None if reached is None else head.seq - reached},
        "uncommitted": [*(seen.ref for seen in news), *removed],
        "held": [f"{ref}: {why}" for ref, why in taken.held.items()], "outages": taken.outages,
        "skipped": [f"{ref}: {why}" for ref, why in taken.skipped.items()],
        "busy": [f"{prefix or 'notes/'}: {why}" for prefix, why in parts.vault.busy().items()],
    }  # fmt: skip
