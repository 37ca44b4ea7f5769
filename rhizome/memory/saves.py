"""What people did to notes becomes events, then commits: before every verb that writes, log first.

The tree is the fact. A file that holds what the log knows of it is no news, however it came to hold it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rhizome.consolidate.derive import KINDS, derive
from rhizome.consolidate.readings import Save, readings
from rhizome.errors import Conflict, NotFound
from rhizome.graph.edges import blob_id
from rhizome.memory.home import event_id
from rhizome.memory.known_notes import REMOVED, KnownNote
from rhizome.memory.parts import Parts
from rhizome.memory.vault import PRIVATE
from rhizome.model import Event, Origin
from rhizome.store.worktree import Stat, held_back


@dataclass(slots=True)
class Taken:
    """What one look at the notes found. `held` notes wait for the person (ref -> why), `outages` are folders that
    could not be looked at; derived notes `behind` the log are what a crashed run did not commit yet; `waiting` counts saves that no commit has yet."""

    events: int = 0
    commits: int = 0
    held: dict[str, str] = field(default_factory=dict)
    behind: list[str] = field(default_factory=list)
    outages: list[str] = field(default_factory=list)
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class Seen:
    """A note file that is not what the log knows."""

    ref: str
    data: bytes
    stat: Stat


def look(parts: Parts) -> tuple[Taken, list[Seen], list[str], dict[str, Stat]]:
    """What changed on the disk: news, removed refs, and the stats of files that hold what the log knows."""
    taken, news, removed, same = Taken(), list[Seen](), list[str](), dict[str, Stat]()
    known = {note.ref: note for note in parts.known.all()}
    busy, tips = parts.vault.busy(), parts.vault.tip_blobs()
    for prefix, sweep in parts.vault.sweeps(parts.known.stats()):
        taken.outages += [prefix + path for path in sweep.unreadable]
        for ref in (prefix + path for path in sweep.changed):
            try:
                data = parts.vault.read(ref)
            except NotFound:
                continue
            stat = sweep.stats.get(ref.removeprefix(prefix))
            if stat is None:
                continue
            blob = blob_id(data)
            if ref in known and known[ref].blob == blob:
                same[ref] = stat
            elif ref in known and known[ref].derived and tips.get(ref) == blob and parts.vault.ours(ref):
                taken.behind.append(ref)
            elif prefix in busy:
                taken.held[ref] = busy[prefix]
            elif held_back(data):
                taken.held[ref] = "holds conflict markers; resolve them and save"
            else:
                news.append(Seen(ref, data, stat))
        gone = [] if prefix in busy or "." in sweep.unreadable else _gone(known, prefix, sweep.stats, sweep.unreadable)
        removed += [ref for ref in gone if parts.vault.tracked(ref) and (ref in tips or not known[ref].derived)]
    return taken, news, removed, same


def _gone(
    known: Mapping[str, KnownNote], prefix: str, stats: Mapping[str, Stat], unreadable: Sequence[str]
) -> list[str]:
    """Notes that the log knows in this repository and the disk no longer has."""
    missing = []
    for ref, note in known.items():
        if note.blob == REMOVED or prefix != (PRIVATE if ref.startswith(PRIVATE) else ""):
            continue
        path = ref.removeprefix(prefix)
        if path not in stats and not any(path.startswith(folder + "/") for folder in unreadable):
            missing.append(ref)
    return missing


def take_saves(parts: Parts) -> Taken:
    """Append what people saved and removed since the last look, and commit it, one commit a note."""
    parts.known.catch_up(parts.log, parts.heads())
    taken, news, removed, same = look(parts)
    events = _events(parts, news, removed)
    if events:
        parts.append(events)
        parts.known.catch_up(parts.log, parts.heads())
    parts.known.stamp(same | {seen.ref: seen.stat for seen in news})
    taken.events = len(events)
    taken.commits, taken.waiting = _commit(parts, taken)
    return taken


def _events(parts: Parts, news: Sequence[Seen], removed: Sequence[str]) -> list[Event]:
    """One event a note. A derived note is read against its renderings, once, here; other notes are not looked into."""
    saves = [Save(seen.ref, seen.data, blob_id(seen.data)) for seen in news]
    derived_refs = {note.ref for note in parts.known.derived()}
    bodies: list[dict[str, Any]] = [{"path": save.path, "blob": save.blob, "derived": False} for save in saves]
    if any(save.path in derived_refs for save in saves):
        bodies = readings(saves, derive(parts.log.history(KINDS)))
    bodies += [{"path": ref, "derived": ref in derived_refs} for ref in removed]
    events = []
    for body in bodies:
        kind = "note.saved" if "blob" in body else "note.removed"
        name = event_id(parts.home, kind, body["path"], str(body.get("blob")), str(parts.log.head.seq))
        events.append(
            Event(
                kind=kind,
                id=name,
                actor="human",
                origin=Origin.HUMAN,
                call=f"human/{name}",
                body=body,
                tier=parts.vault.tier(body["path"]),
            )  # fmt: skip
        )
    return events


def _commit(parts: Parts, taken: Taken) -> tuple[int, int]:
    """Commit what people's saves left uncommitted; a note whose commit they made themselves needs none."""
    made = waiting = 0
    tips, busy, head = parts.vault.tip_blobs(), parts.vault.busy(), parts.where()
    due = [
        note
        for note in parts.known.all()
        if note.call.startswith("human/") and tips.get(note.ref, REMOVED) != note.blob and note.ref not in taken.held
    ]
    free = [note for note in due if parts.vault.prefix(note.ref) not in busy]
    with parts.vault.batch(note.ref for note in free):
        for note in free:
            try:
                data = None if note.blob == REMOVED else parts.vault.read(note.ref)
                if data is None or blob_id(data) == note.blob:
                    verb = "remove" if data is None else "save"
                    parts.vault.commit(note.ref, data, call=note.call, subject=f"{verb} {note.ref}", head=head)
                    made += 1
            except (Conflict, NotFound):
                waiting += 1
    return made, waiting + len(due) - len(free)
