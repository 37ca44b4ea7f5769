from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.consolidate.models.endpoint import Endpoint, serving
from tests.consolidate.models.thinking import Thinking


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as here:
        yield here


@pytest.fixture
def home(tmp_path: Path, endpoint: Endpoint) -> Thinking:
    return Thinking(tmp_path).begins().asks(f'backend = "openai"\nurl = "{endpoint.url}"\nmodel = "small"')
