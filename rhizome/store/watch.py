"""Whether anything in some folders has changed since a look at them, asked of Linux's inotify without waiting.

The kernel queues what a system call changes before that call returns, so an empty queue is the truth at this moment.
A folder is watched before it is listed. Nothing in the queue is read closely: anything there ends the watch, and
another look makes the next one. What inotify does not tell ends it too, or is looked for: other mounts, another
folder under the same name. It does not tell of a write through a hard link that stands outside, so its word is not
taken for ever.
"""

import ctypes
import os
import weakref
from collections.abc import Collection
from pathlib import Path

FOLDERS = 4_000
"""More are not watched: older systems have 8,192 watches for all programs of a person together."""

LOCAL = {"ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "tmpfs", "zfs"}
"""File systems that nobody changes behind the kernel's back, as another computer may on a network's."""

MOUNTS = Path("/proc/self/mountinfo")
CHANGES = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
"""Modified, attributes, closed after writing (which ends a write through mapped memory), moved from and to, created,
deleted, and the folder itself deleted or moved."""

ONLY_FOLDERS = 0x0100_0000


class Watch:
    """Begins to watch each folder that is `entered`; of no use on a system that lacks what it takes.

    Holds one file descriptor, which goes when the watch does. Asking costs a tenth of a millisecond.
    """

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        begin = getattr(self._libc, "inotify_init1", None)
        self._queue = int(begin(os.O_CLOEXEC | os.O_NONBLOCK)) if begin else -1
        self.whole = self._queue >= 0
        """Whether it watches all that was entered, and saw no change yet."""
        self._mounts, self._count = b"", 0
        self._roots: dict[Path, tuple[int, int]] = {}
        if self.whole:
            weakref.finalize(self, os.close, self._queue)
            self._mounts = _mounts()

    def entered(self, root: Path, folder: int) -> None:
        """Watch an open folder below `root`, before it is listed."""
        if not self.whole:
            return
        found = os.fstat(folder)
        if root not in self._roots:
            self._roots[root] = found.st_dev, found.st_ino
            self.whole = file_system(root, self._mounts) in LOCAL
        self._count += 1
        here = found.st_dev == self._roots[root][0]
        self.whole = self.whole and here and self._count <= FOLDERS and self._add(folder)

    def still(self, roots: Collection[Path]) -> bool:
        """Whether these are the roots that were entered, and nothing below them has changed since. Once false, for
        ever."""
        self.whole = self.whole and set(self._roots) == set(roots) and self._quiet() and self._same()
        return self.whole

    def _add(self, folder: int) -> bool:
        place = f"/proc/self/fd/{folder}".encode()
        return int(self._libc.inotify_add_watch(self._queue, place, ctypes.c_uint32(CHANGES | ONLY_FOLDERS))) >= 0

    def _quiet(self) -> bool:
        try:
            os.read(self._queue, 4_096)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def _same(self) -> bool:
        """Whether the roots are the folders they were, and nothing was mounted anywhere."""
        try:
            now = {root: (found.st_dev, found.st_ino) for root in self._roots for found in [root.stat()]}
        except OSError:
            return False
        return now == self._roots and bool(self._mounts) and _mounts() == self._mounts


def file_system(folder: Path, mounts: bytes) -> str:
    """The kind of file system that a folder lies on, by a table of mounts; "" where that does not say."""
    place = os.fsencode(folder.resolve())
    kind, longest = b"", 0
    for line in mounts.splitlines():
        words, _, told = line.partition(b" - ")
        point = _unescaped(words.split(b" ")[4])
        if len(point) >= longest and (place + b"/").startswith(point.rstrip(b"/") + b"/"):
            kind, longest = told.split(b" ")[0], len(point)
    return kind.decode("ascii", "replace")


def _unescaped(point: bytes) -> bytes:
    for escape, byte in ((b"\\040", b" "), (b"\\011", b"\t"), (b"\\012", b"\n"), (b"\\134", b"\\")):
        point = point.replace(escape, byte)
    return point


def _mounts() -> bytes:
    try:
        return MOUNTS.read_bytes()
    except OSError:
        return b""
