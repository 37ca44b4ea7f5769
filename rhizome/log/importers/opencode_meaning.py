"""OpenCode: what a record says.

A message has a role and no words; its parts have the words and no role, so who says a text is known in its session
only. A call and its result are one part. A command that failed is `completed` with an exit code. Text that is
`synthetic` was put there by the harness, and a message with `summary` is a compaction's.
"""

from collections.abc import Sequence

from rhizome.log.importers.port import Entry, Piece
from rhizome.log.importers.records import Value, member, strings
from rhizome.log.importers.telling import ToldTranscript
from rhizome.log.importers.texts import called
from rhizome.model import Origin, Part

_QUIET = {"file", "patch", "snapshot", "step-start", "step-finish", "agent", "subtask", "compaction", "retry"}
_META = frozenset({"meta"})


def pieces(value: Value, role: str = "assistant", *, summary: bool = False) -> Sequence[Piece] | None:
    """What a record says; of a part, in a message of this role."""
    if "messageID" not in value:
        known = "directory" in value or "role" in value
        return [Piece(Part.NOTED, Origin.HARNESS, title(value) or "")] if known else None
    kind, text = value.get("type"), strings(value, "text") or ""
    if kind == "text":
        return [_text(value, text, role, summary=summary)]
    if kind == "reasoning":
        return [Piece(Part.THOUGHT, Origin.MODEL, text)]
    if kind == "tool":
        return _tool(value)
    said = strings(value, "filename", "prompt") or ""
    return [Piece(Part.NOTED, Origin.HARNESS, said)] if kind in _QUIET else None


def title(value: Value) -> str | None:
    return strings(value, "title") if "directory" in value and "messageID" not in value else None


def _text(value: Value, text: str, role: str, *, summary: bool) -> Piece:
    if summary:
        return Piece(Part.COMPACTED, Origin.HARNESS, text, flags=frozenset({"summary"}))
    if value.get("synthetic") is True:
        return Piece(Part.SAID, Origin.HARNESS, text, flags=_META)
    return Piece(Part.SAID, Origin.HUMAN if role == "user" else Origin.MODEL, text)


def _tool(value: Value) -> list[Piece]:
    state, tool, call = member(value, "state"), strings(value, "tool") or "", strings(value, "callID")
    arguments = member(state, "input")
    found = [Piece(Part.CALLED, Origin.MODEL, called(tool, arguments), tool, call, arguments)]
    status = state.get("status")
    if status in {"completed", "error"}:
        failed = status == "error" or member(state, "metadata").get("exit", 0) not in {0, None}
        found.append(Piece(Part.RETURNED, Origin.TOOL, strings(state, "output", "error") or "", tool, call,
                           failed=failed))
    return found


class Roles:
    """Learns of each message who speaks in it, and says of its parts what that makes of them."""

    def __init__(self) -> None:
        self._roles: dict[str, tuple[str, bool]] = {}

    def take(self, entry: Entry) -> None:
        value = entry.value or {}
        if "role" in value and "messageID" not in value:
            self._roles[str(value.get("id"))] = str(value["role"]), value.get("summary") is True

    def flags(self, event: str) -> frozenset[str]:  # noqa: ARG002
        return frozenset()

    def pieces(self, value: Value) -> Sequence[Piece] | None:
        role, summary = self._roles.get(str(value.get("messageID")), ("assistant", False))
        return pieces(value, role, summary=summary)


def transcript() -> ToldTranscript:
    roles = Roles()
    return ToldTranscript(roles.pieces, roles)
