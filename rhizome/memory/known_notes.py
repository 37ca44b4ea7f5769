"""What the log knows of every note: the bytes it should hold (as a blob id), whose call wrote them, and when.

A projection in `index/known.db`. Beside each note stands the stat its file had when it last held those bytes, so that a
sweep reads only what changed. Deleted or damaged, it is replayed from the log.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rhizome.database import opened
from rhizome.graph.edges import blob_id
from rhizome.log.port import EventLog
from rhizome.model import Event
from rhizome.store.tree import Stat

if TYPE_CHECKING:
    from rhizome.consolidate.derive import Derived

SCHEMA = """
CREATE TABLE notes (ref TEXT PRIMARY KEY, blob TEXT NOT NULL, derived INTEGER NOT NULL, scope TEXT,
    recorded_at TEXT NOT NULL, call TEXT NOT NULL, mtime_ns INTEGER, size INTEGER, inode INTEGER, ctime_ns INTEGER);
CREATE TABLE reached (home TEXT PRIMARY KEY, seq INTEGER NOT NULL);
CREATE TABLE folders (folder TEXT PRIMARY KEY, inode INTEGER NOT NULL);
"""
VERSION = 2
ROW = "ref, blob, derived, scope, recorded_at, call"
REMOVED = ""


@dataclass(frozen=True, slots=True)
class KnownNote:
    """One note as the log has it. `blob` is empty after a removal; `call` is what its commit should name."""

    ref: str
    blob: str
    derived: bool
    scope: str | None
    recorded_at: str
    call: str


class KnownNotes:
    """Opens `file`; one that is no database any more is thrown away and replayed."""

    def __init__(self, file: Path) -> None:
        self._db = opened(file, SCHEMA, VERSION)

    def close(self) -> None:
        self._db.close()

    # ------------------------------------------------------------ keeping up

    def catch_up(self, log: EventLog, heads: Mapping[str, int]) -> None:
        """Bring the table to where the log is. Saves are taken in one by one; a new rendering replays them all."""
        reached = dict(self._db.execute("SELECT home, seq FROM reached"))
        if reached == heads:
            return
        own = reached.get(log.home)
        others = {home: seq for home, seq in heads.items() if home != log.home}
        news = None
        if own is not None and others == {home: seq for home, seq in reached.items() if home != log.home}:
            news = list(log.read(own, ("note.saved", "note.removed", "consolidated", "home.configured")))
        if news is not None and all(event.kind in ("note.saved", "note.removed") for event in news):
            self._write((known for event in news for known in saved(event)), heads, anew=False)
        else:
            self.replay(log, heads)

    def replay(self, log: EventLog, heads: Mapping[str, int]) -> "Derived":
        """Everything anew from the log; returns the derived notes it found on the way."""
        from rhizome.consolidate.derive import KINDS, Derived  # rendering is read in only where something is rendered

        derived, rendered, notes = Derived(), dict[str, bytes](), dict[str, KnownNote]()
        for event in log.history(KINDS):
            derived.apply(event)
            notes |= {known.ref: known for known in saved(event)}
            if event.kind == "consolidated":
                notes |= {known.ref: known for known in published(event, derived, rendered)}
                rendered = dict(derived.files)
        self._write(notes.values(), heads, anew=True)
        return derived

    def _write(self, notes: Iterable[KnownNote], heads: Mapping[str, int], *, anew: bool) -> None:
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            if anew:
                self._db.execute("CREATE TEMP TABLE before AS SELECT * FROM notes")
                self._db.execute("DELETE FROM notes")
            self._db.executemany(
                f"INSERT OR REPLACE INTO notes ({ROW}) VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608
                ((n.ref, n.blob, n.derived, n.scope, n.recorded_at, n.call) for n in notes),
            )
            if anew:
                self._db.execute(
                    "UPDATE notes SET (mtime_ns, size, inode, ctime_ns) = (SELECT mtime_ns, size, inode, ctime_ns"
                    " FROM before WHERE before.ref = notes.ref AND before.blob = notes.blob)"
                )
                self._db.execute("DROP TABLE before")
            self._db.execute("DELETE FROM reached")
            self._db.executemany("INSERT INTO reached VALUES (?, ?)", heads.items())

    # ------------------------------------------------------------ answering

    def get(self, ref: str) -> KnownNote | None:
        return next(self._select("WHERE ref = ?", (ref,)), None)

    def all(self) -> Iterator[KnownNote]:
        return self._select("ORDER BY ref", ())

    def derived(self) -> Iterator[KnownNote]:
        """Derived notes, those taken away again among them."""
        return self._select("WHERE derived ORDER BY ref", ())

    def blobs(self) -> dict[str, tuple[str, str]]:
        """What every note should hold and since when: ref -> (blob, recorded_at). 10,000 notes take 10 ms."""
        rows = self._db.execute("SELECT ref, blob, recorded_at FROM notes")
        return {ref: (blob, recorded_at) for ref, blob, recorded_at in rows}

    def _select(self, where: str, values: tuple[str, ...]) -> Iterator[KnownNote]:
        for ref, blob, derived, scope, recorded_at, call in self._db.execute(
            f"SELECT {ROW} FROM notes {where}",  # noqa: S608
            values,
        ).fetchall():
            yield KnownNote(ref, blob, bool(derived), scope, recorded_at, call)

    def stats(self) -> dict[str, Stat]:
        """The stat of every note whose file was seen to hold what the log knows."""
        rows = self._db.execute(
            "SELECT ref, mtime_ns, size, inode, ctime_ns FROM notes WHERE mtime_ns IS NOT NULL AND blob <> ''"
        )
        return {row[0]: Stat._make(row[1:]) for row in rows}

    def stamp(self, stats: Mapping[str, Stat]) -> None:
        """Remember that these files hold what the log knows of them."""
        if not stats:
            return
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "UPDATE notes SET mtime_ns = ?, size = ?, inode = ?, ctime_ns = ? WHERE ref = ?",
                [(*stat, ref) for ref, stat in stats.items()],
            )


    def folders(self) -> dict[str, int]:
        """Which folder (by inode) notes were last seen in."""
        return dict(self._db.execute("SELECT folder, inode FROM folders"))

    def remember(self, folders: Mapping[str, int]) -> None:
        """Remember folders in which notes stand."""
        if folders.items() <= self.folders().items():
            return
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO folders VALUES (?, ?)", folders.items())


def saved(event: Event) -> Iterator[KnownNote]:
    """What a `note.saved` or `note.removed` says of its note."""
    if event.kind in ("note.saved", "note.removed"):
        body = event.fields
        ref, blob = str(body.get("path", "")), str(body.get("blob", REMOVED))
        call = event.call or f"human/{event.id}"
        yield KnownNote(ref, blob, bool(body.get("derived")), None, event.recorded_at, call)


def published(event: Event, derived: "Derived", before: Mapping[str, bytes]) -> Iterator[KnownNote]:
    """The derived notes whose bytes a `consolidated` event changed, and those it took away."""
    call = f"consolidate/{event.fields.get('run', '')}"
    for ref, data in derived.files.items():
        if before.get(ref) is not data:
            owner = derived.addresses.owner(ref)
            scope = owner.scope if owner is not None else None
            yield KnownNote(ref, blob_id(data), True, scope or None, event.recorded_at, call)
    for ref in before.keys() - derived.files.keys():
        yield KnownNote(ref, REMOVED, True, None, event.recorded_at, call)
