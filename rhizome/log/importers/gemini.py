"""Gemini CLI: where its sessions lie and what names a record.

The source is open (google-gemini/gemini-cli, `chatRecordingService.ts`). Since 0.39 an append log,
`tmp/<project>/chats/session-*.jsonl`: metadata, messages (the same id again when it grew), `{"$set": ...}` and
`{"$rewindTo": id}`; before that one JSON object, `session-*.json`. A resumed session has both, under one session id. A
subagent's file lies in a folder named by its parent session. `$set.messages` replaces the list: its messages are
records too, and where their tool output was masked, that part is left to the line itself, so that the fuller one is
read. The folder of a session is found in `projects.json`; that `.project_root` holds it too is a guess.
`GEMINI_CLI_HOME` stands for the person's home. `general.sessionRetention` in `settings.json` says how long sessions are
kept; that a file's time tells how old one is, is a guess.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rhizome.log.importers import gemini_meaning as meaning
from rhizome.log.importers.native import NativeNaming
from rhizome.log.importers.port import Chapter, Heading, Importer, Naming, Period
from rhizome.log.importers.records import (
    Record,
    Value,
    elements,
    exact,
    instant,
    member,
    members,
    parted,
    plain,
    put_together,
    strings,
    without,
)
from rhizome.log.importers.telling import ToldTranscript

NAME = "gemini-cli"
_MASKED = re.compile(rb"tool[ _]output[ _]masked", re.IGNORECASE)
_OUTPUT = {"result", "resultDisplay"}
_VOLATILE = frozenset({"lastUpdated"})
_KEPT_DAYS = 30
_AGE = re.compile(r"(\d{1,4})([hdwm])")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24, "m": 30 * 24}


def roots(environment: Mapping[str, str], user_home: Path) -> list[Path]:
    home = environment.get("GEMINI_CLI_HOME")
    return [(Path(home) if home else user_home) / ".gemini" / "tmp"]


def root_of(path: Path) -> Path | None:
    return next((f.parents[2] for f in path.parents if f.name == "chats" and f.parents[1].name == "tmp"), None)


def keeps(home: Path) -> Period | None:
    """`maxAge` of the person's settings, 30 days where nothing is set; None where the person switched it off."""
    path, told_of = home / "settings.json", None
    with suppress(OSError):
        told_of = plain(path.read_text("utf-8", "replace"))
    kept = member(member(told_of or {}, "general"), "sessionRetention")
    age = _AGE.fullmatch(strings(kept, "maxAge") or "")
    days = max(1, int(age.group(1)) * _HOURS[age.group(2)] // 24) if age else _KEPT_DAYS
    return None if kept.get("enabled") is False else Period(days, f"`general.sessionRetention.maxAge` in {path}")


def sniffs(value: Value) -> bool:
    if "$rewindTo" in value or isinstance(value.get("$set"), dict) or _is_head(value):
        return True
    return value.get("type") in meaning.TYPES and {"id", "timestamp", "content"} <= value.keys()


def claims(path: Path, start: bytes) -> bool:
    return path.suffix == ".json" and b'"sessionId"' in start and b'"projectHash"' in start


def heading(stem: str, head: Iterable[Value]) -> Heading:
    first = next((value for value in head if _is_head(value)), None)
    if first is None:
        return Heading(stem, stem, inside=False)
    session = strings(first, "sessionId") or stem
    return Heading(session, session, thread=session if first.get("kind") == "subagent" else "")


def placed(path: Path, heading: Heading) -> Heading:
    """A subagent's file names its parent by its folder; the project is known by the folder around all of them."""
    chats = next((folder for folder in path.parents if folder.name == "chats"), None)
    if chats is None:
        return replace(heading, thread="")
    session = heading.session if path.parent == chats else path.parent.name
    thread = heading.container if session != heading.session else ""
    return replace(heading, session=session, thread=thread, cwd=_folder(chats.parent))


def chapters(path: Path) -> Iterator[Chapter]:
    """The metadata of a file of old as one record, then its messages."""
    about, messages = parted(path.read_bytes(), "messages")
    yield Chapter(placed(path, heading(path.stem, [about.value or {}])), [about, *messages].copy)


def within(record: Record) -> Sequence[Record]:
    """The messages of a `$set`, without tool output that was masked."""
    if "messages" not in member(record.value or {}, "$set"):
        return ()
    listed = members(members(record.raw).get("$set", b"{}")).get("messages", b"[]")
    raws = [_unmasked(raw) for raw in elements(listed)] if listed.startswith(b"[") else []
    return [Record(record.offset, raw, exact(raw)) for raw in raws]


def told(container: str, value: Value) -> tuple[tuple[str, ...] | None, str | None]:
    if _is_head(value):
        return (container, "session"), instant(value.get("startTime"))
    own = strings(value, "id")
    return ((container, "message", own) if own else None), instant(value.get("timestamp"))


def naming(key: bytes, container: str, _state: str | None) -> Naming:
    return NativeNaming(key, NAME, container, lambda value: told(container, value),
                        content=lambda value: without(value, _VOLATILE))


def _is_head(value: Value) -> bool:
    return isinstance(value.get("sessionId"), str) and "projectHash" in value


def _unmasked(message: bytes) -> bytes:
    """The message without the results of calls whose output was masked."""
    parts = members(message) if _MASKED.search(message) else {}
    if not parts.get("toolCalls", b"").startswith(b"["):
        return message
    calls = [members(call) for call in elements(parts["toolCalls"]) if call.startswith(b"{")]
    kept = [{name: each for name, each in call.items() if name not in _OUTPUT or not _MASKED.search(each)}
            for call in calls]
    return put_together(parts | {"toolCalls": b"[" + b",".join(map(put_together, kept)) + b"]"})


def _folder(project: Path) -> str | None:
    """The folder that a project's sessions were held in."""
    with suppress(OSError):
        return (project / ".project_root").read_text(encoding="utf-8").strip() or None
    with suppress(OSError, ValueError):
        known = json.loads((project.parents[1] / "projects.json").read_text(encoding="utf-8"))
        for folder, slug in member(known, "projects").items() if isinstance(known, dict) else ():
            if project.name in {slug, hashlib.sha256(folder.encode()).hexdigest()}:
                return str(folder)
    return None


IMPORTER = Importer(
    name=NAME, parser=1, roots=roots, root_of=root_of, sniffs=sniffs, heading=heading, naming=naming,
    pieces=meaning.pieces, transcript=lambda: ToldTranscript(meaning.pieces, meaning.Rewinding()), title=meaning.title,
    placed=placed, within=within, claims=claims, chapters=chapters, keeps=keeps)
