"""What every store of notes promises, asked of each kind."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from rhizome.errors import Conflict, NotFound, OutsidePath, Refused
from rhizome.store.git_store import GitStore
from rhizome.store.memory_store import MemoryStore
from rhizome.store.port import NoteStore

Write = Callable[..., str]


@pytest.fixture(params=["memory", "git"])
def notes(request: pytest.FixtureRequest, tmp_path: Path, clock: Any) -> NoteStore:
    if request.param == "memory":
        return MemoryStore(clock=clock)
    return GitStore.create(tmp_path / "notes", clock=clock)


def write(notes: NoteStore, changes: Mapping[str, bytes | None], **options: Any) -> str:
    return notes.commit(changes, **{"call": "agent/one", "subject": "a change", **options})


def test_a_new_store_has_no_tip_and_no_files(notes: NoteStore) -> None:
    assert (notes.tip, notes.blobs(), list(notes.commits())) == (None, {}, [])


def test_what_was_committed_is_read_back(notes: NoteStore) -> None:
    made = write(notes, {"deploy.md": b"we ship from main\n", "tidepool/port.md": b"8080\n"})

    assert made == notes.tip
    assert notes.read("deploy.md") == b"we ship from main\n"
    assert notes.read("tidepool/port.md") == b"8080\n"


def test_an_earlier_commit_still_reads_as_it_was(notes: NoteStore) -> None:
    first = write(notes, {"deploy.md": b"main"})
    write(notes, {"deploy.md": b"release"})

    assert notes.read("deploy.md", at=first) == b"main"
    assert notes.read("deploy.md", at=first[:10]) == b"main"


def test_none_deletes(notes: NoteStore) -> None:
    write(notes, {"a/b.md": b"x", "c.md": b"y"})
    write(notes, {"a/b.md": None})

    assert list(notes.blobs()) == ["c.md"]
    with pytest.raises(NotFound):
        notes.read("a/b.md")


def test_deleting_what_is_not_there_changes_nothing(notes: NoteStore) -> None:
    tip = write(notes, {"c.md": b"y"})

    assert tip == write(notes, {"gone.md": None})


def test_a_change_that_changes_nothing_makes_no_commit(notes: NoteStore) -> None:
    tip = write(notes, {"c.md": b"y"})

    assert tip == write(notes, {"c.md": b"y"})
    assert len(list(notes.commits())) == 1


def test_nothing_at_all_is_no_first_commit(notes: NoteStore) -> None:
    with pytest.raises(Refused):
        write(notes, {})


def test_blob_ids_are_gits_own(notes: NoteStore) -> None:
    write(notes, {"hello.md": b"hello\n"})

    assert notes.blobs() == {"hello.md": "ce013625030ba8dba906f756967f9e9ca394464a"}


def test_a_moved_tip_is_a_conflict_and_nothing_is_written(notes: NoteStore) -> None:
    first = write(notes, {"a.md": b"1"})
    second = write(notes, {"a.md": b"2"}, expected_tip=first)

    with pytest.raises(Conflict):
        write(notes, {"a.md": b"3"}, expected_tip=first)
    assert (second, b"2") == (notes.tip, notes.read("a.md"))


def test_a_batch_is_whole_or_not_at_all(notes: NoteStore) -> None:
    with pytest.raises(OutsidePath):
        write(notes, {"a.md": b"1", "../b.md": b"2"})

    assert (notes.tip, notes.blobs()) == (None, {})


def test_a_commit_tells_its_call_log_head_and_paths(notes: NoteStore) -> None:
    first = write(notes, {"a.md": b"1", "b.md": b"1"})
    second = write(notes, {"a.md": b"2", "b.md": None, "c/d.md": b"3"}, call="consolidate/2026-09-08-1f3a/7",
                   subject="consolidate\nthe day", head=("0badcafe", 12, "ab" * 32))

    told = list(notes.commits())
    assert [first, second] == [commit.id for commit in told]
    assert [(), (first,)] == [commit.parents for commit in told]
    assert [commit.calls for commit in told] == [("agent/one",), ("consolidate/2026-09-08-1f3a/7",)]
    assert told[1].head == ("0badcafe", 12, "ab" * 32)
    assert (told[1].subject, told[1].author, told[1].time) == \
        ("consolidate the day", "rhizome", "2026-09-08T07:30:00+00:00")
    assert [commit.paths for commit in told] == [("a.md", "b.md"), ("a.md", "b.md", "c/d.md")]


def test_commits_since_one_leave_it_and_what_it_knew_out(notes: NoteStore) -> None:
    made = [write(notes, {"a.md": b"%d" % n}) for n in range(4)]

    assert made[2:] == [commit.id for commit in notes.commits(since=made[1])]


def test_a_commit_nobody_made_is_not_found(notes: NoteStore) -> None:
    write(notes, {"a.md": b"1"})

    for ask in (lambda: notes.read("a.md", at="0" * 40), lambda: notes.blobs(at="main"),
                lambda: list(notes.commits(since="f" * 40)), lambda: notes.read("a.md", at="--all")):
        with pytest.raises(NotFound):
            ask()


def test_history_has_only_the_commits_that_changed_a_path_newest_first(notes: NoteStore) -> None:
    made = [write(notes, change) for change in (
        {"x/a.md": b"1"}, {"b.md": b"1"}, {"x/a.md": b"2"}, {"x/a.md": None}, {"b.md": b"2"}, {"x/a.md": b"1"})]

    assert [made[5], made[3], made[2], made[0]] == [commit.id for commit in notes.history("x/a.md")]
    assert list(notes.history("never.md")) == []


def test_at_an_instant_the_newest_commit_not_after_it_stands(notes: NoteStore, clock: Any) -> None:
    before, _ = clock.now, clock.forward(hours=1)
    first, noon = write(notes, {"a.md": b"1"}), clock.now
    clock.forward(hours=1)
    second, evening = write(notes, {"a.md": b"2"}), clock.now

    later = evening.replace(year=2030)
    assert [None, first, second, second] == [notes.at(when) for when in (before, noon, evening, later)]
    assert isinstance(noon, datetime)


def test_many_commits_in_a_batch_are_many_commits(notes: NoteStore) -> None:
    with notes.batch():
        made = [write(notes, {"a.md": b"%d" % n}) for n in range(3)]

    assert made == [commit.id for commit in notes.commits()]


@pytest.mark.parametrize("path", ["Deploy.md", "tidepool/Port.md", "TIDEPOOL/other.md", "cafe\u0301.md",
                                  "deploy.md/x.md", "tidepool"])
def test_a_new_note_never_takes_a_name_that_another_one_shadows(notes: NoteStore, path: str) -> None:
    write(notes, {"deploy.md": b"1", "tidepool/port.md": b"2", "caf\u00e9.md": b"3"})

    with pytest.raises(Refused):
        write(notes, {path: b"4"})
    assert len(notes.blobs()) == 3


def test_two_twins_in_one_commit_are_refused(notes: NoteStore) -> None:
    with pytest.raises(Refused):
        write(notes, {"a.md": b"1", "A.md": b"2"})


def test_a_name_may_change_its_case_in_one_commit(notes: NoteStore) -> None:
    write(notes, {"readme.md": b"1"})
    write(notes, {"readme.md": None, "README.md": b"1"})

    assert list(notes.blobs()) == ["README.md"]


def test_odd_bytes_come_back_as_they_were(notes: NoteStore) -> None:
    odd = b"\xef\xbb\xbf\r\n\x00\xff no newline at the end \x1b]52;c;x\x07"
    write(notes, {"odd.md": odd, "empty.md": b""})

    assert (odd, b"") == (notes.read("odd.md"), notes.read("empty.md"))


@pytest.mark.parametrize("call", ["", "agent", "agent/", "nobody/x", "agent/a b", "agent/x\nTruth-Call: human/y",
                                  "agent/" + "x" * 120, "agent/x/y", "Agent/x"])
def test_a_call_outside_the_grammar_is_refused(notes: NoteStore, call: str) -> None:
    with pytest.raises(Refused):
        write(notes, {"a.md": b"1"}, call=call)
    assert notes.tip is None
