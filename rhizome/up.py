"""The door that stays open: nights are run when they are due, saves are committed soon, new sessions come in.

Scheduler and file events only say when to ask; the log and the tree are asked what there is to do. One thread does all
the work, so that stopping is between two asks, and whatever a kill cuts off the next verb finishes.
"""

import signal
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC
from pathlib import Path
from queue import Empty, SimpleQueue
from types import FrameType

from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

from rhizome.config import DUE_MINUTES, LONGEST_SECONDS, LOOKING, QUIET_SECONDS, SWEEP_MINUTES
from rhizome.errors import Locked, RhizomeError
from rhizome.memory.memory import Memory
from rhizome.memory.taking_in import roots
from rhizome.store.locks import exclusive
from rhizome.watching import Watch, may_be_note, session_file, watching

SAVES, SESSIONS, NIGHT, STOP = "saves", "sessions", "night", "stop"
CHANGED = "changed"
"""Look at the session files that changed; at the others only with SESSIONS."""

HINT, WRITTEN = "hint", "written"
HEARD = {HINT: SAVES, WRITTEN: CHANGED}
"""What is to be asked once it was quiet after a hint."""

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
    """When hints have been quiet for long enough to look, and the last look is long enough ago for what it cost. Times
    are seconds of one clock that never goes back."""

    quiet: float = QUIET_SECONDS
    longest: float = LONGEST_SECONDS
    first: float | None = None
    last: float = 0.0
    rested: float = 0.0

    def hear(self, now: float) -> None:
        self.first, self.last = now if self.first is None else self.first, now

    def wait(self, now: float) -> float | None:
        """Seconds until it is time to look; None while nothing was heard."""
        if self.first is None:
            return None
        return max(0.0, self.rested - now, min(self.last + self.quiet, self.first + self.longest) - now)

    def looked(self) -> None:
        self.first = None

    def rest(self, began: float, now: float) -> None:
        """Look again only when what the look that began then took is LOOKING of the time since."""
        self.rested = max(self.rested, began + (now - began) / LOOKING)


@dataclass(slots=True)
class Changing:
    """Where sessions are looked for (nothing named: everywhere), and the files of them that something was heard of."""

    paths: Sequence[Path] = ()
    heard: "SimpleQueue[Path]" = field(default_factory=SimpleQueue)

    def taken(self) -> list[Path]:
        """What was heard of since this was last asked."""
        found = set[Path]()
        with suppress(Empty):
            while True:
                found.add(self.heard.get_nowait())
        return sorted(found)


def run(memory: Memory, tell: Tell) -> dict[str, object]:
    """Stay up until SIGTERM or SIGINT; a second one ends it at once. Raises Locked where this home is up already."""
    home, asks, changing = memory.parts.home, SimpleQueue[str](), Changing()
    notes = [home.notes, home.private]
    often = {SAVES: SWEEP_MINUTES, SESSIONS: DUE_MINUTES, NIGHT: DUE_MINUTES}

    def hear_note(root: Path, path: Path, folder: bool) -> None:
        if may_be_note(root, path, folder=folder):
            asks.put(HINT)

    try:
        with (exclusive(home.log / home.id / "up.lock", 0.0), stopping(asks), scheduled(asks, often),
              watching(tell) as watch):
            tell(f"up: {home.root}")
            for ask in often:
                asks.put(ask)

            def look_out() -> None:
                watch(notes, hear_note)
                watch_sessions(watch, roots(memory.parts), asks, changing)

            done = serve(memory, asks, tell, look_out, changing)
    except Locked as locked:
        raise Locked(f"{home.root}: is up already ({locked.message})", "One is enough; stop it first.") from locked
    finally:
        memory.parts.close()
    tell("stopped")
    return asdict(done)


def follow(memory: Memory, paths: Sequence[Path], tell: Tell) -> dict[str, object]:
    """Import what is there, then what comes, until SIGTERM or SIGINT: of `paths`, else of every harness."""
    asks, changing = SimpleQueue[str](), Changing([path.absolute() for path in paths])
    try:
        with stopping(asks), scheduled(asks, {SESSIONS: DUE_MINUTES}), watching(tell) as watch:
            tell("watching sessions")
            asks.put(SESSIONS)
            done = serve(memory, asks, tell, lambda: watch_sessions(
                watch, changing.paths or roots(memory.parts), asks, changing), changing)
    finally:
        memory.parts.close()
    return asdict(done)


def watch_sessions(watch: Watch, places: Sequence[Path], asks: "SimpleQueue[str]", changing: Changing) -> None:
    """Hear of session files at or below `places` that change."""
    def hear(root: Path, path: Path, folder: bool) -> None:
        if file := session_file(root, path, folder=folder):
            changing.heard.put(file)
            asks.put(WRITTEN)

    watch(places, hear)


def serve(memory: Memory, asks: "SimpleQueue[str]", tell: Tell, look_out: Callable[[], None] = lambda: None,
          changing: Changing | None = None) -> Done:
    """Do what is asked, one thing after the other, until STOP; hints are done when they have been quiet."""
    done, changing = Done(), changing or Changing()
    quiet = {ask: Quiet() for ask in HEARD.values()}
    look_out()
    while True:
        wait, next_ask = min(((wait, ask) for ask, each in quiet.items()
                              if (wait := each.wait(time.monotonic())) is not None), default=(None, STOP))
        try:
            ask = asks.get(timeout=wait)
        except Empty:
            ask = next_ask
        if ask == STOP:
            return done
        if ask in HEARD:
            quiet[HEARD[ask]].hear(time.monotonic())
            continue
        began = time.monotonic()
        if ask in quiet:
            quiet[ask].looked()
        try:
            answer(memory, ask, done, tell, changing)
        except (RhizomeError, OSError, sqlite3.DatabaseError) as wrong:
            problem = f"{ask}: {wrong}"
            done.problems.append(problem)
            tell(problem)
        if ask == CHANGED:
            quiet[ask].rest(began, time.monotonic())
        look_out()


def answer(memory: Memory, ask: str, done: Done, tell: Tell, changing: Changing) -> None:
    """One ask, answered and told where there was anything to do."""
    if ask == SAVES:
        taken = memory.take_in()
        done.saves += taken["events"]
        if taken["events"] or taken["commits"]:
            tell(f"saves: {taken['events']} taken in, {taken['commits']} committed")
    elif ask in (SESSIONS, CHANGED):
        found = memory.import_(paths=changing.paths, only=changing.taken() if ask == CHANGED else None)
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
def scheduled(asks: "SimpleQueue[str]", often: Mapping[str, float]) -> Iterator[None]:
    """Ask again and again, each so many minutes; a machine that slept is asked once when it wakes, however late."""
    lenient = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
    scheduler = BackgroundScheduler(timezone=UTC, job_defaults=lenient)
    for ask, minutes in often.items():
        scheduler.add_job(asks.put, IntervalTrigger(minutes=minutes, timezone=UTC), args=(ask,), id=ask)
    scheduler.start()
    try:
        yield
    finally:
        scheduler.shutdown(wait=True)
