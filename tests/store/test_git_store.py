"""What a store in git promises besides: the work tree, git's index and other people's bytes."""

import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rhizome.errors import Conflict, Damaged, Locked, NotFound, OutsidePath, Refused, RhizomeError
from rhizome.store.git_store import GitStore


def write(store: GitStore, path: str, data: bytes | None, call: str = "agent/x") -> str:
    return store.commit({path: data}, call=call, subject=f"write {path}")


def test_a_commit_writes_the_file_and_leaves_git_status_clean(store: GitStore, git: Any) -> None:
    write(store, "tidepool/deploy.md", b"main\n")
    write(store, "tidepool/deploy.md", b"release\n")

    assert (store.root / "tidepool/deploy.md").read_bytes() == b"release\n"
    assert git("status", "--porcelain") == ""
    assert git("fsck", "--strict") == ""


def test_a_person_who_commits_next_does_not_drop_the_note(store: GitStore, git: Any) -> None:
    write(store, "agent.md", b"from an agent")
    (store.root / "mine.md").write_text("mine")
    git("add", "mine.md")
    git("commit", "-qm", "by hand")

    assert set(store.blobs()) == {"agent.md", "mine.md"}


def test_a_person_who_commits_after_a_batch_does_not_drop_its_notes(store: GitStore, git: Any) -> None:
    with store.batch():
        for n in range(5):
            write(store, f"n{n}.md", b"x")
        write(store, "n0.md", None)
    (store.root / "mine.md").write_text("mine")
    git("add", "mine.md")
    git("commit", "-qm", "by hand")

    assert set(store.blobs()) == {"n1.md", "n2.md", "n3.md", "n4.md", "mine.md"}
    assert git("status", "--porcelain") == ""


def test_a_removal_leaves_no_empty_folder(store: GitStore, git: Any) -> None:
    write(store, "a/b/c.md", b"x")
    write(store, "a/keep.md", b"x")
    write(store, "a/b/c.md", None)

    assert [path.name for path in (store.root / "a").iterdir()] == ["keep.md"]
    assert git("status", "--porcelain") == ""


def test_unsaved_text_of_a_person_is_left_alone_and_named(store: GitStore) -> None:
    tip = write(store, "a.md", b"one")
    (store.root / "a.md").write_bytes(b"a person's edit")

    for data in (b"two", None):
        with pytest.raises(Conflict, match=r"a\.md"):
            store.commit({"a.md": data, "b.md": b"x"}, call="agent/x", subject="x")
    assert (store.root / "a.md").read_bytes() == b"a person's edit"
    assert (store.tip, (store.root / "b.md").exists()) == (tip, False)


def test_an_untracked_file_of_a_person_is_never_overwritten(store: GitStore) -> None:
    (store.root / "mine.md").write_bytes(b"mine")

    with pytest.raises(Conflict):
        write(store, "mine.md", b"ours")
    assert (store.root / "mine.md").read_bytes() == b"mine"


def test_a_persons_save_is_committed_without_touching_the_file(store: GitStore, git: Any) -> None:
    write(store, "a.md", b"one")
    (store.root / "a.md").write_bytes(b"two")
    before = (store.root / "a.md").stat()
    write(store, "a.md", b"two", call="human/x")

    assert (store.root / "a.md").stat() == before
    assert (store.read("a.md"), git("status", "--porcelain")) == (b"two", "")


def test_a_missing_file_is_restored(store: GitStore, git: Any) -> None:
    tip = write(store, "a.md", b"one")
    (store.root / "a.md").unlink()

    assert write(store, "a.md", b"one") == tip
    assert (store.root / "a.md").read_bytes() == b"one"
    assert git("status", "--porcelain") == ""


def test_what_a_person_staged_stays_staged(store: GitStore, git: Any) -> None:
    write(store, "a.md", b"one")
    write(store, "b.md", b"one")
    (store.root / "a.md").write_bytes(b"staged")
    git("add", "a.md")
    (store.root / "a.md").write_bytes(b"one")
    git("rm", "-q", "--cached", "b.md")
    store.commit({"a.md": b"two", "b.md": b"two", "c.md": b"three"}, call="agent/x", subject="x")

    assert git("show", ":a.md") == "staged"
    assert git("ls-files") == "a.md\nc.md\n"
    assert store.read("a.md") == b"two"


def test_a_staged_file_elsewhere_is_not_swept_into_our_commit(store: GitStore, git: Any) -> None:
    (store.root / "draft.md").write_text("draft")
    git("add", "draft.md")
    write(store, "a.md", b"one")

    assert set(store.blobs()) == {"a.md"}
    assert git("status", "--porcelain") == "A  draft.md\n"


def test_a_files_mode_is_kept(store: GitStore, git: Any) -> None:
    (store.root / "run.md").write_bytes(b"#!/bin/sh\n")
    (store.root / "run.md").chmod(0o755)
    write(store, "run.md", b"#!/bin/sh\n", call="human/x")
    write(store, "run.md", b"#!/bin/sh\necho\n")

    assert stat.S_IMODE((store.root / "run.md").stat().st_mode) == 0o755
    assert git("ls-files", "-s").startswith("100755")
    assert git("status", "--porcelain") == ""


def test_a_new_vault_is_for_its_owner_only(store: GitStore) -> None:
    write(store, "a/b.md", b"x")

    modes = [stat.S_IMODE((store.root / path).stat().st_mode) for path in (".", "a", "a/b.md")]
    assert modes == [0o700, 0o700, 0o600]


def test_a_new_vault_keeps_line_endings_and_a_plain_index(store: GitStore, git: Any) -> None:
    assert git("config", "--local", "core.autocrlf") + git("config", "--local", "core.splitIndex") == "false\nfalse\n"
    assert git("symbolic-ref", "HEAD") == "refs/heads/main\n"
    with pytest.raises(Refused):
        GitStore.create(store.root, clock=lambda: pytest.fail("no commit is made"))


def test_a_private_vault_with_a_remote_writes_nothing(tmp_path: Path, clock: Any, git_in: Any) -> None:
    private = GitStore.create(tmp_path / "private", clock=clock, private=True)
    git_in(private.root)("remote", "add", "origin", "https://example.org/x.git")

    with pytest.raises(Refused, match="remote"):
        write(private, "a.md", b"x")
    assert private.tip is None


# ---------------------------------------------------------------- links and strange entries


def test_a_folder_that_is_a_link_is_refused_and_nothing_outside_is_touched(store: GitStore, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/s.md").write_bytes(b"secret")
    (store.root / "dir").symlink_to(tmp_path / "outside")
    (store.root / "link.md").symlink_to(tmp_path / "outside/s.md")

    for path, data in (("dir/s.md", b"secret"), ("dir/new.md", b"x"), ("link.md", b"secret"), ("link.md", b"x")):
        with pytest.raises(OutsidePath):
            write(store, path, data)
    assert [path.name for path in (tmp_path / "outside").iterdir()] == ["s.md"]
    assert (tmp_path / "outside/s.md").read_bytes() == b"secret"
    assert store.tip is None


def test_links_and_submodules_in_a_commit_are_no_notes(store: GitStore, git: Any) -> None:
    (store.root / "link.md").symlink_to("/etc/hostname")
    (store.root / "plain.md").write_text("x")
    git("add", "link.md", "plain.md")
    git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub.md")
    git("commit", "-qm", "by hand")

    assert list(store.blobs()) == ["plain.md"]
    assert store.strange() == {"link.md": "a symbolic link", "sub.md": "another repository"}
    for path in ("link.md", "sub.md"):
        with pytest.raises(NotFound):
            store.read(path)
        with pytest.raises(OutsidePath):
            write(store, path, b"x")


# ---------------------------------------------------------------- other people's programs


def test_no_hook_filter_or_monitor_of_anybody_is_run(store: GitStore, git: Any, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    plant(store.root, f"touch {marker}\ncat\n")
    git("config", "core.fsmonitor", f"touch {marker} #")
    git("config", "filter.evil.clean", f"touch {marker}; cat")
    git("config", "filter.evil.smudge", f"touch {marker}; cat")
    git("config", "core.hooksPath", str(store.root / ".git/hooks"))
    (store.root / ".gitattributes").write_text("*.txt filter=evil\n")
    with store.batch():
        write(store, "a.md", b"x")
        write(store, "a.md", b"y")
    write(store, "a.md", None)
    list(store.commits())

    assert not marker.exists()
    git("commit", "--allow-empty", "-qm", "by hand")
    assert marker.exists()


def plant(root: Path, script: str) -> None:
    hooks = root / ".git/hooks"
    for name in ("pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-index-change"):
        (hooks / name).write_text("#!/bin/sh\n" + script)
        (hooks / name).chmod(0o755)


def test_a_note_that_a_filter_would_encrypt_is_never_stored_in_the_clear(store: GitStore, git: Any) -> None:
    (store.root / ".gitattributes").write_text("secret/** filter=git-crypt\n")

    with pytest.raises(Refused, match="filter"):
        write(store, "secret/a.md", b"clear text")
    assert write(store, "open/a.md", b"x") == store.tip
    assert git("hash-object", "--stdin", "--literally", text="clear text")[:-1] not in \
        git("cat-file", "--batch-all-objects", "--batch-check")


def test_an_adopted_repository_keeps_its_configuration_and_its_status(tmp_path: Path, git_in: Any, clock: Any) -> None:
    git = git_in(tmp_path)
    git("init", "-q", "-b", "trunk")
    (tmp_path / "old.md").write_bytes(b"old\r\n")
    git("add", "old.md")
    git("commit", "-qm", "by hand")
    (tmp_path / "old.md").write_bytes(b"old, edited\r\n")
    (tmp_path / "new.md").write_bytes(b"new")
    config, status = (tmp_path / ".git/config").read_bytes(), git("status", "--porcelain")

    adopted = GitStore(tmp_path, clock=clock)
    assert (adopted.branch, list(adopted.blobs())) == ("trunk", ["old.md"])
    assert git("status", "--porcelain") == status
    write(adopted, "derived/a.md", b"x")
    assert git("status", "--porcelain") == status
    assert (tmp_path / ".git/config").read_bytes() == config


def test_nothing_is_committed_while_a_merge_stands(store: GitStore, git: Any) -> None:
    write(store, "a.md", b"one")
    git("checkout", "-qb", "other")
    write_by_hand(store, git, "theirs")
    git("checkout", "-q", "main")
    write_by_hand(store, git, "ours")
    git("merge", "other", fails=True)
    tip, text = store.tip, (store.root / "a.md").read_bytes()

    with pytest.raises(Locked, match="merge"):
        write(store, "b.md", b"x")
    assert (store.tip, (store.root / "a.md").read_bytes()) == (tip, text)


def write_by_hand(store: GitStore, git: Any, text: str) -> None:
    (store.root / "a.md").write_text(text)
    git("commit", "-qam", text)


def test_a_branch_switch_is_neither_an_edit_nor_a_place_to_write(store: GitStore, git: Any) -> None:
    tip = write(store, "a.md", b"one")
    git("checkout", "-q", "-b", "experiment")
    git("rm", "-q", "a.md")
    git("commit", "-qm", "by hand")

    assert (store.tip, store.read("a.md")) == (tip, b"one")
    with pytest.raises(Locked, match="experiment"):
        write(store, "a.md", b"two")


def test_a_rewritten_history_is_noticed_and_the_old_one_can_be_kept(store: GitStore, git: Any) -> None:
    first = write(store, "a.md", b"one")
    lost = write(store, "a.md", b"two")
    git("reset", "-q", "--hard", first)

    assert (store.descends(lost, first), store.descends(first, lost)) == (True, False)
    store.keep(lost)
    git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    git("prune", "--expire=now")
    assert store.read("a.md", at=lost) == b"two"


def test_a_worktree_of_a_repository_commits_to_its_own_branch(store: GitStore, git: Any, clock: Any) -> None:
    tip = write(store, "a.md", b"one")
    git("worktree", "add", "-q", "-b", "side", "../side")
    side = GitStore(store.root.parent / "side", clock=clock)
    write(side, "a.md", b"two")

    assert (side.branch, side.read("a.md"), store.tip) == ("side", b"two", tip)
    assert (side.root / "a.md").read_bytes() == b"two"


# ---------------------------------------------------------------- damage


def test_damaged_objects_and_refs_are_named(store: GitStore, clock: Any) -> None:
    write(store, "a.md", b"some text of a note")
    damage(store.root / ".git/objects" / (oid := store.blobs()["a.md"])[:2] / oid[2:], b"")

    with pytest.raises(Damaged, match=r"a\.md"):
        GitStore(store.root, clock=clock).read("a.md")
    damage(store.root / ".git/refs/heads/main", b"")
    with pytest.raises(Damaged, match="main"):
        _ = GitStore(store.root, clock=clock).tip


def damage(path: Path, data: bytes) -> None:
    path.chmod(0o644)
    path.write_bytes(data)


def test_a_split_index_is_refused_before_anything_is_committed(store: GitStore, git: Any, clock: Any) -> None:
    tip = write(store, "a.md", b"one")
    git("update-index", "--split-index")

    with pytest.raises(RhizomeError, match="index") as refused:
        write(GitStore(store.root, clock=clock), "b.md", b"x")
    assert "split-index" in refused.value.hint
    assert (store.tip, (store.root / "b.md").exists()) == (tip, False)


def test_a_vault_nobody_may_write_to_still_reads(store: GitStore, clock: Any) -> None:
    write(store, "a.md", b"one")
    files = [path for path in (store.root / ".git").rglob("*") if path.is_dir()]
    for path in [*files, store.root / ".git"]:
        path.chmod(0o500)
    try:
        assert GitStore(store.root, clock=clock).read("a.md") == b"one"
        if os.geteuid() != 0:
            with pytest.raises(RhizomeError):
                write(store, "a.md", b"two")
    finally:
        for path in [store.root / ".git", *files]:
            path.chmod(0o700)


def test_times_keep_the_clocks_offset(tmp_path: Path) -> None:
    from datetime import datetime

    store = GitStore.create(tmp_path / "v", clock=lambda: datetime.fromisoformat("2026-09-08T09:30:00+05:30"))
    write(store, "a.md", b"x")

    assert next(store.commits()).time == "2026-09-08T09:30:00+05:30"
    assert subprocess.run(["git", "log", "--format=%aI"], cwd=store.root, capture_output=True, text=True).stdout == \
        "2026-09-08T09:30:00+05:30\n"
