"""A plain index of git's, in memory: a new file with some paths changed is written at the speed of its checksum."""

import hashlib
import os
import stat
from bisect import bisect_left
from itertools import islice, takewhile
from pathlib import Path
from typing import NamedTuple, Self

import pygit2
from pygit2.enums import FileMode

from rhizome.store import files
from rhizome.store.index_layout import (
    CHECKSUM,
    FLAGS,
    HEAD,
    ID,
    LONGEST,
    MTIME,
    SIZE,
    WORD,
    body,
    length,
    packed,
    starts,
)
from rhizome.store.trees import Entry

MANY = 50
"""So many entries are found faster by reading them all."""

STAGED = Path("rhizome", "index")
"""Where a new index is written, below the git folder, before it locks and replaces the one that stands."""


class Stamp(NamedTuple):
    """Which index file stands there: its checksum, too, so that two quick writes are not missed."""

    inode: int
    mtime_ns: int
    size: int
    checksum: bytes

    @property
    def second(self) -> bytes:
        return (self.mtime_ns // 10**9 & WORD).to_bytes(4)


class PlainIndex:
    """An index in memory: its entries as they stand in the file, and their names. Reading costs 6 ms for 10,000."""

    def __init__(self, file: Path, root: Path, *, sync: bool) -> None:
        self._file, self._root, self._sync = file, root, sync
        self._stands = _stamp(file)
        self._entries, self._names = bytearray(), list[bytes]()
        self._put, self._young = set[bytes](), set[bytes]()

    @classmethod
    def read(cls, file: Path, root: Path, *, sync: bool) -> Self | None:
        """The index in `file`, an empty one where there is none; None for one that is not plain."""
        index = cls(file, root, sync=sync)
        if index._stands is None:
            return index
        found = body(file.read_bytes())
        if found is None:
            return None
        index._entries = found
        for name, at in starts(found):
            index._names.append(name)
            if index._too_young(at):
                found[at + SIZE.start : at + SIZE.stop] = bytes(4)
        return index

    def current(self) -> bool:
        return self._stands == _stamp(self._file)

    def find(self, path: str) -> str | None:
        at = self._start(path.encode())
        return None if at is None else self._entries[at + ID.start : at + ID.stop].hex()

    def put(self, path: str, entry: Entry) -> None:
        """Sets an entry with the file's stat, so that `git status` need not read it; without, if the file differs."""
        name = path.encode()
        at, made = self._start(name), packed(name, entry, self._stat(path, entry))
        if at is None:
            self._make_room(name)
            place = bisect_left(self._names, name)
            at = self._start(self._names[place]) if place < len(self._names) else len(self._entries)
            self._names.insert(place, name)
            self._entries[at:at] = made
        else:
            self._entries[at : at + len(made)] = made
        self._young.discard(name)
        self._put.add(name)

    def remove(self, path: str) -> None:
        self._remove(path.encode())

    def _remove(self, name: bytes) -> None:
        at = self._start(name)
        if at is not None:
            del self._entries[at : at + length(name)]
            del self._names[bisect_left(self._names, name)]

    def _make_room(self, name: bytes) -> None:
        """A file where a folder stands in the index, or the other way round: the older entries go, as git has it."""
        above = [name[:at] for at, letter in enumerate(name) if letter == ord("/")]
        place = bisect_left(self._names, name + b"/")
        below = takewhile(lambda other: other.startswith(name + b"/"), islice(self._names, place, None))
        for other in [*above, *below]:
            self._remove(other)

    def _start(self, name: bytes) -> int | None:
        """Where the entry of `name` starts.

        Its flags, its name and a NUL are looked for, which hardly ever stand anywhere else: only in times and numbers
        that somebody made up for it. Where they do, the names before it are counted.
        """
        place = bisect_left(self._names, name)
        if self._names[place : place + 1] != [name]:
            return None
        sought = min(len(name), LONGEST).to_bytes(2) + name + b"\0"
        at = self._entries.find(sought)
        if self._entries.find(sought, at + 1) < 0:
            return at - FLAGS.start
        return sum(map(length, self._names[:place]))

    def _too_young(self, at: int) -> bool:
        """Whether the entry is as young as the file it stands in: its note may have been changed since, unseen."""
        return self._stands is not None and self._entries[at + MTIME.start : at + MTIME.stop] >= self._stands.second

    def write(self) -> bool:
        staged, lock = self._file.parent / STAGED, self._file.with_name("index.lock")
        staged.unlink(missing_ok=True)
        self._forget_sizes()
        head = HEAD.pack(b"DIRC", 2, len(self._names))
        checksum = hashlib.sha1(head, usedforsecurity=False)
        checksum.update(self._entries)
        with staged.open("xb") as out:
            out.writelines((head, self._entries, checksum.digest()))
            out.flush()
            if self._sync:
                os.fsync(out.fileno())
        try:
            if not locked(staged, lock):
                return False
            try:
                if not self.current():
                    return False
                self._stands = _stamp(lock)
                lock.replace(self._file)
            finally:
                lock.unlink(missing_ok=True)
        finally:
            staged.unlink(missing_ok=True)
        if self._sync:
            files.sync_folder(self._file.parent)
        self._young, self._put = self._put, set()
        return True

    def _forget_sizes(self) -> None:
        """An entry as young as the file it stood in loses its size: git then compares the content.

        A note changed within that second, to the same length, would pass for unchanged in a file that is younger.
        """
        if len(self._young) > MANY:
            found = [at for name, at in starts(self._entries) if name in self._young]
        else:
            found = [at for name in self._young if (at := self._start(name)) is not None]
        for at in filter(self._too_young, found):
            self._entries[at + SIZE.start : at + SIZE.stop] = bytes(4)

    def _stat(self, path: str, entry: Entry) -> os.stat_result | None:
        """The stat of the file at `path` if it holds what `entry` says."""
        try:
            seen = os.lstat(self._root / path)
        except OSError:
            return None
        found = files.read(self._root, path) if stat.S_ISREG(seen.st_mode) else None
        mode = FileMode.BLOB_EXECUTABLE if seen.st_mode & stat.S_IXUSR else FileMode.BLOB
        same = found is not None and (str(pygit2.hash(found.data)), mode) == (entry[0], entry[1])
        return seen if same else None


def locked(staged: Path, lock: Path) -> bool:
    """Gives a written file the name that locks git's index, too; False where another git holds it."""
    try:
        lock.hardlink_to(staged)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in files.NO_LINKS:
            raise
        try:
            with lock.open("xb") as out:
                out.write(staged.read_bytes())
        except FileExistsError:
            return False
    return True


def unlock(git: Path) -> None:
    """Takes away a lock that a writer of ours left when it was killed. Call it while holding our own lock."""
    staged, lock = git / STAGED, git / "index.lock"
    try:
        if staged.samefile(lock):
            lock.unlink()
    except FileNotFoundError:
        pass
    staged.unlink(missing_ok=True)


def _stamp(file: Path) -> Stamp | None:
    try:
        with file.open("rb") as found:
            seen = os.fstat(found.fileno())
            checksum = os.pread(found.fileno(), CHECKSUM, max(0, seen.st_size - CHECKSUM))
            return Stamp(seen.st_ino, seen.st_mtime_ns, seen.st_size, checksum)
    except FileNotFoundError:
        return None
