"""Crashes, full disks, locks and other writers: what was acknowledged is there, and git stays clean."""

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rhizome.errors import Conflict, Locked, NotDurable, RhizomeError
from rhizome.store.faults import meaning
from rhizome.store.git_store import GitStore
from rhizome.store.locks import exclusive

HERE = Path(__file__).parent

PROVE = os.environ.get("RHIZOME_EXAMPLES") == "prove"


def write(store: GitStore, path: str, data: bytes | None) -> str:
    return store.commit({path: data}, call="agent/x", subject=f"write {path}")


def start(store: GitStore, name: str, count: int) -> "subprocess.Popen[str]":
    program = [sys.executable, str(HERE / "writing.py"), str(store.root), name, str(count)]
    return subprocess.Popen(program, stdout=subprocess.PIPE, text=True)


# ---------------------------------------------------------------- several writers


def test_four_writers_lose_nothing_and_leave_git_clean(store: GitStore, git: Any) -> None:
    count = 100 if PROVE else 25
    writers = [start(store, name, count) for name in "abcd"]
    acknowledged = [line for writer in writers for line in writer.communicate()[0].split()]

    history = list(store.commits())
    assert [writer.returncode for writer in writers] == [0] * 4
    assert sorted(acknowledged) == sorted(commit.id for commit in history)
    assert {f"agent/{name}/{n}" for name in "abcd" for n in range(count)} == {call for c in history for call in c.calls}
    assert (git("fsck", "--strict"), git("status", "--porcelain")) == ("", "")


def test_a_person_committing_all_the_while_loses_nothing_either(store: GitStore, git: Any) -> None:
    write(store, "a.md", b"x")
    writer = start(store, "a", 40)
    by_hand = 0
    while writer.poll() is None:
        (store.root / "mine.md").write_text(f"mine {by_hand}")
        by_hand += "fatal" not in git("commit", "--no-status", "-qm", "by hand", "--", "mine.md", fails=True) and \
            "rror" not in git("add", "mine.md", fails=True)
    acknowledged = writer.communicate()[0].split()

    assert (writer.returncode, len(acknowledged)) == (0, 40)
    assert set(acknowledged) <= {commit.id for commit in store.commits()}
    assert (git("fsck", "--strict", "--no-dangling"), by_hand > 0) == ("", True)


# ---------------------------------------------------------------- crashes


def test_a_writer_killed_at_any_step_is_finished_by_the_next_one(tmp_path: Path) -> None:
    program = [sys.executable, str(HERE / "crashing.py"), str(tmp_path), "1" if PROVE else "6"]
    result = subprocess.run(program, capture_output=True, text=True)

    assert (result.stdout, result.returncode) == ("", 0), result.stderr


def test_writers_killed_at_random_lose_no_acknowledged_commit(store: GitStore, git: Any, clock: Any) -> None:
    acknowledged, dice = [], random.Random(8)
    for _ in range(20 if PROVE else 4):
        writer = start(store, "a", 9999)
        assert writer.stdout
        acknowledged.append(writer.stdout.readline().strip())
        time.sleep(dice.random() * 0.05)
        writer.send_signal(signal.SIGKILL)
        acknowledged += [line for line in writer.communicate()[0].split("\n") if len(line) == 40]
        for lock in (store.root / ".git").rglob("*.lock"):
            os.utime(lock, (0, 0))  # what a minute does

    write(GitStore(store.root, clock=clock), "after.md", b"x")
    assert set(acknowledged) <= {commit.id for commit in store.commits()}
    assert git("status", "--porcelain") == ""
    assert "error" not in git("fsck", "--no-dangling", fails=True)


# ---------------------------------------------------------------- locks


@pytest.fixture
def hasty(store: GitStore, clock: Any) -> GitStore:
    return GitStore(store.root, clock=clock, lock_seconds=0.05)


@pytest.mark.parametrize("name", ["index.lock", "refs/heads/main.lock", "HEAD.lock"])
def test_a_lock_of_gits_is_waited_for_then_named_with_its_age(hasty: GitStore, name: str) -> None:
    tip = write(hasty, "a.md", b"one")
    (hasty.root / ".git" / name).touch()

    with pytest.raises(Locked, match=rf"{name} has been there for \d+ s"):
        write(hasty, "a.md", b"two")
    assert (hasty.tip, (hasty.root / "a.md").read_bytes()) == (tip, b"one")
    assert (hasty.root / ".git" / name).exists()


def old(lock: Path) -> Path:
    lock.touch()
    os.utime(lock, (lock.stat().st_mtime - 3600,) * 2)
    return lock


@pytest.mark.parametrize("name", ["index.lock", "refs/heads/main.lock"])
def test_an_old_lock_that_nobody_can_own_is_moved_aside_and_reported(hasty: GitStore, git: Any, name: str) -> None:
    write(hasty, "a.md", b"one")
    old(hasty.root / ".git" / name)
    write(hasty, "a.md", b"two")

    assert (hasty.read("a.md"), git("status", "--porcelain")) == (b"two", "")
    assert f"{name} was 3600 s old" in hasty.repaired[0]
    assert [path for path in (hasty.root / ".git/rhizome").iterdir() if ".lock." in path.name]


def test_an_old_lock_that_somebody_holds_open_is_left_alone(hasty: GitStore) -> None:
    lock = old(hasty.root / ".git/index.lock")

    with lock.open(), pytest.raises(Locked, match="3600 s"):
        write(hasty, "a.md", b"one")
    assert lock.exists()


def test_an_old_lock_is_left_alone_while_a_git_runs_here(hasty: GitStore) -> None:
    lock = old(hasty.root / ".git/index.lock")
    running = subprocess.Popen(["git", "cat-file", "--batch"], cwd=hasty.root, stdin=subprocess.PIPE)

    try:
        with pytest.raises(Locked):
            write(hasty, "a.md", b"one")
        assert lock.exists()
    finally:
        running.communicate()


def test_a_lock_that_goes_away_is_only_waited_for(store: GitStore) -> None:
    lock = store.root / ".git/index.lock"
    lock.touch()
    threading.Timer(0.05, lock.unlink).start()

    assert write(store, "a.md", b"one") == store.tip


def test_another_writer_who_does_not_let_go_is_named(hasty: GitStore) -> None:
    write(hasty, "a.md", b"one")

    with exclusive(hasty.root / ".git/rhizome/lock"), pytest.raises(Locked, match=f"process {os.getpid()}"):
        write(hasty, "a.md", b"two")


def test_opening_a_store_never_waits_for_a_writer(store: GitStore, clock: Any) -> None:
    with store.batch():
        tip = write(store, "a.md", b"one")
        began = time.monotonic()
        opened = GitStore(store.root, clock=clock, lock_seconds=30)

        assert (opened.tip, opened.read("a.md"), opened.repaired) == (tip, b"one", [])
        assert time.monotonic() - began < 15


def test_an_index_locked_at_the_last_moment_is_caught_up_later(hasty: GitStore, git: Any) -> None:
    with pytest.raises(Locked, match="index"), hasty.batch():
        write(hasty, "a.md", b"one")
        (hasty.root / ".git/index.lock").touch()
    (hasty.root / ".git/index.lock").unlink()
    write(hasty, "b.md", b"one")

    assert (set(hasty.blobs()), git("status", "--porcelain")) == ({"a.md", "b.md"}, "")


def test_a_batch_that_fails_in_the_middle_keeps_what_it_committed(store: GitStore, git: Any) -> None:
    (store.root / "mine.md").write_text("mine")
    with pytest.raises(Conflict), store.batch():
        write(store, "a.md", b"one")
        write(store, "mine.md", b"ours")

    assert (list(store.blobs()), git("status", "--porcelain")) == (["a.md"], "?? mine.md\n")


# ---------------------------------------------------------------- a person saves in the same instant


def test_a_save_at_any_step_of_a_commit_is_never_lost(tmp_path: Path) -> None:
    program = [sys.executable, str(HERE / "interrupting.py"), str(tmp_path)]
    result = subprocess.run(program, capture_output=True, text=True)

    assert (result.stdout, result.returncode) == ("", 0), result.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who has a file open")
@pytest.mark.parametrize("text", [b"", b"one"])
def test_a_note_that_an_editor_has_open_to_write_is_not_taken_from_under_it(
    store: GitStore, git: Any, text: bytes
) -> None:
    write(store, "a.md", text)
    with (store.root / "a.md").open("r+b") as editor:
        write(store, "a.md", b"ours")
        editor.write(b"theirs, slowly")

    assert (store.read("a.md"), (store.root / "a.md").read_bytes()) == (b"ours", b"theirs, slowly")
    assert git("status", "--porcelain") == " M a.md\n"


@pytest.mark.parametrize("how", ["rename", "in place"])
def test_a_save_in_the_instant_of_a_commit_is_never_lost(store: GitStore, how: str) -> None:
    note, dice = store.root / "a.md", random.Random(8)
    for n in range(400 if PROVE else 30):
        write(store, "a.md", note.read_bytes() if note.exists() else b"")
        ours, theirs = b"ours %d" % n, b"theirs %d" % n
        editor = threading.Thread(target=save, args=(note, theirs, how, dice.random() * 0.003))
        editor.start()
        with suppress(Conflict):
            write(store, "a.md", ours)
        editor.join()

        assert note.read_bytes() == theirs


def save(note: Path, text: bytes, how: str, after: float) -> None:
    time.sleep(after)
    if how == "in place":
        note.write_bytes(text)
    else:
        note.with_name(".a.md.swp").write_bytes(text)
        note.with_name(".a.md.swp").replace(note)


# ---------------------------------------------------------------- full disks


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "rhizome-test", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("needs the right to mount a small disk")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


@pytest.mark.parametrize("pages", range(9))
def test_on_a_full_disk_a_commit_is_there_or_was_never_acknowledged(
    small_disk: Path, clock: Any, git_in: Any, pages: int
) -> None:
    store = GitStore.create(small_disk / "v", clock=clock)
    tip = write(store, "a.md", b"one")
    fill(small_disk, pages)
    try:
        made = write(store, "folder/b.md", os.urandom(3000))
    except RhizomeError as error:
        assert isinstance(error, NotDurable), error
    else:
        tip = made
    (small_disk / "filler").unlink()

    after = GitStore(store.root, clock=clock)
    write(after, "c.md", b"x")
    assert tip in {commit.id for commit in after.commits()}
    assert git_in(store.root)("status", "--porcelain") == ""
    assert "missing" not in git_in(store.root)("fsck", "--full", fails=True)


def fill(disk: Path, pages: int) -> None:
    """Leaves so many free pages."""
    free = shutil.disk_usage(disk).free // 4096
    (disk / "filler").write_bytes(b"x" * 4096 * (free - pages))


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EPERM])
def test_a_lock_that_may_not_be_made_is_no_lock_that_somebody_holds(number: int) -> None:
    kind, hint = meaning(OSError(number, os.strerror(number), "/backup/log/run.lock"))

    assert kind is RhizomeError
    assert "may be written" in hint
