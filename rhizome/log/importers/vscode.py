"""VS Code's chat (Copilot Chat): the sessions of a workspace.

Written from what readers of it found, not from files: `User/workspaceStorage/<hash>/chatSessions/<session>.json`, one
object with `requests[{requestId, message, response, result, timestamp}]`, or `.jsonl`, a log of operations that build
it: `kind` 0 the whole object, 1 sets the path `k`, 2 puts items into the list there (from `i` on), 3 deletes. A
request with its answer is a record, as it is after the last operation; of an operation log, each line is one as well.
Of what an object says of its session, another title is a revision, and nothing else (it says when it was last used).
The folder stands in `workspace.json`. Guesses: `i` of kind 2, and which parts of a response are words.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rhizome.log.importers.editors import user_folders, workspace
from rhizome.log.importers.native import NativeNaming
from rhizome.log.importers.port import Chapter, Heading, Importer, Naming, Piece
from rhizome.log.importers.records import (
    Record,
    Value,
    exact,
    instant,
    member,
    parted,
    plain,
    strings,
)
from rhizome.log.importers.telling import ToldTranscript
from rhizome.log.importers.texts import called, joined
from rhizome.model import Origin, Part

NAME = "vscode-chat"
_OF_A_SESSION = ("sessionId", "customTitle", "creationDate")
_FOLDERS = {"chatSessions", "emptyWindowChatSessions"}


def roots(environment: Mapping[str, str], user_home: Path) -> list[Path]:
    found = []
    for user in user_folders(environment, user_home):
        found += sorted((user / "workspaceStorage").glob("*/chatSessions"))
        found.append(user / "globalStorage" / "emptyWindowChatSessions")
    return found


def root_of(path: Path) -> Path | None:
    return next((folder.parents[1] for folder in path.parents if folder.name in _FOLDERS), None)


def claims(path: Path, start: bytes) -> bool:
    return path.parent.name in _FOLDERS and path.suffix in {".json", ".jsonl"} and start.lstrip().startswith(b"{")


def chapters(path: Path) -> Iterator[Chapter]:
    data = path.read_bytes()
    operations = _operations(data) if path.suffix == ".jsonl" else []
    whole = json.dumps(_replayed(operations), separators=(",", ":")).encode() if operations else data
    about, requests = parted(whole, "requests")
    own = strings(about.value or {}, "sessionId") or path.stem
    first = operations or [about]
    yield Chapter(Heading(own, own, cwd=workspace(path.parents[1])), [*first, *requests].copy)


def _operations(data: bytes) -> list[Record]:
    """The whole lines of a log of operations."""
    found, offset = [], 0
    for line in data.split(b"\n"):
        raw = line.removesuffix(b"\r")
        if (value := exact(raw)) is not None:
            found.append(Record(offset, raw, value))
        offset += len(line) + 1
    return found


def _replayed(operations: Sequence[Record]) -> Any:
    """The object that the operations build; one that leads nowhere changes nothing."""
    state: Any = {}
    for each in operations:
        value = plain(each.raw.decode("utf-8", "replace")) or {}
        kind, way = value.get("kind"), value.get("k")
        if kind == 0:
            state = value.get("v")
        elif isinstance(way, list) and way:
            with suppress(KeyError, IndexError, TypeError):
                _apply(state, kind, way, value)
    return state if isinstance(state, dict) else {}


def _apply(state: Any, kind: object, way: Sequence[Any], value: Value) -> None:
    place = state
    for step in way[:-1]:
        place = place[step]
    if kind == 1:
        place[way[-1]] = value.get("v")
    elif kind == 2:
        items = value.get("v")
        at = value.get("i")
        listed = place[way[-1]]
        listed[len(listed) if at is None else at :] = items if isinstance(items, list) else []
    elif kind == 3:
        del place[way[-1]]


def pieces(value: Value) -> Sequence[Piece] | None:
    if "requestId" not in value:
        known = "kind" in value or "sessionId" in value
        return [Piece(Part.NOTED, Origin.HARNESS, title(value) or "")] if known else None
    message = value.get("message")
    typed = message if isinstance(message, str) else strings(member(value, "message"), "text") or ""
    answer = value.get("response")
    listed = [each for each in answer if isinstance(each, dict)] if isinstance(answer, list) else []
    return [Piece(Part.SAID, Origin.HUMAN, typed), *_answer(listed)]


def _answer(parts: Sequence[Value]) -> Iterator[Piece]:
    """The words of an answer, what it thought and called; words in a row are one text."""
    held: list[str] = []
    for part in parts:
        kind, content = part.get("kind"), part.get("value", part.get("content"))
        text = content if isinstance(content, str) else strings(content, "value") if isinstance(content, dict) else None
        if kind in {None, "markdownContent"} and text:
            held.append(text)
            continue
        if held and kind in {"thinking", "toolInvocationSerialized"}:
            yield Piece(Part.SAID, Origin.MODEL, "".join(held))
            held = []
        if kind == "thinking":
            yield Piece(Part.THOUGHT, Origin.MODEL, text or "")
        elif kind == "toolInvocationSerialized":
            tool = strings(part, "toolId") or ""
            said = part.get("pastTenseMessage") or part.get("invocationMessage")
            told_of = said if isinstance(said, str) else strings(said, "value") if isinstance(said, dict) else ""
            text = joined([called(tool, {}), told_of or ""])
            yield Piece(Part.CALLED, Origin.MODEL, text, tool, strings(part, "toolCallId"))
    if held:
        yield Piece(Part.SAID, Origin.MODEL, "".join(held))


def title(value: Value) -> str | None:
    return strings(value, "customTitle") or strings(member(value, "v"), "customTitle")


def told(container: str, value: Value) -> tuple[tuple[str, ...] | None, str | None]:
    own = strings(value, "requestId") or ("session" if "sessionId" in value else None)
    return ((container, own) if own else None), instant(value.get("timestamp", value.get("creationDate")))


def content(value: Value) -> Value:
    return {name: value.get(name) for name in _OF_A_SESSION} if "sessionId" in value else value


def naming(key: bytes, container: str, _state: str | None) -> Naming:
    return NativeNaming(key, NAME, container, lambda value: told(container, value), content=content)


IMPORTER = Importer(
    name=NAME, parser=1, roots=roots, root_of=root_of, sniffs=lambda _: False, naming=naming, pieces=pieces,
    heading=lambda stem, _: Heading(stem, stem, inside=False), transcript=lambda: ToldTranscript(pieces), title=title,
    claims=claims, chapters=chapters)
