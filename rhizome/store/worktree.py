"""What people left on the disk: which notes changed since the last look, and what may not be taken as it is.

File events are hints, the tree is the fact: a sweep compares every note's stat with the one remembered. What cannot be
looked at is an outage and is never taken for a removal.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from rhizome.errors import NotFound
from rhizome.store import files
from rhizome.store.faults import translated
from rhizome.store.paths import contained
from rhizome.store.tree import Look, Stat, look

RACY_NS = 50_000_000
"""A file this young may change again without changing its time; disks tick every few milliseconds."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a look at the tree found; paths are relative, with `/`, sorted.

    `stats` is what to remember for the next sweep, with the notes of an `unreadable` folder as they were known ("." is
    the root). `skipped` names what is there and is no note of this vault: path -> why.
    """

    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    stats: Mapping[str, Stat] = field(default_factory=dict)
    unreadable: tuple[str, ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)


def sweep(root: Path, known: Mapping[str, Stat], *, now: datetime | None = None, seen: Look | None = None) -> Sweep:
    """What changed under `root`, as it is, or was when it was `seen`; a new note is changed, too.

    With `now`, the time of the look, a note saved in the last 50 ms is not remembered, so that the next sweep reads it
    again. A root that is missing, unreadable or suddenly without any entry (an unmounted disk) is an outage.
    """
    there = look(root) if seen is None else seen
    notes, unreadable = there.notes, list(there.unreadable)
    if known and there.bare:
        unreadable.append(".")
    out = {path: old for path, old in known.items() if path not in notes and _under(path, unreadable)}
    young = now.timestamp() * 1e9 - RACY_NS if now else None
    return Sweep(
        changed=tuple(sorted(path for path, at in notes.items() if known.get(path) != at)),
        removed=tuple(sorted(path for path in known if path not in notes and path not in out)),
        stats={path: at for path, at in notes.items() if young is None or at.mtime_ns < young} | out,
        unreadable=tuple(unreadable),
        skipped=there.skipped,
    )


def held_back(data: bytes) -> bool:
    """Whether a note still holds a merge's conflict markers at the start of a line."""
    opened = re.search(rb"^<{7}(?: |\r?$)", data, re.MULTILINE)
    return bool(opened or re.search(rb"^={7}\r?$(?s:.*)^>{7}(?: |\r?$)", data, re.MULTILINE))


def read_note(root: Path, path: str) -> bytes:
    """The bytes of a note on the disk. Raises NotFound, or OutsidePath for a link at any component."""
    with translated(f"reading {path}"):
        found = files.read(root, contained(path))
    if found is None:
        raise NotFound(f"{path} is not in {root}", "`rhizome list` names the notes there are.")
    return found.data


def _under(path: str, folders: list[str]) -> bool:
    return any(folder in (".", path) or path.startswith(folder + "/") for folder in folders)
