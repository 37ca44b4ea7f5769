"""Logs to test with: a clock that ticks when told to, dice that never repeat, and both keepers of a log."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from rhizome.log.file_log import FileLog
from rhizome.log.files import Files
from rhizome.log.memory_log import MemoryLog
from rhizome.log.port import EventLog


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 31, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


def dice() -> Callable[[int], bytes]:
    """Dice that count."""
    throws = count(1)
    return lambda n: next(throws).to_bytes(8, "big").ljust(n, b"\x5a")[:n]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opened(tmp_path: Path, clock: Clock) -> Iterator[Callable[..., FileLog]]:
    """Open the log of a home in `tmp_path`, as often as a test likes."""
    logs: list[FileLog] = []

    def open_log(home: str = "0a0b0c0d", *, root: Path = tmp_path, files: Files | None = None,
                 lock_seconds: float = 1.0) -> FileLog:
        logs.append(FileLog(root / "log", home, index=root / "index", clock=clock, dice=dice(), files=files,
                            lock_seconds=lock_seconds))
        return logs[-1]

    yield open_log
    for each in logs:
        each.close()


@pytest.fixture(params=["memory", "file"])
def log(request: pytest.FixtureRequest, opened: Callable[..., FileLog], clock: Clock) -> EventLog:
    """Each test that asks for this runs over both keepers of a log."""
    return MemoryLog("0a0b0c0d", clock=clock, dice=dice()) if request.param == "memory" else opened()
