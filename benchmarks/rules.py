"""The `rules` distiller: turns a second over the sample sessions, and how little a very long paste costs."""

import re
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.row import Row
from rhizome.consolidate.distill import NOTHING_KNOWN
from rhizome.consolidate.rules import Rules
from rhizome.log.door import Door
from rhizome.log.importing import import_paths
from rhizome.log.memory_log import MemoryLog
from rhizome.log.sessions import sessions, turns
from rhizome.model import Message, Origin, Part, Turn

SAMPLES = Path(__file__).parents[1] / "examples" / "sessions"
KEY = bytes(32)
ROUNDS = 40
PASTE = "The port of the server is not 8080 or 8081, maybe; see `src/app.py` and https://example.org/a-b_c. " * 2_000


def sample_turns() -> list[Turn]:
    log = MemoryLog()
    with tempfile.TemporaryDirectory() as index:
        paths = [SAMPLES / "claude-code", SAMPLES / "codex"]
        import_paths(log, paths, index=Path(index), key=KEY, door=Door(KEY))
    later = datetime(2027, 6, 1, tzinfo=UTC)
    return [turn for session in sessions(log) for turn in turns(log, session.id, later)]


def spent(work: Callable[[], object]) -> float:
    """The least CPU seconds of three runs."""
    times = []
    for _ in range(3):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def rows() -> list[Row]:
    some = sample_turns()
    texts = [message.text for turn in some for message in turn.messages]
    word = re.compile(r"\w+")
    rules = Rules()
    reading = spent(lambda: [rules.distill(some, NOTHING_KNOWN) for _ in range(ROUNDS)])
    splitting = spent(lambda: [word.findall(text) for _ in range(ROUNDS) for text in texts])

    said = Message("0" * 32, Part.SAID, Origin.HUMAN.value, PASTE)
    paste = [Turn(said.event, "session", "project", (said,), closed=True)]
    long = spent(lambda: rules.distill(paste, NOTHING_KNOWN))
    scan = spent(lambda: word.findall(PASTE))
    return [
        Row("rules: turns distilled", len(some) * ROUNDS / reading, "turns/s", 2_000, "higher",
            "splitting the same texts into words", len(some) * ROUNDS / splitting),
        Row("rules: a paste of 200 KB", long * 1_000, "ms", 500, "lower", "splitting it into words", scan * 1_000),
    ]
