"""Codex CLI: where its sessions lie and what names a record.

The source is open (openai/codex, `codex-rs/rollout` and `protocol`); written from it and from files of 0.13x to 0.149.
One `{timestamp, ordinal?, type, payload}` a line in `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-*.jsonl` (archived:
`archived_sessions/`; idle files become `.jsonl.zst`). A fork or a subagent copies its parent's records into a file of
its own with new `timestamp` and `ordinal`; `turn_id` and `call_id` stay. So the turn in force names a record, and a
copy is the same event without anybody finding where the copy ends. A paginated rollout copies nothing: `history_base`
names the rollout before it and the `ordinal` up to which it holds. A thread that was reverted goes on like that in
`rollout-*-<thread>_<rollout>.jsonl`. Rollouts of 2025 hold bare items without `payload`
(the shape of their first line is a guess).
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from rhizome.log.identity import identifier, identify
from rhizome.log.importers import codex_meaning as meaning
from rhizome.log.importers.codex_transcript import CodexTranscript
from rhizome.log.importers.port import Base, Heading, Importer, Named
from rhizome.log.importers.records import Value, canonical, member, strings

NAME = "codex"
_TYPES = {
    "session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state",
    "inter_agent_communication", "inter_agent_communication_metadata", "security_risk_score", "realtime_item",
    "token_usage_record",
}


def roots(environment: Mapping[str, str], user_home: Path) -> list[Path]:
    home = environment.get("CODEX_HOME")
    root = Path(home) if home else user_home / ".codex"
    return [root / "sessions", root / "archived_sessions"]


def root_of(path: Path) -> Path | None:
    return next((f.parent for f in path.parents if f.name in {"sessions", "archived_sessions"}), None)


def sniffs(value: Value) -> bool:
    if value.get("type") in _TYPES and isinstance(value.get("payload"), dict):
        return True
    return meaning.is_bare_meta(value)


def heading(stem: str, head: Iterable[Value]) -> Heading:
    """A file belongs to its first session_meta; the ones after it were copied with a parent's history."""
    first: Value | None = None
    cwd = None
    for value in head:
        payload = member(value, "payload")
        if first is None and (value.get("type") == "session_meta" or meaning.is_bare_meta(value)):
            first = payload or value
        cwd = cwd or strings(payload, "cwd")
        if first is not None and cwd:
            break
    thread = strings(first or {}, "id")
    if first is None or thread is None:
        return Heading(stem, stem, inside=False, cwd=cwd)
    above = strings(first, "session_id") or _parent_thread(first)
    side = thread if above not in {None, thread} else ""
    rollout = stem.rpartition(f"{thread}_")[2] if f"{thread}_" in stem else thread
    before = meaning.base(first)
    inherited = before[0] if before and before[0] != thread and rollout == thread else None
    fork = strings(first, "forked_from_id") or inherited
    return Heading(rollout, above or thread, thread=side, cwd=cwd, parent=None if side else fork)


def base(value: Value) -> Base | None:
    """What a rollout goes on from, as its first record says."""
    found = meaning.base(member(value, "payload")) if value.get("type") == "session_meta" else None
    return Base(found[0], lambda record: meaning.ordinal(record) < found[1]) if found else None


class Items:
    """An item is named by the turn in force (before the first: the last session_meta), its types, and its call or
    content. `state` is that turn."""

    def __init__(self, key: bytes, container: str, state: str | None) -> None:
        self._key = key
        self._container = container
        self._rev = identifier(key, b"record")
        self.state = state

    def name(self, value: Value | None, raw: bytes) -> Named:
        if value is None:
            rev = identify(self._key, b"line", raw)
            return self._named(("line", "", rev), "content", rev, None)
        payload = value.get("payload")
        item = payload if isinstance(payload, dict) else value
        kind = str(value.get("type")) if item is not value else "response_item"
        self.state = meaning.in_force(kind, item) or self.state
        content = {"type": kind, "payload": item}
        rev = self._rev(canonical(content))
        what, at, call = str(item.get("type")), strings(value, "timestamp"), strings(item, "call_id")
        if call:
            return self._named((kind, what, call), "call", rev, at)
        return self._named((kind, what, rev), "content", rev, at)

    def _named(self, what: tuple[str, str, str], by: Literal["call", "content"], rev: str, at: str | None) -> Named:
        turn = self.state or f"thread:{self._container}"
        return Named(tuple(part.encode() for part in (NAME, turn, *what)), by, rev, at)


def _parent_thread(meta: Value) -> str | None:
    spawn = member(member(member(meta, "source"), "subagent"), "thread_spawn")
    return strings(meta, "parent_thread_id") or strings(spawn, "parent_thread_id")


IMPORTER = Importer(name=NAME, parser=2, roots=roots, root_of=root_of, sniffs=sniffs, heading=heading,
                    naming=Items, base=base, pieces=meaning.pieces, transcript=CodexTranscript)
