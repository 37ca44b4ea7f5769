"""`rhizome up`: it looks when told, takes in saves after quiet, runs nights that are due, and ends when asked to."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from queue import SimpleQueue

import pytest

from rhizome.config import LONGEST_SECONDS, LOOKING, QUIET_SECONDS
from rhizome.memory.alone import run_alone
from rhizome.up import CHANGED, HINT, NIGHT, SAVES, SESSIONS, STOP, WRITTEN, Changing, Quiet, serve, watch_sessions
from rhizome.watching import may_be_note, session_file, watching
from tests.memory.living import Living

PATIENCE = 60.0


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Living]:
    living = Living(tmp_path).begins()
    yield living
    living.memory.parts.close()


def heard(changing: Changing, path: Path) -> bool:
    return path in changing.taken()


def asked(*asks: str) -> "SimpleQueue[str]":
    queue: SimpleQueue[str] = SimpleQueue()
    for ask in (*asks, STOP):
        queue.put(ask)
    return queue


def test_a_look_comes_after_quiet_and_not_later_than_the_longest_wait() -> None:
    quiet = Quiet()
    assert None is quiet.wait(0.0)

    quiet.hear(100.0)
    quiet.hear(101.0)

    assert QUIET_SECONDS == quiet.wait(101.0)
    for second in range(102, 140):
        quiet.hear(float(second))
    assert 0.0 == quiet.wait(139.0)
    assert 100.0 + LONGEST_SECONDS < 139.0
    quiet.looked()
    assert None is quiet.wait(140.0)


def test_after_a_look_that_took_long_the_next_one_takes_its_time() -> None:
    quiet = Quiet()
    quiet.rest(100.0, 101.0)

    quiet.hear(101.0)

    assert quiet.wait(101.0) == pytest.approx(1.0 / LOOKING - 1.0)
    assert quiet.wait(118.0) == pytest.approx(2.0)


@pytest.mark.parametrize(("path", "folder", "worth"), [
    ("a.md", False, True), ("deep/er/A.MD", False, True), ("deep", True, True),
    (".git/objects/ab", True, False), (".git/x.md", False, False), (".a.md.swp", False, False), ("a.md~", False, False),
    ("4913", False, False), ("image.png", False, False), (".obsidian/workspace.md", False, False),
])
def test_only_what_may_be_a_note_is_worth_a_look(path: str, folder: bool, worth: bool) -> None:
    assert worth == may_be_note(Path("/notes"), Path("/notes") / path, folder=folder)


def test_what_people_saved_is_committed_when_asked(memory: Living) -> None:
    memory.writes("boat.md", "# Boat\n")
    told: list[str] = []

    done = serve(memory.memory, asked(SAVES), told.append)

    assert (1, []) == (done.saves, done.problems)
    assert ["saves: 1 taken in, 1 committed"] == told
    assert memory.calls()[0].startswith("human/")


def test_our_own_writes_are_no_saves(memory: Living) -> None:
    memory.hears("The dev server runs on port 8080.")
    memory.sleeps()

    assert 0 == serve(memory.memory, asked(SAVES, SAVES), lambda _: None).saves


def test_a_night_is_run_once_when_a_day_is_over_and_not_before(memory: Living) -> None:
    memory.hears("The dev server runs on port 8080.")
    assert 0 == serve(memory.memory, asked(NIGHT), lambda _: None).nights

    memory.now += timedelta(hours=24)

    assert 1 == serve(memory.memory, asked(NIGHT, NIGHT), lambda _: None).nights
    assert "8080" == memory.value("tidepool|dev_port")


def test_sessions_of_this_machine_come_in(memory: Living) -> None:
    session = memory.says("The dev server runs on port 8080.")
    there = memory.folder / ".claude" / "projects" / "tidepool" / session.name
    there.parent.mkdir(parents=True)
    session.rename(there)

    assert 2 == serve(memory.memory, asked(SESSIONS, SESSIONS), lambda _: None).records


def test_a_session_that_changes_comes_in_without_a_look_at_the_others(memory: Living) -> None:
    there = memory.folder / ".claude" / "projects" / "tidepool"
    there.mkdir(parents=True)
    grown, other = there / "grown.jsonl", there / "other.jsonl"
    memory.says("The dev server runs on port 8080.").rename(grown)
    other.write_text('{"type": "mode", "mode": "a", "sessionId": "other"}\n', "utf-8")
    changing, queue = Changing(), SimpleQueue[str]()
    changing.heard.put(grown)
    queue.put(WRITTEN)

    done = serve(memory.memory, queue, lambda _: queue.put(STOP), changing=changing)

    assert (2, []) == (done.records, done.problems)
    assert 1 == memory.memory.import_()["new"]


@pytest.mark.parametrize(("name", "folder", "file"), [
    ("s.jsonl", False, "s.jsonl"), ("s.json", False, "s.json"), ("s.jsonl", True, None),
    ("opencode.db", False, "opencode.db"), ("opencode.db-wal", False, "opencode.db"), ("opencode.db-shm", False, None),
    ("../other.db", False, None),
])
def test_what_is_written_to_a_database_is_looked_for_in_it_and_reading_is_no_writing(
        name: str, folder: bool, file: str | None) -> None:
    root = Path("/sessions")

    assert session_file(root, Path(os.path.normpath(root / name)), folder=folder) == (root / file if file else None)


def test_of_a_file_that_is_watched_alone_its_neighbours_tell_nothing(tmp_path: Path) -> None:
    changing, asks = Changing(), SimpleQueue[str]()
    alone, other = tmp_path / "state.vscdb", tmp_path / "other.json"
    alone.touch()
    with watching(lambda _: None) as watch:
        watch_sessions(watch, [alone], asks, changing)
        other.write_text("{}", "utf-8")
        (tmp_path / "state.vscdb-wal").write_text("a row", "utf-8")
        until(lambda: not changing.heard.empty())

    assert [alone] == changing.taken()


@pytest.mark.parametrize("gone", [shutil.rmtree, lambda folder: folder.rename(folder.with_name("away"))])
def test_a_folder_that_is_made_anew_is_watched_again(tmp_path: Path, gone: Callable[[Path], object]) -> None:
    changing, asks = Changing(), SimpleQueue[str]()
    folder = tmp_path / "sessions"
    with watching(lambda _: None) as watch:
        for name in ("one.jsonl", "two.jsonl"):
            folder.mkdir()
            time.sleep(0.2)
            watch_sessions(watch, [folder], asks, changing)
            (folder / name).write_text("{}", "utf-8")
            until(partial(heard, changing, folder / name))
            gone(folder)
            shutil.rmtree(tmp_path / "away", ignore_errors=True)


def test_what_goes_wrong_is_told_and_the_rest_goes_on(memory: Living) -> None:
    memory.writes("boat.md", "# Boat\n")
    told: list[str] = []

    with run_alone(memory.memory.parts.home):
        memory.hears("The dev server runs on port 8080.")
        memory.now += timedelta(hours=24)
        done = serve(memory.memory, asked(NIGHT, SAVES), told.append)

    assert 1 == len(done.problems)
    assert told[0].startswith("night: ")


# ---------------------------------------------------------------- the process


def until(holds: Callable[[], bool]) -> None:
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < PATIENCE
        time.sleep(0.2)


def started(memory: Living, *words: str) -> "subprocess.Popen[str]":
    environment = {"PATH": os.environ["PATH"], "HOME": str(memory.folder), "TZ": "UTC", "USER": "ines"}
    command = [sys.executable, "-m", "rhizome", "--home", str(memory.home), *(words or ("up",)), "--json"]
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    assert " up: " in (told := process.stderr.readline()) or "watching" in told
    return process


def test_a_save_is_committed_within_seconds_and_sigterm_ends_it_with_exit_code_0(memory: Living) -> None:
    process = started(memory)
    try:
        memory.writes("boat.md", "# Boat\n\nIt is red.\n")
        until(lambda: "save boat.md" in memory.git("log", "--format=%s"))
        second = subprocess.run(
            [sys.executable, "-m", "rhizome", "--home", str(memory.home), "up"], capture_output=True, text=True,
            env={"PATH": os.environ["PATH"], "HOME": str(memory.folder)}, timeout=PATIENCE,
        )  # fmt: skip
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()

    assert 0 == process.returncode
    assert out.startswith('{"schema_version": 1, "nights": 0, "saves": 1')
    assert (5, True) == (second.returncode, "up already" in second.stderr)


def test_hints_alone_are_enough_to_look(memory: Living) -> None:
    memory.writes("boat.md", "# Boat\n")
    queue: SimpleQueue[str] = SimpleQueue()
    queue.put(HINT)

    done = serve(memory.memory, queue, lambda _: queue.put(STOP))

    assert 1 == done.saves


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_a_watching_import_takes_in_what_comes_and_ends_when_asked_to(memory: Living, stop: signal.Signals) -> None:
    folder = memory.folder / "elsewhere"
    folder.mkdir()
    process = started(memory, "import", str(folder), "--watch")
    try:
        (folder / "s.jsonl").write_text('{"type": "mode", "mode": "a", "sessionId": "s"}\n', "utf-8")
        until(lambda: memory.memory.log_stats()["kinds"].get("session.record") == 1)
        with (folder / "s.jsonl").open("a", encoding="utf-8") as file:
            file.write('{"type": "mode", "mode": "b", "sessionId": "s"}\n')
        until(lambda: memory.memory.log_stats()["kinds"].get("session.record") == 2)
        process.send_signal(stop)
        out, _ = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()

    assert (0, True) == (process.returncode, '"records": 2' in out)


def goose(path: Path) -> sqlite3.Connection:
    """Goose's database as it is while Goose is up: what is written stands beside it."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("pragma journal_mode = wal")
    db.execute("create table sessions (id, working_dir)")
    db.execute("create table messages (id integer primary key, session_id, role, content_json, created_timestamp)")
    db.execute("insert into sessions values ('s', '/tidepool')")
    return db


@pytest.mark.parametrize(("heard", "records"), [("sessions.db", 1), ("other.db", 0)])
def test_a_file_that_is_followed_alone_is_read_when_something_was_heard_of_it(
        memory: Living, heard: str, records: int) -> None:
    path = memory.folder / "sessions.db"
    goose(path).close()
    changing, queue = Changing([path]), asked(CHANGED)
    changing.heard.put(memory.folder / heard)

    done = serve(memory.memory, queue, lambda _: None, changing=changing)

    assert (records, []) == (done.records, done.problems)


def test_a_watching_import_reads_a_database_and_a_rewritten_file_again_soon_after_they_changed(memory: Living) -> None:
    folder = memory.folder / "elsewhere" / "7"
    folder.mkdir(parents=True)
    task, said = folder / "api_conversation_history.json", [{"role": "user", "content": "one"}]
    records: Callable[[], int] = lambda: memory.memory.log_stats()["kinds"].get("session.record", 0)  # noqa: E731
    with closing(goose(folder / "sessions.db")) as db:
        task.write_text(json.dumps(said), "utf-8")
        process = started(memory, "import", str(folder), "--watch")
        try:
            until(lambda: records() == 2)
            text = json.dumps([{"type": "text", "text": "b"}])
            db.execute("insert into messages values (1, 's', 'user', ?, 1780300800)", (text,))
            until(lambda: records() == 3)
            task.write_text(json.dumps([*said, {"role": "assistant", "content": "two"}]), "utf-8")
            until(lambda: records() == 4)
            process.send_signal(signal.SIGTERM)
            out, _ = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()

    assert (0, True, True) == (process.returncode, '"records": 4' in out, '"problems": []' in out)
