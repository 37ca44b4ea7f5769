"""Session files in, events in the log, a report out. Importing what is known already appends nothing.

A file is read on from where it was left; whatever tells that it is not the file it was sends the reader to its
start, and the ids absorb what is known.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from rhizome.log.appending import Appender, Target
from rhizome.log.attaching import Attaching
from rhizome.log.batching import append_all, unfolded
from rhizome.log.counting import Counts
from rhizome.log.discover import Found, detected, discover, head, opened
from rhizome.log.door import Door
from rhizome.log.importers import IMPORTERS
from rhizome.log.importers.port import Heading
from rhizome.log.importers.records import Record, Value
from rhizome.log.keeping import Going, Keeping
from rhizome.log.lineage import Container
from rhizome.log.lines import READING_ERRORS, Digest, Lines, why
from rhizome.log.naming import Namer
from rhizome.log.port import EventLog
from rhizome.log.recognising import belonging, recognise
from rhizome.log.rehearsing import Rehearsal
from rhizome.log.sources import Cursor, Cursors, Stat, Taken, Told, stat_of
from rhizome.log.whole import take_whole
from rhizome.model import Origin

__all__ = ["Counts", "ImportReport", "detected", "import_paths"]

_CHUNK = 1 << 20

Own = Callable[[str | None, str], bool]
"""Whether a session is one of our own questions to a model, by the folder it ran in and its first words."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The counts and the number of sessions by harness, how many files were no sessions, how many sessions were our
    own, what could not be read (path, why), and what harnesses will delete."""

    sources: Mapping[str, Counts] = field(default_factory=dict)
    sessions: Mapping[str, int] = field(default_factory=dict)
    skipped: int = 0
    own: int = 0
    problems: tuple[tuple[str, str], ...] = ()
    going: tuple[Going, ...] = ()

    @property
    def total(self) -> Counts:
        return sum(self.sources.values(), Counts())


def import_paths(log: EventLog, paths: Sequence[Path], *, index: Path, key: bytes, door: Door,
                 on_file: Callable[[Path, int, int], None] | None = None, now: datetime | None = None,
                 own: Own = lambda _cwd, _words: False, only: Iterable[Path] | None = None,
                 dry: bool = False) -> ImportReport:
    """Append what the session files at or below `paths` hold and the log does not know yet.

    What cannot be read is named in the report and the others go on. Raises NotFound and RhizomeError for a named path
    that is none or no session, and what `log.append` raises; whatever was appended before stays, and the next import
    goes on from there. `on_file` hears of each file when it is done: its path, how many are done, of how many. `now`
    tells how long a text has stood still; without it the end of one is left for later. Of folders, `only` names the
    files to look at. With `dry` nothing is appended and nothing remembered: the report says what would come.
    """
    into = Rehearsal(log) if dry else log
    with Cursors(index / "sources.db", log, keep=not dry) as cursors:
        found = discover(paths, lambda path: _as_it_was(cursors, path, now), only)
        appender = Appender(into, key, door)
        tally = _Tally(now, list(found.problems))
        total = len(found.sessions) + len(found.sides)
        sessions = _Sessions(appender, cursors, now, own)
        attaching = Attaching(appender, door, cursors, now)
        for done, file in enumerate([*found.sessions, *found.sides], 1):
            taken = file.told.taken if file.told else (attaching if file.side else sessions).take(file)
            tally.add(file, taken)
            if on_file is not None:
                on_file(file.path, done, total)
    return tally.report(found.skipped)


class _Tally:
    """Adds up what became of the files."""

    def __init__(self, now: datetime | None, problems: list[tuple[str, str]]) -> None:
        self._problems, self._own = problems, 0
        self._counts: dict[str, Counts] = {}
        self._sessions: dict[str, set[str]] = {}
        self._keeping = Keeping(now)

    def add(self, file: Found, taken: Taken) -> None:
        name = file.harness or file.likely or "unknown"
        self._counts[name] = self._counts.get(name, Counts()) + taken.counts
        self._sessions.setdefault(name, set()).update(taken.sessions)
        self._own += taken.own
        self._problems += [(str(file.path), taken.problem)] if taken.problem else []
        for session in taken.sessions:
            self._keeping.add(file.harness, file.path, session)

    def report(self, skipped: int) -> ImportReport:
        sessions = {name: len(found) for name, found in self._sessions.items()}
        return ImportReport(self._counts, sessions, skipped, self._own, tuple(self._problems), self._keeping.going())


class _Sessions:
    """Reads session files, each from where it was left."""

    def __init__(self, appender: Appender, cursors: Cursors, now: datetime | None, own: Own) -> None:
        self._appender, self._cursors, self._now, self._own = appender, cursors, now, own

    def take(self, found: Found) -> Taken:
        """Import one file."""
        try:
            if found.harness is None:
                return Taken(Counts(pending=min(stat_of(found.path).size, 1)))
            importer = IMPORTERS[found.harness]
            stat = stat_of(found.path, importer.beside(found.path) if found.whole else ())
            cursor = self._cursors.get(found.path)
            if found.whole:
                return self._whole(found, stat, cursor)
            first = head(found.path)
            heading = importer.placed(found.path, importer.heading(_stem(found.path), first))
            if self._is_own(found.harness, heading, first):
                return self._kept(found, stat, Taken(Counts(), own=1))
            file, digest = _opened(found.path, cursor)
        except READING_ERRORS as error:
            return Taken(Counts(), problem=why(error))
        with file:
            return self._file(found, heading, stat, file, cursor, digest)

    def _whole(self, found: Found, stat: Stat, cursor: Cursor | None) -> Taken:
        left = take_whole(found, self._appender, stat, cursor, self._now,
                          lambda heading, values: self._is_own(found.harness or "", heading, values))
        before = Counts(oldest=cursor.told.oldest, newest=cursor.told.newest) if cursor else Counts()
        taken = Taken(left.counts + before, left.sessions, left.own, left.problem)
        if left.problem:
            return taken
        return self._kept(found, stat, taken, Cursor(stat, _told(found, taken), state=left.state))

    def _is_own(self, harness: str, heading: Heading, values: Iterable[Value]) -> bool:
        said = (piece.text for value in values for piece in IMPORTERS[harness].pieces(value) or ()
                if piece.origin == Origin.HUMAN)
        return self._own(heading.cwd, next(said, ""))

    def _file(self, found: Found, heading: Heading, stat: Stat, file: BinaryIO, cursor: Cursor | None,
              digest: Digest | None) -> Taken:
        if cursor is not None and digest is not None:
            container = self._appender.lineage.containers.get((found.harness or "", cursor.container))
            heading = belonging(heading, container) if container else heading
            namer = Namer(self._appender.key, dict(cursor.counters), taken=self._taken(cursor, container))
            lines, state, moved = Lines(file, cursor.offset, digest), cursor.state, False
            before, counted = replace(cursor.told.taken.counts, pending=0), cursor.aligned
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
        taken = Taken(counts, (target.session,), problem=lines.problem)
        if lines.problem:
            return taken
        return self._kept(found, stat, taken, Cursor(
            stat, _told(found, taken), heading.container, lines.offset, lines.digest.digest(), naming.state,
            namer.counters, counted))

    def _kept(self, found: Found, stat: Stat, taken: Taken, cursor: Cursor | None = None) -> Taken:
        self._cursors.put(found.path, cursor or Cursor(stat, _told(found, taken)), self._now)
        return taken

    def _taken(self, cursor: Cursor, container: Container | None) -> frozenset[str]:
        """The ids an aligned file's container has: its counters do not know those that fell out of the file."""
        if not cursor.aligned or container is None:
            return frozenset()
        return frozenset(event.id for event in container.events(self._appender.log))


def _told(found: Found, taken: Taken) -> Told:
    counts = taken.counts
    return Told(harness=found.harness or "", name=found.name, whole=found.whole, own=taken.own,
                sessions=taken.sessions, records=counts.new + counts.revised + counts.seen, unparsed=counts.unparsed,
                pending=counts.pending, oldest=counts.oldest, newest=counts.newest)


def _as_it_was(cursors: Cursors, path: Path, now: datetime | None) -> Told | None:
    """What the last import had to say of a file that is as it was left."""
    cursor = cursors.get(path)
    importer = IMPORTERS.get(cursor.told.harness) if cursor else None
    if cursor is None or importer is None or not cursor.fresh(now):
        return None
    try:
        stat = stat_of(path, importer.beside(path) if cursor.told.whole else ())
    except OSError:
        return None
    return cursor.told if stat == cursor.stat else None


def _records(found: Found) -> Iterator[Record]:
    """The records of a file from its start, as far as it can be read."""
    with opened(found.path) as file:
        yield from unfolded(Lines(file, 0, hashlib.sha256()), IMPORTERS[found.harness or ""])


def _opened(path: Path, cursor: Cursor | None) -> tuple[BinaryIO, Digest | None]:
    """A file where its cursor left it, with the digest of what stands before; at its start where that has changed."""
    if cursor is not None and not cursor.told.own:
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
