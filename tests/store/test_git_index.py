"""Git's index as we write it: the same entries as git's own, and no change of a person's is ever hidden by it."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rhizome.store.git_index import LibraryIndex
from rhizome.store.git_store import GitStore
from rhizome.store.index_layout import body, starts
from rhizome.store.plain_index import PlainIndex

PATHS = ("a.md", "a/b.md", "a-b.md", "z/ä.md", "z/y/x.md", f"{'long' * 70}/n.md"[-250:])
STEPS = st.lists(
    st.tuples(st.sampled_from(("commit", "remove", "git")), st.sampled_from(PATHS), st.binary(max_size=3)),
    max_size=12,
)


def write(store: GitStore, path: str, data: bytes) -> str:
    return store.commit({path: data}, call="agent/x", subject=f"write {path}")


def index_of(store: GitStore) -> PlainIndex:
    found = PlainIndex.read(store.root / ".git/index", store.root, sync=False)
    assert found is not None
    return found


def listed(git: Any) -> dict[str, str]:
    lines = git("ls-files", "-s", "-z").split("\0")[:-1]
    return {line.split("\t")[1]: line.split()[1] for line in lines}


@given(steps=STEPS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
          max_examples=settings.default.max_examples // 5)  # type: ignore[union-attr]  # fmt: skip
def test_whatever_we_and_git_commit_in_turn_git_sees_nothing_left_to_do(
    steps: list[tuple[str, str, bytes]], tmp_path_factory: pytest.TempPathFactory, clock: Any, git_in: Any
) -> None:
    store = GitStore.create(tmp_path_factory.mktemp("vault") / "notes", clock=clock)
    git = git_in(store.root)
    write(store, "first.md", b"x")
    for step, path, data in steps:
        if any(other.startswith(path + "/") or path.startswith(other + "/") for other in store.blobs()):
            continue
        if step == "commit":
            write(store, path, data)
        elif step == "remove" and path in store.blobs():
            store.commit({path: None}, call="agent/x", subject="gone")
        elif step == "git":
            (store.root / path).parent.mkdir(parents=True, exist_ok=True)
            (store.root / path).write_bytes(data + b"by hand")
            git("add", path)
            git("commit", "-qm", "by hand", "--allow-empty")

    assert git("status", "--porcelain") == ""
    assert store.blobs() == listed(git)
    git("fsck", "--strict")


def test_the_bytes_mean_what_libgit2_would_have_written(store: GitStore) -> None:
    """All but the device, which libgit2 leaves zero and git does not compare, and the size of what is too young."""
    for path in PATHS:
        if path != "a.md":
            write(store, path, path.encode())
    ours = {name: bytes(entry) for name, entry in entries(store)}
    library = LibraryIndex(store._repo)
    library._index.clear()
    for name in ours:
        library._index.add(name.decode())
    library.write()

    theirs = dict(entries(store))
    assert list(ours) == list(theirs)
    for name, entry in ours.items():
        assert entry[:16] + entry[20:36] + entry[40:] == theirs[name][:16] + theirs[name][20:36] + theirs[name][40:]


def entries(store: GitStore) -> list[tuple[bytes, bytes]]:
    found = body((store.root / ".git/index").read_bytes())
    assert found is not None
    places = [*(at for _, at in starts(found)), len(found)]
    return [(name, bytes(found[at:end])) for (name, at), end in zip(starts(found), places[1:], strict=True)]


@pytest.mark.parametrize("reopened", [False, True])
def test_a_change_within_the_second_of_a_commit_is_never_hidden_by_the_next_one(
    store: GitStore, git: Any, clock: Any, reopened: bool
) -> None:
    git("config", "core.trustctime", "false")
    note, index = store.root / "a.md", store.root / ".git/index"
    note.write_bytes(b"one")
    late = note.stat().st_mtime_ns + 10**12  # no index of this test is older than the note
    os.utime(note, ns=(late, late))
    write(store, "a.md", b"one")
    with note.open("r+b") as file:
        file.write(b"two")
    os.utime(note, ns=(late, late))
    write(GitStore(store.root, clock=clock) if reopened else store, "b.md", b"other")
    os.utime(index, ns=(late + 10**12, late + 10**12))

    assert git("status", "--porcelain") == " M a.md\n"


@pytest.mark.parametrize("change", [
    ("update-index", "--index-version", "4"), ("update-index", "--assume-unchanged", "first.md"),
    ("update-index", "--skip-worktree", "first.md"), ("update-index", "--untracked-cache"),
])  # fmt: skip
def test_an_index_that_is_not_plain_is_left_to_libgit2(store: GitStore, git: Any, change: tuple[str, ...]) -> None:
    write(store, "first.md", b"x")
    git(*change)
    assert PlainIndex.read(store.root / ".git/index", store.root, sync=False) is None

    write(store, "a/b.md", b"y")

    assert git("status", "--porcelain") == ""
    assert set(listed(git)) == {"first.md", "a/b.md"}


def test_a_time_that_spells_a_name_is_not_taken_for_its_entry(store: GitStore, git: Any) -> None:
    """The seconds and nanoseconds 65000461 2e6d6400 hold `\\0\\4a.md\\0` one byte on: flags and name of `a.md`."""
    for path in ("A00.md", "AAA.md"):
        (store.root / path).write_text(path)
    os.utime(store.root / "AAA.md", ns=(0, 0x65000461 * 10**9 + 0x2E6D6400))
    for path in ("A00.md", "AAA.md", "a.md"):
        write(store, path, path.encode())

    write(store, "a.md", b"changed")
    write(store, "Z.md", b"new")

    assert git("status", "--porcelain") == ""
    assert store.blobs() == listed(git)


def test_a_file_that_a_person_staged_makes_room_for_a_folder(store: GitStore, git: Any) -> None:
    (store.root / "a").write_text("staged")
    git("add", "a")
    (store.root / "a").unlink()

    write(store, "a/b.md", b"x")

    assert set(listed(git)) == {"a/b.md"}
    assert git("status", "--porcelain") == ""


@pytest.mark.parametrize("cut", [0, 11, 12, 60, -1])
def test_an_index_that_is_cut_short_is_not_taken_for_a_plain_one(store: GitStore, cut: int) -> None:
    write(store, "a.md", b"x")
    file: Path = store.root / ".git/index"
    file.write_bytes(file.read_bytes()[:cut])

    assert PlainIndex.read(file, store.root, sync=False) is None


def test_another_git_that_wrote_meanwhile_is_not_overwritten(store: GitStore, git: Any) -> None:
    write(store, "a.md", b"x")
    ours = index_of(store)
    ours.put("a.md", ("0" * 40, 0o100644))
    (store.root / "b.md").write_text("staged meanwhile")
    git("add", "b.md")

    assert ours.write() is False
    assert set(listed(git)) == {"a.md", "b.md"}
    assert not (store.root / ".git/index.lock").exists()
