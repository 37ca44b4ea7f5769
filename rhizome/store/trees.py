"""Git trees: what stands at a path, everything that does, and a new tree with some paths changed."""

from collections.abc import Iterator, Mapping

import pygit2
from pygit2.enums import FileMode

from rhizome.errors import Damaged

Entry = tuple[str, int]
"""A blob id and a file mode."""

REGULAR = (FileMode.BLOB, FileMode.BLOB_EXECUTABLE)
"""The modes a note may have. A symbolic link (120000) and a submodule (160000) are neither read nor followed."""


def find(tree: pygit2.Tree | None, path: str) -> Entry | None:
    """What stands at `path`, whatever its mode."""
    try:
        entry = tree[path] if tree is not None else None
    except KeyError:
        return None
    return (str(entry.id), entry.filemode) if entry is not None else None


def names(tree: pygit2.Tree | None, folder: str) -> dict[str, bool]:
    """The names in a folder, each with whether it is a folder."""
    try:
        inside = tree[folder] if tree is not None and folder else tree
    except KeyError:
        return {}
    if not isinstance(inside, pygit2.Tree):
        return {}
    return {name: entry.filemode == FileMode.TREE for entry in inside if (name := entry.name) is not None}


def walk(tree: pygit2.Tree, folder: str = "") -> Iterator[tuple[str, str, int]]:
    """Every entry that is no folder: path, id, mode. Names that are not UTF-8 keep U+FFFD in the bytes' place."""
    for entry in tree:
        path = folder + (entry.raw_name or b"").decode("utf-8", "replace")
        if isinstance(entry, pygit2.Tree):
            yield from walk(entry, path + "/")
        else:
            yield path, str(entry.id), entry.filemode


def blob(repo: pygit2.Repository, oid: str) -> bytes:
    """The bytes of a blob. Raises Damaged when they are missing or no blob."""
    try:
        found = repo[oid]
    except KeyError:
        found = None
    if not isinstance(found, pygit2.Blob):
        raise Damaged(f"object {oid} is missing", "Run `git fsck` in the notes folder.")
    return found.data


def rewrite(repo: pygit2.Repository, base: pygit2.Tree | None, changes: Mapping[str, Entry | None]) -> pygit2.Oid:
    """The id of `base` with paths set or (None) taken away; only trees on those paths are written."""
    return _rewrite(repo, base, {tuple(path.split("/")): entry for path, entry in changes.items()}) \
        or repo.TreeBuilder().write()


def _rewrite(
    repo: pygit2.Repository, base: pygit2.Tree | None, changes: Mapping[tuple[str, ...], Entry | None]
) -> pygit2.Oid | None:
    builder = repo.TreeBuilder(base) if base is not None else repo.TreeBuilder()
    below: dict[str, dict[tuple[str, ...], Entry | None]] = {}
    for (name, *rest), entry in changes.items():
        if rest:
            below.setdefault(name, {})[tuple(rest)] = entry
        elif entry is not None:
            builder.insert(name, entry[0], entry[1])
        elif builder.get(name) is not None:
            builder.remove(name)
    for name, inner in below.items():
        child = builder.get(name)
        made = _rewrite(repo, child if isinstance(child, pygit2.Tree) else None, inner)
        if made is not None:
            builder.insert(name, made, FileMode.TREE)
        elif isinstance(child, pygit2.Tree):
            builder.remove(name)
    return builder.write() if len(builder) else None
