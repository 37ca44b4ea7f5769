"""Surroundings of a person at a terminal."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rhizome.memory.memory import Memory
from rhizome.memory.surroundings import Surroundings


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    return Surroundings(
        home=tmp_path / "home", clock=lambda: datetime(2026, 9, 8, tzinfo=UTC), dice=os.urandom, environment={},
        folder=tmp_path, user_home=tmp_path, login="ines", typed=True)


@pytest.fixture
def memory(around: Surroundings) -> Memory:
    """A memory that may not be there: what is measured is another one."""
    return Memory(around)
