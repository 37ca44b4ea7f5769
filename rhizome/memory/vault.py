"""The two note repositories of a home as one namespace: `notes/` under plain paths, `private/` under `private/...`."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rhizome.errors import NotFound
from rhizome.memory.home import Clock, Home
from rhizome.model import Tier
from rhizome.store.git_store import GitStore
from rhizome.store.port import LogHead
from rhizome.store.worktree import Stat, Sweep, busy, read_note, sweep

PRIVATE = "private/"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a ref stands: in which repository, and under which path there."""

    root: Path
    path: str
    private: bool


class Vault:
    """Reads and commits notes by ref. The private repository is made when the first private note is written."""

    def __init__(self, home: Home, clock: Clock) -> None:
        self.home = home
        self._clock = clock
        self._private: GitStore | None = None

    @cached_property
    def green(self) -> GitStore:
        return GitStore(self.home.notes, clock=self._clock)

    @property
    def private(self) -> GitStore | None:
        """The amber repository; None while there is none."""
        if self._private is None and (self.home.private / ".git").exists():
            self._private = GitStore(self.home.private, clock=self._clock, private=True)
        return self._private

    def place(self, ref: str) -> Place:
        """Where a ref without a line stands."""
        if ref.startswith(PRIVATE):
            inner = ref.removeprefix(PRIVATE)
            if (self.home.private / inner).exists() or not (self.home.notes / ref).exists():
                return Place(self.home.private, inner, True)
        return Place(self.home.notes, ref, False)

    def prefix(self, ref: str) -> str:
        """Which repository a ref belongs to: empty for the green one, `private/` for the private one."""
        return PRIVATE if self.place(ref).private else ""

    def stands(self, ref: str) -> bool:
        """Whether there is a file for a ref in the work tree."""
        place = self.place(ref)
        return (place.root / place.path).is_file()

    def committed(self, ref: str) -> bytes:
        """The bytes of a note at the tip. Raises NotFound."""
        place = self.place(ref)
        return self.store(place).read(place.path)

    def tier(self, ref: str) -> Tier:
        """The tier that a note's place gives it; its front matter may raise it."""
        return Tier.AMBER if self.place(ref).private else Tier.GREEN

    def store(self, place: Place) -> GitStore:
        if not place.private:
            return self.green
        if self.private is None:
            self._private = GitStore.create(self.home.private, clock=self._clock, private=True)
        assert self._private is not None
        return self._private

    def read(self, ref: str, at: str | None = None) -> bytes:
        """The bytes of a note in the work tree, or in the commit `at`. Raises NotFound and OutsidePath."""
        place = self.place(ref)
        if at is None:
            return read_note(place.root, place.path)
        if place.private and self.private is None:
            raise NotFound(f"{ref}: no such note", "`rhizome list` names them all.")
        return self.store(place).read(place.path, at)

    def mtime_ns(self, ref: str) -> int:
        place = self.place(ref)
        return (place.root / place.path).lstat().st_mtime_ns

    def commit(self, ref: str, data: bytes | None, *, call: str, subject: str, head: LogHead) -> str:
        place = self.place(ref)
        return self.store(place).commit({place.path: data}, call=call, subject=subject, head=head)

    def tip_blobs(self) -> dict[str, str]:
        """Every file at the tips, by ref."""
        blobs = dict(self.green.blobs()) if self.green.tip else {}
        private = self.private
        if private is not None and private.tip:
            blobs |= {PRIVATE + path: blob for path, blob in private.blobs().items()}
        return blobs

    def tracked(self, ref: str) -> bool:
        """Whether the repository of a note is there to look at; without it nothing counts as removed."""
        return (self.place(ref).root / ".git").exists()

    def batch(self, refs: Iterable[str]) -> ExitStack:
        """Many commits of `refs`, one index write in each repository."""
        stack = ExitStack()
        stores = {id(store): store for store in (self.store(self.place(ref)) for ref in refs)}
        for store in stores.values():
            stack.enter_context(store.batch())
        return stack

    def ours(self, ref: str) -> bool:
        """Whether the last commit that changed a note names a call: nobody committed it by hand."""
        place = self.place(ref)
        last = next(self.store(place).history(place.path), None)
        return last is not None and bool(last.calls)

    def sweeps(self, known: Mapping[str, Stat]) -> Iterator[tuple[str, Sweep]]:
        """One stat sweep of each work tree, with the prefix of its refs."""
        inner = {ref: stat for ref, stat in known.items() if ref.startswith(PRIVATE) and self.place(ref).private}
        outer = {ref: stat for ref, stat in known.items() if ref not in inner} if inner else known
        yield "", sweep(self.home.notes, outer)
        if (self.home.private / ".git").exists() or inner:
            yield PRIVATE, sweep(self.home.private, {ref.removeprefix(PRIVATE): stat for ref, stat in inner.items()})

    def busy(self) -> dict[str, str]:
        """Why nothing may be committed now, by prefix of the repository; empty when all is free."""
        reasons = {"": busy(self.home.notes)}
        if (self.home.private / ".git").exists():
            reasons[PRIVATE] = busy(self.home.private)
        return {prefix: reason for prefix, reason in reasons.items() if reason}
