"""Putting a batch on disk: intent, lines, sync, read back, HEAD. If a step fails, nothing was acknowledged."""

import os
from contextlib import suppress
from pathlib import Path

from rhizome.errors import Damaged
from rhizome.log import segments
from rhizome.log.batch import Made
from rhizome.log.catalog import Known
from rhizome.log.chain import Place
from rhizome.log.files import Files, make_folders, put, replace
from rhizome.log.lock import Held, Intent
from rhizome.log.upcast import VERSION
from rhizome.model import Head

AGAIN = "check the disk and its free space, then append again: what did get there is absorbed"


def write(files: Files, home: Path, made: Made, head: Head, last: Known | None, recorded_at: str,
          lock: Held) -> Known:
    """Append `made` after `head` and the segment `last`, durably, and return the segment as it then is.

    A batch stands in one segment as a whole. OSError where it did not get there, Damaged where the segment is not
    as it was read.
    """
    if last is None or segments.full(last.name, last.offset, recorded_at) or segments.sealed(home / last.name):
        name, offset, start = segments.name(recorded_at, head.seq + 1), 0, last.end if last else Place()
    else:
        name, offset, start = last.name, last.offset, last.start
    path = home / name
    size = path.stat().st_size if path.exists() else 0
    if size != offset:
        raise Damaged(f"{path}: {size} bytes, and the log has {offset} in it", "run `rhizome log verify`")
    lock.intend(Intent(head.seq + 1, name, offset))
    make_folders(files, path.parent)
    file = files.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    try:
        put(files, file, made.content, offset)
        if offset == 0:
            files.fsync_folder(path.parent)
        replace(files, home / "HEAD", segments.render_head(made.head))
    except OSError:
        _take_back(files, file, offset, home, head)
        raise
    finally:
        files.close(file)
    return Known(name, start, place(made.head), offset + len(made.content), recorded_at, VERSION, made.head.seq,
                 segments.stamp(path))


def place(head: Head) -> Place:
    """Where in the chain a head stands."""
    return Place(head.seq, bytes.fromhex(head.h))


def _take_back(files: Files, file: int, offset: int, home: Path, head: Head) -> None:
    """Cut an unacknowledged batch off. What cannot be cut now, the next append finds by the lock's note."""
    with suppress(OSError):
        if segments.read_head(home) == head:
            files.truncate(file, offset)
            files.fsync(file)
