"""Files that name nothing inside and share a stem: a copy is the same session, another conversation is not."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest


def chat(path: Path, *said: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps({"role": "user", "content": each}) + "\n" for each in said), "utf-8")
    return path


def by_session(archive: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for event in archive.records:
        found.setdefault(event.session, []).append(json.loads(event.body)["content"])
    return found


def scopes(archive: Any) -> set[str | None]:
    return {event.scope for event in archive.records}


def test_two_chats_of_one_name_in_two_projects_are_two_sessions(archive: Any, tmp_path: Path) -> None:
    one = chat(tmp_path / "tidepool" / "chat.jsonl", "The metrics port is 9464.", "ok")
    other = chat(tmp_path / "lighthouse" / "chat.jsonl", "The lamp turns every 8 s.", "ok")

    report = archive.take(one, other)

    assert [["The metrics port is 9464.", "ok"], ["The lamp turns every 8 s.", "ok"]] == [*by_session(archive).values()]
    assert scopes(archive) == {"tidepool", "lighthouse"}
    assert (report.total.new, report.sessions) == (4, {"generic": 2})


@pytest.mark.parametrize("forget", [False, True])
def test_each_of_them_grows_by_itself_and_comes_in_once(archive: Any, tmp_path: Path, forget: bool) -> None:
    one, other = tmp_path / "tidepool" / "chat.jsonl", tmp_path / "lighthouse" / "chat.jsonl"
    archive.take(chat(one, "port 9464"), chat(other, "8 s"))
    chat(one, "port 9464", "ok")
    chat(other, "8 s", "ok", "thanks")
    if forget:
        archive.forget_cursors()

    assert archive.counts(one, other).new == 3
    assert archive.counts(other, one).new == 0
    assert [["port 9464", "ok"], ["8 s", "ok", "thanks"]] == sorted(by_session(archive).values(), reverse=True)


def test_any_number_of_them_may_even_begin_alike(archive: Any, tmp_path: Path) -> None:
    said = [["hi", "port 9464"], ["hi", "8 s"], ["hi", "two metres"], ["bye"]]
    files = [chat(tmp_path / str(n) / "chat.jsonl", *each) for n, each in enumerate(said)]

    for order in permutations(files, 4):
        archive.take(*order)
        archive.forget_cursors()

    assert sorted(by_session(archive).values()) == sorted(said)


def test_a_copy_of_one_elsewhere_is_the_same_session_though_it_grew(archive: Any, tmp_path: Path) -> None:
    one, other = tmp_path / "tidepool" / "chat.jsonl", tmp_path / "lighthouse" / "chat.jsonl"
    archive.take(chat(one, "a", "b"), chat(other, "c"))

    assert archive.counts(chat(tmp_path / "backup" / "chat.jsonl", "a", "b")).new == 0
    assert archive.counts(chat(tmp_path / "other" / "chat.jsonl", "c", "d")).new == 1
    assert sorted(by_session(archive).values()) == [["a", "b"], ["c", "d"]]


def test_one_that_was_empty_when_it_was_first_seen_is_its_own(archive: Any, tmp_path: Path) -> None:
    empty = chat(tmp_path / "lighthouse" / "chat.jsonl")
    archive.take(chat(tmp_path / "tidepool" / "chat.jsonl", "a", "b"), empty)
    archive.take(chat(empty, "c"))

    assert sorted(by_session(archive).values()) == [["a", "b"], ["c"]]


def test_one_that_was_rewritten_where_it_lies_stays_the_session_it_was(archive: Any, tmp_path: Path) -> None:
    file = chat(tmp_path / "tidepool" / "chat.jsonl", "a", "b", "c")
    archive.take(file)
    archive.take(chat(file, "b2", "c"))

    assert [["a", "b", "c", "b2"]] == [*by_session(archive).values()]


def test_texts_of_one_name_are_told_apart_too(archive: Any, tmp_path: Path) -> None:
    one, other = tmp_path / "tidepool" / "talk.txt", tmp_path / "lighthouse" / "talk.txt"
    for path, words in ((one, "The port is 9464."), (other, "It turns every 8 s.")):
        path.parent.mkdir()
        path.write_text(f"Ines: {words}\nBo: Good.\nInes: Yes.\nBo: Then.\n", "utf-8")

    archive.take(one, other)

    assert len({event.session for event in archive.records}) == 2
    assert scopes(archive) == {"tidepool", "lighthouse"}
