"""Git's index: what stands at a path, and what a commit changes in it.

A plain one is ours to read and write (`plain_index`): 2 ms a write at 10,000 entries where libgit2 takes 6. Any other
is libgit2's. The bytes mean the same to every git.
"""

from pathlib import Path
from typing import Protocol

import pygit2
from pygit2.enums import FileMode

from rhizome.errors import Locked
from rhizome.store.faults import meaning
from rhizome.store.plain_index import PlainIndex
from rhizome.store.trees import Entry


class GitIndex(Protocol):
    """What a commit does to git's index. `write` says no where another git was at it: load it and do it again."""

    def current(self) -> bool: ...
    def find(self, path: str) -> str | None: ...
    def put(self, path: str, entry: Entry) -> None: ...
    def remove(self, path: str) -> None: ...
    def write(self) -> bool: ...


def load(repo: pygit2.Repository, root: Path, *, sync: bool) -> GitIndex:
    """The index as it is on disk. Raises what libgit2 raises for one that nobody here can keep up."""
    return PlainIndex.read(Path(repo.path) / "index", root, sync=sync) or LibraryIndex(repo)


class LibraryIndex:
    """An index that libgit2 reads and writes: one with conflicts, flags, another version or extensions of git's."""

    def __init__(self, repo: pygit2.Repository) -> None:
        self._index = repo.index
        self._index.read(False)

    def current(self) -> bool:
        """No: libgit2 looks itself, by the checksum at the file's end, so two quick writes elsewhere are not missed."""
        return False

    def find(self, path: str) -> str | None:
        try:
            return str(self._index[path].id)
        except KeyError:
            return None

    def put(self, path: str, entry: Entry) -> None:
        oid, mode = entry
        try:
            self._index.add(path)
            if (str(self._index[path].id), self._index[path].mode) == entry:
                return
        except (pygit2.GitError, OSError):  # missing, or its line endings are git's business
            pass
        self._index.add(pygit2.IndexEntry(path, pygit2.Oid(hex=oid), FileMode(mode)))

    def remove(self, path: str) -> None:
        self._index.remove(path)

    def write(self) -> bool:
        try:
            self._index.write()
        except (pygit2.GitError, OSError) as error:
            if meaning(error)[0] is not Locked:
                raise
            self._index.read(True)
            return False
        return True
