"""Two names trade their files in one step of the kernel's, so that whatever stood there is still in our hands."""

import ctypes
import errno
import os

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
