"""Making a home, with its own notes or around a vault that stays as it is. Cut off anywhere, it goes on next time."""

from pathlib import Path
from typing import Any

from rhizome.errors import Refused
from rhizome.graph.edges import blob_id
from rhizome.memory.home import Home, event_id, lay_out, open_home, template
from rhizome.memory.marker import MARKER
from rhizome.memory.parts import Parts
from rhizome.memory.surroundings import Surroundings
from rhizome.model import Event, Origin, Tier
from rhizome.store.git_store import GitStore


def make(surroundings: Surroundings, *, notes: Path | None, person: str | None) -> dict[str, Any]:
    """Make a home, or finish one that was begun. A whole one is left alone; Refused for other `notes` than its own, or
    another `person`."""
    begun = (surroundings.home / MARKER).is_file()
    home = open_home(surroundings.home) if begun else lay_out(surroundings.home, vault=notes, dice=surroundings.dice)
    if notes is not None and home.notes.resolve() != notes.resolve():
        raise Refused(f"{home.root}: a home already, with its notes in {home.notes}", "Name another folder for DIR.")
    if not (home.notes / ".git").exists():
        GitStore.create(home.notes, clock=surroundings.clock)
    parts = Parts(surroundings)
    fresh = next(iter(parts.log.read(kinds=("home.configured",))), None) is None
    if fresh:
        parts.append([_configured(home, surroundings, person)])
        parts.renew()
    if not home.adopted:
        _welcome(parts)
    whose = parts.configured["person"]
    parts.close()
    if not fresh and person not in (None, whose):
        raise Refused(f"{home.root}: a home already, of {whose}", f"Name another folder for {person}'s.")
    return {"home": str(home.root), "notes": str(home.notes), "created": fresh, "person": whose}


def _configured(home: Home, surroundings: Surroundings, person: str | None) -> Event:
    """The first event: whose home it is, which zone its days are in, and where derived notes go."""
    body = {
        "person": person or surroundings.login, "zone": surroundings.zone,
        "derive_folder": "derived" if home.adopted else "",
        "branch": GitStore(home.notes, clock=surroundings.clock).branch,
    }  # fmt: skip
    name = event_id(home, "home.configured", home.id)
    return Event(kind="home.configured", id=name, actor="human", call=f"init/{home.id}", body=body)


def _welcome(parts: Parts) -> None:
    """The notes a fresh home starts with: events first, then one commit. Nothing once there is any commit."""
    if parts.vault.green.tip is not None:
        return
    home, wanted = parts.home, template()
    call = f"init/{home.id}"
    where = parts.append(
        [
            Event(
                kind="note.saved", id=event_id(home, "note.saved", ref, call), actor="init", origin=Origin.HUMAN,
                call=call, tier=Tier.GREEN, body={"path": ref, "blob": blob_id(data), "derived": False},
            )
            for ref, data in wanted.items()
        ]
    )  # fmt: skip
    parts.vault.green.commit(dict(wanted), call=call, subject="a home for notes", head=where)
