"""Cursor's databases as sessions: `state.vscdb` of the editor and of a workspace, `store.db` of a chat at the terminal.

In `cursorDiskKV` a chat is `composerData:<id>` and its bubbles `bubbleId:<chat>:<bubble>`; the oldest chats hold their
bubbles themselves, as `conversation` or `conversationMap`. Before that a workspace kept its chat panel as one value of
`ItemTable`, a list of tabs with bubbles. In `store.db` messages are those blobs that are JSON with a role; that they
lie in their order is a guess.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rhizome.log.importers.databases import snapshot, tables
from rhizome.log.importers.editors import workspace
from rhizome.log.importers.port import Chapter, Heading
from rhizome.log.importers.records import Record, Unreadable, compact, elements, exact, members, put_together, strings
from rhizome.log.importers.texts import topic

NAME = "cursor"
PANEL = "workbench.panel.aichat.view.aichat.chatdata"


def chapters(path: Path) -> Iterator[Chapter]:
    with snapshot(path) as db:
        there = tables(db)
        if path.name == "store.db":
            yield _terminal(db, path, there)
        if "cursorDiskKV" in there:
            yield from _composers(db)
        if "ItemTable" in there:
            yield from _panel(db, workspace(path.parent))


def _composers(db: sqlite3.Connection) -> Iterator[Chapter]:
    query = "select key, value from cursorDiskKV where key like 'composerData:%' order by key"
    for row in db.execute(query).fetchall():
        about = _record(row["value"])
        own = str(row["key"]).partition(":")[2]
        if about is None or about.value is None:
            continue
        heading = Heading(own, own, project=topic(NAME, own, strings(about.value, "name")))
        yield Chapter(heading, _loading(db, own, about))


def _loading(db: sqlite3.Connection, chat_id: str, about: Record) -> Callable[[], Sequence[Record]]:
    def load() -> list[Record]:
        rows = db.execute("select key, value from cursorDiskKV where key >= ? and key < ?",
                          (f"bubbleId:{chat_id}:", f"bubbleId:{chat_id};")).fetchall()
        chat, held = _taken_out(about, "conversation", "conversationMap")
        found = {strings(each.value or {}, "bubbleId") or str(n): each for n, each in enumerate(held)}
        found |= {str(row["key"]).rpartition(":")[2]: each for row in rows if (each := _record(row["value"]))}
        heads = (about.value or {}).get("fullConversationHeadersOnly")
        listed = heads if isinstance(heads, list) else []
        order = [str(each.get("bubbleId")) for each in listed if isinstance(each, dict)]
        return [chat, *(found[own] for own in dict.fromkeys([*order, *found]) if own in found)]

    return load


def _panel(db: sqlite3.Connection, folder: str | None) -> Iterator[Chapter]:
    row = db.execute("select value from ItemTable where key = ?", (PANEL,)).fetchone()
    panel = _record(row["value"]) if row else None
    if panel is None or panel.value is None:
        return
    for tab in _taken_out(panel, "tabs")[1]:
        about, bubbles = _taken_out(tab, "bubbles")
        own = strings(about.value or {}, "tabId")
        if own and bubbles:
            yield Chapter(Heading(own, own, cwd=folder), [about, *bubbles].copy)


def _terminal(db: sqlite3.Connection, path: Path, there: set[str]) -> Chapter:
    if "blobs" not in there:
        raise Unreadable("no table blobs: written by a newer or older Cursor")
    own = path.parent.name

    def load() -> list[Record]:
        rows = db.execute("select data from blobs order by rowid").fetchall()
        blobs = [row["data"] for row in rows]
        found = [_record(blob) for blob in blobs if isinstance(blob, bytes) and blob.startswith(b"{")]
        return [each for each in found if each and each.value and "role" in each.value]

    return Chapter(Heading(own, own, project=topic(NAME, own, None)), load)


def _taken_out(record: Record, *names: str) -> tuple[Record, list[Record]]:
    """A record without some of its members, and what these list."""
    if not any(name in (record.value or {}) for name in names):
        return record, []
    parts = members(record.raw)
    listed = [parts.pop(name, b"[]") for name in names]
    raws = [raw for each in listed for raw in (elements(each) if each.startswith(b"[") else _values(each))]
    rest = put_together(parts)
    return Record(0, rest, exact(rest)), [Record(0, raw, exact(raw)) for raw in raws]


def _values(raw: bytes) -> list[bytes]:
    return list(members(raw).values()) if raw.startswith(b"{") else []


def _record(value: object) -> Record | None:
    if not isinstance(value, str | bytes):
        return None
    raw = compact(value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass"))
    return Record(0, raw, exact(raw))
