"""Reading one session file into the log: on from where it was left, or from its start.

Whatever tells that a file is not the one it was sends the reader to its start, and the ids absorb what is known.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from rhizome.log.appending import Appender, Target
from rhizome.log.batching import append_all, unfolded
from rhizome.log.counting import Counts
from rhizome.log.discover import Found, head, opened
from rhizome.log.importers import IMPORTERS
from rhizome.log.importers.port import Heading
from rhizome.log.importers.records import Record, Value
from rhizome.log.lineage import Container
from rhizome.log.lines import READING_ERRORS, Digest, Lines, why
from rhizome.log.naming import Namer
from rhizome.log.recognising import belonging, recognise
from rhizome.log.sources import Cursor, Cursors, Stat, Taken, Told, stat_of
from rhizome.log.whole import take_whole
from rhizome.model import Origin

_CHUNK = 1 << 20

Own = Callable[[str | None, str], bool]
"""Whether a session is one of our own questions to a model, by the folder it ran in and its first words."""


class Sessions:
    """Reads session files, each from where it was left."""

    def __init__(self, appender: Appender, cursors: Cursors, now: datetime | None, own: Own) -> None:
        self._appender, self._cursors, self._now, self._own = appender, cursors, now, own

    def take(self, found: Found) -> Taken:
        """Import one file."""
        found = self._appender.called(found)
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
            return self._file(found, self._appender.headed(heading), stat, file, cursor, digest)

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
        naming = IMPORTERS[found.harness or ""].naming(self._appender.key, heading.naming, state)
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


def _records(found: Found) -> Iterator[Record]:
    """The records of a file from its start, as far as it can be read."""
    with opened(found.path) as file:
        yield from unfolded(Lines(file, 0, hashlib.sha256()), IMPORTERS[found.harness or ""])


def _opened(path: Path, cursor: Cursor | None) -> tuple[BinaryIO, Digest | None]:
    """A file where its cursor left it, with the digest of what stands before; at its start where that has changed, or
    where nothing had been read that tells which session it is."""
    if cursor is not None and cursor.offset and not cursor.told.own:
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
