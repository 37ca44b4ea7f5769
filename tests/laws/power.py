"""A disk whose power goes: what it kept of the calls that a recording of them tells."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from rhizome.log.files import Files

Call = tuple[str, tuple[object, ...]]


class Recording(Files):
    """Files that remember every call that changes the disk, in terms of paths and of numbered files."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def open(self, path: Path, flags: int) -> int:
        file = super().open(path, flags)
        self.calls.append(("open", (file, path, bool(flags & os.O_TRUNC))))
        return file

    def write(self, file: int, content: bytes | memoryview) -> int:
        self.calls.append(("write", (file, bytes(content))))
        return super().write(file, content)

    def truncate(self, file: int, size: int) -> None:
        self.calls.append(("truncate", (file, size)))
        super().truncate(file, size)

    def fsync(self, file: int) -> None:
        self.calls.append(("fsync", (file,)))

    def rename(self, old: Path, new: Path) -> None:
        self.calls.append(("rename", (old, new)))
        super().rename(old, new)

    def remove(self, path: Path) -> None:
        self.calls.append(("remove", (path,)))
        super().remove(path)

    def make_folder(self, path: Path) -> None:
        self.calls.append(("make_folder", (path,)))
        super().make_folder(path)

    def fsync_folder(self, path: Path) -> None:
        self.calls.append(("fsync_folder", (path,)))


@dataclass
class Inode:
    """What a file holds now, what the disk owes us of it, and what it held before its last write."""

    now: bytes = b""
    owed: bytes = b""
    half: bytes = b""


@dataclass
class Disk:
    """A disk as it stands after some calls: names and contents, both as they are and as they are owed."""

    names: dict[Path, Inode] = field(default_factory=dict)
    owed: dict[Path, Inode] = field(default_factory=dict)
    files: dict[int, Inode] = field(default_factory=dict)

    def holds(self, path: Path, content: bytes) -> None:
        """`path` is there, and safe."""
        self.names[path] = self.owed[path] = Inode(content, content, content)

    def call(self, name: str, given: tuple[object, ...]) -> None:
        getattr(self, name)(*given)

    def open(self, file: int, path: Path, anew: bool) -> None:
        inode = self.files[file] = self.names.setdefault(path, Inode())
        if anew:
            inode.now = inode.half = b""

    def write(self, file: int, content: bytes) -> None:
        inode = self.files[file]
        inode.half, inode.now = inode.now + content[: len(content) // 2], inode.now + content

    def truncate(self, file: int, size: int) -> None:
        inode = self.files[file]
        inode.half = inode.now = inode.now[:size]

    def fsync(self, file: int) -> None:
        inode = self.files[file]
        inode.owed = inode.half = inode.now

    def rename(self, old: Path, new: Path) -> None:
        self.names[new] = self.names.pop(old)

    def remove(self, path: Path) -> None:
        del self.names[path]

    def make_folder(self, path: Path) -> None:
        pass  # its name is owed with the first file below it: a folder without files is nothing to us

    def fsync_folder(self, path: Path) -> None:
        self.owed = {name: inode for name, inode in self.owed.items() if name.parent != path}
        self.owed |= {name: inode for name, inode in self.names.items() if name.parent == path}

    def kept(self, names: str, contents: str) -> dict[Path, bytes]:
        """What is there after the power went, if the disk kept these names and contents."""
        return {path: getattr(inode, contents) for path, inode in getattr(self, names).items()}


OUTCOMES = [("owed", "owed"), ("owed", "now"), ("owed", "half"), ("names", "owed"), ("names", "now"), ("names", "half")]
"""(names, contents) as a disk may have kept them."""
