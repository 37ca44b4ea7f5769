"""What the system says of changed files, as hints: they get lost and come twice, so whoever hears one looks himself."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
from watchdog.observers.api import BaseObserver

from rhizome.config import SWEEP_MINUTES
from rhizome.store.tree import temporary

EVENTS: list[type[FileSystemEvent]] = [
    DirDeletedEvent, DirMovedEvent, FileCreatedEvent, FileDeletedEvent, FileModifiedEvent, FileMovedEvent,
]  # fmt: skip
"""What is worth a look; that somebody opened or read a file is not, and our own reading would go round for ever."""

Hear = Callable[[Path, Path, bool], None]
"""Hears of a watched folder, a path below it that changed, and whether that is a folder."""


class Hints(FileSystemEventHandler):
    """Tells what the system says of files below `root`."""

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


def may_be_session(path: Path, *, folder: bool) -> bool:
    """Whether a change there may be a session that goes on: a file that grows by lines. Databases and files that are
    written anew wait for the next look at everything."""
    return not folder and path.suffix == ".jsonl"


Watch = Callable[[list[Path], Hear], None]


@contextmanager
def watching(tell: Callable[[str], None]) -> Iterator[Watch]:
    """Watch folders as they come to be; where the system gives no watch, the sweeps have to do."""
    observer: BaseObserver = Observer()
    met: set[Path] = set()

    def watch(roots: list[Path], hear: Hear) -> None:
        for root in roots:
            if root in met or not root.is_dir():
                continue
            met.add(root)
            try:
                observer.schedule(Hints(root, hear), str(root), recursive=True, event_filter=EVENTS)
            except OSError as wrong:
                tell(f"{root}: cannot be watched ({wrong}); it is looked at every {SWEEP_MINUTES} minutes")

    observer.start()
    try:
        yield watch
    finally:
        observer.stop()
        observer.join()
