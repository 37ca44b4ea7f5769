"""What the command line promises to whoever reads it: a terminal, an editor, a script."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rhizome import ending
from rhizome.render import finding
from tests.doors.conftest import Call, environment, run

ESCAPES = "\x1b]52;c;aGVsbG8=\x07\x1b[31mred\x1b[0m\x9b2J\u202egnp.exe"


def at_terminal(folder: Path, *words: str) -> bytes:
    """What reaches a terminal that the command runs in."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "rhizome", *words], cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL,
        stdout=follower, stderr=follower,
    )  # fmt: skip
    os.close(follower)
    shown = b""
    while chunk := read(leader):
        shown += chunk
    os.close(leader)
    process.wait(timeout=60)
    return shown


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux says so when the other side has closed
        return b""


@pytest.mark.parametrize(
    "words",
    [["read", "evil.md"], ["search", "harmless aliases"], ["list"], ["graph", "evil.md"]],
    ids=lambda words: words[0],
)
def test_no_escape_in_a_note_reaches_a_terminal(folder: Path, words: list[str]) -> None:
    note = f"# Harmless aliases{ESCAPES}\n\n[tidepool{ESCAPES}](tidepool.md): harmless aliases {ESCAPES}\n"
    (folder / "memory" / "notes" / "evil.md").write_text(note, encoding="utf-8")

    shown = at_terminal(folder, *words)

    assert b"armless aliases" in shown
    for forbidden in (b"\x1b", b"\x07", "\x9b".encode(), "\u202e".encode()):
        assert forbidden not in shown


def test_read_prints_the_exact_bytes_into_a_pipe(folder: Path) -> None:
    data = b"# Caf\xe9\r\n\x1b]52;c;aGk=\x07 \xf0\x9f\x8c\x8a no newline"
    (folder / "memory" / "notes" / "bytes.md").write_bytes(data)
    command = [sys.executable, "-m", "rhizome", "read", "bytes.md"]

    assert data == subprocess.run(command, env=environment(folder), cwd=folder, capture_output=True).stdout


@pytest.mark.parametrize(
    "words",
    [
        ["search", "port", "-k", "-5"],
        ["search", "\udcff\udcfe"],
        ["search", "port", "--as-of", "9999-12-31"],
        ["search", "port", "--as-of", "0001-01-01T00:00:00+14:00"],
        ["fact", "\udcff|x"],
        ["read", "\udcff.md"],
        ["graph", "\x1b]52;c;aGk=\x07"],
        ["facts", "--as-of", "2026-13-45"],
        ["graph", "tidepool", "--hops", "99999999999999999999"],
        ["read", "a" * 5_000],
    ],
)
def test_whatever_is_asked_one_object_answers(rhizome: Call, words: list[str]) -> None:
    done = rhizome(*words, "--json")

    assert 1 == json.loads(done.stdout)["schema_version"]
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1, 2, 3)


def test_a_fault_of_ours_leaves_the_object_that_was_asked_for_and_a_trace(capfd: pytest.CaptureFixture[str]) -> None:
    ending.crashed(True, ZeroDivisionError, ZeroDivisionError("by nothing"), None)
    out, err = capfd.readouterr()

    assert "crashed" == json.loads(out)["error"]["code"]
    assert "ZeroDivisionError" in err


def test_every_hit_has_every_field_of_a_receipt(answer: Callable[..., dict[str, Any]]) -> None:
    hits = answer("search", "which port does the tidepool dev server use", "-k", "20")["hits"]
    fields = {"source", "status", "origin", "actor", "recorded_at", "confirmed_at", "superseded_by", "subject"}

    assert {"fact", "note", "history"} == {hit["layer"] for hit in hits}
    assert all(fields == hit["receipt"].keys() for hit in hits)
    assert all({"layer", "ref", "title", "snippet", "score", "receipt"} == hit.keys() for hit in hits)


def test_explain_shows_the_numbers_that_are_otherwise_left_out(rhizome: Call) -> None:
    assert "score:" not in rhizome("search", "tidepool dev server port").stdout
    assert "score:" in rhizome("search", "tidepool dev server port", "--explain").stdout


def test_a_reader_that_closes_early_is_no_failure(folder: Path) -> None:
    command = f"{sys.executable} -m rhizome facts | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], env=environment(folder), cwd=folder, capture_output=True, text=True)

    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.parametrize("words", [["search", "which port"], ["search", "which port", "--json"], ["log", "verify"]])
@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_a_process_without_standard_streams_ends_as_any_other(folder: Path, words: list[str], closed: str) -> None:
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "rhizome", *words]
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True)

    assert (0, "") == (done.returncode, done.stderr)


def test_help_names_every_verb_and_where_to_start(tmp_path: Path) -> None:
    shown = run(tmp_path, "--help").stdout

    for verb in ("init", "import", "search", "read", "graph", "fact", "remember", "consolidate", "rebuild", "mcp"):
        assert f"\n  {verb}" in shown


@pytest.mark.parametrize("group", [[], ["log"], ["home"], ["eval"], ["schedule"], ["review"]], ids=str)
def test_help_says_what_each_verb_is_for_and_cuts_nothing(tmp_path: Path, group: list[str]) -> None:
    shown = run(tmp_path, *group, "--help").stdout

    assert "Commands:" in shown
    assert "..." not in shown.replace("[ARGS]...", "")
    assert "Look at the " not in shown.replace("Look at the log itself", "")


def test_import_shows_its_progress_only_to_a_terminal(folder: Path) -> None:
    sessions = str(Path(__file__).parents[2] / "examples" / "sessions" / "codex")
    shown = at_terminal(folder, "import", sessions)

    assert b"1/2" in shown
    assert "1/2" not in run(folder, "import", sessions).stderr


def test_a_refusal_reads_as_a_sentence_without_numbers() -> None:
    found = {"reason": "near_miss", "detail": "nearest is A (a.md:1) (covers 0.20 of 0.34)", "nearest": []}

    assert "nearest is A (a.md:1)." == finding.reason(found, numbers=False)
