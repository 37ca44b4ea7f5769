"""A session file as records: split on line feeds only, whole lines kept, an unfinished last one left for later."""

from collections.abc import Iterator
from typing import BinaryIO, Protocol

import zstandard

from rhizome.log.importers.records import Record, exact

READING_ERRORS = (OSError, zstandard.ZstdError)
_BOM = b"\xef\xbb\xbf"


def why(error: Exception) -> str:
    """What went wrong with a file, without its path."""
    return getattr(error, "strerror", None) or str(error)


class Digest(Protocol):
    def update(self, data: bytes, /) -> None: ...

    def digest(self) -> bytes: ...


class Lines:
    """Reads a file from `offset` on. After the last record, `offset` is where to go on next time, `digest` covers
    everything before it, `pending` counts the bytes of an unfinished last line, and `problem` says why the rest could
    not be read."""

    def __init__(self, file: BinaryIO, offset: int, digest: Digest) -> None:
        self._file = file
        self.offset = offset
        self.digest = digest
        self.pending = 0
        self.problem: str | None = None

    def __iter__(self) -> Iterator[Record]:
        """The records in order, one line in memory at a time.

        The last line counts when it holds a whole object, with or without its line end. A last line that begins like
        an object and is none was torn: it stays pending, also with blank lines after it, until it is whole or another
        line follows.
        """
        torn: Record | None = None
        ahead: list[bytes] = []
        for line in self._raw():
            if self.offset and not ahead:  # nearly every line is one like this
                raw = line.removesuffix(b"\n").removesuffix(b"\r")
                value = exact(raw)
                if value is not None:
                    record = Record(self.offset, raw, value)
                    self.digest.update(line)
                    self.offset += len(line)
                    yield record
                    continue
            offset = self.offset + sum(map(len, ahead)) if ahead else self.offset
            raw, skipped = _bare(line, first=offset == 0)
            value = exact(raw)
            if value is None and not raw.strip():
                ahead.append(line)
                if torn is None:
                    self._advance(ahead)
                continue
            if torn is not None:
                self._advance(ahead)
                yield torn
                torn = None
            ahead.append(line)
            record = Record(offset + skipped, raw, value)
            if value is None and (raw.lstrip().startswith(b"{") or not line.endswith(b"\n")):
                torn = record
                continue
            self._advance(ahead)
            yield record
        self.pending = sum(map(len, ahead))

    def _raw(self) -> Iterator[bytes]:
        try:
            yield from self._file
        except READING_ERRORS as error:
            self.problem = why(error)

    def _advance(self, lines: list[bytes]) -> None:
        for line in lines:
            self.digest.update(line)
            self.offset += len(line)
        lines.clear()


def _bare(line: bytes, first: bool) -> tuple[bytes, int]:
    """A line without its end and, at a file's start, without a byte order mark; and how many bytes that was."""
    line = line.removesuffix(b"\n").removesuffix(b"\r")
    return (line[3:], 3) if first and line.startswith(_BOM) else (line, 0)
