"""One append at a time: a lock the system releases when its holder dies, and a note of what the holder set out to do.

The note (`<pid> <first seq> <segment> <offset>`) is durable before a byte of the batch is. Whoever takes the lock next
and finds that HEAD never got as far as the noted seq knows that the batch was cut short, and where it began.
"""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import sleep

from rhizome.errors import Locked
from rhizome.log.files import Files, put

PAUSE_SECONDS = 0.01
NOTE_BYTES = 200
_NOTE = re.compile(r"(\d+) (\d+) (\d{4}/\d{2}/\d{12}\.jsonl) (\d+)\n")


@dataclass(frozen=True, slots=True)
class Intent:
    """A batch under way: its first seq, and where in which segment its bytes begin."""

    seq: int
    segment: str
    offset: int


@dataclass(frozen=True, slots=True)
class Held:
    """The lock, while it is held. `before` is what the last holder set out to do."""

    files: Files
    file: int
    before: Intent | None

    def intend(self, intent: Intent) -> None:
        """Make `intent` durable."""
        self.files.truncate(self.file, 0)
        note = f"{os.getpid()} {intent.seq} {intent.segment} {intent.offset}\n"
        put(self.files, self.file, note.encode(), 0)


@contextmanager
def held(path: Path, seconds: float, files: Files) -> Iterator[Held]:
    """Hold the lock at `path`. Locked where another process still has it after `seconds`."""
    file = files.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    try:
        _take(file, path, seconds, files)
        found = _NOTE.fullmatch(files.read(file, NOTE_BYTES, 0).decode("ascii", "replace"))
        yield Held(files, file, Intent(int(found[2]), found[3], int(found[4])) if found else None)
    finally:
        files.close(file)


def _take(file: int, path: Path, seconds: float, files: Files) -> None:
    for _ in range(max(1, round(seconds / PAUSE_SECONDS))):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sleep(PAUSE_SECONDS)
        else:
            return
    pid = files.read(file, NOTE_BYTES, 0).decode("ascii", "replace").partition(" ")[0]
    holder = f"process {pid}" if pid.isdigit() else "another process"
    raise Locked(f"{path}: {holder} has been appending for {seconds:g} s", "try again when it is done")
