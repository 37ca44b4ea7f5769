"""Segments: where a home's lines stand on disk, `YYYY/MM/<first seq, 12 digits>.jsonl` below the home's folder.

A sealed one stands in `<name>.zst` beside or in place of the plain file. It goes by the plain one's name and offsets,
so that nobody above needs to know which of the two there is. It has its name only once it is whole: where there are
both, it counts.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rhizome.config import SEGMENT_BYTES
from rhizome.log.plain import Plain
from rhizome.model import Head

if TYPE_CHECKING:
    from rhizome.log.sealed import Sealed

SUFFIX = ".zst"
"""What the name of a sealed segment ends with."""

_HOME = re.compile(r"[0-9a-f]{8}")
_YEAR, _MONTH, _FILE = re.compile(r"\d{4}"), re.compile(r"\d{2}"), re.compile(r"\d{12}\.jsonl(\.zst)?")
_HEAD = re.compile(rb"(0|[1-9][0-9]{0,14}) ([0-9a-f]{64})\n")


def is_home(name: str) -> bool:
    """Whether `name` is the id of a home."""
    return _HOME.fullmatch(name) is not None


def homes(folder: Path) -> list[str]:
    """The homes whose logs lie in `folder`, in order."""
    return sorted(name for name in _folders(str(folder)) if is_home(name))


class Stamp(msgspec.Struct, frozen=True, eq=False):
    """What tells that a segment is as it was: its size, the moment it was last written, and which file it is; of a
    plain and a sealed file, of both."""

    size: int
    mtime_ns: int
    inode: int
    sealed: bool = False

    def __eq__(self, other: object) -> bool:
        """A segment that was sealed since is the same one where all else is."""
        return isinstance(other, Stamp) and self._which == other._which

    def __ne__(self, other: object) -> bool:  # a struct has one of its own
        return not self == other

    def __hash__(self) -> int:
        return hash(self._which)

    @property
    def _which(self) -> tuple[int, int, int]:
        return self.size, self.mtime_ns, self.inode

    def __or__(self, other: "Stamp") -> "Stamp":
        return Stamp(self.size + other.size, max(self.mtime_ns, other.mtime_ns), self.inode ^ other.inode,
                     self.sealed or other.sealed)


def stamps(home: Path) -> dict[str, Stamp]:
    """The segments of a home, in the order of their lines, each as it is now. Costs a listing of each month's folder
    and a `stat` for each file."""
    found: dict[str, Stamp] = {}
    root = str(home)  # a path object costs more than the system call it is for
    for year in _folders(root):
        for month in _folders(f"{root}/{year}") if _YEAR.fullmatch(year) else ():
            if _MONTH.fullmatch(month):
                for name, stamp in _files(f"{root}/{year}/{month}"):
                    whole = f"{year}/{month}/{name}"
                    found[whole] = found[whole] | stamp if whole in found else stamp
    return {name: found[name] for name in sorted(found, key=lambda name: (name[-18:], name))}


def names(home: Path) -> list[str]:
    """The segments of a home, in the order of their lines."""
    return list(stamps(home))


def _files(month: str) -> Iterator[tuple[str, Stamp]]:
    """(name of the segment, stamp) of each file of a month."""
    try:
        with os.scandir(month) as found:
            for each in found:
                if _FILE.fullmatch(each.name):
                    with suppress(FileNotFoundError):  # whoever seals a segment takes its plain file away
                        yield each.name.removesuffix(SUFFIX), _stamp(each)
    except (FileNotFoundError, NotADirectoryError):
        return


def _stamp(entry: "os.DirEntry[str]") -> Stamp:
    status = entry.stat()
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ino, entry.name.endswith(SUFFIX))


def _folders(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as found:
            return [each.name for each in found if each.is_dir()]
    except (FileNotFoundError, NotADirectoryError):
        return []


def name(recorded_at: str, seq: int) -> str:
    """What a segment is called whose first line has `seq` and was recorded then."""
    return f"{recorded_at[:4]}/{recorded_at[5:7]}/{seq:012d}.jsonl"


def full(segment: str, size: int, recorded_at: str) -> bool:
    """Whether a new line belongs into a new segment: this one is large enough, or its month is over."""
    return size >= SEGMENT_BYTES or segment[:7] != f"{recorded_at[:4]}/{recorded_at[5:7]}"


def sealed(path: Path) -> bool:
    """Whether a segment stands there in its sealed form."""
    return os.path.exists(f"{path}{SUFFIX}")  # noqa: PTH110


@contextmanager
def opened(path: Path) -> "Iterator[Plain | Sealed]":
    """A segment's lines, in whichever form they stand. FileNotFoundError where there is neither."""
    reader = _reader(str(path))
    try:
        yield reader
    finally:
        reader.close()


def _reader(path: str) -> "Plain | Sealed":
    try:
        return _form(path)
    except FileNotFoundError:  # one form may have been exchanged for the other between two looks
        return _form(path)


def _form(path: str) -> "Plain | Sealed":
    from rhizome.log.sealed import Sealed  # zstd is loaded where lines are read

    try:
        found = Sealed(path + SUFFIX)
    except FileNotFoundError:
        return Plain(path)
    if found.flaw and os.path.exists(path):  # noqa: PTH110
        found.close()
        return Plain(path)
    return found


def lines(path: Path, offset: int = 0, end: int | None = None) -> Iterator[tuple[int, bytes]]:
    """(offset, line with its newline) from `offset` on, up to `end`; only the last one may lack its newline.

    Holds one line, or two frames, in memory. Splits on newline bytes and on nothing else.
    """
    with opened(path) as reader:
        yield from reader.lines(offset, end)


def line(path: Path, offset: int, length: int) -> bytes:
    """One line, where it is known to stand."""
    with opened(path) as reader:
        return reader.read(offset, length)


def whole(path: Path) -> int:
    """Where the last whole line of a segment ends."""
    with opened(path) as reader:
        return reader.whole()


def chunks(path: Path, offset: int, end: int) -> Iterator[list[bytes]]:
    """The whole lines between two bytes, without their newlines, some at a time."""
    with opened(path) as reader:
        yield from reader.chunks(offset, end)


def stamp(path: Path) -> Stamp:
    """The stamp of a segment as it is now. FileNotFoundError where there is none."""
    found = [stamp for name, stamp in _files(str(path.parent)) if name == path.name]
    if not found:
        raise FileNotFoundError(path)
    return found[0] if len(found) == 1 else found[0] | found[1]


def read_head(home: Path) -> Head | None:
    """What a home's HEAD says; None where it is missing or says nothing that can be read."""
    try:
        with open(f"{home}/HEAD", "rb", 0) as file:  # noqa: PTH123
            found = _HEAD.fullmatch(file.read())
    except FileNotFoundError:
        return None
    return Head(int(found[1]), found[2].decode()) if found else None


def render_head(head: Head) -> bytes:
    """The content of HEAD."""
    return f"{head.seq} {head.h}\n".encode()
