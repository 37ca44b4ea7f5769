"""What a store of notes promises; `GitStore` and its twin `MemoryStore` keep it."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

LogHead = tuple[str, int, str]
"""Where a log stood: home id, seq, chain value. It is what `Truth-Head:` says."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit as history tells it.

    `time` is ISO 8601 with the author's offset. `calls` are the `Truth-Call:` values (empty: foreign), `head` is what
    `Truth-Head:` says. `paths` are those that differ from the first parent, sorted.
    """

    id: str
    parents: tuple[str, ...]
    time: str
    author: str
    subject: str
    calls: tuple[str, ...]
    head: LogHead | None
    paths: tuple[str, ...]


class NoteStore(Protocol):
    """Files with a history: a batch of changes is one commit, whole or not at all, compared with the tip and swapped.

    A commit is acknowledged when its objects, its tree and its branch have been read back (else NotDurable).
    """

    @property
    def tip(self) -> str | None:
        """The newest commit of the store's branch; None before the first."""
        ...

    def commit(
        self,
        changes: Mapping[str, bytes | None],
        *,
        call: str,
        subject: str,
        head: LogHead | None = None,
        expected_tip: str | None = None,
    ) -> str:
        """Writes (None: deletes) paths in one commit and returns its id; the tip's when nothing differs.

        Raises Conflict when the tip is not `expected_tip` or a file holds bytes that no commit has, Refused or
        OutsidePath for a path, NotDurable when it did not last, Locked when another writer does not let go.
        """
        ...

    def batch(self) -> AbstractContextManager[None]:
        """Many commits under one lock, with the bookkeeping once at the end."""
        ...

    def read(self, path: str, at: str | None = None) -> bytes:
        """A file as it is in a commit (default the tip; an abbreviated id will do). Raises NotFound."""
        ...

    def blobs(self, at: str | None = None) -> dict[str, str]:
        """Every file of a commit: path -> blob id. Symbolic links and submodules are no files."""
        ...

    def history(self, path: str) -> Iterator[Commit]:
        """The commits that changed a path, newest first."""
        ...

    def commits(self, since: str | None = None) -> Iterator[Commit]:
        """The commits that `since` does not reach, oldest first. Raises NotFound for an unknown `since`."""
        ...

    def at(self, instant: datetime) -> str | None:
        """The newest commit that is not after an instant."""
        ...
