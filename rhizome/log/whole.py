"""Files that are read whole, because they are rewritten or are databases: each session in them, records by name.

There is no place to go on from. What is known is absorbed, and a session whose stamp has not changed is not read.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import msgspec

from rhizome import config
from rhizome.log.appending import Appender, Target
from rhizome.log.batching import append_all
from rhizome.log.counting import Counts
from rhizome.log.discover import Found
from rhizome.log.importers import IMPORTERS
from rhizome.log.importers.port import Chapter, Heading
from rhizome.log.importers.records import Record, Unreadable, Value, plain
from rhizome.log.lines import READING_ERRORS, why
from rhizome.log.recognising import recognise
from rhizome.log.sources import Cursor, Stat

Stamps = dict[str, tuple[str, int, int]]
"""By container: its stamp, and how many records and unparsed ones it had."""


@dataclass(frozen=True, slots=True)
class Left:
    """What became of a file that was read whole: the counts, why not all of it could be read, and what is kept of it
    for the next time."""

    counts: Counts
    problem: str | None
    sessions: tuple[str, ...]
    own: int
    state: str | None


@dataclass(frozen=True, slots=True)
class _Read:
    """A chapter with its records, or (None) with what its stamp says it still is."""

    chapter: Chapter
    records: list[Record] | None
    pending: bool = False


def take_whole(found: Found, appender: Appender, stat: Stat, cursor: Cursor | None, now: datetime | None,
               own: Callable[[Heading, Iterable[Value]], bool]) -> Left:
    """Import every session of a file, except those that are our own.

    One session is in memory at a time. Raises what `EventLog.append` raises.
    """
    before: Stamps = msgspec.json.decode(cursor.state, type=Stamps) if cursor and cursor.state else {}
    after: Stamps = {}
    chapters = _Chapters(found, before, settled=_still(stat, now))
    counts, ours, sessions = Counts(), 0, list[str]()
    for each in chapters:
        name, stamp = each.chapter.heading.container, each.chapter.stamp
        if own(each.chapter.heading, (record.value for record in each.records or () if record.value)):
            ours += 1
            continue
        sessions.append(f"{found.harness}:{each.chapter.heading.session}")
        if each.records is None:
            after[name] = before[name]
            counts += Counts(seen=before[name][1], unparsed=before[name][2])
            continue
        added = _append(found, appender, each.chapter, each.records)
        counts += added + Counts(pending=int(each.pending))
        if stamp is not None:
            after[name] = (stamp, added.new + added.revised + added.seen, added.unparsed)
    state = msgspec.json.encode(after).decode() if after else None
    return Left(counts, chapters.problem, tuple(dict.fromkeys(sessions)), ours, state)


def _append(found: Found, appender: Appender, chapter: Chapter, records: list[Record]) -> Counts:
    """Append what is new of one session; nothing of one that the log has from its own harness."""
    if chapter.heading.original in appender.lineage.sessions:
        return Counts()
    importer = IMPORTERS[found.harness or ""]
    what = recognise(found, chapter.heading, records.__iter__, appender.log, appender.lineage, appender.key,
                     text=() if importer.decode is plain else records)
    naming = importer.naming(appender.key, what.heading.container, None)
    target = Target(found, what.heading, f"{found.harness}:{what.heading.session}")
    added = append_all(appender, target, records, naming, what.namer)
    if what.moved:
        appender.moved(target)
    return added


class _Chapters:
    """The chapters of a file, each with its records unless it is as it was; afterwards, why the rest is missing."""

    def __init__(self, found: Found, before: Stamps, *, settled: bool) -> None:
        self.problem: str | None = None
        self._found, self._before, self._settled = found, before, settled

    def __iter__(self) -> Iterator[_Read]:
        chapters = IMPORTERS[self._found.harness or ""].chapters
        try:
            for chapter in chapters(self._found.path) if chapters else ():
                yield self._read(chapter)
        except (*READING_ERRORS, Unreadable, sqlite3.Error) as error:
            self.problem = why(error)

    def _read(self, chapter: Chapter) -> _Read:
        if chapter.stamp is not None and self._before.get(chapter.heading.container, ("",))[0] == chapter.stamp:
            return _Read(chapter, None)
        records = list(chapter.load())
        waits = chapter.open_end and not self._settled
        return _Read(chapter, records[:-1] if waits else records, pending=waits)


def _still(stat: Stat, now: datetime | None) -> bool:
    """Whether a file has stood still for so long that its last words count."""
    written = datetime.fromtimestamp(stat.mtime_ns / 1e9, UTC)
    return now is not None and now - written > timedelta(hours=config.TEXT_SETTLES_HOURS)
