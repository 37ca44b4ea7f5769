"""Files that break, processes that die or meet: the next verb goes on, and nothing is doubled or lost."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from rhizome.errors import Conflict, Damaged, Locked
from rhizome.memory import projections, proof
from rhizome.memory.alone import notes_alone, run_alone
from rhizome.memory.memory import Memory
from rhizome.render.sessions import import_
from rhizome.store.locks import exclusive
from tests.memory.living import Living

PORT = "The dev server runs on port {}."
FILES = ("catalog.db", "known.db", "notes.db", "indexed.db", "ledger-amber.db", "sources.db")


@pytest.fixture
def lived(memory: Living) -> Living:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    memory.writes("lamp.md", "# Lamp\n\nThe lamp burns whale oil.\n")
    memory.imports_nothing()
    return memory


def answers(memory: Living) -> bool:
    """Whether everything is still known."""
    return (
        memory.value("tidepool|dev_port") == "8080"
        and memory.found("whale oil lamp", layer="notes") == ["lamp.md:1"]
        and "8080" in memory.memory.read(ref="tidepool.md")["text"]
    )


# ---------------------------------------------------------------- projections


@pytest.mark.parametrize("again", [True, False], ids=["next process", "the process that has it open"])
def test_the_index_may_be_deleted_at_any_time(lived: Living, again: bool) -> None:
    shutil.rmtree(lived.home / "index")

    assert answers(lived.again() if again else lived)
    assert [] == lived.proven()


@pytest.mark.parametrize("name", FILES)
def test_a_truncated_file_of_the_index_is_made_again(lived: Living, name: str) -> None:
    lived.memory.parts.close()
    path = lived.home / "index" / name
    for beside in (f"{name}-wal", f"{name}-shm"):
        path.with_name(beside).unlink(missing_ok=True)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2] if name != "known.db" else b"no database")

    assert answers(lived.again())
    assert 0 == lived.imports()["new"]
    assert [] == lived.proven()


@pytest.mark.parametrize("name", ["manifest.json", "g1/docs.db"])
def test_a_broken_search_index_is_made_again(lived: Living, name: str) -> None:
    path = next((lived.home / "index" / "search" / "green").glob(name.replace("g1", "g*")))
    path.write_bytes(b"x")

    assert answers(lived)
    lived.imports_nothing()
    assert [] == lived.proven()


def test_a_broken_page_of_a_ledger_that_is_open_heals(lived: Living) -> None:
    assert answers(lived)
    path = lived.home / "index" / "ledger-amber.db"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))

    assert answers(lived)


# ---------------------------------------------------------------- two at once


def test_a_second_consolidation_says_that_one_is_running(lived: Living) -> None:
    with run_alone(lived.memory.parts.home), pytest.raises(Locked, match="already running"):
        lived.sleeps()


def test_an_import_beside_a_consolidation_leaves_saves_to_the_next_verb(lived: Living) -> None:
    lived.writes("new.md", "# New\n")
    lived.says(PORT.format(8081))
    with exclusive(lived.home / "log" / lived.memory.parts.home.id / "notes.lock"):
        report = lived.imports()

    assert 2 == report["new"]
    assert 0 == lived.saves_of("new.md")
    lived.imports()
    assert 1 == lived.saves_of("new.md")


def test_two_processes_that_import_keep_what_both_bring(lived: Living, tmp_path: Path) -> None:
    lived.says("The metrics port is 9464.", session="a")
    lived.says("The admin panel listens on port 9100.", session="b")
    folder = lived.folder / "sessions" / "projects" / "tidepool"
    command = [sys.executable, "-m", "rhizome", "--home", str(lived.home), "import"]
    running = [subprocess.Popen([*command, str(folder / f"{name}.jsonl")], stdout=subprocess.DEVNULL) for name in "ab"]

    assert [0, 0] == [each.wait() for each in running]
    lived.sleeps()
    assert {"9464", "9100"} <= {fact["value"] for fact in lived.memory.facts(status="active")["facts"]}


def test_an_import_beside_one_that_commits_notes_leaves_the_saves_to_the_next_verb(lived: Living) -> None:
    lived.says("The metrics port is 9464.")
    folder = lived.folder / "sessions"
    with notes_alone(lived.memory.parts.home, 0.0):
        found = lived.again().memory.import_(paths=[folder])

    assert (True, []) == (found["new"] > 0, found["problems"])
    assert "notes.lock is held by process" in found["put_off"]
    assert "saves of notes wait for the next verb" in "\n".join(import_(found))
    assert None is lived.memory.import_(paths=[folder])["put_off"]


def test_a_reader_waits_for_nobody_who_writes_the_index(lived: Living) -> None:
    lived.says("The metrics port is 9464.")
    shutil.rmtree(lived.home / "index" / "search")
    with exclusive(lived.home / "log" / lived.memory.parts.home.id / "index.lock"):
        answer = lived.again().memory.search(query="metrics port", no_vectors=True)

    assert ("insufficient_evidence", "index_behind") == (answer["status"], answer["reason"])


# ---------------------------------------------------------------- killed


KILLER = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, {root!r})
from datetime import timedelta
from tests.memory.living import Living
step, count = sys.argv[2], int(sys.argv[3])
def tracing(frame, event, _):
    global count
    if event == "call" and frame.f_code.co_qualname == step:
        count -= 1
        if count < 0:
            os.kill(os.getpid(), signal.SIGKILL)
living = Living(Path(sys.argv[1]), said=100)
living.now += timedelta(days=9)
sys.setprofile(tracing)
getattr(living, sys.argv[4])()
"""
STEPS = [("bring", 1), ("write", 1), ("apply", 0)]
MORE = [
    ("GitStore.commit", 1), ("SearchEngine.apply", 0),
    ("GitStore.commit", 0), ("GitStore.commit", 2), ("GitStore._advance", 0), ("bring", 0), ("enter", 0), ("enter", 1),
    ("FileLog.append", 0), ("FileLog.append", 1), ("write", 0), ("KnownNotes.replay", 0), ("LedgerIndex.rebuild", 0),
    ("Indexed.write", 0), ("notes", 0), ("indexes", 0),
]  # fmt: skip
STEPS += MORE if os.environ.get("RHIZOME_EXAMPLES") == "prove" else []


def killed(living: Living, step: str, count: int, verb: str) -> int:
    """Another process does `verb` and is killed when it calls `step` for the nth time."""
    living.memory.parts.close()
    script = KILLER.format(root=str(Path(__file__).parents[2]))
    words = [sys.executable, "-c", script, str(living.folder), step, str(count), verb]
    return subprocess.run(words, check=False, capture_output=True).returncode


@pytest.mark.parametrize(("step", "count"), STEPS, ids=str)
def test_a_consolidation_killed_anywhere_is_finished_by_the_next(tmp_path: Path, step: str, count: int) -> None:
    memory = Living(tmp_path).begins()
    memory.hears(PORT.format(8080))
    memory.sleeps()
    memory.edits("tidepool.md", "8080", "9999")
    memory.hears("The metrics port is 9464.")

    code = killed(memory, step, count, "sleeps")

    memory = Living(tmp_path, now=memory.now, said=memory.said)
    report = memory.sleeps(hours=24 * 10)
    assert (code, True) == (-signal.SIGKILL, report["identical"])
    assert {"9999", "9464"} == {fact["value"] for fact in memory.memory.facts(status="active")["facts"]}
    assert (1, 2) == (memory.saves_of("tidepool.md"), memory.events("consolidated"))
    assert "" == memory.git("status", "--porcelain")
    report = memory.sleeps()
    assert (None, 0, True) == (report["run"], report["commits"], report["identical"])


@pytest.mark.parametrize(
    ("step", "count"),
    [("read_key", 0), ("FileLog.append", 1), ("enter", 0)],
)
def test_an_init_killed_anywhere_is_finished_by_the_next(tmp_path: Path, step: str, count: int) -> None:
    assert -signal.SIGKILL == killed(Living(tmp_path), step, count, "begins")

    memory = Living(tmp_path).begins()

    assert (1, "") == (memory.events("home.configured"), memory.git("status", "--porcelain"))
    assert memory.memory.list_()["notes"]
    memory.hears(PORT.format(8080))
    assert memory.sleeps()["identical"]


def test_a_save_between_the_decision_and_its_commit_waits_and_is_kept(lived: Living) -> None:
    lived.hears(PORT.format(8081))
    lived.edits("tidepool.md", "# tidepool", "# tidepool\n\nMine.")
    with pytest.raises(Conflict):
        lived.memory.parts.vault.commit("tidepool.md", b"x", call="consolidate/x/1", subject="x",
                                        head=lived.memory.parts.where())  # fmt: skip

    assert lived.sleeps()["identical"]
    assert "Mine." in lived.text("tidepool.md")
    assert "8081" in lived.text("tidepool.md")


# ---------------------------------------------------------------- damage


def test_damage_in_the_log_silences_what_is_derived_and_serves_the_rest_as_degraded(lived: Living) -> None:
    lived.hears("The lighthouse keeper sleeps in the tower.", session="s2")
    flip(lived)
    lived.again()

    for verb in (lambda: lived.value("tidepool|dev_port"), lived.sleeps, lambda: lived.memory.read(ref="tidepool.md")):
        with pytest.raises(Damaged):
            verb()
    answer = lived.memory.search(query="lighthouse keeper tower", no_vectors=True)
    assert (True, {"history"}) == (answer["degraded"], {hit["layer"] for hit in answer["hits"]})
    assert "damaged" == lived.memory.search(query="port", layer="facts", no_vectors=True)["reason"]
    assert not lived.memory.verify_log()["ok"]


def test_without_an_index_too_nothing_derived_is_served_from_a_damaged_log(lived: Living) -> None:
    flip(lived)
    lived.memory.parts.close()
    shutil.rmtree(lived.home / "index")

    answer = lived.again().memory.search(query="dev server port 8080", no_vectors=True)

    assert {"history", "note"} >= {hit["layer"] for hit in answer.get("hits", [])}
    assert not [hit for hit in answer["hits"] if hit["ref"].startswith("tidepool.md")]
    with pytest.raises(Damaged):
        lived.memory.read(ref="tidepool.md")


def flip(living: Living) -> None:
    """One byte of an early event changes on the disk."""
    segment = next((living.home / "log").rglob("*.jsonl"))
    data = bytearray(segment.read_bytes())
    at = data.index(b"fact.asserted")
    data[at] = ord("x")
    segment.write_bytes(data)


def test_a_log_that_was_cut_off_with_its_head_is_found_by_the_notes(lived: Living) -> None:
    segment = next((lived.home / "log").rglob("*.jsonl"))
    lines = segment.read_bytes().splitlines(keepends=True)
    last = lines[2]
    segment.write_bytes(b"".join(lines[:3]))
    head = lived.home / "log" / lived.memory.parts.home.id / "HEAD"
    seq, h = last.split(b'"seq":')[1].split(b",")[0], last.split(b'"h":"')[1].split(b'"')[0]
    head.write_bytes(seq + b" " + h + b"\n")
    lived.memory.parts.close()
    shutil.rmtree(lived.home / "index")
    os.sync()

    lived.again()

    assert not lived.memory.verify_log()["ok"]
    with pytest.raises(Damaged, match="ends at seq 3"):
        lived.sleeps()
    assert lived.path("tidepool.md").exists()


def test_a_memory_can_be_opened_while_its_notes_are_gone(lived: Living) -> None:
    shutil.rmtree(lived.notes)

    memory = Memory(lived.around)

    assert memory.status()["outages"]
    assert "lamp.md:1" in [hit["ref"] for hit in memory.search(query="whale oil lamp", layer="notes")["hits"]]
    memory.parts.close()


def test_what_another_writer_brings_during_a_proof_is_no_difference(memory: Living) -> None:
    memory.hears("Change of plan: tidepool dev server is 8087 from now on.")
    memory.sleeps()
    parts = memory.memory.parts
    memory.writes("ferry.md", "# Ferry\n\nThe last ferry leaves at 22:40.\n")
    projections.refresh(parts)
    Memory(memory.around).remember(key="tidepool|owner", statement="Ada owns tidepool.")

    assert proof.indexes(parts) == []
