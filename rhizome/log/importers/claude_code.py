"""Claude Code: where its sessions lie and what names a record.

There is no public source; the schema is what was observed (2.0 to 2.1, seen up to 2.1.240). One JSON object a line in
`projects/<folder of the cwd>/<session id>.jsonl`, subagents in `<session id>/subagents/**/agent-<id>.jsonl` (older
versions: beside the session), full outputs in `<session id>/tool-results/<tool use id>.txt`. `CLAUDE_CONFIG_DIR` moves
all of it. A forked or handed-over session is a new file that replays the old rows with their uuids and another
`sessionId`; rows without a uuid are not replayed. Guesses are marked where they stand.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from rhizome.log.identity import identifier, identify
from rhizome.log.importers import claude_code_meaning as meaning
from rhizome.log.importers.claude_code_transcript import ClaudeTranscript
from rhizome.log.importers.port import Heading, Importer, Named, Period, Side
from rhizome.log.importers.records import Value, canonical, member, plain, strings, without
from rhizome.model import Part

NAME = "claude-code"
VOLATILE = frozenset({"sessionId", "sessionKind"})
"""Members that a copy of a row rewrites."""

KEPT_DAYS = 30

_WITHOUT_UUID = {"mode", "permission-mode", "queue-operation", "attachment", "ai-title", "custom-title", "progress"}
_ALONE = {"summary": "leafUuid", "file-history-snapshot": "messageId"}
"""Rows without any id of their own, and the member that tells them."""


def roots(environment: Mapping[str, str], user_home: Path) -> list[Path]:
    home = environment.get("CLAUDE_CONFIG_DIR")
    return [(Path(home) if home else user_home / ".claude") / "projects"]


def root_of(path: Path) -> Path | None:
    return next((folder.parent for folder in path.parents if folder.name == "projects"), None)


def side(path: Path) -> Side | None:
    """Full outputs by the id of their call, descriptions by their agent; a workflow's journal is nobody's."""
    beside = next((folder.parent for folder in path.parents if folder.name in {"tool-results", "subagents"}), None)
    if beside is None or not ("projects" in beside.parts or beside.with_name(f"{beside.name}.jsonl").exists()):
        return None
    name = path.relative_to(beside).as_posix()
    if path.parent.name == "tool-results":
        return Side(beside.name, name, path.stem) if path.suffix == ".txt" else None
    if path.name.endswith(".meta.json"):
        return Side(beside.name, name, path.name.removesuffix(".meta.json"))
    return Side(beside.name, name, None) if path.name == "journal.jsonl" else None


def owns(line: str, mark: str) -> bool:
    if mark.removeprefix("agent-") not in line or (value := plain(line)) is None:
        return False
    if mark.startswith("agent-"):
        return value.get("agentId") == mark.removeprefix("agent-") and value.get("isSidechain") is True
    return any(piece.call == mark for piece in meaning.pieces(value) or () if piece.part is Part.RETURNED)


def keeps(home: Path) -> Period:
    """`cleanupPeriodDays` of the person's settings, 30 where nothing is set. By the file's time is a guess."""
    path = home / "settings.json"
    try:
        days = (plain(path.read_text("utf-8", "replace")) or {}).get("cleanupPeriodDays")
    except OSError:
        days = None
    days = KEPT_DAYS if isinstance(days, bool) or not isinstance(days, int) else days
    return Period(days, f"`cleanupPeriodDays` in {path}")


def sniffs(value: Value) -> bool:
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    if _ALONE.get(kind, "") in value:
        return True
    told = isinstance(value.get("uuid"), str) or kind in _WITHOUT_UUID
    return told and isinstance(value.get("sessionId"), str) and "parts" not in member(value, "message")


def heading(stem: str, head: Iterable[Value]) -> Heading:
    """A file belongs to the session its rows name, and to a subagent of it where its first such row is one's."""
    session = cwd = agent = None
    for value in head:
        session = session or strings(value, "sessionId")
        cwd = cwd or strings(value, "cwd")
        if agent is None and session:
            agent = (strings(value, "agentId") if value.get("isSidechain") is True else None) or ""
        if session and cwd:
            break
    native = session or stem
    container = f"{native}/{agent}" if agent else native
    return Heading(container, native, inside=session is not None, thread=agent or "", cwd=cwd)


def title(value: Value) -> str | None:
    return strings(value, "customTitle", "aiTitle", "summary") if value.get("type") in meaning.TITLES else None


class Rows:
    """A row's uuid names it wherever it stands; a row without one is named by its container and content."""

    state: str | None = None

    def __init__(self, key: bytes, container: str) -> None:
        self._key = key
        self._container = container.encode()
        self._rev = identifier(key, b"record")

    def name(self, value: Value | None, raw: bytes) -> Named:
        if value is None:
            rev = identify(self._key, b"line", raw)
            return Named((b"claude-code", self._container, rev.encode()), by="content", rev=rev, at=None)
        rev = self._rev(canonical(without(value, VOLATILE)))
        at = strings(value, "timestamp")
        uuid = value.get("uuid")
        if isinstance(uuid, str) and uuid:
            return Named((b"claude-code", b"uuid", uuid.encode()), "id", rev, at)
        return Named((b"claude-code", self._container, rev.encode()), "content", rev, at)


IMPORTER = Importer(
    name=NAME, parser=1, roots=roots, root_of=root_of, sniffs=sniffs, heading=heading, pieces=meaning.pieces,
    naming=lambda key, container, _: Rows(key, container), transcript=ClaudeTranscript, title=title, side=side,
    owns=owns, keeps=keeps)
