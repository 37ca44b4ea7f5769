"""Commits to vaults of 1,000 and 10,000 notes in 256 folders, beside `git fast-import` of the same commits; sweeps.

Seconds are CPU seconds, the least of several rounds, without fsync. fast-import writes packs, no work tree, no index.
"""

import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.row import Row
from rhizome.store.git_store import GitStore
from rhizome.store.worktree import sweep

ROUNDS, COMMITS = 5, 40
LIMITS = {1_000: (6.0, 4.0), 10_000: (6.0, 4.0)}
"""Milliseconds per commit: alone, and in a batch, which writes git's index once."""


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        return [row for count in LIMITS for row in _rows(Path(folder) / str(count), count)]


def _rows(root: Path, count: int) -> list[Row]:
    notes = {path(n): b"# note %d\n\nsome text\n" % n for n in range(count)}
    store = GitStore.create(root, clock=lambda: datetime(2026, 9, 8, tzinfo=UTC))
    store.commit(notes, call="init/bench", subject="all")
    alone = least(lambda i: [change(store, i, n) for n in range(COMMITS)]) / COMMITS * 1000
    batch = least(lambda i: batched(store, i)) / COMMITS * 1000
    bare = fast_import(root.with_name(f"{count}-bare"), notes) / COMMITS * 1000
    looking = least(lambda _: sweep(root, {})) * 1000
    listing = least(lambda _: walk(root)) * 1000
    allowed, allowed_in_batch = LIMITS[count]
    return [
        Row(f"one commit, {count:,} notes", alone, "ms", allowed, "lower", "git fast-import", bare),
        Row(f"one commit in a batch, {count:,} notes", batch, "ms", allowed_in_batch, "lower", "git fast-import", bare),
        Row(f"sweep of {count:,} notes", looking, "ms", count / 100 + 10, "lower", "stat alone", listing),
    ]


def path(number: int) -> str:
    return f"folder-{number % 256:03d}/note-{number}.md"


def change(store: GitStore, turn: int, number: int) -> None:
    text = b"# changed %d in round %d\n" % (number, turn)
    store.commit({path(number): text}, call=f"agent/bench/{turn}", subject="one")


def batched(store: GitStore, turn: int) -> None:
    with store.batch():
        for number in range(COMMITS):
            change(store, ROUNDS + turn, number)


def least(work: Callable[[int], object]) -> float:
    times = []
    for turn in range(ROUNDS):
        began = time.process_time()
        work(turn)
        times.append(time.process_time() - began)
    return min(times)


def walk(root: Path) -> None:
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            os.lstat(f"{folder}/{name}")


def fast_import(root: Path, notes: dict[str, bytes]) -> float:
    """CPU seconds of git for the same commits into a bare repository that holds the same notes."""
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", root], check=True)
    feed(root, commit("all", notes, ""))
    times = []
    for turn in range(ROUNDS):
        changes = [{path(n): b"# changed %d in round %d\n" % (n, turn)} for n in range(COMMITS)]
        starts = ["from refs/heads/main^0\n"] + [""] * (COMMITS - 1)
        stream = b"".join(commit("one", each, start) for each, start in zip(changes, starts, strict=True))
        began = resource.getrusage(resource.RUSAGE_CHILDREN)
        feed(root, stream)
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime)
    return min(times)


def commit(subject: str, files: dict[str, bytes], start: str) -> bytes:
    who = "committer bench <bench@localhost> 1788825600 +0000"
    text = f"commit refs/heads/main\n{who}\ndata {len(subject)}\n{subject}\n{start}"
    return text.encode() + b"".join(b"M 100644 inline %s\ndata %d\n%s\n" % (name.encode(), len(data), data)
                                    for name, data in files.items())


def feed(root: Path, stream: bytes) -> None:
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input=stream, check=True)
