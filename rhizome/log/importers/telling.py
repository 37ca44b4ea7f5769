"""What a session comes to whose records say by themselves who speaks: turns in file order, calls with their results."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from rhizome.log.importers.port import Entry, Piece
from rhizome.log.importers.records import Value
from rhizome.log.importers.texts import remembers
from rhizome.model import Message, Origin, Part


class Course(Protocol):
    """Which way a session went: learns from every entry first, then says of each event what became of it."""

    def take(self, entry: Entry) -> None: ...

    def flags(self, event: str) -> frozenset[str]: ...


class Straight:
    """A session in which nothing was taken back."""

    def take(self, entry: Entry) -> None:
        """There is nothing to learn."""

    def flags(self, event: str) -> frozenset[str]:  # noqa: ARG002
        return frozenset()


class ToldTranscript:
    """Follows one session: a person's message opens a turn, results carry the tool of their call."""

    ended = False

    def __init__(self, pieces: Callable[[Value], Sequence[Piece] | None], course: Course | None = None) -> None:
        self._pieces = pieces
        self._course: Course = course or Straight()
        self._turn: str | None = None
        self._prompts: list[tuple[str, str | None]] = []
        self._first_at: dict[str, str | None] = {}
        self._calls: dict[tuple[str, str], tuple[str | None, str | None, bool]] = {}
        self._unit: str | None = None

    def survey(self, entry: Entry) -> None:
        if entry.value is None:
            return
        self._course.take(entry)
        if entry.thread:
            if entry.at or entry.thread not in self._first_at:
                self._first_at.setdefault(entry.thread, entry.at)
        elif any(_opens(piece) for piece in self._pieces(entry.value) or ()):
            self._prompts.append((entry.event, entry.at))

    def turn_of(self, thread: str) -> str | None:
        at = self._first_at.get(thread) or ""
        before = [event for event, begun in self._prompts if begun and begun <= at]
        return before[-1] if before else (self._prompts[-1][0] if self._prompts else None)

    def read(self, entry: Entry) -> Iterator[Message]:
        said = None if entry.value is None else self._pieces(entry.value)
        flags = self._course.flags(entry.event)
        for piece in [Piece(Part.UNKNOWN, Origin.HARNESS, entry.text)] if said is None else said:
            yield self._message(entry, piece, piece.flags | flags)

    def _message(self, entry: Entry, piece: Piece, flags: frozenset[str]) -> Message:
        origin, tool, turn = piece.origin, piece.tool, self._turn
        if entry.thread:
            origin = Origin.MODEL if origin == Origin.HUMAN else origin
            flags, turn = flags | {"sidechain"}, self.turn_of(entry.thread)
        elif _opens(piece) and "mirror" not in flags:
            self._turn = turn = entry.event
        unit = self._batch(entry, piece)
        name = (entry.thread, piece.call or "")
        if piece.part is Part.CALLED and piece.call:
            self._calls[name] = (tool, unit, remembers(tool, piece.arguments))
        elif piece.part is Part.RETURNED:
            tool, unit, ours = self._calls.get(name, (tool, unit, remembers(tool, piece.arguments)))
            origin = Origin.MEMORY if ours else origin
        return Message(entry.event, piece.part, origin, piece.text, entry.at, turn, unit, entry.thread, tool,
                       piece.call, piece.arguments, piece.failed, flags)

    def _batch(self, entry: Entry, piece: Piece) -> str | None:
        """A response begins with what the model gives first after something else was said."""
        if piece.origin == Origin.MODEL and piece.part is not Part.NOTED:
            self._unit = self._unit or entry.event
            return self._unit
        if piece.part in {Part.RETURNED, Part.SAID}:
            self._unit = None
        return None


def _opens(piece: Piece) -> bool:
    return piece.part is Part.SAID and piece.origin == Origin.HUMAN and bool(piece.text.strip())
