"""A memory to live with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.memory.living import Living


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Living]:
    living = Living(tmp_path).begins()
    yield living
    living.memory.parts.close()
