"""Files that fail when told to: in place of the system's own, for tests of what happens then."""

import errno
import os
from pathlib import Path

from rhizome.log.files import Files


class Swift(Files):
    """Files that are not synced: where no power is cut, nobody can tell."""

    def fsync(self, file: int) -> None:
        pass

    def fsync_folder(self, path: Path) -> None:
        pass


class Faulty(Swift):
    """Files whose `at`-th call goes wrong; with `for_good` every later one, too.

    `short` lets a write take half of what it was given, `lost` lets it claim everything and take nothing; then only
    writes count as calls.
    """

    def __init__(self, at: int = 0, fault: str = "EIO", *, for_good: bool = False) -> None:
        self.at, self.fault, self.for_good, self.calls = at, fault, for_good, 0

    def _now(self) -> bool:
        self.calls += 1
        return self.calls == self.at or (self.for_good and self.at and self.calls > self.at)  # type: ignore[return-value]

    def _fail(self) -> None:
        if hasattr(errno, self.fault) and self._now():
            raise OSError(getattr(errno, self.fault), os.strerror(getattr(errno, self.fault)))

    def open(self, path: Path, flags: int) -> int:
        self._fail()
        return super().open(path, flags)

    def write(self, file: int, content: bytes | memoryview) -> int:
        if self.fault in ("short", "lost") and self._now():
            return super().write(file, content[: (len(content) + 1) // 2]) if self.fault == "short" else len(content)
        self._fail()
        return super().write(file, content)

    def read(self, file: int, length: int, offset: int) -> bytes:
        self._fail()
        return super().read(file, length, offset)

    def truncate(self, file: int, size: int) -> None:
        self._fail()
        super().truncate(file, size)

    def fsync(self, file: int) -> None:
        self._fail()
        super().fsync(file)

    def rename(self, old: Path, new: Path) -> None:
        self._fail()
        super().rename(old, new)

    def remove(self, path: Path) -> None:
        self._fail()
        super().remove(path)

    def make_folder(self, path: Path) -> None:
        self._fail()
        super().make_folder(path)

    def fsync_folder(self, path: Path) -> None:
        self._fail()
        super().fsync_folder(path)
