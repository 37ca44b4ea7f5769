"""Setting aside what is damaged in a home's own segments, so that what can be read stands alone again.

Nothing is destroyed: before a segment is written anew without its bad bytes, the file as it was lies in `lost/`, synced
and compared. What stays behind is a gap in the seqs, and the chain on both sides of it.
"""

import errno
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from rhizome.log import recovery, sealed, segments
from rhizome.log.chain import Place
from rhizome.log.files import Files, make_folders, replace, write_all
from rhizome.log.port import DamagedRange
from rhizome.log.verify import survey
from rhizome.model import Event, Head

COPY_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Repaired:
    """What a repair did: the copies of what was damaged (relative to the home's folder), and what is to be given up."""

    aside: tuple[str, ...]
    lost: tuple[DamagedRange, ...]


def repair(files: Files, folder: Path, home: str, anchors: Mapping[str, Sequence[tuple[int, str]]],
           told: Callable[[], Iterable[Event]]) -> Repaired:
    """Set the bad bytes of `home` aside and put its HEAD where it can go on; what is then missing, of every home.

    `anchors` are heads noted elsewhere, by home; `told` gives what is forgotten and lost by now.
    """
    mine, own = anchors.get(home, ()), folder / home
    found, _ = survey(folder, home, anchors=mine, told=told())
    aside = [copy for name, bad in spoilt(found, list(flawed(own))).items()
             for copy in set_aside(files, own, name, bad)]
    left, end = survey(folder, home, anchors=mine, told=told())
    replace(files, own / "HEAD", segments.render_head(head(segments.read_head(own), mine, end)))
    lost = [each for each in left if each.first]
    for other in segments.homes(folder):
        if other != home:
            lost += survey(folder, other, anchors=anchors.get(other, ()), told=told())[0]
    return Repaired(tuple(aside), tuple(lost))


def spoilt(found: Iterable[DamagedRange], flawed: Collection[str]) -> Mapping[str, list[DamagedRange]]:
    """By segment (relative to its home) the ranges that are to be set aside; a `flawed` one is written anew whole."""
    by_name: dict[str, list[DamagedRange]] = {name: [] for name in flawed}
    bad = sorted((each for each in found if each.length), key=lambda each: (each.segment, each.offset))
    for segment, ranges in groupby(bad, key=lambda each: each.segment):
        by_name.setdefault(segment.partition("/")[2], []).extend(ranges)
    return by_name


def flawed(home: Path) -> Iterator[str]:
    """The segments of a home whose table has changed."""
    for name in segments.names(home):
        with segments.opened(home / name) as lines:
            if lines.flaw:
                yield name


def set_aside(files: Files, home: Path, name: str, bad: Sequence[DamagedRange]) -> list[str]:
    """Copy every form of a segment into `lost/`, then write it anew, plain and without `bad`. Names the copies."""
    path = home / name
    packed, aside = path.with_name(path.name + sealed.SUFFIX), path.with_name(path.name + ".new")
    forms = [form for form in (path, packed) if form.exists()]
    make_folders(files, home / "lost")
    copies = [_copied(files, form, recovery.free(home / "lost", f"{name[:7].replace('/', '-')}-{form.name}"))
              for form in forms]
    starts = {each.offset for each in bad}
    with segments.opened(path) as lines:
        _write(files, aside, (raw for offset, raw in lines.lines() if offset not in starts))
    if aside.stat().st_size:
        files.rename(aside, path)
        files.fsync_folder(path.parent)
        forms = [form for form in forms if form == packed]
    else:
        files.remove(aside)
    for form in forms:
        files.remove(form)
    files.fsync_folder(path.parent)
    return [f"lost/{copy.name}" for copy in copies]


def head(said: Head | None, anchors: Iterable[tuple[int, str]], end: Place) -> Head:
    """Where the log goes on after a repair: behind everything that a head was ever noted of."""
    assert end.h is not None
    noted = [*anchors, *([(said.seq, said.h)] if said else [])]
    seq, h = max((each for each in noted if each[0] > end.seq), default=(end.seq, end.h.hex()))
    return Head(seq, h)


def _copied(files: Files, path: Path, copy: Path) -> Path:
    with path.open("rb", 0) as source:
        _write(files, copy, iter(lambda: source.read(COPY_BYTES), b""))
    files.fsync_folder(copy.parent)
    return copy


def _write(files: Files, path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file, sync it, and read it back. OSError where it is not there then."""
    want, have = sha256(), sha256()
    file = files.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    try:
        for piece in pieces:
            write_all(files, file, piece)
            want.update(piece)
        files.fsync(file)
        offset = 0
        while piece := files.read(file, COPY_BYTES, offset):
            have.update(piece)
            offset += len(piece)
    finally:
        files.close(file)
    if have.digest() != want.digest():
        raise OSError(errno.EIO, "what was written is not what is there", str(path))
