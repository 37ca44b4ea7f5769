"""A person at a desk, with a home in memory."""

import pytest

from tests.consolidate.derive.desk import Desk


@pytest.fixture
def desk() -> Desk:
    return Desk()
