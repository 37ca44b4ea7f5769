"""A repository that has grown is packed by the git program, and by it nothing else is ever run."""

from datetime import UTC, datetime
from pathlib import Path

import pygit2
import pytest

from rhizome.errors import Refused
from rhizome.store.git_store import GitStore
from rhizome.store.packing import loose, pack


@pytest.fixture
def store(tmp_path: Path) -> GitStore:
    made = GitStore.create(tmp_path / "notes", clock=lambda: datetime(2026, 10, 14, tzinfo=UTC))
    for number in range(20):
        made.commit({f"folder/{number}.md": b"# %d\n" % number}, call=f"human/{number:04d}", subject="a note")
    return made


def test_loose_objects_go_into_a_pack_and_every_note_reads_as_before(store: GitStore) -> None:
    before = {commit.id for commit in store.newest()}
    lying = loose(store.root)

    saved = pack(store.root, {})

    assert (lying, 0) == (saved, loose(store.root))
    assert 20 == len(before)
    again = GitStore(store.root, clock=lambda: datetime(2026, 10, 15, tzinfo=UTC))
    for each in (store, again):
        assert before == {commit.id for commit in each.newest()}
        assert b"# 7\n" == each.read("folder/7.md")
    assert (store.root / ".git" / "objects" / "info" / "commit-graph").exists()


def test_a_store_that_is_open_goes_on_committing(store: GitStore) -> None:
    pack(store.root, {})

    store.commit({"folder/7.md": b"# seven\n"}, call="human/0099", subject="another")

    assert b"# seven\n" == GitStore(store.root, clock=lambda: datetime(2026, 10, 15, tzinfo=UTC)).read("folder/7.md")


def test_what_no_branch_reaches_is_not_lost(store: GitStore) -> None:
    blob = pygit2.Repository(str(store.root)).create_blob(b"somebody's stash")

    pack(store.root, {})

    assert 1 == loose(store.root)
    assert b"somebody's stash" == pygit2.Repository(str(store.root))[blob].read_raw()


@pytest.mark.parametrize("key", ["core.fsmonitor", "filter.x.clean", "core.hooksPath", "remote.o.uploadpack"])
def test_a_repository_in_which_git_would_run_something_is_left_alone(store: GitStore, tmp_path: Path, key: str) -> None:
    pygit2.Repository(str(store.root)).config[key] = f"touch {tmp_path / 'ran'}"
    lying = loose(store.root)

    with pytest.raises(Refused, match="git would run"):
        pack(store.root, {})

    assert lying == loose(store.root)
    assert not (tmp_path / "ran").exists()


def test_without_git_nothing_happens_and_it_says_so(store: GitStore, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no git program"):
        pack(store.root, {"PATH": str(tmp_path)})
