"""Sealing: a segment that is full becomes its sealed form, and only then does the plain file go.

The sealed form is written aside, synced and compared with the plain bytes, line by line, as it is read from the disk.
It gets its name whole, and has it durably before the plain file is taken away. So at every moment one whole form has a
name; where there are two, the sealed one counts, and the next sealing takes the plain one away.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rhizome.log import envelope, packing, plain, sealed, segments
from rhizome.log.catalog import Catalog, Known
from rhizome.log.chain import Line, walk
from rhizome.log.files import Files, write_all
from rhizome.log.upcast import too_new


class Unfit(Exception):
    """A segment that has to stay as it is: damaged, or written by a newer program."""


def seal(files: Files, home: Path, known: Known, catalog: Catalog) -> bool:
    """Seal the segment that the catalog has as `known`; False where it has to stay plain. OSError where it cannot be
    done now; then the plain file is as it was. 50 MB/s, two frames in memory."""
    path = home / known.name
    aside, there = path.with_name(path.name + sealed.SUFFIX + ".new"), path.with_name(path.name + sealed.SUFFIX)
    if not path.exists():
        return False
    try:
        _written(files, path, aside, known)
    except Unfit:
        files.remove(aside)
        return False
    except OSError:
        with suppress(OSError):
            files.remove(aside)
        raise
    with catalog.changing():  # readers look again once this is over, and find one form
        if segments.stamp(path) != known.stamp:
            files.remove(aside)
            return False
        files.rename(aside, there)
        files.fsync_folder(path.parent)
        files.remove(path)
        files.fsync_folder(path.parent)
        catalog.restamp(home.name, known.name, segments.stamp(path))
    return True


def _written(files: Files, path: Path, aside: Path, known: Known) -> None:
    """Make the sealed form aside, durable and compared. Unfit where not every line can be believed."""
    file = files.open(aside, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    try:
        for piece in packing.packed(_lines(path, known)):
            write_all(files, file, piece)
        files.fsync(file)
    finally:
        files.close(file)
    if not same(path, aside):
        raise OSError(errno.EIO, "what was sealed is not what is there", str(aside))


def _lines(path: Path, known: Known) -> Iterator[tuple[Line, str]]:
    """Each line of a plain segment with its kind. Unfit where the chain does not hold from end to end."""
    place = known.start
    for step in walk(plain.lines(str(path)), place):
        if step.line is None or step.why or step.missing or too_new(step.line.v):
            raise Unfit
        place = step.place
        payload = step.line.payload
        yield step.line, envelope.FORGOTTEN if payload is None else envelope.gist(payload).kind
    if place != known.end:
        raise Unfit


def same(path: Path, other: Path) -> bool:
    """Whether a sealed file holds, byte for byte, the lines of a plain one."""
    want, have = plain.Plain(str(path)), sealed.Sealed(str(other))
    try:
        at = 0
        for offset, line in have.lines():
            if offset != at or want.read(at, len(line)) != line:
                return False
            at += len(line)
        return not have.flaw and at == have.size == want.size
    finally:
        want.close()
        have.close()
