"""A cold answer pays for nothing it does not use: what a command must not import."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.doors.conftest import environment, run

HEAVY = {
    "mcp", "networkx", "model2vec", "rich", "numpy", "tokenizers", "safetensors", "asyncio", "markdown_it", "httpx2",
    "rhizome.consolidate.rules", "rhizome.log.importing", "rhizome.mcp_server",
}  # fmt: skip
LIBRARY = {"typer", "pydantic", "click", "email"}
UNUSED = {
    "dataclasses", "inspect", "copy", "hashlib", "shutil", "tomllib", "logging", "subprocess", "rhizome.render.text",
    "pygit2", "yaml", "zstandard", "zoneinfo", "random", "rhizome.log.file_log", "rhizome.graph.edges",
    "rhizome.graph.note", "rhizome.ledger.fold", "rhizome.memory.projections", "rhizome.memory.searchable",
    "rhizome.search.indexing",
}  # fmt: skip
"""What a search opens only when log, notes or index changed since the last one."""


def imported(folder: Path, *words: str) -> set[str]:
    command = [sys.executable, "-X", "importtime", "-m", "rhizome", *words]
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True)
    assert done.returncode == 0
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}


@pytest.mark.parametrize(
    "words",
    [["status"], ["search", "which port", "--no-vectors"], ["read", "tidepool.md"], ["fact", "tidepool|dev_port"]],
    ids=lambda words: words[0],
)
def test_a_cold_reader_imports_nothing_heavy(folder: Path, words: list[str]) -> None:
    found = imported(folder, *words)

    assert "rhizome.memory.memory" in found
    assert set() == found & HEAVY
    assert ("typer" in found) == (words[0] == "status")
    assert words[0] == "status" or set() == found & LIBRARY


def test_a_search_that_finds_everything_as_it_was_opens_no_table(folder: Path) -> None:
    imported(folder, "search", "which port", "--no-vectors")

    again = imported(folder, "search", "which port", "--no-vectors", "--in", "notes", "--json")

    assert "rhizome.memory.lately" in again
    assert set() == again & (HEAVY | LIBRARY | UNUSED)


def test_who_finds_everything_as_it_was_does_not_look_himself(folder: Path) -> None:
    for note in folder.glob("memory/[np]*/**/*.md"):
        os.utime(note, ns=(10**9, 10**9))
    time.sleep(0.06)
    run(folder, "search", "which port", "--no-vectors")
    (folder / "memory" / "index" / "now").unlink()  # it is written before each look of the process itself

    run(folder, "search", "which port", "--no-vectors")

    assert not (folder / "memory" / "index" / "now").exists()


@pytest.mark.parametrize("place", ["ports.md", "private/ports.md", "deep/er/ports.md"])
def test_an_edit_of_a_moment_ago_is_found_by_a_fresh_process(folder: Path, place: str) -> None:
    note = folder / "memory" / ("" if place.startswith("private/") else "notes") / place
    note.parent.mkdir(parents=True, exist_ok=True)
    for port in range(9001, 9005):
        note.write_text(f"# Ports\n\nThe metrics port is {port}.\n")

        assert str(port) in run(folder, "search", "metrics port", "--no-vectors").stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize(("words", "looks"), [
    (["search", "ferry"], True), (["--home", "there", "--json", "search", "ferry"], True),
    (["--home=there", "search"], True), (["import", "search"], False), (["--home", "search", "status"], False),
    ([], False),
])
def test_only_a_search_sends_a_child_to_look_at_the_notes(folder: Path, words: list[str], looks: bool) -> None:
    code = "import sys; from rhizome.cli import begun; at = begun(sys.argv[1:]); print(at and at.seen({}), at)"

    done = subprocess.run([sys.executable, "-c", code, *words], cwd=folder, env=environment(folder),
                          capture_output=True, text=True, check=True)  # fmt: skip

    assert done.stdout.startswith("None Early(" if looks else "None None")
