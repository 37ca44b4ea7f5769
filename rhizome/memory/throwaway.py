"""A home that is made to measure something and is gone afterwards: where it lies, and the dice it is made with."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

IN_MEMORY, ROOM_BYTES = Path("/dev/shm"), 4 * 1024**3  # noqa: S108 - the folder in it is our own


@contextmanager
def folder() -> Iterator[Path]:
    """A new folder, deleted with all that is in it."""
    with tempfile.TemporaryDirectory(prefix="rhizome-measured-", dir=_roomy()) as place:
        yield Path(place)


def dice() -> Callable[[int], bytes]:
    """Dice that always fall the same way: ids are made of them, and equal scores are put in order by id."""
    throws = count()
    return lambda size: hashlib.shake_256(b"%d" % next(throws)).digest(size)


def _roomy() -> Path | None:
    """A folder in memory where this machine has one with room: what is thrown away need not survive a power cut, and
    a thousand sessions wait for the disk four thousand times. None for the usual place."""
    try:
        return IN_MEMORY if shutil.disk_usage(IN_MEMORY).free > ROOM_BYTES and os.access(IN_MEMORY, os.W_OK) else None
    except OSError:
        return None
