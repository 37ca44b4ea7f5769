"""An archive to import into: a log, an index and a door that belong together."""

import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rhizome.log.door import Door
from rhizome.log.importing import Counts, ImportReport, import_paths
from rhizome.log.port import EventLog
from rhizome.log.sessions import messages, sessions, turns
from rhizome.model import Event, Message, Part, Turn

KEY = b"k" * 32
LATER = datetime(2027, 1, 1, tzinfo=UTC)


class Archive:
    """What a test imports into, and the questions it asks."""

    def __init__(self, log: EventLog, index: Path) -> None:
        self.log, self.index = log, index

    def take(self, *paths: Path) -> ImportReport:
        return import_paths(self.log, paths, index=self.index, key=KEY, door=Door(KEY))

    def counts(self, *paths: Path) -> Counts:
        return self.take(*paths).total

    def forget_cursors(self) -> None:
        """Delete what the index holds of sources; the log stays."""
        for file in self.index.glob("sources.db*"):
            file.unlink()

    def kinds(self, *kinds: str) -> list[Event]:
        return list(self.log.read(kinds=kinds))

    @property
    def records(self) -> list[Event]:
        return self.kinds("session.record")

    def messages(self, session: str | None = None) -> list[Message]:
        names = [session] if session else [info.id for info in sessions(self.log)]
        return [message for name in names for message in messages(self.log, name)]

    def said(self, origin: str, session: str | None = None) -> list[str]:
        """What an origin said that counts: no mirrors, nothing taken back."""
        gone = {"mirror", "aborted", "rolled_back", "abandoned"}
        said = (m for m in self.messages(session) if m.origin == origin and m.part is Part.SAID)
        return [message.text for message in said if not message.flags & gone]

    def turns(self, session: str | None = None, now: datetime = LATER) -> list[Turn]:
        names = [session] if session else [info.id for info in sessions(self.log)]
        return [turn for name in names for turn in turns(self.log, name, now)]


@pytest.fixture
def archive(log: EventLog, tmp_path: Path) -> Archive:
    return Archive(log, tmp_path / "index")


@pytest.fixture(scope="session")
def samples() -> Path:
    return Path(__file__).parents[3] / "examples" / "sessions"


@pytest.fixture
def codex_pair(samples: Path) -> Sequence[Path]:
    """The rollout and its fork."""
    return sorted((samples / "codex").rglob("*.jsonl"))


@pytest.fixture
def copied(samples: Path, tmp_path: Path) -> Path:
    """The sample tree where it may be changed."""
    return Path(shutil.copytree(samples, tmp_path / "sessions"))
