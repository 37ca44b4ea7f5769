"""What a commit may change, decided before anything is written."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pygit2
from pygit2.enums import FileMode

from rhizome.errors import Conflict, OutsidePath, Refused
from rhizome.store import files, trees
from rhizome.store.intent import Change
from rhizome.store.paths import Names, contained, safe_path


def decide(
    repo: pygit2.Repository, root: Path, tree: pygit2.Tree | None, changes: Mapping[str, bytes | None]
) -> list[Change]:
    """One `Change` per path that the tip or the work tree does not show as wanted, removals first.

    What a person saved and asks to commit may have any name their disk took; a note of ours needs a safe and free one.
    Raises Conflict for a file whose bytes are neither the tip's nor the wanted ones.
    """
    wanted = [_change(repo, root, tree, path, data) for path, data in sorted(changes.items(), key=_removals_first)]
    gone = {change.path for change in wanted if change and change.new is None}
    names = Names(_listing(root, tree, gone))
    for change in filter(None, wanted):
        if change.new is not None and change.old is None and change.seen != change.new[0]:
            _named(change.path)
            names.claim(change.path)
    return [change for change in wanted if change and (change.new != change.old or change.seen != _id(change.new))]


def _removals_first(item: tuple[str, bytes | None]) -> tuple[bool, str]:
    return item[1] is not None, item[0]


def _change(
    repo: pygit2.Repository, root: Path, tree: pygit2.Tree | None, path: str, data: bytes | None
) -> Change | None:
    """How a path stands and what it becomes; None when a path that is not there is to be removed."""
    old = trees.find(tree, contained(path))
    if old is not None and old[1] not in trees.REGULAR:
        raise OutsidePath(f"{path} is a folder, a link or a submodule in the repository", "Only plain files are notes.")
    if old is None and data is None:
        return None
    if kind := repo.get_attr(path, "filter"):
        raise Refused(f"{path}: git's attributes send it through the filter {kind!r}",
                      "rhizome runs no filters and would store it unfiltered; exclude notes in .gitattributes.")
    found = files.read(root, path)
    seen = str(pygit2.hash(found.data)) if found else None
    new = None if data is None else (str(pygit2.hash(data)), _mode(old, found))
    if seen is not None and seen not in (_id(old), _id(new)):
        raise Conflict(f"{path} holds text that no commit has", "Commit the file as it is first, then retry.")
    return Change(path, old, new, seen)


def _mode(old: trees.Entry | None, found: files.File | None) -> int:
    if old is not None:
        return old[1]
    return FileMode.BLOB_EXECUTABLE if found and found.executable else FileMode.BLOB


def _named(path: str) -> None:
    if (proper := safe_path(path)) != path:
        raise Refused(f"{path!r} is not in normal form NFC", f"Write it as {proper!r}.")


def _listing(root: Path, tree: pygit2.Tree | None, gone: set[str]) -> Callable[[str], dict[str, bool]]:
    """The names in a folder, of the tip and of the disk, without what this commit removes."""

    def names(folder: str) -> dict[str, bool]:
        known = trees.names(tree, folder) | files.names(root, folder)
        prefix = f"{folder}/" if folder else ""
        return {name: is_folder for name, is_folder in known.items() if prefix + name not in gone}

    return names


def _id(entry: trees.Entry | None) -> str | None:
    return entry[0] if entry else None
