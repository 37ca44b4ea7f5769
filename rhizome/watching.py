"""What the system says of changed files, as hints: they get lost and come twice, so whoever hears one looks himself."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from watchdog.events import (
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from rhizome.config import SWEEP_MINUTES
from rhizome.store.tree import temporary

EVENTS: list[type[FileSystemEvent]] = [
    DirDeletedEvent, DirMovedEvent, FileCreatedEvent, FileDeletedEvent, FileModifiedEvent, FileMovedEvent,
]  # fmt: skip
"""What is worth a look; that somebody opened or read a file is not, and our own reading would go round for ever."""

Hear = Callable[[Path, Path, bool], None]
"""Hears of what is watched, a path below or beside it that changed, and whether that is a folder."""


class Hints(FileSystemEventHandler):
    """Tells what the system says of files at or below `root`."""

    def __init__(self, root: Path, hear: Hear) -> None:
        self._root, self._hear = root, hear

    def on_any_event(self, event: FileSystemEvent) -> None:
        for path in (str(event.src_path), str(event.dest_path)):
            if path:
                self._hear(self._root, Path(path), event.is_directory)


def may_be_note(root: Path, path: Path, *, folder: bool) -> bool:
    """Whether a change there may be one of a note: nothing hidden, nothing an editor keeps for a moment."""
    try:
        parts = path.relative_to(root).parts
    except ValueError:
        return False
    if any(part.startswith(".") for part in parts):
        return False
    return folder or (path.suffix.lower() == ".md" and not temporary(path.name))


def session_file(root: Path, path: Path, *, folder: bool) -> Path | None:
    """The file to look into after a change there; None for none. What is written to a database stands beside it first.
    Its `-shm` changes when somebody only reads it, and that may be us."""
    file = path.with_name(path.name.removesuffix("-wal"))
    if folder or path.name.endswith(("-shm", "-journal")) or not file.is_relative_to(root):
        return None
    return file


Watch = Callable[[Sequence[Path], Hear], None]


@contextmanager
def watching(tell: Callable[[str], None]) -> Iterator[Watch]:
    """Watch folders with what is below them, and files, as they come to be; where the system gives no watch, the sweeps
    have to do."""
    observer: BaseObserver = Observer()
    met: set[Path] = set()
    folders: dict[Path, tuple[ObservedWatch, tuple[int, int]]] = {}

    def lose(root: Path) -> None:
        """Begin anew where a folder was deleted or moved away since it was met, and another one stands there now."""
        if root not in folders or not root.is_dir():
            return
        watched, place = folders[root]
        heard = any(each.watch == watched and each.is_alive() for each in observer.emitters)
        if not heard or place != _place(root):
            observer.unschedule(watched)
            met.remove(root)
            del folders[root]

    def watch(roots: Sequence[Path], hear: Hear) -> None:
        for root in roots:
            with suppress(OSError):  # it went this moment; the next look tells
                lose(root)
            if root in met or not root.exists():
                continue
            met.add(root)
            folder = root.is_dir()
            try:
                watched = observer.schedule(
                    Hints(root, hear), str(root if folder else root.parent), recursive=folder, event_filter=EVENTS)
                if folder:
                    folders[root] = watched, _place(root)
            except OSError as wrong:
                tell(f"{root}: cannot be watched ({wrong}); it is looked at every {SWEEP_MINUTES} minutes")

    observer.start()
    try:
        yield watch
    finally:
        observer.stop()
        observer.join()


def _place(root: Path) -> tuple[int, int]:
    """Which file or folder it is, by whatever name."""
    found = root.stat()
    return found.st_dev, found.st_ino
