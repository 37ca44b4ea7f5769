"""Codex CLI: what a session comes to, record by record.

A text is written twice, as a `response_item` and as an `event_msg`: the first is the message, the second its mirror
(and the message where it stands alone), told by the words or by the id of what they show. An `event_msg/user_message`
or a completed `UserMessage` with the same words is the sign of a person. A thread that was reverted goes on in a new
file, from before the turns it gave up.
"""

from collections.abc import Iterator
from typing import Any

from rhizome.log.importers import codex_meaning as meaning
from rhizome.log.importers.port import Entry, Piece
from rhizome.log.importers.records import Value, strings
from rhizome.log.importers.texts import remembers
from rhizome.model import Message, Origin, Part


class CodexTranscript:
    """Follows one session: turns, calls and their results, mirrors, and the turns that were taken back."""

    def __init__(self) -> None:
        self.ended = False
        self._native: str | None = None
        self._turn: str | None = None
        self._items: set[int] = set()
        self._typed: set[int] = set()
        self._prompted: list[str] = []
        self._aborted: set[str] = set()
        self._rolled_back: set[str] = set()
        self._native_of: dict[str, str | None] = {}
        self._turns: list[tuple[str, str | None]] = []
        self._first_at: dict[str, str | None] = {}
        self._calls: dict[str, tuple[str | None, str | None, bool]] = {}
        self._ordinals: dict[str, int] = {}
        self._shown: set[str] = set()
        self._paired: set[tuple[Part, str]] = set()
        self._unit: str | None = None
        self._reading = False

    def survey(self, entry: Entry) -> None:
        if entry.value is None:
            return
        kind, item = meaning.unwrapped(entry.value)
        self._native = meaning.in_force(kind, item) or self._native
        if entry.thread:
            self._first_at.setdefault(entry.thread, entry.at)
        what = item.get("type")
        if kind == "event_msg" and what == "turn_aborted":
            turn = strings(item, "turn_id")
            self._aborted.add(f"turn:{turn}" if turn else self._native or "")
        elif kind == "event_msg" and what == "thread_rolled_back":
            self._roll_back(item.get("num_turns"))
        elif kind == "session_meta" and (base := meaning.base(item)):
            self._revert(base[1])
        elif kind == "response_item" and (name := meaning.shown(kind, item)):
            self._shown.add(name)
        for piece in meaning.pieces(entry.value) or ():
            self._survey(entry, kind, piece)

    def _survey(self, entry: Entry, kind: str, piece: Piece) -> None:
        if kind == "response_item" and piece.call:
            self._paired.add((piece.part, piece.call))
        if piece.part not in {Part.SAID, Part.THOUGHT}:
            return
        known = self._items if kind == "response_item" else self._typed
        known.add(self._sign(piece))
        if piece.origin == Origin.HUMAN and not entry.thread:
            if self._native and self._native not in self._prompted[-1:]:
                self._prompted.append(self._native)
                self._ordinals.setdefault(self._native, meaning.ordinal(entry.value or {}))
            if kind == "response_item" or self._sign(piece) not in self._items:
                self._turns.append((entry.event, entry.at))

    def _roll_back(self, turns: Any) -> None:
        if isinstance(turns, int) and turns > 0:
            self._rolled_back.update(self._prompted[-turns:])
            del self._prompted[-turns:]

    def _revert(self, end: int) -> None:
        """Take back what was asked at `end` or after it, in the file that this one goes on from."""
        gone = [native for native in self._prompted if self._ordinals[native] >= end]
        self._rolled_back.update(gone)
        self._prompted = [native for native in self._prompted if native not in gone]

    def _sign(self, piece: Piece) -> int:
        return hash((self._native, piece.part, piece.origin, piece.text.strip()))

    def turn_of(self, thread: str) -> str | None:
        at = self._first_at.get(thread) or ""
        before = [event for event, begun in self._turns if begun and begun <= at]
        return before[-1] if before else (self._turns[-1][0] if self._turns else None)

    def read(self, entry: Entry) -> Iterator[Message]:
        if not self._reading:
            self._reading, self._native = True, None
        if entry.value is None:
            yield self._message(entry, Piece(Part.UNKNOWN, Origin.HARNESS, entry.text))
            return
        kind, item = meaning.unwrapped(entry.value)
        self._native = meaning.in_force(kind, item) or self._native
        said = meaning.pieces(entry.value)
        for piece in [Piece(Part.UNKNOWN, Origin.HARNESS, entry.text)] if said is None else said:
            yield self._message(entry, self._placed(kind, item, piece, entry.thread))

    def _placed(self, kind: str, item: Value, piece: Piece, thread: str) -> Piece:
        """The piece as it counts in this session: a mirror, or no person's words after all."""
        if kind == "event_msg":
            paired = (piece.part, piece.call or "") in self._paired
            twin = paired or self._sign(piece) in self._items or meaning.shown(kind, item) in self._shown
            return piece._replace(flags=piece.flags | {"mirror"}) if twin else piece
        human = piece.origin == Origin.HUMAN and piece.part is Part.SAID
        if human and not thread and self._typed and piece.text and self._sign(piece) not in self._typed:
            return piece._replace(origin=Origin.HARNESS, flags=piece.flags | {"meta"})
        return piece

    def _message(self, entry: Entry, piece: Piece) -> Message:
        origin, tool, flags, turn = piece.origin, piece.tool, piece.flags, self._turn
        if entry.thread:
            origin = Origin.MODEL if origin == Origin.HUMAN else origin
            flags, turn = flags | {"sidechain"}, self.turn_of(entry.thread)
        elif origin == Origin.HUMAN and "mirror" not in flags:
            self._turn = turn = entry.event
            self._native_of[turn] = self._native
        unit = self._batch(entry, piece)
        if piece.part is Part.CALLED and piece.call and "mirror" not in flags:
            self._calls[piece.call] = (tool, unit, remembers(tool, piece.arguments))
        elif piece.part is Part.RETURNED:
            tool, unit, ours = self._calls.get(piece.call or "", (tool, unit, remembers(tool, {})))
            origin = Origin.MEMORY if ours else origin
        return Message(entry.event, piece.part, origin, piece.text, entry.at, turn, unit, entry.thread, tool,
                       piece.call, piece.arguments, piece.failed, flags | self._taken_back(turn))

    def _taken_back(self, turn: str | None) -> frozenset[str]:
        """Flags of a whole turn, by the harness's turn its prompt stands in."""
        native = self._native_of.get(turn or "")
        marks = (("aborted", self._aborted), ("rolled_back", self._rolled_back))
        return frozenset(flag for flag, turns in marks if native in turns)

    def _batch(self, entry: Entry, piece: Piece) -> str | None:
        """A response has no id here: it begins with what the model gives first after something else was said."""
        if piece.origin == Origin.MODEL and piece.part is not Part.NOTED:
            self._unit = self._unit or entry.event
            return self._unit
        if piece.part in {Part.RETURNED, Part.SAID}:
            self._unit = None
        return None
