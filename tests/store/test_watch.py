"""A watch says at once, and without a thread, whether anything in the folders of notes has changed since a look."""

import mmap
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rhizome.store.tree import look
from rhizome.store.watch import Watch, file_system

CHANGES: dict[str, Callable[[Path, Path], object]] = {
    "a save in place": lambda notes, _: (notes / "deep/b.md").write_text("other"),
    "more at the end": lambda notes, _: subprocess.run(["tee", "-a", str(notes / "a.md")], input=b"more", check=True),
    "a save beside, renamed into place": lambda notes, away: (away / "new.md").rename(notes / "a.md"),
    "a new note": lambda notes, _: (notes / "deep/new.md").touch(),
    "a note renamed": lambda notes, _: (notes / "a.md").rename(notes / "z.md"),
    "a note moved to another folder": lambda notes, _: (notes / "a.md").rename(notes / "deep/a.md"),
    "a note moved away": lambda notes, away: (notes / "deep/b.md").rename(away / "b.md"),
    "a note deleted": lambda notes, _: (notes / "deep/b.md").unlink(),
    "a note linked in": lambda notes, away: (notes / "linked.md").hardlink_to(away / "new.md"),
    "its time alone": lambda notes, _: os.utime(notes / "a.md", ns=(0, 0)),
    "its rights": lambda notes, _: (notes / "a.md").chmod(0o600),
    "a cut": lambda notes, _: os.truncate(notes / "a.md", 1),
    "a folder made": lambda notes, _: (notes / "new").mkdir(),
    "a folder moved in": lambda notes, away: (away / "full").rename(notes / "full"),
    "a folder moved out": lambda notes, away: (notes / "deep").rename(away / "deep"),
    "a folder deleted": lambda notes, _: shutil.rmtree(notes / "deep"),
    "a folder's rights": lambda notes, _: (notes / "deep").chmod(0o500),
    "another repository no more": lambda notes, _: (notes / "other/.git").rmdir(),
    "the root replaced": lambda notes, away: (notes.rename(away / "old"), (away / "full").rename(notes)),
    "a write through mapped memory": lambda notes, _: mapped(notes / "a.md"),
    "git switching to another commit": lambda notes, _: git(notes, "checkout", "-q", "HEAD~1"),
    "another process": lambda notes, _: subprocess.run(["touch", str(notes / "deep/b.md")], check=True),
}


def git(folder: Path, *words: str) -> None:
    named = "-c", "user.name=ines", "-c", "user.email=ines@localhost"
    subprocess.run(["git", "-C", str(folder), *named, *words], check=True)


def mapped(path: Path) -> None:
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[0:1] = b"X"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    for name in ("notes/deep", "notes/other/.git", "away/full/inner"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("notes/a.md", "notes/deep/b.md", "away/new.md", "away/full/c.md"):
        (tmp_path / name).write_text("text")
    git(folder, "init", "-q")
    git(folder, "add", "a.md")
    git(folder, "commit", "-qm", "one")
    git(folder, "rm", "-q", "--cached", "a.md")
    git(folder, "add", "deep")
    git(folder, "commit", "-qm", "two")
    (folder / "a.md").unlink()
    git(folder, "checkout", "-q", "HEAD")
    (folder / "a.md").write_text("text")
    (folder / ".gitignore").touch()
    return folder


def watched(*folders: Path) -> Watch:
    watch = Watch()
    for folder in folders:
        look(folder, watch.entered)
    if not watch.whole:
        pytest.skip("this system, or this file system, cannot be watched")
    return watch


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_told_at_once_and_for_ever(notes: Path, name: str) -> None:
    if name.startswith("git"):
        (notes / "a.md").unlink()
    watch = watched(notes)
    assert watch.still([notes])

    CHANGES[name](notes, notes.parent / "away")

    assert not watch.still([notes])
    assert not watch.still([notes])


def test_what_changes_while_it_is_looked_at_is_told(notes: Path) -> None:
    watch = Watch()

    def entering(root: Path, folder: int) -> None:
        watch.entered(root, folder)
        if os.path.samestat(os.fstat(folder), (notes / "deep").stat()):
            (notes / "deep/late.md").touch()

    look(notes, entering)

    assert not watch.still([notes])


def test_what_is_saved_in_a_folder_that_came_later_is_told(notes: Path) -> None:
    (notes / "new").mkdir()
    watch = watched(notes)

    (notes / "new/note.md").touch()

    assert not watch.still([notes])


def test_reading_and_what_happens_elsewhere_is_no_change(notes: Path) -> None:
    watch = watched(notes)

    (notes / "a.md").read_text()
    look(notes)
    (notes / ".git/description").write_text("other")
    (notes.parent / "away/full/c.md").write_text("other")

    assert watch.still([notes])


def test_a_private_root_that_comes_or_goes_is_a_change(notes: Path) -> None:
    private = notes.parent / "away"
    alone, both = watched(notes), watched(notes, private)

    assert both.still([notes, private])
    assert not alone.still([notes, private])
    assert not both.still([notes])


def test_more_happening_than_the_queue_holds_is_a_change(notes: Path) -> None:
    watch = watched(notes)
    for _ in range(20_000):
        os.utime(notes / "a.md")

    assert not watch.still([notes])


MOUNTS = rb"""22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
31 22 0:27 / /mnt/with\040space rw - nfs4 server:/x rw
32 22 0:28 / /mnt/local rw - tmpfs tmpfs rw
33 22 0:29 / /mnt/local rw master:3 - fuse.sshfs far rw
"""


@pytest.mark.parametrize(("place", "kind"), [
    ("/home/ines", "ext4"), ("/mnt/with space/notes", "nfs4"), ("/mnt/with", "ext4"), ("/mnt/local", "fuse.sshfs"),
])  # fmt: skip
def test_the_last_and_deepest_mount_says_what_a_folder_lies_on(place: str, kind: str) -> None:
    assert kind == file_system(Path(place), MOUNTS)


def test_a_system_that_tells_of_no_mounts_is_not_believed(tmp_path: Path) -> None:
    assert file_system(tmp_path, b"") == ""


def test_a_watch_that_is_let_go_holds_no_descriptor(notes: Path) -> None:
    before = lowest_descriptor()
    for _ in range(5):
        watched(notes)

    assert before == lowest_descriptor()


def lowest_descriptor() -> int:
    found = os.dup(0)
    os.close(found)
    return found
