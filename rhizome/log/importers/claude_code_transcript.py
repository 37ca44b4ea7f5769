"""Claude Code: what a session comes to, record by record."""

from collections.abc import Iterator

from rhizome.log.importers import claude_code_meaning as meaning
from rhizome.log.importers.port import Entry, Piece
from rhizome.log.importers.records import member, strings
from rhizome.log.importers.texts import remembers
from rhizome.model import Message, Origin, Part


class ClaudeTranscript:
    """Follows one session: turns, calls and their results, and the turns that were taken back.

    A prompt with the same parent as an earlier one took its place: that one and what followed it is `abandoned` (a
    guess from the tree; prompts without a parent are left alone, as they also follow a compaction).
    """

    def __init__(self) -> None:
        self.ended = False
        self._turn: str | None = None
        self._delivered: set[int] = set()
        self._turn_of_call: dict[str, str | None] = {}
        self._turn_of_agent: dict[str, str | None] = {}
        self._prompts: list[tuple[str, str | None]] = []
        self._place: dict[str, int] = {}
        self._taken_back: dict[str, str] = {}
        self._first_at: dict[str, str | None] = {}
        self._calls: dict[str, tuple[str | None, str | None, bool]] = {}
        self._reading = False

    def survey(self, entry: Entry) -> None:
        if entry.value is None:
            return
        if entry.thread or entry.value.get("isSidechain") is True:
            self._first_at.setdefault(entry.thread, entry.at)
            return
        said = meaning.pieces(entry.value) or ()
        queued = entry.value.get("type") == "queue-operation"
        for piece in said:
            self._survey(entry, piece, queued)
        if agent := strings(member(entry.value, "toolUseResult"), "agentId"):
            self._turn_of_agent[agent] = next((self._turn_of_call.get(p.call) for p in said if p.call), self._turn)
        elif agent := strings(member(entry.value, "data"), "agentId"):
            self._turn_of_agent.setdefault(agent, self._turn)

    def _survey(self, entry: Entry, piece: Piece, queued: bool) -> None:
        if piece.part is Part.CALLED and piece.call:
            self._turn_of_call[piece.call] = self._turn
        elif piece.origin == Origin.HUMAN and not queued:
            self._delivered.add(hash(piece.text))
            self._opened(entry)
        elif piece.text.startswith(meaning.INTERRUPTED) and piece.part is Part.SAID and self._turn:
            self._taken_back.setdefault(self._turn, "aborted")
        elif piece.text in {"/exit", "/quit"} and piece.part is Part.SAID:
            self.ended = True

    def _opened(self, entry: Entry) -> None:
        if self._turn == entry.event:
            return
        self._turn, self.ended = entry.event, False
        parent = strings(entry.value or {}, "parentUuid")
        if parent is not None:
            place = self._place.setdefault(parent, len(self._prompts))
            for event, _ in self._prompts[place:]:
                self._taken_back[event] = "abandoned"
            del self._prompts[place:]
        self._prompts.append((entry.event, entry.at))

    def turn_of(self, thread: str) -> str | None:
        if thread in self._turn_of_agent:
            return self._turn_of_agent[thread]
        at = self._first_at.get(thread) or ""
        before = [event for event, begun in self._prompts if begun and begun <= at]
        return before[-1] if before else (self._prompts[-1][0] if self._prompts else None)

    def read(self, entry: Entry) -> Iterator[Message]:
        if not self._reading:
            self._reading, self._turn = True, None
        if entry.value is None:
            yield self._message(entry, Piece(Part.UNKNOWN, Origin.HARNESS, entry.text), None)
            return
        unit = strings(member(entry.value, "message"), "id")
        alone = entry.value.get("type") != "queue-operation"
        said = meaning.pieces(entry.value)
        for piece in [Piece(Part.UNKNOWN, Origin.HARNESS, entry.text)] if said is None else said:
            if piece.origin == Origin.HUMAN and not alone and hash(piece.text) in self._delivered:
                yield self._message(entry, piece._replace(flags=piece.flags | {"mirror"}), unit)
                continue
            if piece.origin == Origin.HUMAN and not entry.thread:
                self._turn = entry.event
            yield self._message(entry, piece, unit)

    def _message(self, entry: Entry, piece: Piece, unit: str | None) -> Message:
        tool, origin = piece.tool, piece.origin
        if piece.part is Part.CALLED and piece.call:
            self._calls[piece.call] = (tool, unit, remembers(tool, piece.arguments))
        elif piece.part is Part.RETURNED:
            tool, unit, ours = self._calls.pop(piece.call or "", (tool, unit, False))
            origin = Origin.MEMORY if ours else origin
        turn = self.turn_of(entry.thread) if entry.thread else self._turn
        back = self._taken_back.get(turn or "")
        flags = piece.flags | {back} if back else piece.flags
        if entry.thread and "sidechain" not in flags:
            flags |= {"sidechain"}
        return Message(entry.event, piece.part, origin, piece.text, entry.at, turn, unit, entry.thread, tool,
                       piece.call, piece.arguments, piece.failed, flags)
