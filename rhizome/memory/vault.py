"""The two note repositories of a home as one namespace: `notes/` under plain paths, `private/` under `private/...`.

What only looks goes through `GitReader`: it takes no lock and changes nothing. Stores are opened to commit.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from rhizome.errors import NotFound, RhizomeError
from rhizome.memory.home import Clock, Home, looks
from rhizome.model import PRIVATE, Tier
from rhizome.store.port import LogHead
from rhizome.store.tree import Look, Stat, stands
from rhizome.store.worktree import Sweep, read_note, sweep

if TYPE_CHECKING:  # libgit2 is loaded where history is read or written; most answers need neither
    from rhizome.store.git_reader import GitReader
    from rhizome.store.git_store import GitStore


@dataclass(frozen=True, slots=True)
class Place:
    """Where a ref stands: in which repository, and under which path there."""

    root: Path
    path: str
    private: bool


class Vault:
    """Reads and commits notes by ref. `branch` tells which one is the notes; a visit to another one is no edit.

    The private repository is made when the first private note is written.
    """

    def __init__(self, home: Home, clock: Clock, branch: Callable[[], str] | None = None) -> None:
        self.home = home
        self._clock, self._branch = clock, branch
        self._private: GitStore | None = None
        self._private_reader: GitReader | None = None

    # ------------------------------------------------------------ where a note stands

    def place(self, ref: str) -> Place:
        """Where a ref without a line stands. A vault's own folder named `private` is found behind the private notes."""
        inner = ref.removeprefix(PRIVATE)
        private = inner != ref and (
            (self.home.private / inner).exists()
            or not ((self.home.notes / ref).exists() or self._only_green(ref, inner))
        )
        return Place(self.home.private, inner, True) if private else Place(self.home.notes, ref, False)

    def _only_green(self, ref: str, inner: str) -> bool:
        """Whether of a file that is on no disk only the green repository knows."""
        private = self._blobs(True)
        return inner not in private and ref in self._blobs(False)

    def prefix(self, ref: str) -> str:
        """Which repository a ref belongs to: empty for the green one, `private/` for the private one."""
        return PRIVATE if self.place(ref).private else ""

    def tier(self, ref: str) -> Tier:
        """The tier that a note's path gives it; its front matter may raise it."""
        return Tier.AMBER if ref.startswith(PRIVATE) else Tier.GREEN

    def stands(self, ref: str) -> bool:
        """Whether there is a file for a ref in the work tree."""
        place = self.place(ref)
        return (place.root / place.path).is_file()

    def is_note(self, ref: str) -> bool:
        """Whether a ref is exactly the path of a note in the work tree."""
        place = self.place(ref)
        return stands(place.root, place.path)

    # ------------------------------------------------------------ looking

    @cached_property
    def _green_reader(self) -> "GitReader":
        from rhizome.store.git_reader import GitReader

        return GitReader(self.home.notes, branch=self._branch and self._branch())

    def reader(self, *, private: bool) -> "GitReader | None":
        """A repository to look at; None for the private one while there is none. Raises NotFound for no repository."""
        if not private:
            return self._green_reader
        if self._private_reader is None and (self.home.private / ".git").exists():
            from rhizome.store.git_reader import GitReader

            self._private_reader = GitReader(self.home.private)
        return self._private_reader

    def read(self, ref: str, at: str | None = None) -> bytes:
        """The bytes of a note in the work tree, or in the commit `at`. Raises NotFound and OutsidePath."""
        place = self.place(ref)
        if at is None:
            return read_note(place.root, place.path)
        reader = self.reader(private=place.private)
        if reader is None:
            raise NotFound(f"{ref}: no such note", "`rhizome list` names them all.")
        return reader.read(place.path, at)

    def committed(self, ref: str) -> bytes:
        """The bytes of a note at the tip. Raises NotFound."""
        place = self.place(ref)
        reader = self.reader(private=place.private)
        if reader is None:
            raise NotFound(f"{ref}: no such note", "`rhizome list` names them all.")
        return reader.read(place.path)

    def at(self, ref: str, instant: datetime) -> str | None:
        """The newest commit of a note's repository that is not after an instant."""
        reader = self.reader(private=self.place(ref).private)
        return reader.at(instant) if reader else None

    def mtime_ns(self, ref: str) -> int:
        place = self.place(ref)
        return (place.root / place.path).lstat().st_mtime_ns

    def tip_blobs(self) -> dict[str, str]:
        """Every file at the tips, by ref; none of a repository that cannot be opened."""
        return dict(self._blobs(False)) | {PRIVATE + path: blob for path, blob in self._blobs(True).items()}

    def _blobs(self, private: bool) -> dict[str, str]:
        try:
            reader = self.reader(private=private)
        except RhizomeError:  # an outage, which `busy` and the sweep report
            return {}
        return reader.blobs() if reader is not None and reader.tip else {}

    def ours(self, ref: str) -> bool:
        """Whether the last commit that changed a note names a call: nobody committed it by hand."""
        place = self.place(ref)
        reader = self.reader(private=place.private)
        last = next(reader.history(place.path), None) if reader else None
        return last is not None and bool(last.calls)

    def anchors(self, home_id: str, limit: int | None = None) -> list[tuple[int, str]]:
        """Heads of one log that commits note, newest commits first; `limit` commits of each repository."""
        readers = filter(None, (self.reader(private=private) for private in (False, True)))
        heads = (commit.head for reader in readers for commit in islice(reader.newest(), limit))
        return [(head[1], head[2]) for head in heads if head is not None and head[0] == home_id]

    def sweeps(
        self, known: Mapping[str, Stat], now: datetime | None = None, there: Mapping[str, Look] | None = None
    ) -> Iterator[tuple[str, Sweep]]:
        """How each work tree, as it is or as it was seen `there`, differs from what is known, with the prefix of its
        refs; a file saved just before `now` has no stat."""
        seen = looks(self.home) if there is None else there
        inner = {ref: stat for ref, stat in known.items() if ref.startswith(PRIVATE) and self.place(ref).private}
        outer = {ref: stat for ref, stat in known.items() if ref not in inner} if inner else known
        yield "", sweep(self.home.notes, outer, now=now, seen=seen[""])
        if PRIVATE in seen or inner:
            within = {ref.removeprefix(PRIVATE): stat for ref, stat in inner.items()}
            yield PRIVATE, sweep(self.home.private, within, now=now, seen=seen.get(PRIVATE))

    def busy(self) -> dict[str, str]:
        """Why nothing may be committed now, by prefix of the repository; empty when all is free."""
        reasons = {}
        for private in (False, True):
            try:
                reader = self.reader(private=private)
                reasons[PRIVATE if private else ""] = reader.busy() if reader else None
            except RhizomeError as wrong:
                reasons[PRIVATE if private else ""] = wrong.message
        return {prefix: reason for prefix, reason in reasons.items() if reason}

    # ------------------------------------------------------------ committing

    @cached_property
    def green(self) -> "GitStore":
        from rhizome.store.git_store import GitStore

        return GitStore(self.home.notes, clock=self._clock, branch=self._branch and self._branch())

    @property
    def private(self) -> "GitStore | None":
        """The amber repository; None while there is none."""
        if self._private is None and (self.home.private / ".git").exists():
            from rhizome.store.git_store import GitStore

            self._private = GitStore(self.home.private, clock=self._clock, private=True)
        return self._private

    def mend(self) -> None:
        """Open both stores: what a dead writer left half done in them is finished now, or by the next commit."""
        for private in (False, True):
            try:
                _ = self.private if private else self.green
            except RhizomeError:  # an outage, which `busy` and the sweep report
                continue

    def store(self, place: Place) -> "GitStore":
        if not place.private:
            return self.green
        if self.private is None:
            from rhizome.store.git_store import GitStore

            self._private = GitStore.create(self.home.private, clock=self._clock, private=True)
        assert self._private is not None
        return self._private

    def commit(self, ref: str, data: bytes | None, *, call: str, subject: str, head: LogHead) -> str:
        place = self.place(ref)
        return self.store(place).commit({place.path: data}, call=call, subject=subject, head=head)

    def batch(self, refs: Iterable[str]) -> ExitStack:
        """Many commits of `refs`, one index write in each repository."""
        stack = ExitStack()
        stores = {id(store): store for store in (self.store(self.place(ref)) for ref in refs)}
        for store in stores.values():
            stack.enter_context(store.batch())
        return stack
