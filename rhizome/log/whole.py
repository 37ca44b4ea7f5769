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
    """A chapter, its heading as the log keeps it, and its records, or (None) what its stamp says they still are."""

    chapter: Chapter
    heading: Heading
    records: list[Record] | None
    pending: bool = False


def take_whole(found: Found, appender: Appender, stat: Stat, cursor: Cursor | None, now: datetime | None,
               own: Callable[[Heading, Iterable[Value]], bool]) -> Left:
    """Import every session of a file, except those that are our own.

    One session is in memory at a time. Raises what `EventLog.append` raises.
    """
    before: Stamps = msgspec.json.decode(cursor.state, type=Stamps) if cursor and cursor.state else {}
    after: Stamps = {}
    chapters = _Chapters(found, before, appender, settled=_still(stat, now))
    counts, ours, sessions = Counts(), 0, list[str]()
    for each in chapters:
        name, stamp = each.heading.container, each.chapter.stamp
        if own(each.chapter.heading, (record.value for record in each.records or () if record.value)):
            ours += 1
            continue
        sessions.append(f"{found.harness}:{each.heading.session}")
        if each.records is None:
            after[name] = before[name]
            counts += Counts(seen=before[name][1], unparsed=before[name][2])
            continue
        added = _append(found, appender, each.heading, each.records)
        counts += added + Counts(pending=int(each.pending))
        if stamp is not None:
            after[name] = (stamp, added.new + added.revised + added.seen, added.unparsed)
    state = msgspec.json.encode(after).decode() if after else None
    return Left(counts, chapters.problem, tuple(dict.fromkeys(sessions)), ours, state)


def _append(found: Found, appender: Appender, heading: Heading, records: list[Record]) -> Counts:
    """Append what is new of one session; nothing of one that the log has from its own harness."""
    if heading.original in appender.lineage.sessions:
        return Counts()
    importer = IMPORTERS[found.harness or ""]
    what = recognise(found, heading, records.__iter__, appender.log, appender.lineage, appender.key,
                     text=() if importer.decode is plain else records)
    naming = importer.naming(appender.key, what.heading.naming, None)
    target = Target(found, what.heading, f"{found.harness}:{what.heading.session}")
    added = append_all(appender, target, records, naming, what.namer)
    if what.moved:
        appender.moved(target)
    return added


class _Chapters:
    """The chapters of a file, each with its records unless it is as it was; afterwards, why the rest is missing."""

    def __init__(self, found: Found, before: Stamps, appender: Appender, *, settled: bool) -> None:
        self.problem: str | None = None
        self._found, self._before, self._settled, self._appender = found, before, settled, appender

    def __iter__(self) -> Iterator[_Read]:
        chapters = IMPORTERS[self._found.harness or ""].chapters
        try:
            for chapter in chapters(self._found.path) if chapters else ():
                yield self._read(chapter)
        except (*READING_ERRORS, Unreadable, sqlite3.Error) as error:
            self.problem = why(error)

    def _read(self, chapter: Chapter) -> _Read:
        heading = self._appender.headed(chapter.heading)
        if chapter.stamp is not None and self._before.get(heading.container, ("",))[0] == chapter.stamp:
            return _Read(chapter, heading, None)
        records = list(chapter.load())
        waits = chapter.open_end and not self._settled
        return _Read(chapter, heading, records[:-1] if waits else records, pending=waits)


def _still(stat: Stat, now: datetime | None) -> bool:
    """Whether a file has stood still for so long that its last words count."""
    written = datetime.fromtimestamp(stat.mtime_ns / 1e9, UTC)
    return now is not None and now - written > timedelta(hours=config.TEXT_SETTLES_HOURS)
