"""A look at a folder of notes: every note with what the disk says of it, and what could not be looked at.

This is in every answer, so it is written for speed: one system call a note, relative to its folder. And it is the first
thing that a cold search begins (`memory/early_look.py`), so it imports next to nothing.
"""

import marshal
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    Entering = Callable[[Any, int], object]
    """Told of the root and of each open folder before it is listed."""

DIGEST_BYTES = 16

NOTE = (".md", ".MD", ".Md", ".mD")
"""How a note's name ends."""


class Stat(NamedTuple):
    """What a disk says of a file; equal values mean the bytes are the same, unless it is very young."""

    mtime_ns: int
    size: int
    inode: int
    ctime_ns: int


class Look(NamedTuple):
    """Paths are relative, with `/`; in `numbers` are the four of each one's stat, one after the other.

    `unreadable` folders could not be looked into ("." is the root). `skipped` names what is there and is no note of
    this vault: path -> why. `bare`: there is nothing at all.
    """

    paths: list[str]
    numbers: list[int]
    unreadable: list[str]
    skipped: dict[str, str]
    bare: bool

    @property
    def notes(self) -> dict[str, Stat]:
        """The stat of each note, by its path, in one go: most looks only find that all is as it was."""
        each = iter(self.numbers)
        return dict(zip(self.paths, map(Stat._make, zip(each, each, each, each, strict=True)), strict=True))


class Sight(NamedTuple):
    """A look in short: equal ones mean that nothing changed. `newest` is when a note last changed, in ns; `whole` that
    every folder could be looked into, and something was there."""

    digest: bytes
    newest: int
    whole: bool


def sight(found: Look) -> Sight:
    """Costs a tenth of the look."""
    from _blake2 import blake2b  # what hashlib has, without the five milliseconds in which that reads in OpenSSL

    told = marshal.dumps([found.paths, found.numbers, found.unreadable, found.bare], 0)  # equal values, equal bytes
    newest = max(*found.numbers[0::4], *found.numbers[3::4]) if found.paths else 0
    digest = blake2b(told, digest_size=DIGEST_BYTES).digest()
    return Sight(digest, newest, not found.unreadable and not found.bare)


def nothing(root: "Path", folder: int) -> None:
    """Nobody is told."""


def look(root: "Path | str", entering: "Entering" = nothing) -> Look:
    """Looks at every `*.md` under `root`. 10,000 notes take about 30 ms."""
    found = Look([], [], [], {}, bare=False)
    _look(os.fspath(root), "", found, partial(entering, root))
    bare = not found.paths and not found.unreadable and not os.listdir(root)  # noqa: PTH208
    return Look(found.paths, found.numbers, sorted(found.unreadable), dict(sorted(found.skipped.items())), bare)


def temporary(name: str) -> bool:
    """Whether editors and copiers use such a name for a moment. Those that start with a dot are left out before."""
    plain = name.lower()
    framed = len(plain) > 1 and plain[0] == plain[-1] == "#"
    ends = plain.endswith(("~", ".tmp", ".part", ".crdownload"))
    return framed or ends or plain == "4913" or plain.startswith(("~$", "~syncthing~"))


def stands(root: "Path", path: str) -> bool:
    """Whether a look at `root` would find a note at exactly this path."""
    *folders, name = path.split("/")
    if name[-3:] not in NOTE or temporary(name) or any(part[:1] in ("", ".") for part in (*folders, name)):
        return False
    at = root
    try:
        for folder in folders:
            at = at / folder
            if not stat.S_ISDIR(at.lstat().st_mode) or (at / ".git").exists():
                return False
        return stat.S_ISREG((at / name).lstat().st_mode)
    except (OSError, ValueError):
        return False


def _look(folder: str, prefix: str, into: Look, entering: Callable[[int], object]) -> None:
    """Puts what stands under a folder where it belongs."""
    try:
        with _opened(folder, follow=not prefix) as at:
            entering(at)
            names = os.listdir(at)  # noqa: PTH208
            if prefix and ".git" in names:
                into.skipped[prefix[:-1]] = "another repository"
                return
            called = [name for name in names if name[-3:] in NOTE and name[0] != "."]
            folders = list(_notes(at, called, prefix, into))
            if len(called) < len(names):
                folders += _folders(at, prefix, into)
    except OSError:
        into.unreadable.append(prefix[:-1] or ".")
        return
    for name in folders:
        _look(f"{folder}/{name}", f"{prefix}{name}/", into, entering)


@contextmanager
def _opened(folder: str, *, follow: bool) -> Iterator[int]:
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | (0 if follow else os.O_NOFOLLOW))
    try:
        yield at
    finally:
        os.close(at)


def _notes(at: int, names: list[str], prefix: str, into: Look) -> Iterator[str]:
    """Takes in what is called like a note in an open folder; gives the names of those that are folders."""
    status, regular, paths, numbers = os.stat, stat.S_ISREG, into.paths, into.numbers  # once, not ten thousand times
    for name in names:
        try:
            found = status(name, dir_fd=at, follow_symlinks=False)
        except FileNotFoundError:
            continue  # gone since the folder was listed
        except OSError:
            into.unreadable.append(readable(prefix + name))
            continue
        path = prefix + name
        if regular(found.st_mode):
            if not path.isascii() and readable(path) != path:
                into.skipped[readable(path)] = "a name that is no text"
            elif name[0] != "~" or not temporary(name):  # no other temporary name ends like a note's
                paths.append(path)
                numbers += found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns
        elif stat.S_ISDIR(found.st_mode):
            yield name
        else:
            into.skipped[readable(path)] = "a symbolic link" if stat.S_ISLNK(found.st_mode) else "not a regular file"


def _folders(at: int, prefix: str, into: Look) -> Iterator[str]:
    """The folders in an open folder that are not called like notes."""
    with os.scandir(at) as entries:
        for entry in entries:
            if entry.name[0] == "." or entry.name[-3:] in NOTE:
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    yield entry.name
                elif entry.is_symlink() and entry.is_dir():
                    into.skipped[readable(prefix + entry.name)] = "a symbolic link"
            except FileNotFoundError:
                continue
            except OSError:
                into.unreadable.append(readable(prefix + entry.name))


def readable(path: str) -> str:
    """`path` as text that can be printed and stored, bytes that are no UTF-8 escaped."""
    if path.isascii():
        return path
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
