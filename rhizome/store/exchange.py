"""What only the kernel can do for us: trade two names in one step, and say whether a file is still being written."""

import ctypes
import errno
import fcntl
import os
import signal
from pathlib import Path

EXCHANGE = 2
"""RENAME_EXCHANGE on Linux, RENAME_SWAP on macOS: the same number for the same thing."""

UNSUPPORTED = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)

_libc = ctypes.CDLL(None, use_errno=True)
_rename = getattr(_libc, "renameat2", None) or getattr(_libc, "renameatx_np", None)


def exchange(one: str, one_folder: int, other: str, other_folder: int) -> bool:
    """Swaps two files by name; False where the system or the disk cannot. Raises OSError for anything else."""
    if _rename is None:
        return False
    if _rename(one_folder, os.fsencode(one), other_folder, os.fsencode(other), EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), one)


def being_written(path: Path) -> bool:
    """Whether somebody has the file open for writing: an editor between its truncate and its write. Told on Linux only.

    A read lease is granted only when nobody has; closing the file gives it back. Should it be broken meanwhile, the
    signal is one that is ignored.
    """
    lease = getattr(fcntl, "F_SETLEASE", None)
    if lease is None:
        return False
    with path.open("rb") as file:
        try:
            fcntl.fcntl(file, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(file, lease, fcntl.F_RDLCK)
        except OSError as error:
            return error.errno == errno.EAGAIN
    return False
