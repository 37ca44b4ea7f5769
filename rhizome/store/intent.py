"""What a commit is about to change, written down first, so that whoever comes next can finish it.

A branch moves before the work tree and git's index do. A writer that dies in between leaves the intent in `.git`; the
next one brings exactly those paths to what the branch says, and leaves alone whatever a person has done since.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from rhizome.store.trees import Entry


class Change(msgspec.Struct, frozen=True):
    """One path of a commit: the tip's entry before and after, and the blob id the work tree held (None: nothing)."""

    path: str
    old: Entry | None
    new: Entry | None
    seen: str | None


class Due(msgspec.Struct, frozen=True):
    """What a path should be now, and which states of file and index may be brought there."""

    path: str
    now: Entry | None
    files: frozenset[str | None]
    entries: frozenset[str | None]


def record(path: Path, changes: Iterable[Change]) -> None:
    """Appends the changes of one commit to the intent; it is whole or (torn) its commit did not happen."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(list(changes)) + b"\n")


def recorded(path: Path) -> list[Change]:
    """Every change an unfinished writer meant to make, in order."""
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    return [change for line in lines[:-1] for change in _decoded(line)]


def due(changes: Iterable[Change], tip: dict[str, Entry | None]) -> list[Due]:
    """Which paths the tip really shows as one of these changes left them, with the states that came before."""
    by_path: dict[str, list[Change]] = {}
    for change in changes:
        by_path.setdefault(change.path, []).append(change)
    return [
        Due(
            path,
            tip[path],
            frozenset(oid for change in known for oid in (change.seen, _id(change.new))),
            frozenset(oid for change in known for oid in (_id(change.old), _id(change.new))),
        )
        for path, known in by_path.items()
        if any(_id(change.new) == _id(tip[path]) for change in known)
    ]


def _id(entry: Entry | None) -> str | None:
    return entry[0] if entry else None


def _decoded(line: bytes) -> list[Change]:
    try:
        return msgspec.json.decode(line, type=list[Change])
    except msgspec.MsgspecError:
        return []
