"""Bringing the work tree and git's index to what the branch says, for the paths of our own commits only."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pygit2

from rhizome.errors import OutsidePath
from rhizome.store import files
from rhizome.store.git_index import GitIndex
from rhizome.store.intent import Due
from rhizome.store.trees import blob


def bring(repo: pygit2.Repository, root: Path, dues: Iterable[Due], *, stage: Path, sync: bool = False) -> list[str]:
    """Writes or removes each due file, unless a person has put something else there; says which."""
    brought = []
    for due in dues:
        with suppress(OutsidePath):  # a link stands there now: a person's doing, theirs to undo
            found = files.read(root, due.path)
            seen = str(pygit2.hash(found.data)) if found else None
            if seen == (due.now[0] if due.now else None) or seen not in due.files:
                continue
            before = found.data if found else None
            if due.now is not None:
                done = files.replace(root, due.path, blob(repo, due.now[0]), before=before, stage=stage, sync=sync)
            else:
                done = before is not None and files.remove(root, due.path, before=before, stage=stage)
            if done:
                brought.append(due.path)
    return brought


def enter(index: GitIndex, dues: Iterable[Due]) -> list[str]:
    """Sets each due path's index entry, unless a person has staged something else for it; says which changed."""
    changed = []
    for due in dues:
        stands = index.find(due.path)
        if stands not in due.entries:
            continue
        if due.now is not None:
            index.put(due.path, due.now)
        elif stands is not None:
            index.remove(due.path)
        if stands != (due.now[0] if due.now else None):
            changed.append(due.path)
    return changed
