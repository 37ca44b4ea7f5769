"""Segments: where a home's lines stand on disk, `YYYY/MM/<first seq, 12 digits>.jsonl` below the home's folder."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rhizome.config import SEGMENT_BYTES
from rhizome.model import Head

_HOME = re.compile(r"[0-9a-f]{8}")
_YEAR, _MONTH, _FILE = re.compile(r"\d{4}"), re.compile(r"\d{2}"), re.compile(r"\d{12}\.jsonl")
_HEAD = re.compile(rb"(0|[1-9][0-9]{0,14}) ([0-9a-f]{64})\n")
READ_BYTES = 1 << 16
"""How much is read at a time: small enough that the memory is used again and not asked for."""


def is_home(name: str) -> bool:
    """Whether `name` is the id of a home."""
    return _HOME.fullmatch(name) is not None


def homes(folder: Path) -> list[str]:
    """The homes whose logs lie in `folder`, in order."""
    return sorted(name for name in _entries(folder) if is_home(name) and (folder / name).is_dir())


def names(home: Path) -> list[str]:
    """The segments of a home, in the order of their lines. Costs a listing of each month's folder."""
    months = [f"{year}/{month}" for year in _entries(home) if _YEAR.fullmatch(year)
              for month in _entries(home / year) if _MONTH.fullmatch(month)]
    found = [f"{month}/{name}" for month in months for name in _entries(home / month) if _FILE.fullmatch(name)]
    return sorted(found, key=lambda name: (name[-18:], name))


def _entries(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as found:
            return [each.name for each in found]
    except (FileNotFoundError, NotADirectoryError):
        return []


def name(recorded_at: str, seq: int) -> str:
    """What a segment is called whose first line has `seq` and was recorded then."""
    return f"{recorded_at[:4]}/{recorded_at[5:7]}/{seq:012d}.jsonl"


def full(segment: str, size: int, recorded_at: str) -> bool:
    """Whether a new line belongs into a new segment: this one is large enough, or its month is over."""
    return size >= SEGMENT_BYTES or segment[:7] != f"{recorded_at[:4]}/{recorded_at[5:7]}"


def lines(path: Path, offset: int = 0, end: int | None = None) -> Iterator[tuple[int, bytes]]:
    """(offset, line with its newline) from `offset` on, up to `end`; only the last one may lack its newline.

    Holds one line in memory. Splits on newline bytes and on nothing else.
    """
    with path.open("rb", READ_BYTES) as file:
        file.seek(offset)
        for line in file:
            if end is not None and offset >= end:
                return
            yield offset, line
            offset += len(line)


def line(path: Path, offset: int, length: int) -> bytes:
    """One line, where it is known to stand."""
    with path.open("rb", 0) as file:
        return os.pread(file.fileno(), length, offset)


def whole(path: Path) -> int:
    """Where the last whole line of a file ends."""
    with path.open("rb", 0) as file:
        end = os.fstat(file.fileno()).st_size
        while end > 0:
            start = max(0, end - READ_BYTES)
            newline = os.pread(file.fileno(), end - start, start).rfind(b"\n")
            if newline >= 0:
                return start + newline + 1
            end = start
    return 0


def chunks(path: Path, offset: int, end: int) -> Iterator[list[bytes]]:
    """The whole lines between two bytes, without their newlines, some at a time. A long line costs twice its length."""
    with path.open("rb", 0) as file:
        file.seek(offset)
        rest, left = b"", end - offset
        while left > 0 and (read := file.read(min(left, max(READ_BYTES, len(rest))))):
            left -= len(read)
            whole, newline, rest = (rest + read).rpartition(b"\n")
            if newline:
                yield whole.split(b"\n")


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells that a file is as it was: its size, the moment it was last written, and which file it is."""

    size: int
    mtime_ns: int
    inode: int


def stamp(path: Path) -> Stamp:
    """The stamp of a file as it is now."""
    status = path.stat()
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ino)


def read_head(home: Path) -> Head | None:
    """What a home's HEAD says; None where it is missing or says nothing that can be read."""
    try:
        found = _HEAD.fullmatch((home / "HEAD").read_bytes())
    except FileNotFoundError:
        return None
    return Head(int(found[1]), found[2].decode()) if found else None


def render_head(head: Head) -> bytes:
    """The content of HEAD."""
    return f"{head.seq} {head.h}\n".encode()
