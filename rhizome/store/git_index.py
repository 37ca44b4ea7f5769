"""Git's index: what stands at a path, and a new file with some paths changed.

A plain one is read and written here (gitformat-index(5), version 2), any other by libgit2. Measured at 10,000 entries:
2 ms a write here, 6 ms there, most of it a slower SHA-1; the bytes mean the same to every git.
"""

import hashlib
import os
import stat
import struct
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice, takewhile
from pathlib import Path
from typing import NamedTuple, Protocol, Self

import pygit2
from pygit2.enums import FileMode

from rhizome.errors import Locked
from rhizome.store import files
from rhizome.store.faults import meaning
from rhizome.store.trees import Entry

HEAD = struct.Struct(">4sLL")
FIXED = struct.Struct(">10L20sH")
"""ctime s and ns, mtime s and ns, dev, ino, mode, uid, gid, size; id; flags, of which 12 bits are the name's length."""

MTIME, SIZE, ID, FLAGS, NAME = slice(8, 12), slice(36, 40), slice(40, 60), slice(60, 62), 62
LONGEST = 0xFFF
WORD = 0xFFFFFFFF
CHECKSUM = 20

MANY = 50
"""So many entries are found faster by reading them all."""

STAGED = Path("rhizome", "index")
"""Where a new index is written, below the git folder, before it locks and replaces the one that stands."""

CACHES = (b"TREE", b"EOIE", b"IEOT")
"""Extensions that may be left out: they save time to whoever reads, and git writes them again."""


class Stamp(NamedTuple):
    """Which index file stands there: its checksum, too, so that two quick writes are not missed."""

    inode: int
    mtime_ns: int
    size: int
    checksum: bytes

    @property
    def second(self) -> bytes:
        return (self.mtime_ns // 10**9 & WORD).to_bytes(4)


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
        """Where the entry of `name` starts. No name holds a NUL, so the flags before it tell it from a longer one."""
        place = bisect_left(self._names, name)
        if self._names[place : place + 1] != [name]:
            return None
        sought = min(len(name), LONGEST).to_bytes(2) + name + b"\0"
        return self._entries.find(sought) - FLAGS.start

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


def body(data: bytes) -> bytearray | None:
    """The entries of an index file; None where it is not plain, or not whole."""
    end = len(data) - CHECKSUM
    if end < HEAD.size or HEAD.unpack_from(data)[:2] != (b"DIRC", 2):
        return None
    if hashlib.sha1(data[:end], usedforsecurity=False).digest() != data[end:]:
        return None
    at = HEAD.size
    for _ in range(HEAD.unpack_from(data)[2]):
        close = data.find(b"\0", at + NAME, end)
        if close < 0 or int.from_bytes(data[at + FLAGS.start : at + FLAGS.stop]) != min(close - at - NAME, LONGEST):
            return None
        at += length(data[at + NAME : close])
    entries = bytearray(data[HEAD.size : at])
    while at < end and data[at : at + 4] in CACHES:
        at += 8 + int.from_bytes(data[at + 4 : at + 8])
    return entries if at == end else None


def starts(entries: bytes | bytearray) -> Iterator[tuple[bytes, int]]:
    """The name of each entry, and where it starts."""
    at = 0
    while at < len(entries):
        name = bytes(entries[at + NAME : entries.find(b"\0", at + NAME)])
        yield name, at
        at += length(name)


def length(name: bytes) -> int:
    """How long an entry is: padded with one to eight NULs to a multiple of eight."""
    return (NAME + len(name) + 8) // 8 * 8


def packed(name: bytes, entry: Entry, seen: os.stat_result | None) -> bytes:
    """An entry's bytes. `seen` is the stat of the file that holds it, None where none does."""
    oid, mode = entry
    known = (0,) * 6 if seen is None else (
        *divmod(seen.st_ctime_ns, 10**9), *divmod(seen.st_mtime_ns, 10**9), seen.st_dev, seen.st_ino,
    )  # fmt: skip
    owner = (0, 0, 0) if seen is None else (seen.st_uid, seen.st_gid, seen.st_size)
    numbers = (number & WORD for number in (*known, mode, *owner))
    fixed = FIXED.pack(*numbers, bytes.fromhex(oid), min(len(name), LONGEST))
    return (fixed + name).ljust(length(name), b"\0")


def _stamp(file: Path) -> Stamp | None:
    try:
        with file.open("rb") as found:
            seen = os.fstat(found.fileno())
            checksum = os.pread(found.fileno(), CHECKSUM, max(0, seen.st_size - CHECKSUM))
            return Stamp(seen.st_ino, seen.st_mtime_ns, seen.st_size, checksum)
    except FileNotFoundError:
        return None
