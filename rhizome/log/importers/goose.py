"""Goose: where its sessions lie, what names a message, and what it says.

Written from descriptions, not from files. Before 1.10 `sessions/<session>.jsonl`, the first line of which describes
the session; then `sessions/sessions.db` with tables `sessions` and `messages`, whose rows hold the same messages. A
session may stand in both: a message is named by its session, role, time and content, so it is one. What a session says
of its size and times is no new revision of it. Guesses: the names of the columns (`content_json` or `content`,
`created_timestamp` or `created`). `GOOSE_PATH_ROOT` moves all of it.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from rhizome.log.importers import chat
from rhizome.log.importers.databases import MAGIC, beside, snapshot, tables
from rhizome.log.importers.native import NativeNaming
from rhizome.log.importers.port import Chapter, Heading, Importer, Naming, Piece
from rhizome.log.importers.records import Record, Unreadable, Value, canonical, exact, instant, member, strings
from rhizome.log.importers.telling import ToldTranscript
from rhizome.log.importers.texts import blocks, called
from rhizome.model import Origin, Part

NAME = "goose"
_BLOCKS = {"text", "image", "toolRequest", "toolResponse", "thinking", "redactedThinking", "toolConfirmationRequest"}
_MESSAGE = ("role", "created", "content")


def roots(environment: Mapping[str, str], user_home: Path) -> list[Path]:
    root, windows, data = (environment.get(name) for name in ("GOOSE_PATH_ROOT", "APPDATA", "XDG_DATA_HOME"))
    homes = [Path(root) / "data"] if root else [
        (Path(data) if data else user_home / ".local" / "share") / "goose",
        (Path(windows) if windows else user_home / "AppData" / "Roaming") / "Block" / "goose" / "data",
    ]
    return [home / "sessions" for home in homes]


def root_of(path: Path) -> Path | None:
    return next((folder.parent for folder in path.parents if folder.name == "sessions"), None)


def sniffs(value: Value) -> bool:
    if "working_dir" in value and "role" not in value:
        return True
    content = value.get("content")
    kinds = {each.get("type") for each in content if isinstance(each, dict)} if isinstance(content, list) else set()
    return "created" in value and "role" in value and bool(kinds) and kinds <= _BLOCKS


def heading(stem: str, head: Iterable[Value]) -> Heading:
    cwd = next((found for value in head if (found := strings(value, "working_dir"))), None)
    return Heading(stem, stem, inside=False, cwd=cwd)


def claims(path: Path, start: bytes) -> bool:
    return path.name == "sessions.db" and start.startswith(MAGIC)


def chapters(path: Path) -> Iterator[Chapter]:
    with snapshot(path) as db:
        if not {"sessions", "messages"} <= tables(db):
            raise Unreadable("no tables sessions and messages: written by a newer or older Goose")
        for row in db.execute("select * from sessions order by id").fetchall():
            about = {name: row[name] for name in row.keys() if row[name] is not None}  # noqa: SIM118
            own = str(row["id"])
            newest = db.execute("select count(*), max(id) from messages where session_id = ?", (own,)).fetchone()
            yield Chapter(Heading(own, own, cwd=strings(about, "working_dir")), _loading(db, own, about),
                          stamp=f"{about.get('updated_at')} {newest[0]}/{newest[1]}")


def _loading(db: sqlite3.Connection, session: str, about: Value) -> Callable[[], Sequence[Record]]:
    def load() -> list[Record]:
        first = canonical(about)
        rows = db.execute("select * from messages where session_id = ? order by id", (session,)).fetchall()
        return [Record(0, first, exact(first)), *(_row(row) for row in rows)]

    return load


def _row(row: sqlite3.Row) -> Record:
    """A row as the line it was before."""
    names = set(row.keys())
    content = row["content_json" if "content_json" in names else "content"]
    created = row["created_timestamp" if "created_timestamp" in names else "created"]
    try:
        value: Value = {"role": row["role"], "created": created, "content": json.loads(content)}
    except ValueError:
        return Record(0, str(content).encode("utf-8", "surrogatepass"), None)
    raw = canonical(value)
    return Record(0, raw, exact(raw))


def pieces(value: Value) -> Sequence[Piece] | None:
    if "role" not in value:
        return [Piece(Part.NOTED, Origin.HARNESS, title(value) or "")] if "working_dir" in value else None
    content = value.get("content")
    listed = [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []
    return [piece for block in listed for piece in _block(value, block)]


def _block(value: Value, block: Value) -> Sequence[Piece]:
    kind, call = block.get("type"), strings(block, "id")
    if kind == "toolRequest":
        given = member(member(block, "toolCall"), "value") or member(block, "toolCall")
        tool, arguments = strings(given, "name") or "", member(given, "arguments")
        return [Piece(Part.CALLED, Origin.MODEL, called(tool, arguments), tool, call, arguments)]
    if kind == "toolResponse":
        result = member(block, "toolResult")
        told_of = result.get("value")
        text = blocks(told_of.get("content") if isinstance(told_of, dict) else told_of) or strings(result, "error")
        return [Piece(Part.RETURNED, Origin.TOOL, text or "", call=call, failed=result.get("status") == "error")]
    return chat.message({"role": value.get("role"), "content": [block]})


def title(value: Value) -> str | None:
    return strings(value, "name", "description") if "role" not in value else None


def told(container: str, value: Value) -> tuple[tuple[str, ...] | None, str | None]:
    own = None if "role" in value else (container, "session")
    return own, instant(value.get("created", value.get("created_at")))


def content(value: Value) -> Value:
    if "role" in value:
        return {name: value.get(name) for name in _MESSAGE}
    return {"title": title(value), "working_dir": value.get("working_dir")}


def naming(key: bytes, container: str, _state: str | None) -> Naming:
    return NativeNaming(key, NAME, container, lambda value: told(container, value), content=content)


IMPORTER = Importer(
    name=NAME, parser=1, roots=roots, root_of=root_of, sniffs=sniffs, heading=heading, naming=naming, pieces=pieces,
    transcript=lambda: ToldTranscript(pieces), title=title, claims=claims, chapters=chapters, beside=beside)
