"""The files of the index that one memory holds open, and whether they are still the ones that stand there."""

from contextlib import suppress
from pathlib import Path


class IndexFiles:
    """The files below `folder` that were opened. Anybody may delete them at any time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._inodes: dict[Path, int] = {}

    def begun(self, name: str) -> Path:
        """A file that is about to be opened, made where it is missing."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        file = self._folder / name
        with suppress(OSError):  # who opens it says what is wrong
            file.touch(mode=0o600)
        self._inodes[file] = _inode(file)
        return file

    def replaced(self) -> bool:
        """Whether any of them was deleted or replaced since."""
        return any(_inode(file) != inode for file, inode in self._inodes.items())

    def stamped(self) -> int | None:
        """The time, in ns, that the disk gives a file written now; None where none can be."""
        probe = self._folder / "now"
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            probe.touch(mode=0o600)
            return probe.stat().st_mtime_ns
        except OSError:
            return None


def _inode(file: Path) -> int:
    try:
        return file.stat().st_ino
    except OSError:
        return 0
