"""The whole memory: what a verb costs when nothing has changed, and a first night on the sample sessions."""

import json
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
        large, importing = large_night(root)
    return [
        Row("memory: nothing new, per 10,000 notes", newer * 10_000 / NOTES, "s CPU", 0.12, "lower",
            "os.walk and stat", bare * 10_000 / NOTES),
        Row("memory: import of sessions known already", again, "s CPU", 0.25, "lower", "os.walk and stat", bare),
        Row("memory: first night on the samples, proven", night, "s CPU", 5.0, "lower", "import known", again),
        Row("memory: night of 1,000 turns and 200 notes, proven", large, "s CPU", 20.0, "lower",
            "import them", importing),
    ]  # fmt: skip


SAYINGS = (
    "The dev server runs on port {}.", "The metrics port is {}.", "Batch size is {} rows.",
    "Uploads are limited to {} MB.", "Thanks, please go on with step {}.",
)  # fmt: skip
PROJECTS = 200


def talk(folder: Path) -> None:
    """A day's sessions: five turns in each of 200 projects, whose notes a night has to write."""
    for number in range(PROJECTS):
        session, path = f"s{number}", folder / f"p{number}" / f"s{number}.jsonl"
        path.parent.mkdir(parents=True)
        records = []
        for nth, saying in enumerate(SAYINGS):
            for who, text in (("user", saying.format(1000 + number * 7 + nth)), ("assistant", "Done.")):
                content = text if who == "user" else [{"type": "text", "text": text}]
                records.append(json.dumps({
                    "type": who, "uuid": f"{session}-{nth}-{who}", "parentUuid": None, "sessionId": session,
                    "cwd": f"/home/ines/src/p{number}", "userType": "external", "version": "2.1.240",
                    "timestamp": f"2026-09-07T{8 + nth:02d}:{number % 60:02d}:00.000Z",
                    "message": {"role": who, "content": content}}))  # fmt: skip
        path.write_text("\n".join(records) + "\n", encoding="utf-8")


def large_night(root: Path) -> tuple[float, float]:
    """CPU seconds of a night of 1,000 turns that writes 200 notes, with commits, index and proof; and of its import."""
    around = Surroundings(
        home=root / "large", clock=lambda: datetime(2026, 9, 9, tzinfo=UTC), dice=secrets.token_bytes, environment={},
        folder=root, user_home=root, login="ines",
    )  # fmt: skip
    Memory.init(around, person="ines")
    memory = Memory(around)
    talk(root / "sessions" / "projects")
    importing = cost(lambda: memory.import_(paths=[root / "sessions"]))
    began = process_time()
    report = memory.consolidate()
    spent = process_time() - began
    memory.parts.close()
    if report["turns"] != PROJECTS * len(SAYINGS) or report["commits"] < PROJECTS or not report["identical"]:
        raise AssertionError(f"no such night: {report}")
    return spent, importing


def cost(act: Callable[[], object]) -> float:
    began = process_time()
    act()
    return process_time() - began


def walked(folder: Path) -> int:
    return sum((Path(at) / name).stat().st_size for at, _, names in os.walk(folder) for name in names)
