"""What a sweep sees, and what it must not take for a change."""

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from rhizome.errors import NotFound, OutsidePath, Refused
from rhizome.store.git_store import GitStore
from rhizome.store.tree import look, stands
from rhizome.store.worktree import held_back, read_note, sweep


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in {"a.md": "a", "tidepool/deploy.md": "b", "tidepool/deep/er.md": "c", "photo.png": "p"}.items():
        save(tmp_path / "v" / path, text)
    return tmp_path / "v"


def save(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_a_first_sweep_finds_every_note_and_nothing_else(root: Path) -> None:
    assert sweep(root, {}).changed == ("a.md", "tidepool/deep/er.md", "tidepool/deploy.md")


def test_a_second_sweep_finds_only_what_was_saved_made_and_removed(root: Path) -> None:
    first = sweep(root, {})
    save(root / "a.md", "other")
    save(root / "new.md", "n")
    (root / "tidepool/deep/er.md").unlink()

    again = sweep(root, first.stats)
    assert (again.changed, again.removed) == (("a.md", "new.md"), ("tidepool/deep/er.md",))
    assert sweep(root, again.stats) == type(again)(stats=again.stats)


def test_a_save_by_rename_that_keeps_size_and_time_is_seen(root: Path) -> None:
    first = sweep(root, {})
    save(root / ".a.md.new", "z")
    os.utime(root / ".a.md.new", ns=(first.stats["a.md"].mtime_ns,) * 2)
    (root / ".a.md.new").replace(root / "a.md")

    assert sweep(root, first.stats).changed == ("a.md",)


def test_a_note_saved_a_moment_ago_is_looked_at_again(root: Path) -> None:
    saved = datetime.fromtimestamp((root / "a.md").stat().st_mtime, UTC)
    soon = sweep(root, {}, now=saved)
    later = sweep(root, soon.stats, now=saved + timedelta(minutes=1))

    assert "a.md" in later.changed
    assert sweep(root, later.stats, now=saved + timedelta(minutes=1)).changed == ()


@pytest.mark.parametrize("name", [".#a.md", "#a.md#", "a.md~", "4913", ".a.md.swp", ".~lock.a.md#", ".obsidian/x.md",
                                  ".trash/old.md", "~$a.md", "a.md.tmp", ".hidden.md", "~syncthing~a.md"])
def test_what_editors_leave_for_a_moment_is_no_note(root: Path, name: str) -> None:
    known = sweep(root, {})
    save(root / name, "x")

    assert sweep(root, known.stats).changed == ()


@pytest.mark.parametrize("name", ["a.sync-conflict-20260908-073000.md", "README.MD", "ä b.md", "日本.md", "a:?.md"])
def test_any_name_a_person_gives_a_note_is_seen(root: Path, name: str) -> None:
    known = sweep(root, {})
    save(root / name, "x")

    assert sweep(root, known.stats).changed == (name,)


def test_a_vanished_root_is_an_outage_and_removes_nothing(root: Path) -> None:
    known = sweep(root, {})
    root.rename(root.with_name("elsewhere"))

    out = sweep(root, known.stats)
    assert (out.unreadable, out.removed, out.changed, out.stats) == ((".",), (), (), known.stats)


def test_an_empty_mount_point_is_an_outage_and_removes_nothing(root: Path) -> None:
    known = sweep(root, {})
    root.rename(root.with_name("elsewhere"))
    root.mkdir()

    out = sweep(root, known.stats)
    assert (out.unreadable, out.removed, out.stats) == ((".",), (), known.stats)


def test_the_notes_of_an_unreadable_folder_are_not_removed() -> None:
    with tempfile.TemporaryDirectory() as place, as_nobody(Path(place)):
        save(Path(place) / "a.md", "a")
        save(Path(place) / "shut/b.md", "b")
        known = sweep(Path(place), {})
        (Path(place) / "shut").chmod(0)
        out = sweep(Path(place), known.stats)
        (Path(place) / "shut").chmod(0o700)

    assert (out.unreadable, out.removed, out.stats) == (("shut",), (), known.stats)


@contextmanager
def as_nobody(place: Path) -> Iterator[None]:
    """Acts in `place` as a user whom folders can be shut to, if we are the one they cannot."""
    user = os.geteuid()
    os.chown(place, 65534 if user == 0 else user, -1)
    os.seteuid(65534 if user == 0 else user)
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_removed_folder_removes_its_notes(root: Path) -> None:
    known = sweep(root, {})
    subprocess.run(["rm", "-r", root / "tidepool"], check=True)

    assert sweep(root, known.stats).removed == ("tidepool/deep/er.md", "tidepool/deploy.md")


def test_links_are_reported_and_never_followed(root: Path, tmp_path: Path) -> None:
    save(tmp_path / "outside/secret.md", "secret")
    (root / "link.md").symlink_to(tmp_path / "outside/secret.md")
    (root / "out").symlink_to(tmp_path / "outside")
    os.mkfifo(root / "pipe.md")

    seen = sweep(root, {})
    assert set(seen.stats) == {"a.md", "tidepool/deep/er.md", "tidepool/deploy.md"}
    assert seen.skipped == {"link.md": "a symbolic link", "out": "a symbolic link", "pipe.md": "not a regular file"}


def test_another_repository_inside_is_reported_and_left_alone(root: Path) -> None:
    save(root / "vendor/.git/HEAD", "ref: refs/heads/main")
    save(root / "vendor/readme.md", "x")

    seen = sweep(root, {})
    assert "vendor/readme.md" not in seen.stats
    assert seen.skipped == {"vendor": "another repository"}


def test_a_name_that_is_no_text_is_reported(root: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(root) + b"/bad\xff.md")).write_text("x")
    except OSError:
        pytest.skip("this disk takes no such name")

    assert sweep(root, {}).skipped == {"bad\\xff.md": "a name that is no text"}


def test_a_note_is_read_as_it_is(root: Path) -> None:
    (root / "a.md").write_bytes(b"\xef\xbb\xbf\r\n\xff")

    assert read_note(root, "a.md") == b"\xef\xbb\xbf\r\n\xff"
    with pytest.raises(NotFound):
        read_note(root, "none.md")


def test_no_component_of_a_note_may_be_a_link(root: Path, tmp_path: Path) -> None:
    save(tmp_path / "outside/deep/secret.md", "secret")
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "link.md").symlink_to(root / "a.md")
    os.mkfifo(root / "pipe.md")

    for path in ("out/deep/secret.md", "link.md", "pipe.md", "../outside/deep/secret.md", "/etc/hostname"):
        with pytest.raises(OutsidePath):
            read_note(root, path)


@pytest.mark.parametrize(("text", "held"), [
    ("a\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n", True),
    ("<<<<<<< HEAD\r\nours\r\n", True),
    ("ours\n=======\ntheirs\n>>>>>>> branch\n", True),
    ("A title\n=======\n\ntext\n", False),
    ("> quoted\n>>>>>>> seven deep\n", False),
    ("see `<<<<<<< HEAD` in the middle\n", False),
    ("    <<<<<<< HEAD\n", False),
    ("<<<<<<<< eight\n", False),
])
def test_a_note_with_conflict_markers_is_held_back(text: str, held: bool) -> None:
    assert held_back(text.encode()) is held


def make(state: str, git: Any) -> None:
    """Leaves a repository with two branches that conflict in the given state."""
    git("commit", "--allow-empty", "-qm", "base")
    git("branch", "other")
    save(git.root / "x.md", "ours")
    git("add", "x.md")
    git("commit", "-qm", "ours")
    git("checkout", "-q", "other")
    save(git.root / "x.md", "theirs")
    git("add", "x.md")
    git("commit", "-qm", "theirs")
    git("checkout", "-q", "main")
    git(*COMMANDS[state], fails=True)


COMMANDS = {
    "merge": ("merge", "other"), "rebase": ("rebase", "other"), "cherry-pick": ("cherry-pick", "other"),
    "bisect": ("bisect", "start"), "detached": ("checkout", "--detach"), "branch": ("checkout", "other"),
    "free": ("status",),
}


@pytest.mark.parametrize(("state", "why"), [
    ("merge", "a merge is in progress"), ("rebase", "a rebase is in progress"), ("bisect", "a bisect is in progress"),
    ("cherry-pick", "a cherry-pick is in progress"), ("detached", "HEAD is detached"),
    ("branch", "branch other is checked out, not main"), ("free", None),
])
def test_busy_says_why_nothing_may_be_committed(store: GitStore, git: Any, state: str, why: str | None) -> None:
    make(state, git)

    assert store.busy() == why


def test_a_folder_inside_a_repository_is_no_vault(store: GitStore, clock: Callable[[], datetime]) -> None:
    (store.root / "inner").mkdir()

    with pytest.raises(Refused, match="inside the repository"):
        GitStore(store.root / "inner", clock=clock)


def test_a_folder_without_a_repository_is_not_found(tmp_path: Path, clock: Callable[[], datetime]) -> None:
    with pytest.raises(NotFound):
        GitStore(tmp_path, clock=clock)


def test_a_bare_or_sha256_repository_is_refused_by_name(tmp_path: Path, git_in: Any, clock: Any) -> None:
    git_in(tmp_path)("init", "-q", "--bare", "bare")
    git_in(tmp_path)("init", "-q", "--object-format=sha256", "sha256")

    for name in ("bare", "sha256"):
        with pytest.raises(Refused):
            GitStore(tmp_path / name, clock=clock)


def test_one_path_is_a_note_exactly_when_a_look_finds_it(root: Path) -> None:
    for path in (".obsidian/x.md", "~$a.md", "folder.md/in.md", "deep/.hidden.md", "nested/sub/n.md", "UP.MD", "a.txt"):
        save(root / path, path)
    (root / "nested" / ".git").mkdir()
    (root / "link.md").symlink_to(root / "a.md")
    (root / "linked").symlink_to(root / "tidepool")
    there = {path.relative_to(root).as_posix() for path in root.rglob("*")}
    asked = there | {"linked/deploy.md", "no.md", "", "/a.md", "tidepool//deploy.md", "../v/a.md", "a.md/", "a\0.md"}

    found = look(root).notes.keys()

    assert {"a.md", "UP.MD", "folder.md/in.md", "tidepool/deploy.md", "tidepool/deep/er.md"} == found
    assert found == {path for path in asked if stands(root, path)}
