"""Records of a harness this rhizome does not know: they are shown as they are, and nobody is said to have said them."""

from collections.abc import Iterator

from rhizome.log.importers.port import Entry
from rhizome.model import Message, Origin, Part


class OpaqueTranscript:
    """A session without turns."""

    ended = False

    def survey(self, entry: Entry) -> None:
        """There is nothing to learn from a record nobody can read."""

    def read(self, entry: Entry) -> Iterator[Message]:
        yield Message(entry.event, Part.UNKNOWN, Origin.HARNESS, entry.text, entry.at, thread=entry.thread)

    def turn_of(self, thread: str) -> str | None:  # noqa: ARG002
        return None
