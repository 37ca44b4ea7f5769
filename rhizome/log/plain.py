"""A segment as it is written: one file of lines, read by the bytes where they stand."""

import os
from collections.abc import Iterator
from typing import BinaryIO

READ_BYTES = 1 << 16
"""How much is read at a time: small enough that the memory is used again and not asked for."""


def lines(path: str, offset: int = 0, end: int | None = None) -> Iterator[tuple[int, bytes]]:
    """(offset, line with its newline) of a file from `offset` on, up to `end`; only the last one may lack its newline.

    Holds one line in memory. Splits on newline bytes and on nothing else.
    """
    with open(path, "rb", READ_BYTES) as file:  # noqa: PTH123 - a path is made ten times slower than it is opened
        file.seek(offset)
        for line in file:
            if end is not None and offset >= end:
                return
            yield offset, line
            offset += len(line)


class Plain:
    """The lines of one file. Whoever has it closes it."""

    flaw = ""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file: BinaryIO = open(path, "rb", 0)  # noqa: SIM115, PTH123 - closed by `close`

    def close(self) -> None:
        self._file.close()

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return os.fstat(self._file.fileno()).st_size

    def read(self, offset: int, length: int) -> bytes:
        """At most `length` bytes from `offset`."""
        return os.pread(self._file.fileno(), length, offset)

    def lines(self, offset: int = 0, end: int | None = None) -> Iterator[tuple[int, bytes]]:
        """(offset, line with its newline) from `offset` on, up to `end`."""
        return lines(self._path, offset, end)

    def chunks(self, offset: int, end: int) -> Iterator[list[bytes]]:
        """The whole lines between two bytes, without newlines, some at a time. A long line costs twice its length."""
        rest, left = b"", end - offset
        while left > 0 and (read := self.read(offset, min(left, max(READ_BYTES, len(rest))))):
            offset, left = offset + len(read), left - len(read)
            whole, newline, rest = (rest + read).rpartition(b"\n")
            if newline:
                yield whole.split(b"\n")

    def whole(self) -> int:
        """Where the last whole line ends."""
        end = self.size
        while end > 0:
            start = max(0, end - READ_BYTES)
            newline = self.read(start, end - start).rfind(b"\n")
            if newline >= 0:
                return start + newline + 1
            end = start
        return 0
