"""What one process at a time may do in a home."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from rhizome.errors import Locked
from rhizome.memory.home import Home
from rhizome.store.locks import exclusive


@contextmanager
def run_alone(home: Home) -> Iterator[None]:
    """One consolidation or rebuild at a time; a second one is told that the first is running."""
    with ExitStack() as stack:
        try:
            stack.enter_context(exclusive(home.log / home.id / "run.lock", 0.0))
        except Locked as locked:
            raise Locked(f"{home.root}: a consolidation is already running", "Wait for it to end.") from locked
        yield


@contextmanager
def notes_alone(home: Home, seconds: float) -> Iterator[None]:
    """Notes are taken in or committed by one process at a time. Raises Locked after so many `seconds`."""
    with exclusive(home.log / home.id / "notes.lock", seconds):
        yield


@contextmanager
def index_alone(home: Home, seconds: float) -> Iterator[None]:
    """The search index is changed by one process at a time. Raises Locked after so many `seconds`."""
    with exclusive(home.index_lock, seconds):
        yield
