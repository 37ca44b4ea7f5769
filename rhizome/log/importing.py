"""Session files in, events in the log, a report out. Importing what is known already appends nothing.

Small files are appended together: a sync to disk costs more than reading one of them. Where another process appends
meanwhile, those are taken in again one by one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from rhizome.log.appending import Appender
from rhizome.log.attaching import Attaching
from rhizome.log.batching import BATCH_BYTES, BATCH_RECORDS
from rhizome.log.counting import Counts
from rhizome.log.discover import Found, detected, discover
from rhizome.log.door import Door
from rhizome.log.importers import IMPORTERS
from rhizome.log.keeping import Going, Keeping
from rhizome.log.overlay import Gathering, Overtaken, Rehearsal
from rhizome.log.port import EventLog
from rhizome.log.session_files import Own, Sessions
from rhizome.log.sources import Cursors, Taken, Told, stat_of

__all__ = ["Counts", "ImportReport", "detected", "import_paths"]


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
                 named: bool = True, dry: bool = False) -> ImportReport:
    """Append what the session files at or below `paths` hold and the log does not know yet.

    What cannot be read is named in the report and the others go on. Raises NotFound and RhizomeError for a path that is
    none or no session, where a person `named` it, and what `log.append` raises; whatever was appended before stays,
    and the next import goes on from there. `on_file` hears of each file when it is done: its path, how many are done,
    of how many. `now` tells how long a text has stood still; without it the end of one is left for later. `only` names
    the files to look at. With `dry` nothing is appended and nothing remembered: the report says what would come.
    """
    with Cursors(index / "sources.db", log, keep=not dry) as cursors:
        found = discover(paths, lambda path: _as_it_was(cursors, path, now), only, named=named)
        tally = _Tally(now, list(found.problems))

        def reader(into: EventLog) -> Callable[[Found], Taken]:
            appender = Appender(into, key, door)
            sessions, sides = Sessions(appender, cursors, now, own), Attaching(appender, door, cursors, now)
            return lambda file: (sides if file.side else sessions).take(file)

        taking = _Taking(log, reader, cursors, tally, dry=dry)
        total = len(found.sessions) + len(found.sides)
        for done, file in enumerate([*found.sessions, *found.sides], 1):
            if file.told:
                tally.add(file, file.told.taken)
            else:
                taking.take(file)
            if on_file is not None:
                on_file(file.path, done, total)
        taking.finish()
    return tally.report(found.skipped)


class _Taking:
    """Takes files in, many small ones in one append, and remembers each once it is durable."""

    def __init__(self, log: EventLog, reader: Callable[[EventLog], Callable[[Found], Taken]], cursors: Cursors,
                 tally: "_Tally", *, dry: bool) -> None:
        self._log, self._reader, self._cursors, self._tally = log, reader, cursors, tally
        self._dry = dry
        self._waiting: list[tuple[Found, Taken]] = []
        self._begin()

    def _begin(self) -> None:
        self._into = Rehearsal(self._log) if self._dry else Gathering(self._log, BATCH_RECORDS, BATCH_BYTES)
        self._read = self._reader(self._into)

    def take(self, file: Found) -> None:
        try:
            self._waiting.append((file, self._read(file)))
        except Overtaken:
            self._again(file)
        if not self._into.waiting:
            self._settle()

    def finish(self) -> None:
        try:
            self._into.flush()
        except Overtaken:
            self._again()
        self._settle()

    def _settle(self) -> None:
        for file, taken in self._waiting:
            self._tally.add(file, taken)
        self._waiting.clear()
        self._cursors.settle()

    def _again(self, *last: Found) -> None:
        """What was gathered is not in the log: take those files in one by one."""
        files = [*(file for file, _ in self._waiting), *last]
        self._cursors.drop()
        read = self._reader(self._log)
        self._waiting = [(file, read(file)) for file in files]
        self._begin()


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
