"""A home with 10,000 notes, asked through the doors: by a fresh process, and by a server that stays.

Cold seconds are wall time, the least of some runs, beside a Python that does nothing; a look at every note is in them.
It runs on a second core: the CPU time of both is what a machine with one would need.
Warm milliseconds are CPU time, of a process as a server is one: it watches the notes, or where it cannot relies on its
last look for a fifth of a second, and looks for garbage only in what came after its start. Peak memory is the process's
own.
"""

import gc
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from benchmarks.row import Row
from rhizome.config import LOOK_SECONDS
from rhizome.memory.home import looks
from rhizome.memory.memory import Memory
from rhizome.model import Tier
from rhizome.process import surroundings
from rhizome.search.port import Query

NOTES, WORDS, SENTENCES = 10_000, 30_000, 6
RUNS, QUESTIONS = 5, 100
MEASURE = """
import resource, subprocess, sys, time
times, busy = [], []
for _ in range(int(sys.argv[1])):
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    code = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    times.append(time.perf_counter() - began)
    busy.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert code in (0, 3), code
print(min(times), min(busy), after.ru_maxrss)
"""
"""Run by a small process: a child's peak starts with the memory of the one that forked it."""

COLD, COLD_WORDS, COLD_CPU, WARM_MS, ENGINE_MS, LOOK_MS, PEAK_MB = 0.25, 0.12, 0.2, 35.0, 15.0, 35.0, 150.0


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "memory"
        Memory.init(surroundings(home), person="bench")
        asked = filled(home)
        memory = Memory(replace(surroundings(home), look_seconds=LOOK_SECONDS))
        memory.import_(paths=[home / "notes"])
        question = asked[0]
        nothing, idle, little = least([sys.executable, "-c", "pass"])
        search = [sys.executable, "-m", "rhizome", "--home", str(home), "search", question, "--json"]
        words, busy, _ = least([*search, "--no-vectors"])
        vectors, _, peak = least(search)
        gc.freeze()
        engine, there = memory.parts.engine, memory.parts.home
        memory.search(query=question)
        bare = p95(lambda text: engine.query(Query(text=text, k=5), tuple(Tier)), asked)
        warm = p95(lambda text: memory.search(query=text), asked)
        look = p95(lambda _: looks(there), asked)
        stats = p95(lambda _: looked_at(home / "notes"), asked)
        gc.unfreeze()
    return [
        Row("cold search, words only, 10,000 notes", words, "s", COLD_WORDS, "lower", "python -c pass", nothing),
        Row("cold search with vectors, 10,000 notes", vectors, "s", COLD, "lower", "python -c pass", nothing),
        Row("CPU time of a cold search, words only", busy, "s", COLD_CPU, "lower", "python -c pass", idle),
        Row("peak memory of a cold search", peak, "MB", PEAK_MB, "lower", "python -c pass", little),
        Row("warm search p95, as a server answers", warm, "ms", WARM_MS, "lower", "the engine alone", bare),
        Row("warm engine p95, words and vectors", bare, "ms", ENGINE_MS, "lower", "a look at 10,000 notes", look),
        Row("look at 10,000 notes p95", look, "ms", LOOK_MS, "lower", "listdir and stat", stats),
    ]


def filled(home: Path) -> list[str]:
    """Write the notes and commit them by hand, as for a vault brought along; questions that they answer."""
    dice = random.Random(7)
    vocabulary = ["".join(dice.choices("bdfgklmnprstvz", k=3)) + f"{number:x}" for number in range(WORDS)]
    weights = [1 / (rank + 1) for rank in range(WORDS)]
    asked = []
    for number in range(NOTES):
        words = dice.choices(vocabulary, weights, k=SENTENCES * 12)
        text = ". ".join(" ".join(words[at : at + 12]) for at in range(0, len(words), 12))
        place = home / "notes" / f"folder-{number % 256:03d}" / f"note-{number}.md"
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"# {' '.join(words[:3])} {number}\n\n{text}.\n", encoding="utf-8")
        if number % (NOTES // QUESTIONS) == 0:
            asked.append(" ".join(words[12:18]))
    git = ["git", "-C", str(home / "notes"), "-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "a vault"], check=True)
    return asked


def least(command: Sequence[str]) -> tuple[float, float, float]:
    """The least seconds of some runs of a command, by the wall and of CPU time, and its peak megabytes."""
    measure = [sys.executable, "-c", MEASURE, str(RUNS), *command]
    done = subprocess.run(measure, capture_output=True, text=True, check=True)
    seconds, busy, peak = done.stdout.split()
    return float(seconds), float(busy), float(peak) / (1024 if sys.platform == "linux" else 1024 * 1024)


def looked_at(folder: Path) -> int:
    """A bare look: every name listed, every file's stat asked for."""
    count = 0
    for place, _, names in os.walk(folder):
        if ".git" not in place:
            for name in names:
                os.stat(os.path.join(place, name), follow_symlinks=False)  # noqa: PTH116, PTH118
                count += 1
    return count


def p95(work: Callable[[str], object], asked: Sequence[str]) -> float:
    times = []
    for text in asked:
        began = time.process_time()
        work(text)
        times.append((time.process_time() - began) * 1000)
    return sorted(times)[int(len(times) * 0.95)]
