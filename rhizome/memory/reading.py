"""Reading one thing: a note's text, or what an event says, with its receipt."""

from typing import Any

import msgspec

from rhizome.errors import Damaged, NotFound, Refused
from rhizome.graph.edges import blob_id
from rhizome.graph.note import parse
from rhizome.log.port import is_name
from rhizome.memory.parts import Parts
from rhizome.model import Event, Origin, Receipt, Tier, moment, visible


def read(parts: Parts, ref: str, *, at: str | None, raw: bool, clearance: Tier) -> dict[str, Any]:
    """A note's text, or what an event says. `path:line` names the note. Raises Refused for a line that is not there."""
    path, _, line = ref.rpartition(":")
    named = bool(path) and line.isdecimal()
    name = path if named else ref
    if is_name(name):
        return read_event(parts, name, raw=raw, clearance=clearance)
    found = read_note(parts, name, at, clearance)
    if named:
        has_line(ref, int(line), found["text"])
    return found


def has_line(ref: str, line: int, text: str) -> None:
    """Raises Refused unless the note that `ref` names has such a line; only LF ends one. An empty note has one."""
    many = max(1, text.count("\n") + (not text.endswith("\n")))
    if not 1 <= line <= many:
        raise Refused(f"{ref}: the note has {many} line{'s' * (many != 1)}", "Name a line that it has.")


def read_event(parts: Parts, name: str, *, raw: bool, clearance: Tier) -> dict[str, Any]:
    """What an event says, or its line. Raises NotFound, also for one that the reader may not see."""
    from rhizome.log.sessions import says  # with every importer behind it

    event = parts.log.get(name)
    if not visible(event.tier, clearance):
        raise NotFound(f"event {name}: not in this log")
    receipt = Receipt(
        source=f"{event.source.harness}:{event.source.path}" if event.source else event.call,
        status=standing(parts, event), origin=event.origin, actor=event.actor, recorded_at=event.recorded_at,
    )  # fmt: skip
    return {"ref": event.id, "text": raw_line(event) if raw else says(event), "receipt": msgspec.to_builtins(receipt)}


def standing(parts: Parts, event: Event) -> str:
    """`said`, or in which way the turn of a record was undone; only its whole session tells."""
    from rhizome.log.lineage import Lineage
    from rhizome.log.sessions import messages

    lineage = Lineage.of(parts.log, sides=True)
    if event.kind != "session.record" or event.session not in lineage.sessions:
        return "said"
    heard = messages(parts.log, event.session, lineage)
    return next((each.standing for each in heard if each.event == event.id), "said")


def read_note(parts: Parts, ref: str, at: str | None, clearance: Tier) -> dict[str, Any]:
    """A note as it is, or as it was at a commit or date. Raises NotFound, also for one that the reader may not see,
    and Damaged for a derived note while the log cannot be believed."""
    if at is not None or not _plain(parts, ref, clearance):
        ref = _named(parts, ref, at, clearance)
    data = parts.vault.read(ref, _commit_at(parts, ref, at))
    note = parse(ref, data)
    if not visible(parts.note_tier(note), clearance):
        raise NotFound(f"{ref}: no such note", "`rhizome list` names them all.")
    known = parts.notes_known().get(ref)
    derived = known.derived if known else note.derived is not None
    if derived and parts.log.damage():
        raise Damaged(f"{ref}: derived from a log that is damaged", "`rhizome log verify` says where.")
    receipt = Receipt(
        source=ref, status="current" if at is None else "said", origin=Origin.MEMORY if derived else Origin.HUMAN,
        actor="consolidator" if derived else "human",
        recorded_at=known.recorded_at if known and known.blob == blob_id(data) else None,
    )  # fmt: skip
    return {"ref": ref, "text": data.decode("utf-8", "surrogateescape"), "receipt": msgspec.to_builtins(receipt)}


def _commit_at(parts: Parts, ref: str, at: str | None) -> str | None:
    """The commit that `--at` means: one by its id, or the newest that is not after a date."""
    if at is None or moment(at) is None:
        return at
    instant = parts.instant(at)
    commit = parts.vault.at(ref, instant) if instant else None
    if commit is None:
        raise NotFound(f"{ref}: no commit is as old as {at}", "Name a later date.")
    return commit


def _plain(parts: Parts, ref: str, clearance: Tier) -> bool:
    """Whether a ref is the path of a note that the reader may see; no other note needs to be looked at then."""
    return parts.vault.is_note(ref) and visible(parts.note_tier(parse(ref, parts.vault.read(ref))), clearance)


def _named(parts: Parts, ref: str, at: str | None, clearance: Tier) -> str:
    """The path of the note that somebody names in any of the ways that links do, or of one that is gone by now."""
    from rhizome.graph.neighbourhood import Graph
    from rhizome.memory import projections

    projections.refresh_edges(parts)
    if parts.edges.entry(ref, clearance) is None and not (at and visible(parts.vault.tier(ref), clearance)):
        return Graph(parts.edges, clearance).find(ref)
    return ref


def raw_line(event: Event) -> str:
    """The record as the harness wrote it, or one of our own bodies as JSON."""
    if event.body64 is not None:
        return event.body64
    return event.body if isinstance(event.body, str) else msgspec.json.encode(event.body).decode()
