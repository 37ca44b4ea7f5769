"""The door that stays open: nights are run when they are due, saves are committed soon, new sessions come in.

Scheduler and file events only say when to ask; the log and the tree are asked what there is to do. One thread does all
the work, so that stopping is between two asks, and whatever a kill cuts off the next verb finishes.
"""

import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC
from pathlib import Path
from queue import Empty, SimpleQueue
from types import FrameType

from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger
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

from rhizome.config import DUE_MINUTES, LONGEST_SECONDS, QUIET_SECONDS, SWEEP_MINUTES
from rhizome.errors import Locked, RhizomeError
from rhizome.memory.memory import Memory
from rhizome.store.locks import exclusive
from rhizome.store.tree import TEMPORARY

SAVES, SESSIONS, NIGHT, HINT, STOP = "saves", "sessions", "night", "hint", "stop"
EVENTS: list[type[FileSystemEvent]] = [
    DirDeletedEvent, DirMovedEvent, FileCreatedEvent, FileDeletedEvent, FileModifiedEvent, FileMovedEvent,
]  # fmt: skip
"""What is worth a look; that somebody opened or read a file is not, and our own reading would go round for ever."""

Tell = Callable[[str], None]


@dataclass(slots=True)
class Done:
    """What was done while it was up."""

    nights: int = 0
    saves: int = 0
    records: int = 0
    problems: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Quiet:
    """When hints have been quiet for long enough to look. Times are seconds of one clock that never goes back."""

    quiet: float = QUIET_SECONDS
    longest: float = LONGEST_SECONDS
    first: float | None = None
    last: float = 0.0

    def hear(self, now: float) -> None:
        self.first, self.last = now if self.first is None else self.first, now

    def wait(self, now: float) -> float | None:
        """Seconds until it is time to look; None while nothing was heard."""
        if self.first is None:
            return None
        return max(0.0, min(self.last + self.quiet, self.first + self.longest) - now)

    def looked(self) -> None:
        self.first = None


def run(memory: Memory, tell: Tell) -> dict[str, object]:
    """Stay up until SIGTERM or SIGINT; a second one ends it at once. Raises Locked where this home is up already."""
    home = memory.parts.home
    asks: SimpleQueue[str] = SimpleQueue()
    try:
        with exclusive(home.log / home.id / "up.lock", 0.0), stopping(asks), scheduled(asks), watching() as watch:
            tell(f"up: {home.root}")
            for ask in (SAVES, SESSIONS, NIGHT):
                asks.put(ask)
            done = serve(memory, asks, tell, lambda: watch(asks, [home.notes, home.private], tell))
    except Locked as locked:
        raise Locked(f"{home.root}: is up already ({locked.message})", "One is enough; stop it first.") from locked
    finally:
        memory.parts.close()
    tell("stopped")
    return asdict(done)


def serve(memory: Memory, asks: "SimpleQueue[str]", tell: Tell, look_out: Callable[[], None] = lambda: None) -> Done:
    """Do what is asked, one thing after the other, until STOP; hints are done when they have been quiet."""
    done, quiet = Done(), Quiet()
    while True:
        look_out()
        try:
            ask = asks.get(timeout=quiet.wait(time.monotonic()))
        except Empty:
            ask = SAVES
        if ask == STOP:
            return done
        if ask == HINT:
            quiet.hear(time.monotonic())
            continue
        if ask == SAVES:
            quiet.looked()
        try:
            answer(memory, ask, done, tell)
        except (RhizomeError, OSError, sqlite3.DatabaseError) as wrong:
            problem = f"{ask}: {wrong}"
            done.problems.append(problem)
            tell(problem)


def answer(memory: Memory, ask: str, done: Done, tell: Tell) -> None:
    """One ask, answered and told where there was anything to do."""
    if ask == SAVES:
        taken = memory.take_in()
        done.saves += taken["events"]
        if taken["events"] or taken["commits"]:
            tell(f"saves: {taken['events']} taken in, {taken['commits']} committed")
    elif ask == SESSIONS:
        found = memory.import_()
        done.records += found["new"] + found["revised"]
        if found["new"] or found["revised"]:
            tell(f"sessions: {found['new']} new records, {found['revised']} revised")
    else:
        night = memory.consolidate(if_due=True)
        if night["run"]:
            done.nights += 1
            proof = "identical" if night["identical"] else "DIFFERENT; `rhizome rebuild --verify` shows how"
            tell(f"night: run {night['run']}, {night['turns']} turns, {night['commits']} commits, proof {proof}")


# ---------------------------------------------------------------- who asks


@contextmanager
def stopping(asks: "SimpleQueue[str]") -> Iterator[None]:
    """SIGTERM and SIGINT ask to stop; the second of them is the system's own."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def stop(number: int, _frame: FrameType | None) -> None:
        asks.put(STOP)
        signal.signal(number, signal.SIG_DFL)

    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def scheduled(asks: "SimpleQueue[str]") -> Iterator[None]:
    """Ask again and again; a machine that slept is asked once when it wakes, however late."""
    often = {SAVES: SWEEP_MINUTES, SESSIONS: DUE_MINUTES, NIGHT: DUE_MINUTES}
    lenient = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
    scheduler = BackgroundScheduler(timezone=UTC, job_defaults=lenient)
    for ask, minutes in often.items():
        scheduler.add_job(asks.put, IntervalTrigger(minutes=minutes, timezone=UTC), args=(ask,), id=ask)
    scheduler.start()
    try:
        yield
    finally:
        scheduler.shutdown(wait=True)


class Hints(FileSystemEventHandler):
    """Turns what the system says of files below `root` into hints that a note may have changed."""

    def __init__(self, root: Path, asks: "SimpleQueue[str]") -> None:
        self._root, self._asks = root, asks

    def on_any_event(self, event: FileSystemEvent) -> None:
        paths = (str(event.src_path), str(event.dest_path))
        if any(path and noteworthy(self._root, Path(path), folder=event.is_directory) for path in paths):
            self._asks.put(HINT)


def noteworthy(root: Path, path: Path, *, folder: bool) -> bool:
    """Whether a change there may be one of a note: nothing hidden, nothing an editor keeps for a moment."""
    try:
        parts = path.relative_to(root).parts
    except ValueError:
        return False
    if any(part.startswith(".") for part in parts):
        return False
    return folder or (path.suffix.lower() == ".md" and not TEMPORARY.fullmatch(path.name))


Watch = Callable[["SimpleQueue[str]", list[Path], Tell], None]


@contextmanager
def watching() -> Iterator[Watch]:
    """Watch folders as they come to be; where the system gives no watch, the sweeps have to do."""
    observer: BaseObserver = Observer()
    met: set[Path] = set()

    def watch(asks: "SimpleQueue[str]", roots: list[Path], tell: Tell) -> None:
        for root in roots:
            if root in met or not root.is_dir():
                continue
            met.add(root)
            try:
                observer.schedule(Hints(root, asks), str(root), recursive=True, event_filter=EVENTS)
            except OSError as wrong:
                tell(f"{root}: cannot be watched ({wrong}); it is looked at every {SWEEP_MINUTES} minutes")

    observer.start()
    try:
        yield watch
    finally:
        observer.stop()
        observer.join()
