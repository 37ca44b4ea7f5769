"""A store of each kind, a fixed clock that can be moved, and the git program to check with."""

import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rhizome.store.git_store import GitStore


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 9, 8, 7, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


class Git:
    """The git program in a folder, as a person runs it, without this machine's own configuration."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __call__(self, *arguments: str, fails: bool = False, text: str | None = None) -> str:
        result = subprocess.run(
            ["git", "-c", "user.name=ines", "-c", "user.email=ines@example.org", *arguments],
            cwd=self.root, input=text, capture_output=True, text=True,
            env={"PATH": os.environ["PATH"], "HOME": str(self.root.parent), "GIT_CONFIG_NOSYSTEM": "1"},
        )
        assert fails or result.returncode == 0, result.stderr
        return result.stdout if not fails else result.stdout + result.stderr


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "notes"


@pytest.fixture
def store(vault: Path, clock: Clock) -> GitStore:
    return GitStore.create(vault, clock=clock)


@pytest.fixture
def git(store: GitStore) -> Git:
    return Git(store.root)


@pytest.fixture
def git_in() -> Callable[[Path], Git]:
    return Git
