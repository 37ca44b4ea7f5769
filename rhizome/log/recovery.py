"""What an append finds behind HEAD, and what becomes of it: a batch that was never acknowledged.

A batch that the lock's note says was under way goes as a whole: half a batch is nothing. Without such a note the lines
that follow the chain are taken in (an older HEAD came back from a backup), and the first one that does not, with all
that follows, is torn. What is torn is moved to `torn/`, never deleted.
"""

import errno
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from rhizome.log import segments
from rhizome.log.chain import Place, walk
from rhizome.log.files import Files, make_folders, put
from rhizome.log.lock import Intent
from rhizome.log.port import DamagedRange
from rhizome.model import Head

_ASIDE = re.compile(r"(\d{4})-(\d{2})-(\d{12})-(\d+)(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Tail:
    """The bytes of a segment from `offset` on that no HEAD acknowledged."""

    segment: str
    offset: int


@dataclass(frozen=True, slots=True)
class Repair:
    """What to do: HEAD becomes `head`, and `torn` goes."""

    head: Head
    torn: tuple[DamagedRange, ...] = ()


def repair(home: Path, head: Head, tails: Iterable[Tail], before: Intent | None) -> Repair:
    """What becomes of what stands behind `head`: of the batch `before`, else of `tails`. Writes nothing."""
    if before is not None and before.seq == head.seq + 1:
        return Repair(head, tuple(_torn(home, before.segment, before.offset)))
    place, torn = Place(head.seq, bytes.fromhex(head.h)), list[DamagedRange]()
    for tail in tails:
        cut = tail.offset
        for step in () if torn else walk(segments.lines(home / tail.segment, tail.offset), place):
            if step.why or step.missing:
                break
            place, cut = step.place, step.offset + step.length
        torn += _torn(home, tail.segment, cut)
    assert place.h is not None
    return Repair(Head(place.seq, place.h.hex()), tuple(torn))


def _torn(home: Path, segment: str, cut: int) -> Iterator[DamagedRange]:
    path = home / segment
    if path.is_file() and (length := path.stat().st_size - cut) > 0:
        yield DamagedRange(segment, cut, length, "never acknowledged")


def move_aside(home: Path, torn: DamagedRange, files: Files) -> None:
    """Move the torn end of a segment to `torn/` and cut the segment there; a segment that is all torn goes whole."""
    path = home / torn.segment
    make_folders(files, home / "torn")
    aside = free(home / "torn", f"{torn.segment[:-6].replace('/', '-')}-{torn.offset}")
    if torn.offset == 0:
        files.rename(path, aside)
        files.fsync_folder(path.parent)
        files.fsync_folder(aside.parent)
        return
    source = files.open(path, os.O_RDWR)
    try:
        copy = files.open(aside, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        try:
            content = files.read(source, torn.length, torn.offset)
            if len(content) != torn.length:
                raise OSError(errno.EIO, "the torn end could not be read")
            put(files, copy, content, 0)
        finally:
            files.close(copy)
        files.fsync_folder(aside.parent)
        files.truncate(source, torn.offset)
        files.fsync(source)
    finally:
        files.close(source)


def reports(home: Path) -> list[dict[str, Any]]:
    """The body of a `tail.repaired` for each piece in `torn/`."""
    folder = home / "torn"
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return [{"torn": path.name, "segment": f"{name[1]}/{name[2]}/{name[3]}.jsonl", "offset": int(name[4]),
             "length": path.stat().st_size} for path in found if (name := _ASIDE.fullmatch(path.name))]


def free(folder: Path, stem: str) -> Path:
    """A name that nothing has yet."""
    names = (f"{stem}.{number}" if number else stem for number in count())
    return next(folder / name for name in names if not (folder / name).exists())
