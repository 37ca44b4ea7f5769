"""Files of a vault, opened so that no symbolic link is followed and written so that nobody's save is overwritten.

Each function walks from the root with one descriptor per folder (O_NOFOLLOW), so a folder that is swapped for a link
meanwhile leads nowhere. New bytes are made in `stage`, a folder of ours on the same disk, and renamed into place.
"""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from rhizome.errors import OutsidePath
from rhizome.store.exchange import being_written, exchange

NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS)
"""What a file system says that knows no hard links."""


@dataclass(frozen=True, slots=True)
class File:
    """What stands on the disk: its bytes and whether its owner may run it."""

    data: bytes
    executable: bool


def read(root: Path, path: str) -> File | None:
    """A regular file under `root`, None where there is none. Raises OutsidePath for a link or anything else."""
    *folders, name = path.split("/")
    try:
        with _folder(root, folders) as fd:
            return _read(name, fd, path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # no file here can have this name
            return None
        raise


def names(root: Path, folder: str) -> dict[str, bool]:
    """The names in a folder under `root`, each with whether it is a folder itself; empty where there is none."""
    try:
        with _folder(root, folder.split("/") if folder else []) as fd, os.scandir(fd) as entries:
            return {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
    except (FileNotFoundError, NotADirectoryError):
        return {}


def replace(root: Path, path: str, data: bytes, *, before: bytes | None, stage: Path, sync: bool = False) -> bool:
    """Puts `data` in place of `before` (None: of nothing); False, and nothing changed, if something else stands there.

    The file is never missing in between, and what was displaced is looked at before it is dropped: a save in the last
    microsecond goes back. Only on disks that cannot exchange two names would that one be lost.
    """
    *folders, name = path.split("/")
    with _folder(root, folders, make=True) as fd:
        mode = _mode(root, name, fd)
        try:
            return _put(stage, name, fd, data, before, mode, sync)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
        return _put(root.joinpath(*folders), name, fd, data, before, mode, sync)  # on another disk: stage it beside


def remove(root: Path, path: str, *, before: bytes, stage: Path) -> bool:
    """Removes a file that holds `before`, and the folders this empties; False if something else stands there."""
    *folders, name = path.split("/")
    with _folder(root, folders) as fd:
        found = _read(name, fd, path)
        if found is None or found.data != before:
            return False
        if not _take(name, fd, before, stage):
            return False
    with suppress(OSError):
        while folders:
            root.joinpath(*folders).rmdir()
            folders.pop()
    return True


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


@contextmanager
def _folder(root: Path, parts: Sequence[str], make: bool = False) -> Iterator[int]:
    """A descriptor of a folder under `root`; `make` makes what is missing, as private as the root is."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    fd = os.open(root, flags)
    try:
        for depth, part in enumerate(parts):
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, stat.S_IMODE(root.stat().st_mode) & 0o777, dir_fd=fd)
            try:
                below = os.open(part, flags | os.O_NOFOLLOW, dir_fd=fd)
            except OSError as error:
                if error.errno in (errno.ELOOP, errno.ENOTDIR) and _is_link(part, fd):
                    raise _outside("/".join(parts[:depth + 1])) from None
                raise
            os.close(fd)
            fd = below
        yield fd
    finally:
        os.close(fd)


def _read(name: str, folder: int, path: str) -> File | None:
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _outside(path) from None
        raise
    with os.fdopen(fd, "rb") as file:
        mode = os.fstat(fd).st_mode
        if not stat.S_ISREG(mode):
            raise OutsidePath(f"{path} is not a regular file", "Move it out of the notes folder.")
        return File(file.read(), bool(mode & stat.S_IXUSR))


def _put(stage: Path, name: str, folder: int, data: bytes, before: bytes | None, mode: int, sync: bool) -> bool:
    new = _staged(stage, data, mode, sync)
    try:
        done = _create(new, name, folder) if before is None else _swap(new, name, folder, before, data)
    finally:
        new.unlink(missing_ok=True)
    if sync:
        os.fsync(folder)
    return done


def _create(new: Path, name: str, folder: int) -> bool:
    """Gives `new` its name, unless a file has it by now."""
    try:
        os.link(new, name, dst_dir_fd=folder)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        if _stands(name, folder):
            return False
        os.rename(new, name, dst_dir_fd=folder)
    return True


def _swap(new: Path, name: str, folder: int, before: bytes, data: bytes) -> bool:
    """Exchanges `new`, which holds `data`, with a file that holds `before`; what a person saved meanwhile goes back."""
    found = _read(name, folder, name)
    if found is None or found.data != before:
        return False
    with _folder(new.parent, []) as stage:
        try:
            if not exchange(new.name, stage, name, folder):
                os.rename(new, name, dst_dir_fd=folder)
                return True
            placed, held = data, new.read_bytes()
            if held == before and not being_written(new):
                return True
            while True:  # puts back what we hold, until that displaces nothing newer
                exchange(new.name, stage, name, folder)
                if (stood := new.read_bytes()) == placed:
                    return False
                placed, held = held, stood
        except FileNotFoundError:  # a person removed it
            pass
    return False


def _take(name: str, folder: int, before: bytes, stage: Path) -> bool:
    """Takes a file out of its folder and drops it if it holds `before`; else it goes back, unless its name is taken."""
    old = stage / ".rhizome.old"
    old.unlink(missing_ok=True)
    try:
        os.rename(name, old, src_dir_fd=folder)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        os.unlink(name, dir_fd=folder)
        return True
    ours = old.read_bytes() == before and not being_written(old)
    if not ours:
        with suppress(FileExistsError):
            os.link(old, name, dst_dir_fd=folder)
    old.unlink()
    return ours


def _staged(stage: Path, data: bytes, mode: int, sync: bool) -> Path:
    new = stage / ".rhizome.new"
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fchmod(file.fileno(), mode)
        if sync:
            os.fsync(file.fileno())
    return new


def _mode(root: Path, name: str, folder: int) -> int:
    """The mode a file has, or what the root's own privacy gives a new one."""
    try:
        return stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode) & 0o777
    except FileNotFoundError:
        return stat.S_IMODE(root.stat().st_mode) & 0o666


def _stands(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _is_link(name: str, folder: int) -> bool:
    return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)


def _outside(path: str) -> OutsidePath:
    return OutsidePath(f"{path} is a symbolic link", "Links are never followed; put the note itself in its place.")
