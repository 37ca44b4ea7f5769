"""Session files in, events in the log, a report out. Importing what is known already appends nothing.

A file is read on from where it was left; whatever tells that it is not the file it was sends the reader to its
start, and the ids absorb what is known.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from rhizome.log.appending import Appender, Counts, Target
from rhizome.log.attaching import Attaching
from rhizome.log.batching import append_all, unfolded
from rhizome.log.discover import Found, detected, discover, head, opened
from rhizome.log.door import Door
from rhizome.log.importers import IMPORTERS
from rhizome.log.importers.port import Heading
from rhizome.log.importers.records import Record
from rhizome.log.lineage import Container, Lineage
from rhizome.log.lines import READING_ERRORS, Digest, Lines, why
from rhizome.log.naming import Namer
from rhizome.log.port import EventLog
from rhizome.log.recognising import belonging, recognise
from rhizome.log.sources import Cursor, Cursors, Stat, stat_of
from rhizome.log.whole import take_whole

__all__ = ["Counts", "ImportReport", "detected", "import_paths"]

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The counts by harness, how many files were no sessions, and what could not be read (path, why)."""

    sources: Mapping[str, Counts] = field(default_factory=dict)
    skipped: int = 0
    problems: tuple[tuple[str, str], ...] = ()

    @property
    def total(self) -> Counts:
        return sum(self.sources.values(), Counts())


def import_paths(log: EventLog, paths: Sequence[Path], *, index: Path, key: bytes, door: Door,
                 on_file: Callable[[Path, int, int], None] | None = None, now: datetime | None = None) -> ImportReport:
    """Append what the session files at or below `paths` hold and the log does not know yet.

    What cannot be read is named in the report and the others go on. Raises NotFound and RhizomeError for a named path
    that is none or no session, and what `log.append` raises; whatever was appended before stays, and the next import
    goes on from there. `on_file` hears of each file when it is done: its path, how many are done, of how many. `now`
    tells how long a text has stood still; without it the end of one is left for later.
    """
    found = discover(paths)
    sources: dict[str, Counts] = {}
    problems = list(found.problems)
    total, done = len(found.sessions) + len(found.sides), 0
    with Cursors(index / "sources.db") as cursors:
        appender = Appender(log, key, door, Lineage.of(log))
        sessions = _Sessions(appender, cursors, now)
        attaching = Attaching(appender, door, cursors)
        for take, files in ((sessions.take, found.sessions), (attaching.take, found.sides)):
            for file in files:
                counts, problem = take(file)
                name = file.harness or "unknown"
                sources[name] = sources.get(name, Counts()) + counts
                problems += [(str(file.path), problem)] if problem else []
                done += 1
                if on_file is not None:
                    on_file(file.path, done, total)
    return ImportReport(sources, found.skipped, tuple(problems))


class _Sessions:
    """Reads session files, each from where it was left."""

    def __init__(self, appender: Appender, cursors: Cursors, now: datetime | None) -> None:
        self._appender, self._cursors, self._now = appender, cursors, now

    def take(self, found: Found) -> tuple[Counts, str | None]:
        """Import one file: its counts, and why it could not be read to its end, if so."""
        try:
            if found.harness is None:
                return Counts(pending=min(stat_of(found.path).size, 1)), None
            importer = IMPORTERS[found.harness]
            stat = stat_of(found.path, importer.beside(found.path) if found.whole else ())
            cursor = self._cursors.get(found.path, self._appender.log)
            if cursor is not None and cursor.stat == stat:
                return _told(cursor), None
        except READING_ERRORS as error:
            return Counts(), why(error)
        if found.whole:
            return self._whole(found, stat, cursor)
        try:
            heading = importer.placed(found.path, importer.heading(_stem(found.path), head(found.path)))
            file, digest = _opened(found.path, cursor)
        except READING_ERRORS as error:
            return Counts(), why(error)
        with file:
            return self._file(found, heading, stat, file, cursor, digest)

    def _whole(self, found: Found, stat: Stat, cursor: Cursor | None) -> tuple[Counts, str | None]:
        counts, problem, left = take_whole(found, self._appender, stat, cursor, self._now)
        if problem is None:
            self._cursors.put(found.path, self._appender.log, left)
        return counts, problem

    def _file(self, found: Found, heading: Heading, stat: Stat, file: BinaryIO, cursor: Cursor | None,
              digest: Digest | None) -> tuple[Counts, str | None]:
        if cursor is not None and digest is not None:
            container = self._appender.lineage.containers.get((found.harness or "", cursor.container))
            heading = belonging(heading, container) if container else heading
            namer = Namer(self._appender.key, dict(cursor.counters), taken=self._taken(cursor, container))
            lines, state, moved = Lines(file, cursor.offset, digest), cursor.state, False
            before, counted = replace(_told(cursor), pending=0), cursor.aligned
        else:
            what = recognise(found, heading, lambda: _records(found), self._appender.log, self._appender.lineage,
                             self._appender.key)
            heading, namer, moved, counted = what.heading, what.namer, what.moved, what.aligned
            lines, state, before = Lines(file, 0, hashlib.sha256()), None, Counts()
        naming = IMPORTERS[found.harness or ""].naming(self._appender.key, heading.container, state)
        target = Target(found, heading, f"{found.harness}:{heading.session}")
        records = unfolded(lines, IMPORTERS[found.harness or ""])
        counts = before + append_all(self._appender, target, records, naming, namer)
        counts += Counts(pending=int(lines.pending > 0))
        if moved:
            self._appender.moved(target)
        if lines.problem is None:
            self._cursors.put(found.path, self._appender.log, Cursor(
                stat, heading.container, lines.offset, lines.digest.digest(), naming.state, namer.counters, counted,
                counts.new + counts.revised + counts.seen, counts.unparsed, lines.pending > 0))
        return counts, lines.problem

    def _taken(self, cursor: Cursor, container: Container | None) -> frozenset[str]:
        """The ids an aligned file's container has: its counters do not know those that fell out of the file."""
        if not cursor.aligned or container is None:
            return frozenset()
        return frozenset(event.id for event in container.events(self._appender.log))


def _records(found: Found) -> Iterator[Record]:
    """The records of a file from its start, as far as it can be read."""
    with opened(found.path) as file:
        yield from unfolded(Lines(file, 0, hashlib.sha256()), IMPORTERS[found.harness or ""])


def _told(cursor: Cursor) -> Counts:
    """What the report says of a file that is as it was."""
    return Counts(seen=cursor.records, unparsed=cursor.unparsed, pending=int(cursor.pending))


def _opened(path: Path, cursor: Cursor | None) -> tuple[BinaryIO, Digest | None]:
    """A file where its cursor left it, with the digest of what stands before; at its start where that has changed."""
    if cursor is not None:
        file = opened(path)
        digest = _prefix(file, cursor.offset)
        if digest is not None and digest.digest() == cursor.prefix:
            return file, digest
        file.close()
    return opened(path), None


def _prefix(file: BinaryIO, length: int) -> Digest | None:
    """The digest of a file's first bytes; None where there are not so many."""
    digest = hashlib.sha256()
    while length > 0:
        chunk = file.read(min(length, _CHUNK))
        if not chunk:
            return None
        digest.update(chunk)
        length -= len(chunk)
    return digest


def _stem(path: Path) -> str:
    """A file's name without what it is packed in."""
    return path.name.removesuffix(".zst").removesuffix(".jsonl")
