"""One writer at a time, and what to do about locks that git left behind.

Ours is a `flock`: the kernel drops it when its holder dies. Git's are files, which stay when git is killed.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rhizome.config import LOCK_SECONDS, STALE_LOCK_SECONDS
from rhizome.errors import Locked
from rhizome.store.faults import translated

PAUSE = 0.002
LONGEST_PAUSE = 0.02


@contextmanager
def exclusive(lock: Path, seconds: float = LOCK_SECONDS) -> Iterator[None]:
    """Holds the flock on `lock`, made when missing. Raises Locked, naming the holder, after `seconds`."""
    with translated(f"locking {lock}"):
        fd = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        for _ in pauses(seconds):
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                continue
        else:
            holder = os.pread(fd, 20, 0).decode("ascii", "replace").strip() or "another process"
            raise Locked(f"{lock} is held by process {holder}", "Wait for it to finish, then retry.")
        os.ftruncate(fd, 0)
        os.pwrite(fd, b"%d\n" % os.getpid(), 0)  # for the message above, and the disk's idea of now
        yield
    finally:
        os.close(fd)


def pauses(seconds: float) -> Iterator[None]:
    """Once at once, then after growing pauses until they add up to `seconds`."""
    yield
    pause, waited = PAUSE, 0.0
    while waited < seconds:
        time.sleep(pause)
        waited, pause = waited + pause, min(pause * 1.5, LONGEST_PAUSE)
        yield


def clear(path: Path, *, root: Path, ours: Path, seconds: float = LOCK_SECONDS) -> list[str]:
    """Waits until git's lock file `path` is gone; an old one that nobody can own is moved beside `ours` and named.

    Call it while holding `ours`, whose time is the disk's now. Raises Locked with the lock's age.
    """
    age = 0.0
    for _ in pauses(seconds):
        try:
            age = ours.stat().st_mtime - path.stat().st_mtime
        except FileNotFoundError:
            return []
        if age > STALE_LOCK_SECONDS and not _owned(path, root):
            kept = ours.with_name(f"{path.name}.{path.stat().st_mtime_ns}")
            path.rename(kept)
            return [f"{path} was {age:.0f} s old and nobody's; moved to {kept}"]
    raise Locked(
        f"{path} has been there for {max(age, 0.0):.0f} s",
        "Another git is at work, or one was killed. If no git runs here, remove the file.",
    )


def _owned(path: Path, root: Path) -> bool:
    """Whether a living process may own git's lock `path`; where processes cannot be seen, yes."""
    try:
        processes = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    except OSError:
        return True
    return not processes or any(_works_here(process, path, root) for process in processes)


def _works_here(process: Path, path: Path, root: Path) -> bool:
    """Whether a process has `path` open, or is a git whose folder is in `root` or hidden from us."""
    with suppress(OSError):
        if any(_target(link) == path for link in (process / "fd").iterdir()):
            return True
    try:
        if "git" not in (process / "comm").read_text(errors="replace"):
            return False
    except OSError:
        return False
    folder = _target(process / "cwd")
    return folder is None or folder.is_relative_to(root)


def _target(link: Path) -> Path | None:
    try:
        return link.readlink()
    except OSError:
        return None
