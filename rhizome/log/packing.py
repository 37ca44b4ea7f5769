"""Packing lines into the sealed form (`rhizome.log.sealed`), a frame at a time."""

from collections.abc import Iterable, Iterator

import zstandard

from rhizome.log.chain import Line, render
from rhizome.log.sealed import LAYOUT, Table, foot

BULK = frozenset({"session.record", "source.attached"})
"""Kinds that fill a log and that no ledger reads."""

FRAME_BYTES = 256 * 1024
"""What is unpacked to read one event: a fifth of a millisecond's work, and little worse packed than a whole file."""

LEVEL = 3
"""350 MB/s; level 9 is six times slower and saves a fiftieth."""


def packed(lines: Iterable[tuple[Line, str]], *, frame_bytes: int = FRAME_BYTES) -> Iterator[bytes]:
    """The content of a sealed segment of these (line, kind), a frame at a time."""
    packer = _Packer(frame_bytes)
    line = None
    for line, kind in lines:
        yield from packer.add(line, kind)
    if line is not None:
        yield from packer.end(line)


class _Frame:
    def __init__(self, number: int) -> None:
        self.number, self.lines, self.size = number, list[bytes](), 0


class _Packer:
    def __init__(self, frame_bytes: int) -> None:
        self._frame_bytes = frame_bytes
        self._open: dict[bool, _Frame] = {}
        self._last: _Frame | None = None
        self._kinds: dict[str, int] = {}
        self._frames: dict[int, tuple[int, int, int]] = {}
        self._offsets, self._in_frames, self._begins = list[int](), list[int](), list[int]()
        self._held: list[list[int]] = []
        self._pack = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True, write_content_size=True).compress
        self._size = self._at = self._count = self._first = self._opened = 0

    def add(self, line: Line, kind: str) -> Iterator[bytes]:
        raw, column = render(line), kind in BULK
        frame = self._open.get(column)
        if frame is not None and frame.size + len(raw) > self._frame_bytes:
            yield self._flushed(frame)
            frame = None
        if frame is None:
            frame = self._open[column] = _Frame(self._opened)
            self._opened += 1
        if frame is not self._last:
            self._offsets.append(self._size)
            self._in_frames.append(frame.number)
            self._begins.append(frame.size)
            self._held.append([])
            self._last = frame
        number = self._kinds.setdefault(kind, len(self._kinds))
        if number not in self._held[-1]:
            self._held[-1].append(number)
        frame.lines.append(raw)
        frame.size += len(raw)
        self._size += len(raw)
        self._first = self._first or line.seq
        self._count += 1

    def end(self, last: Line) -> Iterator[bytes]:
        for frame in self._open.values():
            yield self._flushed(frame)
        yield foot(Table(
            sealed=LAYOUT, first=self._first, last=last.seq, count=self._count, h=last.h.hex(), size=self._size,
            frames=[self._frames[number] for number in range(self._opened)], offsets=self._offsets,
            in_frames=self._in_frames, begins=self._begins, kinds=list(self._kinds), held=self._held))

    def _flushed(self, frame: _Frame) -> bytes:
        packed = self._pack(b"".join(frame.lines))
        self._frames[frame.number] = (self._at, len(packed), frame.size)
        self._at += len(packed)
        return packed
