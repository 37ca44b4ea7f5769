"""OpenCode: where its sessions lie and what names a record.

The source is open (anomalyco/opencode). Before 1.2 a tree of JSON files,
`storage/{session/<project>,message/<session>, part/<message>}/*.json`; since then a database, `opencode.db`, whose
rows hold the same objects without their ids; seen: 1.1 and 1.2. Both may stand beside each other and hold what the
other lacks; ids are the same and global. Rows change in place. A session with a `parentID` is a subagent's. What a
session's row says of its size, version and times is no new revision of it. The tables of 2.0 (`session_v2`,
`session_message`) are not read yet. `XDG_DATA_HOME` moves `~/.local/share`, on Windows too.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from rhizome.log.importers import opencode_meaning as meaning
from rhizome.log.importers.databases import MAGIC, snapshot, tables
from rhizome.log.importers.databases import beside as wal
from rhizome.log.importers.native import NativeNaming
from rhizome.log.importers.port import Chapter, Heading, Importer, Naming
from rhizome.log.importers.records import (
    Record,
    Unreadable,
    Value,
    canonical,
    compact,
    exact,
    instant,
    member,
    members,
    put_together,
    strings,
)

NAME = "opencode"
_OF_A_SESSION = ("id", "projectID", "parentID", "directory", "title")
_COLUMNS = {"project_id": "projectID", "parent_id": "parentID"}


def roots(environment: Mapping[str, str], user_home: Path) -> list[Path]:
    data = environment.get("XDG_DATA_HOME")
    home = (Path(data) if data else user_home / ".local" / "share") / "opencode"
    return [home / "storage" / "session", *sorted(home.glob("opencode*.db"))]


def root_of(path: Path) -> Path | None:
    storage = _storage(path)
    return path.parent if path.suffix == ".db" else storage and storage.parent


def _storage(path: Path) -> Path | None:
    return next((folder for folder in path.parents if folder.name == "storage"), None)


def claims(path: Path, start: bytes) -> bool:
    if path.suffix == ".db":
        return path.name.startswith("opencode") and start.startswith(MAGIC)
    return path.suffix == ".json" and path.parents[1].name == "session" and path.parents[2].name == "storage"


def belongs(path: Path) -> bool:
    """Messages, parts and projects are read with their session."""
    storage = _storage(path)
    if storage is None or path.suffix != ".json" or not (storage / "session").is_dir():
        return False
    return path.relative_to(storage).parts[0] in {"message", "part", "project"}


def beside(path: Path) -> list[Path]:
    return wal(path) if path.suffix == ".db" else [*_messages(path), *_parts(path)]


def chapters(path: Path) -> Iterator[Chapter]:
    return _of_database(path) if path.suffix == ".db" else _of_tree(path)


# ---------------------------------------------------------------- the tree


def _messages(path: Path) -> list[Path]:
    return sorted((path.parents[2] / "message" / path.stem).glob("*.json"))


def _parts(path: Path) -> list[Path]:
    parts = path.parents[2] / "part"
    return [part for each in _messages(path) for part in sorted((parts / each.stem).glob("*.json"))]


def _of_tree(path: Path) -> Iterator[Chapter]:
    session = _file(path)
    if session.value is None:
        raise Unreadable("not whole JSON")

    def load() -> list[Record]:
        found = [session]
        for each in _messages(path):
            message = _file(each)
            found.append(message)
            at = told(message.value or {})[1]
            found += [_file(part, at) for part in sorted((path.parents[2] / "part" / each.stem).glob("*.json"))]
        return found

    yield Chapter(_heading(session.value or {}, lambda id_: _session(path, id_)), load)


def _session(path: Path, id_: str) -> Value | None:
    found = next(iter(path.parents[1].glob(f"*/{id_}.json")), None)
    return _file(found).value if found else None


def _file(path: Path, at: str | None = None) -> Record:
    raw = compact(path.read_bytes()).strip()
    return Record(0, raw, exact(raw), at)


# ---------------------------------------------------------------- the database


def _of_database(path: Path) -> Iterator[Chapter]:
    with snapshot(path) as db:
        if not {"session", "message", "part"} <= tables(db):
            raise Unreadable("no tables session, message and part: written by a newer or older OpenCode")
        sessions = {str(row["id"]): _session_row(row) for row in db.execute("select * from session order by id")}
        stamps = _stamps(db)
        for id_, (raw, value, updated) in sessions.items():
            heading = _heading(value, lambda above: sessions[above][1] if above in sessions else None)
            first = Record(0, raw, value)
            yield Chapter(heading, _loading(db, id_, first), stamp=f"{updated} {stamps.get(id_, '')}")


def _stamps(db: sqlite3.Connection) -> dict[str, str]:
    """By session: the newest change and the number of its messages and parts (a deletion moves no newest change)."""
    found: dict[str, str] = {}
    for table in ("message", "part"):
        query = f"select session_id, max(time_updated), count(*) from {table} group by session_id"  # noqa: S608
        for row in db.execute(query):
            found[str(row[0])] = f"{found.get(str(row[0]), '')} {row[1]}/{row[2]}"
    return found


def _loading(db: sqlite3.Connection, session: str, first: Record) -> Callable[[], Sequence[Record]]:
    def load() -> list[Record]:
        found = [first]
        parts: dict[str, list[sqlite3.Row]] = {}
        for row in db.execute("select id, message_id, data from part where session_id = ? order by id", (session,)):
            parts.setdefault(str(row["message_id"]), []).append(row)
        for row in db.execute("select id, data from message where session_id = ? order by id", (session,)):
            message = _row({"id": row["id"], "sessionID": session}, row["data"])
            found.append(message)
            at = told(message.value or {})[1]
            names = {"sessionID": session, "messageID": row["id"]}
            found += [_row({"id": part["id"], **names}, part["data"], at) for part in parts.get(str(row["id"]), ())]
        return found

    return load


def _row(names: Mapping[str, str], data: str, at: str | None = None) -> Record:
    """A row as the object it was before its ids went into columns; data that is no object stays as it is."""
    raw = data.encode("utf-8", "surrogatepass")
    if exact(raw) is None:
        return Record(0, raw, None, at)
    whole = put_together({name: json.dumps(each).encode() for name, each in names.items()} | members(raw))
    return Record(0, whole, exact(whole), at)


def _session_row(row: sqlite3.Row) -> tuple[bytes, Value, object]:
    told_of = {_COLUMNS.get(name, name): row[name] for name in row.keys() if row[name] is not None}  # noqa: SIM118
    created, updated = told_of.pop("time_created", None), told_of.pop("time_updated", None)
    value: Value = told_of | {"time": {"created": created, "updated": updated}}
    return canonical(value), value, updated


# ---------------------------------------------------------------- names


def _heading(session: Value, known: Callable[[str], Value | None]) -> Heading:
    own = strings(session, "id") or ""
    root, cwd = own, strings(session, "directory")
    above, seen = strings(session, "parentID"), {own}
    while above and above not in seen:
        seen.add(above)
        root, session = above, known(above) or {}
        above = strings(session, "parentID")
    return Heading(own, root, thread="" if root == own else own, cwd=cwd)


def told(value: Value) -> tuple[tuple[str, ...] | None, str | None]:
    own, time = strings(value, "id"), member(value, "time")
    return ((own,) if own else None), instant(time.get("created", time.get("start")))


def content(value: Value) -> Value:
    if "sessionID" in value:
        return value
    return {name: value[name] for name in _OF_A_SESSION if name in value}


def naming(key: bytes, container: str, _state: str | None) -> Naming:
    return NativeNaming(key, NAME, container, told, content=content)


IMPORTER = Importer(
    name=NAME, parser=1, roots=roots, root_of=root_of, sniffs=lambda _: False, naming=naming, pieces=meaning.pieces,
    heading=lambda stem, _: Heading(stem, stem, inside=False), transcript=meaning.transcript, title=meaning.title,
    claims=claims, chapters=chapters, beside=beside, belongs=belongs)
