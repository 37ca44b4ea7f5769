"""A secret in the name of a file or a folder stays outside as one in a text does, and changes no event's id."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from rhizome.log.door import Door
from rhizome.log.importing import import_paths
from rhizome.log.memory_log import MemoryLog
from tests.log.planted import planted

TEXT, SECRET = planted(5)["github_token"]
KEY = b"k" * 32


def chat(path: Path, *said: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps({"role": "user", "content": each}) + "\n" for each in said), "utf-8")
    return path


def claude(root: Path, folder: str, *said: str) -> Path:
    """A session of Claude Code in a project's folder, with a side file of that name."""
    path = root / "projects" / f"-home-ines-{folder}" / "s1.jsonl"
    rows = ({"type": "user", "uuid": f"u{n}", "sessionId": "s1", "cwd": f"/home/ines/{folder}", "isSidechain": False,
             "message": {"role": "user", "content": each}} for n, each in enumerate(said))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    side = path.with_suffix("") / "tool-results" / f"{folder}.txt"
    side.parent.mkdir(parents=True, exist_ok=True)
    side.write_text("all of it", "utf-8")
    return path


def export(folder: Path) -> Path:
    """A file that is read whole, below a folder of that name."""
    path = folder / SECRET / "conversations.json"
    said: dict[str, Any] = {"id": "n", "parent": None, "children": [], "message": {
        "id": "m", "author": {"role": "user"}, "content": {"content_type": "text", "parts": ["We ship on Fridays."]}}}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([{"id": SECRET, "conversation_id": SECRET, "title": "x", "create_time": 1.0,
                                 "mapping": {"n": said}, "current_node": "n"}]), "utf-8")
    return path


def held(archive: Any) -> bytes:
    """Everything that is kept of what was imported."""
    told = "".join(f"{event!r}" for event in archive.log.read())
    return told.encode() + b"".join(path.read_bytes() for path in archive.index.glob("*"))


def test_no_name_brings_a_secret_into_the_log_or_beside_it(archive: Any, tmp_path: Path) -> None:
    paths = [chat(tmp_path / SECRET / f"{SECRET}.jsonl", "hi"), claude(tmp_path, SECRET, "hi"), export(tmp_path)]

    assert archive.counts(*paths, tmp_path / "projects").new == 4
    assert SECRET.encode() not in held(archive)
    assert b"[secret:github_token:" in held(archive)
    assert len(archive.kinds("source.attached")) == 1


@pytest.mark.parametrize("forget", [False, True])
def test_what_is_named_so_is_known_again(archive: Any, tmp_path: Path, forget: bool) -> None:
    paths = [chat(tmp_path / SECRET / f"{SECRET}.jsonl", "hi", "ok"), claude(tmp_path, SECRET, "hi"), export(tmp_path)]
    archive.take(*paths, tmp_path / "projects")
    if forget:
        archive.forget_cursors()
    chat(paths[0], "hi", "ok", "thanks")

    assert archive.counts(*paths, tmp_path / "projects").new == 1
    assert len({event.session for event in archive.records}) == 3
    assert len(archive.kinds("source.attached")) == 1


@pytest.mark.parametrize("new_name", [f"again {SECRET}.jsonl", "plain.jsonl"])
def test_a_chat_named_so_may_be_renamed(archive: Any, tmp_path: Path, new_name: str) -> None:
    said = [f"message {n}" for n in range(12)]
    path = chat(tmp_path / f"{SECRET}.jsonl", *said)
    archive.take(path)
    moved = shutil.move(path, tmp_path / new_name)
    archive.forget_cursors()

    assert archive.counts(chat(Path(moved), *said, "another")).new == 1
    assert SECRET.encode() not in held(archive)


def test_ids_are_the_same_under_any_rules(archive: Any, tmp_path: Path) -> None:
    paths = [chat(tmp_path / SECRET / f"{SECRET}.jsonl", "hi", "ok"), claude(tmp_path, SECRET, "hi"), export(tmp_path)]
    archive.take(*paths)
    log = MemoryLog("0a0b0c0d")

    import_paths(log, paths, index=tmp_path / "other", key=KEY, door=Door(KEY, allow=(SECRET,)))

    assert SECRET in "".join(f"{event!r}" for event in log.read())
    assert {event.id for event in log.read(kinds={"session.record"})} == {event.id for event in archive.records}


def test_two_chats_of_such_a_name_are_two(archive: Any, tmp_path: Path) -> None:
    one, other = (chat(tmp_path / folder / f"{SECRET}.jsonl", folder) for folder in ("a", "b"))
    archive.take(one, other)
    chat(one, "a", "ok")
    chat(other, "b", "ok")
    archive.forget_cursors()

    assert archive.counts(one, other).new == 2
    assert archive.counts(other, one).new == 0
    assert len({event.session for event in archive.records}) == 2
