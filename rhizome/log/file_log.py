"""The log on disk: one folder per home, JSON lines, a lock, and nothing acknowledged before it was read back."""

import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from heapq import merge
from itertools import chain as chain_up
from itertools import groupby
from pathlib import Path
from typing import TypeVar

from rhizome.config import LOCK_SECONDS
from rhizome.errors import Damaged, Locked, NotDurable, NotFound, Refused, TooNew
from rhizome.log import batch, chain, envelope, recovery, scan, segments
from rhizome.log.catalog import RECORD, Catalog, Known, Row, Where, set_aside
from rhizome.log.files import Files, make_folders, replace
from rhizome.log.lock import Held, held
from rhizome.log.port import DamagedRange, checked_name
from rhizome.log.upcast import too_new
from rhizome.log.write import AGAIN, place, write
from rhizome.model import Event, Head, timestamp

T = TypeVar("T")
EMPTY = Head(0, chain.ROOT.hex())
EMPTY_PLACE = chain.Place()


class FileLog:
    """An EventLog in `folder` (HOME/log), written for `home`, with its catalog in `index` (HOME/index).

    Opening reads nothing. Several processes and threads may use one folder at once. A clock that runs backwards is
    held at the last recorded time.
    """

    def __init__(self, folder: Path, home: str, *, index: Path, clock: Callable[[], datetime],
                 dice: Callable[[int], bytes], files: Files | None = None, lock_seconds: float = LOCK_SECONDS) -> None:
        self.home = home
        self._folder, self._own = folder, folder / home
        self._clock, self._dice = clock, dice
        self._files = Files() if files is None else files
        self._lock_seconds = lock_seconds
        self._catalog_path = index / "catalog.db"
        self._catalog = Catalog(self._catalog_path)

    def close(self) -> None:
        """Let go of the catalog."""
        self._catalog.close()

    # ---- reading

    @property
    def head(self) -> Head:
        head = segments.read_head(self._own)
        if head is not None:
            return head
        known = self._ask(lambda catalog: catalog.segments(self.home))
        return _head(known[-1].end) if known else EMPTY

    def read(self, since: int = 0, kinds: Collection[str] | None = None) -> Iterator[Event]:
        self._ask(lambda _: None)
        return self._events(self.home, since, chain.NO_LIMIT, kinds)

    def span(self, home: str, first: int, last: int) -> Iterator[Event]:
        self._ask(lambda _: None)
        return self._events(home, first - 1, last, None)

    def session(self, name: str) -> Iterator[Event]:
        places = self._ask(lambda catalog: catalog.of_session(name))
        return _merged([self._at(list(group)) for _, group in groupby(places, key=lambda where: where.home)])

    def history(self, kinds: Collection[str] | None = None) -> Iterator[Event]:
        homes = self._ask(lambda catalog: catalog.homes())
        return _merged([self._events(home, 0, chain.NO_LIMIT, kinds) for home in homes])

    def get(self, event: str) -> Event:
        name = checked_name(event)
        found = self._ask(lambda catalog: catalog.named(name))
        if not found:
            raise NotFound(f"event {event}: not in this log")
        if len({id_ for id_, _ in found}) > 1:
            raise Refused(f"event {event}: several events begin so", "give more digits of its id")
        where = found[0][1]
        raw = self._raw(where)
        line = chain.parse(raw[:-1])
        if line is None or line.id.hex() != found[0][0] or not chain.kept(line):
            raise Damaged(f"event {event}: its line in {where.home}/{where.segment} at byte {where.offset} has changed",
                          "run `rhizome log verify`")
        return envelope.event(raw, where.home)

    def knows(self, event: str) -> frozenset[str]:
        return self.known([event]).get(event, frozenset())

    def known(self, ids: Sequence[str]) -> dict[str, frozenset[str]]:
        return self._ask(lambda catalog: catalog.known(ids))

    def damage(self) -> tuple[DamagedRange, ...]:
        found = self._ask(lambda catalog: catalog.damage())
        return tuple(each for _, each in found)

    def _ask(self, question: Callable[[Catalog], T]) -> T:
        """The answer of a catalog that is up to date. One that turns out to be no good is made again, or left alone."""
        try:
            return self._asked(question)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise Locked(f"{self._catalog_path}: another process is filling it", "try again") from error
            self._catalog.close()
            if error.sqlite_errorcode in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                set_aside(self._catalog_path)
            self._catalog = Catalog(self._catalog_path)
            return self._asked(question)

    def _asked(self, question: Callable[[Catalog], T]) -> T:
        scan.sync(self._catalog, self._folder)
        return question(self._catalog)

    def _events(self, home: str, since: int, until: int, kinds: Collection[str] | None) -> Iterator[Event]:
        """The events of a home with since < seq <= until: single ones by the catalog, many by reading segments."""
        if kinds is not None and RECORD not in kinds:
            yield from self._at(self._catalog.of_kinds(home, kinds, since, until))
            return
        first = self._catalog.at(home, since + 1)
        if first is None:
            return
        bad = {(each.segment, each.offset) for _, each in self._catalog.damage() if each.length}
        for known in self._catalog.segments(home):
            if known.end.seq <= since or known.start.seq >= until:
                continue
            offset = first.offset if known.name == first.segment else 0
            for event in envelope.events(self._lines(home, known, offset, bad), home):
                if event.seq > until:
                    return
                if kinds is None or event.kind in kinds:
                    yield event

    def _lines(self, home: str, known: Known, offset: int, bad: set[tuple[str, int]]) -> Iterator[bytes]:
        """The lines of a segment from `offset` on, without those that begin at a place in `bad`."""
        path, segment = self._folder / home / known.name, f"{home}/{known.name}"
        if any(segment == each for each, _ in bad):
            return (raw for at, raw in segments.lines(path, offset, known.offset) if (segment, at) not in bad)
        return chain_up.from_iterable(segments.chunks(path, offset, known.offset))

    def _at(self, places: Iterable[Where]) -> Iterator[Event]:
        """The events at these places; a file stays open for as long as they stand in it."""
        for (home, segment), group in groupby(places, key=lambda where: (where.home, where.segment)):
            with (self._folder / home / segment).open("rb", 0) as file:
                number = file.fileno()
                yield from envelope.events((os.pread(number, each.length, each.offset) for each in group), home)

    def _raw(self, where: Where) -> bytes:
        with (self._folder / where.home / where.segment).open("rb", 0) as file:
            return os.pread(file.fileno(), where.length, where.offset)

    # ---- appending

    def append(self, events: Iterable[Event], expected_seq: int | None = None) -> int:
        given = batch.checked(events)
        try:
            make_folders(self._files, self._own)
            with held(self._own / "lock", self._lock_seconds, self._files) as lock:
                return self._append(given, expected_seq, lock)
        except OSError as error:
            why = error.strerror or str(error)
            raise NotDurable(f"{self._own}: {why}; the append is not acknowledged", AGAIN) from error

    def _append(self, given: list[Event], expected_seq: int | None, lock: Held) -> int:
        head, torn = self._recovered(lock)
        batch.expect(head, expected_seq)
        fresh = batch.unseen(given, self._ask(lambda catalog: catalog.known([event.id for event in given])))
        repaired = [self._repaired(each) for each in torn]
        if not fresh and not repaired:
            return head.seq
        known = self._catalog.segments(self.home)
        if too := [each.name for each in known if too_new(each.v)]:
            raise TooNew(f"{self._own / too[0]}: written by a newer rhizome", "upgrade this one; it may still read")
        last = known[-1] if known else None
        recorded_at = max(last.recorded_at if last else "", timestamp(self._clock()))
        made = batch.entries([*repaired, *fresh], head, recorded_at, self._dice)
        written = write(self._files, self._own, made, head, last, recorded_at, lock)
        if (last.end if last else EMPTY_PLACE) == place(head):
            self._catalogue(made, written)
        return made[-1].line.seq

    def _recovered(self, lock: Held) -> tuple[Head, tuple[DamagedRange, ...]]:
        """The head to append after, once whatever stood behind it has been dealt with."""
        known = {each.name: each for each in self._ask(lambda catalog: catalog.segments(self.home))}
        said = segments.read_head(self._own)
        head = said or (_head(list(known.values())[-1].end) if known else EMPTY)
        tails = [recovery.Tail(name, known[name].offset if name in known else 0) for name in segments.names(self._own)]
        repair = recovery.repair(self._own, head, tails, lock.before)
        for each in repair.torn:
            recovery.move_aside(self._own, each, self._files)
        if repair.head != said:
            replace(self._files, self._own / "HEAD", segments.render_head(repair.head))
        return repair.head, repair.torn

    def _repaired(self, torn: DamagedRange) -> Event:
        return Event(kind="tail.repaired", id=self._dice(16).hex(), actor="log",
                     body={"segment": f"{self.home}/{torn.segment}", "offset": torn.offset, "length": torn.length})

    def _catalogue(self, made: list[batch.Entry], written: Known) -> None:
        """Tell the catalog what was written; where it does not listen, the next question reads the segment."""
        rows, offset = [], written.offset - sum(len(entry.raw) for entry in made)
        for entry in made:
            line, event = entry.line, entry.event
            rows.append(Row(line.seq, line.id, line.rev, event.kind, event.session, offset, len(entry.raw)))
            offset += len(entry.raw)
        with suppress(sqlite3.DatabaseError), self._catalog.changing():
            self._catalog.add(self.home, written, rows)


def _head(place: chain.Place) -> Head:
    return Head(place.seq, (place.h or chain.ROOT).hex())


def _merged(homes: Sequence[Iterator[Event]]) -> Iterator[Event]:
    """The events of several homes in the order of (recorded_at, home, seq), each (id, rev) once."""
    if len(homes) == 1:
        yield from homes[0]
        return
    met: set[tuple[str, str]] = set()
    for _, event in merge(*map(_timed, homes), key=lambda timed: (timed[0], timed[1].home, timed[1].seq)):
        if (event.id, event.rev) not in met:
            met.add((event.id, event.rev))
            yield event


def _timed(events: Iterable[Event]) -> Iterator[tuple[str, Event]]:
    """Each event with its place in time; a forgotten one stands with the one before it."""
    recorded_at = ""
    for event in events:
        recorded_at = event.recorded_at or recorded_at
        yield recorded_at, event
