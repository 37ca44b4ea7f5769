"""Kills a writer at each of its steps in turn and reports what the next one finds; run as a program: folder, stride.

An audit hook sees every file call Python makes (open, rename, link, unlink); the n-th one is where the child dies.
"""

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from rhizome.store.git_store import GitStore

BEFORE = {"a.md": b"one", "folder/b.md": b"one", "gone.md": b"one"}
AFTER = {"a.md": b"two", "folder/b.md": b"one", "new/c.md": b"two"}
EDIT = b"a person's edit between the crash and the repair"


def clock() -> datetime:
    return datetime(2026, 9, 8, tzinfo=UTC)


def act(store: GitStore) -> None:
    with store.batch():
        store.commit({"a.md": b"in between", "new/c.md": b"two"}, call="agent/1", subject="first")
        store.commit({"a.md": b"two", "gone.md": None}, call="agent/2", subject="second")


def die_at(step: int) -> None:
    seen = 0

    def hook(event: str, _: object) -> None:
        nonlocal seen
        if event.startswith(("open", "os.")):
            seen += 1
            if seen == step:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def crashed(root: Path, step: int) -> bool:
    """Lets a child act on a new vault and die at a step; False when it was done before."""
    GitStore.create(root, clock=clock).commit(BEFORE, call="init/x", subject="start")
    store = GitStore(root, clock=clock)
    child = os.fork()
    if child == 0:
        die_at(step)
        act(store)
        os._exit(0)
    return os.waitpid(child, 0)[1] != 0


def trouble(root: Path, edited: bool) -> list[str]:
    """What is wrong once the store is opened again; an edit made meanwhile must stand, all else be the tip's."""
    if edited:
        (root / "a.md").write_bytes(EDIT)
    store = GitStore(root, clock=clock)
    wrong = [f"open: status {line}" for line in status(root) if line != " M a.md" or not edited]
    store.commit({"after.md": b"x"}, call="agent/3", subject="after")
    tip = {path: store.read(path) for path in store.blobs() if path != "after.md"}
    disk = {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*.md") if path.name != "after.md"}
    between = {**BEFORE, "a.md": b"in between", "new/c.md": b"two"}
    wrong += [] if tip in (BEFORE, between, AFTER) else [f"tip {tip}"]
    wanted = {**tip, "a.md": EDIT} if edited else tip
    wrong += [] if disk == wanted else [f"disk {disk}, tip {tip}"]
    wrong += [f"status {line}" for line in status(root) if line != " M a.md" or not edited]
    kept = ("lock", ".rhizome.new", ".rhizome.old")
    return wrong + [f"left {path}" for path in (root / ".git/rhizome").iterdir() if path.name not in kept]


def status(root: Path) -> list[str]:
    git = ["git", "-C", str(root), "status", "--porcelain"]
    return subprocess.run(git, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]


def main(folder: Path, stride: int) -> None:
    for edited in (False, True):
        step = 1 + edited
        while crashed(root := folder / f"{edited}-{step}", step):
            for line in trouble(root, edited):
                print(f"killed at step {step}, edited {edited}: {line}")
            step += stride
        assert step > 20, "the writer was not killed often enough to prove anything"


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
