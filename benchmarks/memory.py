"""The whole memory: what a verb costs when nothing has changed, and a first night on the sample sessions."""

import os
import secrets
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import process_time

from benchmarks.row import Row
from benchmarks.vault import generate
from rhizome.memory.lately import lately
from rhizome.memory.memory import Memory
from rhizome.memory.surroundings import Surroundings
from rhizome.model import Tier

EXAMPLES = Path(__file__).parents[1] / "examples" / "sessions"
NOTES = 2_000
"""Fewer than the 10,000 of the limit, which is scaled: a first index of 10,000 costs most of a minute."""


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        around = Surroundings(
            home=root / "home", clock=lambda: datetime.now(UTC), dice=secrets.token_bytes, environment={},
            folder=root, user_home=root, login="ines",
        )  # fmt: skip
        Memory.init(around, person="ines")
        memory = Memory(around)
        sessions = [EXAMPLES / "claude-code", EXAMPLES / "codex"]
        memory.import_(paths=sessions)
        night = cost(memory.consolidate)
        again = median(cost(lambda: memory.import_(paths=sessions)) for _ in range(5))
        generate(around.home / "notes", NOTES)
        memory.import_(paths=sessions)
        bare = median(cost(lambda: walked(around.home / "notes")) for _ in range(5))
        newer = median(cost(lambda: lately(memory.parts, Tier.AMBER)) for _ in range(5))
        memory.parts.close()
    return [
        Row("memory: nothing new, per 10,000 notes", newer * 10_000 / NOTES, "s CPU", 0.12, "lower",
            "os.walk and stat", bare * 10_000 / NOTES),
        Row("memory: import of sessions known already", again, "s CPU", 0.25, "lower", "os.walk and stat", bare),
        Row("memory: first night on the samples, proven", night, "s CPU", 5.0, "lower", "import known", again),
    ]  # fmt: skip


def cost(act: Callable[[], object]) -> float:
    began = process_time()
    act()
    return process_time() - began


def walked(folder: Path) -> int:
    return sum((Path(at) / name).stat().st_size for at, _, names in os.walk(folder) for name in names)
