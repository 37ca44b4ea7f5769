"""What people did to notes becomes events, then commits: before every verb that writes, log first.

The tree is the fact. A file that holds what the log knows of it is no news, however it came to hold it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rhizome.config import LOCK_SECONDS
from rhizome.consolidate.derive import KINDS, derive
from rhizome.consolidate.readings import Save, readings
from rhizome.errors import Conflict, Locked, NotFound, Refused
from rhizome.graph.edges import blob_id
from rhizome.graph.note import parse
from rhizome.memory.alone import notes_alone
from rhizome.memory.home import event_id
from rhizome.memory.known_notes import REMOVED, KnownNote
from rhizome.memory.outages import emptied, remember, under
from rhizome.memory.parts import Parts
from rhizome.model import Event, Origin, Tier
from rhizome.store.tree import Stat
from rhizome.store.worktree import Sweep, held_back


@dataclass(slots=True)
class Taken:
    """What one look at the notes found, and what was done about it.

    `held` notes wait for the person (ref -> why), `outages` are folders that could not be looked at, `skipped` files
    are no notes (ref -> why). Derived notes `behind` the log are what a crashed run did not commit yet. `waiting`
    counts saves that no commit has yet. `put_off` says why nothing was looked at.
    """

    events: int = 0
    commits: int = 0
    waiting: int = 0
    held: dict[str, str] = field(default_factory=dict)
    behind: list[str] = field(default_factory=list)
    outages: list[str] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    put_off: str | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """A note file that is not what the log knows. Without `stat` it is so young that the next look reads it again."""

    ref: str
    data: bytes
    stat: Stat | None


# ---------------------------------------------------------------- looking


def look(parts: Parts) -> tuple[Taken, list[Seen], list[str], dict[str, Stat]]:
    """What changed on the disk: news, removed refs, and the stats of files that hold what the log knows."""
    taken, news, removed, same = Taken(), list[Seen](), list[str](), dict[str, Stat]()
    known = {note.ref: note for note in parts.known.all()}
    busy, tips = parts.vault.busy(), parts.vault.tip_blobs()
    for prefix, sweep in parts.vault.sweeps(parts.known.stats(), parts.disk_time()):
        taken.outages += [prefix + path for path in sweep.unreadable]
        taken.skipped |= {prefix + path: why for path, why in sweep.skipped.items()}
        for path in sweep.changed:
            ref, stat = prefix + path, sweep.stats.get(path)
            try:
                data = parts.vault.read(ref)
            except NotFound:
                continue
            note, blob = known.get(ref), blob_id(data)
            if note is not None and note.blob == blob:
                same |= {ref: stat} if stat else {}
            elif note is not None and note.derived and tips.get(ref) == blob and parts.vault.ours(ref):
                taken.behind.append(ref)
            elif prefix in busy:
                taken.held[ref] = busy[prefix]
            elif held_back(data):
                taken.held[ref] = "holds conflict markers; resolve them and save"
            else:
                news.append(Seen(ref, data, stat))
        if prefix not in busy and "." not in sweep.unreadable:
            gone = _gone(parts, known, prefix, sweep)
            out = emptied(parts, gone, unknown=True)
            taken.outages += out
            removed += [ref for ref in gone if not under(ref, out) and (ref in tips or not known[ref].derived)]
    return taken, news, removed, same


def _gone(parts: Parts, known: Mapping[str, KnownNote], prefix: str, sweep: Sweep) -> list[str]:
    """Notes that the log knows in this repository and the disk no longer has."""
    missing = []
    for ref, note in known.items():
        path = ref.removeprefix(prefix)
        if note.blob == REMOVED or path in sweep.stats or path in sweep.changed:
            continue
        if parts.vault.prefix(ref) == prefix and not under(path, sweep.unreadable):
            missing.append(ref)
    return missing


# ---------------------------------------------------------------- taking in


def take_saves(parts: Parts, *, patient: bool = False) -> Taken:
    """Append what people saved and removed since the last look, and commit it, one commit a note.

    While another process commits notes, half of what stands on the disk is not the person's doing: a `patient` caller
    waits for it (Locked, in the end), others leave the saves to the next verb. A damaged log is not added to.
    """
    if parts.log.damage():
        return Taken(put_off="part of the log cannot be believed; see `rhizome log verify`")
    try:
        with notes_alone(parts.home, LOCK_SECONDS if patient else 0.0):
            return _taken(parts)
    except Locked as locked:
        if patient:
            raise
        return Taken(put_off=locked.message)


def _taken(parts: Parts) -> Taken:
    parts.vault.mend()
    parts.known.catch_up(parts.log, parts.heads())
    taken, news, removed, same = look(parts)
    events = _events(parts, news, removed)
    if events:
        parts.append(events)
        parts.known.catch_up(parts.log, parts.heads())
    parts.known.stamp(same | {seen.ref: seen.stat for seen in news if seen.stat})
    remember(parts, [*same, *(seen.ref for seen in news)])
    taken.events = len(events)
    _commit(parts, taken)
    return taken


def _events(parts: Parts, news: Sequence[Seen], removed: Sequence[str]) -> list[Event]:
    """One event a note. A derived note is read against its renderings, once, here; others are kept by git alone."""
    saves = [Save(seen.ref, seen.data, blob_id(seen.data)) for seen in news]
    derived = {note.ref for note in parts.known.derived()}
    bodies: list[dict[str, Any]] = [{"path": save.path, "blob": save.blob, "derived": False} for save in saves]
    if saves and not derived.isdisjoint([*(save.path for save in saves), *removed]):
        bodies = readings(saves, derive(parts.log.history(KINDS)), removed)
    tiers = [parts.note_tier(parse(seen.ref, seen.data)) for seen in news]
    bodies += [{"path": ref, "derived": ref in derived} for ref in removed]
    tiers += [_tier_of_removed(parts, ref) for ref in removed]
    return [_event(parts, body, tier) for body, tier in zip(bodies, tiers, strict=True)]


def _event(parts: Parts, body: dict[str, Any], tier: Tier) -> Event:
    kind = "note.saved" if "blob" in body else "note.removed"
    name = event_id(parts.home, kind, body["path"], str(body.get("blob")), str(parts.log.head.seq))
    return Event(kind=kind, id=name, actor="human", origin=Origin.HUMAN, call=f"human/{name}", body=body, tier=tier)


def _tier_of_removed(parts: Parts, ref: str) -> Tier:
    """The tier a note had when its links were last read; its front matter is gone with it."""
    entry = parts.edges.entry(ref, Tier.AMBER)
    return Tier(entry.tier) if entry else parts.vault.tier(ref)


def _commit(parts: Parts, taken: Taken) -> None:
    """Commit what people's saves left uncommitted; a note whose commit they made themselves needs none."""
    tips, busy, head = parts.vault.tip_blobs(), parts.vault.busy(), parts.where()
    due = [
        note
        for note in parts.known.all()
        if note.call.startswith("human/") and tips.get(note.ref, REMOVED) != note.blob and note.ref not in taken.held
    ]
    free = [note for note in due if parts.vault.prefix(note.ref) not in busy]
    taken.waiting = len(due) - len(free)
    with parts.vault.batch(note.ref for note in free):
        for note in free:
            try:
                data = None if note.blob == REMOVED else parts.vault.read(note.ref)
                if data is None or blob_id(data) == note.blob:
                    verb = "remove" if data is None else "save"
                    parts.vault.commit(note.ref, data, call=note.call, subject=f"{verb} {note.ref}", head=head)
                    taken.commits += 1
            except (Conflict, NotFound):
                taken.waiting += 1
            except Refused as refused:
                taken.held[note.ref] = refused.message
