"""A sealed segment: a segment's lines in zstd frames, and a table of where each stretch of them stands.

    zstd frame*     the lines; a frame holds about 256 KB of one column and is read without any other
    skippable frame the table as JSON, its length, its digest, and TAIL

There are two columns: what harnesses and their side files said, and rhizome's own events, so that folding facts reads
no record. Offsets are those of the plain segment, before and after sealing. Any zstd unpacks the file; sorted by `seq`,
what comes out is the plain segment. So nothing is lost with the table but its speed.
"""

import os
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from io import BytesIO
from struct import Struct
from typing import BinaryIO

import msgspec
import zstandard

from rhizome.errors import TooNew
from rhizome.log import chain
from rhizome.log.segments import SUFFIX as SUFFIX

LAYOUT = 1
TAIL = b"rzseal1\n"
TABLES_KEPT, FRAMES_KEPT = 64, 2
CHECKSUM_BYTES = 4
"""The end of a frame. Where it does not hold it is not asked: every line has a better one."""

SALVAGE_BYTES = 1 << 10
UNREADABLE = "the table of this sealed segment has changed"

_MAGIC, _SKIPPED = b"\x28\xb5\x2f\xfd", 0x184D2A5D
_skippable, _foot = Struct("<II"), Struct("<I16s8s")


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """What a sealed segment says about itself. Stretch n begins at plain byte `offsets[n]` and stands in the frame
    `in_frames[n]` from byte `begins[n]` on; `held[n]` are the numbers in `kinds` of the kinds in it."""

    sealed: int
    first: int
    last: int
    count: int
    h: str
    size: int
    frames: list[tuple[int, int, int]]
    """Of each frame: where it begins in the file, its length there, and its length unpacked."""
    offsets: list[int]
    in_frames: list[int]
    begins: list[int]
    kinds: list[str]
    held: list[list[int]]

    @property
    def end(self) -> bytes:
        """The chain value after the last line."""
        return bytes.fromhex(self.h)


def foot(table: Table) -> bytes:
    """The end of a sealed segment: its table, in a frame that every zstd skips."""
    content = msgspec.json.encode(table)
    end = _foot.pack(len(content), _digest(content), TAIL)
    return _skippable.pack(_SKIPPED, len(content) + len(end)) + content + end


def read_table(file: BinaryIO) -> Table | None:
    """The table at a file's end; None where it cannot be believed. TooNew where a later layout stands there."""
    number, size = file.fileno(), os.fstat(file.fileno()).st_size
    end = os.pread(number, _foot.size, max(0, size - _foot.size))
    if len(end) < _foot.size:
        return None
    length, digest, tail = _foot.unpack(end)
    content = os.pread(number, length, max(0, size - _foot.size - length)) if tail == TAIL else b""
    if len(content) != length or digest != _digest(content):
        return None
    try:
        if msgspec.json.decode(content, type=_Layout).sealed > LAYOUT:
            raise TooNew(f"{file.name}: sealed by a newer rhizome", "upgrade this one to read it")
        return msgspec.json.decode(content, type=Table)
    except msgspec.DecodeError:
        return None


class _Layout(msgspec.Struct):
    sealed: int


@lru_cache(TABLES_KEPT)
def _table(path: str, _inode: int, _mtime_ns: int, _size: int) -> Table | None:
    """The table of a file that never changes: read once as long as it is the same file."""
    with open(path, "rb", 0) as file:  # noqa: PTH123 - a path is made ten times slower than it is opened
        return read_table(file)


class Sealed:
    """The lines of one sealed segment. Whoever has it closes it.

    Where bytes of the file have changed, what can still be unpacked is served; the rest reads as zeros.
    """

    def __init__(self, path: str) -> None:
        status = os.stat(path)  # noqa: PTH116 - a path is made ten times slower than it is asked about
        table = _table(path, status.st_ino, status.st_mtime_ns, status.st_size)
        self.flaw = "" if table else UNREADABLE
        self._frames: OrderedDict[int, bytes] = OrderedDict()
        self._file: BinaryIO = open(path, "rb", 0)  # noqa: SIM115, PTH123 - closed by `close`
        if table is None:
            content = gathered(os.pread(self._file.fileno(), status.st_size, 0))
            self._frames[0] = content
            table = Table(sealed=LAYOUT, first=0, last=0, count=0, h="", size=len(content), kinds=[], held=[[]],
                          frames=[(0, 0, len(content))], offsets=[0], in_frames=[0], begins=[0])
        self.table = table

    def close(self) -> None:
        self._file.close()

    @property
    def size(self) -> int:
        """How many bytes the plain segment has."""
        return self.table.size

    def whole(self) -> int:
        """Where the last whole line ends: a segment is sealed when it is whole."""
        return self.table.size

    def read(self, offset: int, length: int) -> bytes:
        """At most `length` bytes from plain byte `offset`, within one line. Unpacks one frame."""
        stretch = max(0, bisect_right(self.table.offsets, offset) - 1)
        begin = self.table.begins[stretch] + offset - self.table.offsets[stretch]
        return self._frame(self.table.in_frames[stretch])[begin : begin + length]

    def lines(self, offset: int = 0, end: int | None = None) -> Iterator[tuple[int, bytes]]:
        """(plain offset, line with its newline) from `offset` on, up to `end`. Two frames in memory."""
        for start, piece in self._pieces(offset, self.size if end is None else end):
            at = start
            for line in BytesIO(piece):
                yield at, line
                at += len(line)

    def chunks(self, offset: int, end: int) -> Iterator[list[bytes]]:
        """The whole lines between two plain bytes, without their newlines, some at a time."""
        for _, piece in self._pieces(offset, end):
            yield piece[:-1].split(b"\n")

    def _pieces(self, offset: int, end: int) -> Iterator[tuple[int, bytes]]:
        """Stretches of whole lines with their plain offsets; what could not be unpacked ends like a line, too."""
        table = self.table
        for stretch in range(max(0, bisect_right(table.offsets, offset) - 1), len(table.offsets)):
            start = table.offsets[stretch]
            if start >= end:
                return
            stop = table.offsets[stretch + 1] if stretch + 1 < len(table.offsets) else table.size
            begin, skip = table.begins[stretch], max(0, offset - start)
            frame = self._frame(table.in_frames[stretch])
            piece = frame[begin + skip : begin + min(stop, end) - start]
            if piece:
                yield start + skip, piece if piece.endswith(b"\n") else piece[:-1] + b"\n"

    def _frame(self, number: int) -> bytes:
        if number in self._frames:
            self._frames.move_to_end(number)
            return self._frames[number]
        at, length, size = self.table.frames[number]
        frame = unpacked(os.pread(self._file.fileno(), length, at), size)
        self._frames[number] = frame
        if len(self._frames) > FRAMES_KEPT:
            self._frames.popitem(last=False)
        return frame


def unpacked(raw: bytes, size: int) -> bytes:
    """A frame of `size` bytes; of one whose bytes have changed, what can be had, filled up with zeros."""
    try:
        if zstandard.frame_content_size(raw) == size:
            return zstandard.ZstdDecompressor().decompress(raw)
    except zstandard.ZstdError:
        pass
    return _salvaged(memoryview(raw)[:-CHECKSUM_BYTES])[:size].ljust(size, b"\0")


def gathered(content: bytes) -> bytes:
    """The lines of every frame in `content`, in their order; for a file whose table is lost. All of it in memory."""
    lines: dict[int, bytes] = {}
    at = content.find(_MAGIC)
    while at >= 0:
        for raw in _salvaged(memoryview(content)[at:]).split(b"\n"):
            line = chain.parse(raw)
            if line is not None:
                lines.setdefault(line.seq, raw + b"\n")
        at = content.find(_MAGIC, at + len(_MAGIC))
    return b"".join(lines[seq] for seq in sorted(lines))


def _salvaged(raw: memoryview) -> bytes:
    """What a frame that begins here holds, as far as it can be unpacked."""
    unpack, got = zstandard.ZstdDecompressor().decompressobj(), list[bytes]()
    try:
        for start in range(0, len(raw), SALVAGE_BYTES):
            got.append(unpack.decompress(raw[start : start + SALVAGE_BYTES]))
            if unpack.eof:
                break
    except zstandard.ZstdError:
        pass
    return b"".join(got)


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()
