"""A cold answer pays for nothing it does not use: what a command must not import."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.doors.conftest import environment

HEAVY = {
    "mcp", "networkx", "model2vec", "rich", "numpy", "tokenizers", "safetensors", "asyncio", "markdown_it", "httpx2",
    "rhizome.consolidate.rules", "rhizome.log.importing", "rhizome.mcp_server",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [["status"], ["search", "which port", "--no-vectors"], ["read", "tidepool.md"], ["fact", "tidepool|dev_port"]],
    ids=lambda words: words[0],
)
def test_a_cold_reader_imports_nothing_heavy(folder: Path, words: list[str]) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "rhizome", *words]
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}

    assert done.returncode == 0
    assert "rhizome.memory.memory" in imported
    assert set() == imported & HEAVY
