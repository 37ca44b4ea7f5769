"""The few calls on files that an append makes: a seam thin enough that every one of them can be made to fail."""

import errno
import fcntl
import os
from pathlib import Path

READ_BYTES = 1 << 16
"""How much is read back at a time: small enough that the memory is used again and not asked for."""

_FULLFSYNC: int | None = getattr(fcntl, "F_FULLFSYNC", None)


class Files:
    """The operating system's own files. Each method is one call; each may raise OSError."""

    def open(self, path: Path, flags: int) -> int:
        """A descriptor; a file made here is readable and writable by its owner only."""
        return os.open(path, flags | os.O_CLOEXEC, 0o600)

    def close(self, file: int) -> None:
        os.close(file)

    def write(self, file: int, content: bytes | memoryview) -> int:
        """How many bytes went out; it may be fewer than there are."""
        return os.write(file, content)

    def read(self, file: int, length: int, offset: int) -> bytes:
        """At most `length` bytes from `offset`."""
        return os.pread(file, length, offset)

    def truncate(self, file: int, size: int) -> None:
        os.ftruncate(file, size)

    def fsync(self, file: int) -> None:
        """Down to the disk. (Where the system offers F_FULLFSYNC, plain fsync stops at the drive's own cache.)"""
        if _FULLFSYNC is not None:
            fcntl.fcntl(file, _FULLFSYNC)
        else:
            os.fsync(file)

    def rename(self, old: Path, new: Path) -> None:
        """`new` is `old`'s content or its own former one, whatever happens in between."""
        old.replace(new)

    def remove(self, path: Path) -> None:
        path.unlink()

    def make_folder(self, path: Path) -> None:
        """Only its owner may look inside. Fine where another process was faster."""
        path.mkdir(mode=0o700, exist_ok=True)

    def fsync_folder(self, path: Path) -> None:
        """The names in a folder down to the disk."""
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def write_all(files: Files, file: int, content: bytes | bytearray) -> None:
    """Write until everything is out. OSError where the system takes nothing any more."""
    rest = memoryview(content)
    while rest:
        written = files.write(file, rest)
        if written <= 0:
            raise OSError(errno.EIO, "the system took no bytes")
        rest = rest[written:]


def put(files: Files, file: int, content: bytes | bytearray, offset: int) -> None:
    """Write at the end of a file, which is at `offset`, sync, and read back. OSError where it is not there then."""
    write_all(files, file, content)
    files.fsync(file)
    at, wanted, piece = 0, 0, b""
    while len(piece) == wanted:  # ends where the file does: a byte more than there should be is asked for
        wanted = min(READ_BYTES, len(content) + 1 - at)
        piece = files.read(file, wanted, offset + at)
        if not content.startswith(piece, at):
            break
        at += len(piece)
    if at != len(content):
        raise OSError(errno.EIO, "what was written is not what is there")


def replace(files: Files, path: Path, content: bytes) -> None:
    """`path` has `content`, durably, or is as it was: written aside, synced, read back, renamed, the folder synced."""
    aside = path.with_name(path.name + ".new")
    file = files.open(aside, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    try:
        put(files, file, content, 0)
    finally:
        files.close(file)
    files.rename(aside, path)
    files.fsync_folder(path.parent)


def make_folders(files: Files, path: Path) -> None:
    """`path` and the folders above it, where they are missing, each made durable in the one above it."""
    if path.is_dir():
        return
    make_folders(files, path.parent)
    files.make_folder(path)
    files.fsync_folder(path.parent)
