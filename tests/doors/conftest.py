"""A home with what the example sessions say, made once and copied for each test; and the ways into it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "sessions"

Call = Callable[..., "subprocess.CompletedProcess[str]"]


def environment(folder: Path) -> dict[str, str]:
    """What a person's shell in `folder` has: no agent's variables, a home of its own."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return kept | {
        "HOME": str(folder), "RHIZOME_HOME": str(folder / "memory"), "TZ": "UTC", "USER": "ines", "LANG": "C.UTF-8",
    }  # fmt: skip


def run(folder: Path, *words: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "rhizome", *words]
    return subprocess.run(
        command, cwd=folder, env=environment(folder), capture_output=True, text=True, stdin=subprocess.DEVNULL,
        **options,
    )  # fmt: skip


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    for words in (["init", "--person", "ines"], ["import", str(EXAMPLES / "claude-code")], ["consolidate"]):
        run(folder, *words, check=True)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A folder whose `memory/` knows the example sessions of Claude Code."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True, copy_function=copied)
    return tmp_path


def copied(source: str, target: str) -> None:
    """A file as it is; the model's mapped form, 30 MB that nobody changes in place, is the same file."""
    (os.link if Path(source).name == "model.bin" else shutil.copy2)(source, target)


@pytest.fixture
def rhizome(folder: Path) -> Call:
    return lambda *words: run(folder, *words)


@pytest.fixture
def answer(folder: Path) -> Callable[..., dict[str, Any]]:
    """The one object that a call with --json prints."""

    def ask(*words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(run(folder, *words, "--json").stdout)
        return found

    return ask
