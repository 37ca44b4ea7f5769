"""The log on disk: one folder per home, JSON lines, a lock, and nothing acknowledged before it was read back."""

import dataclasses
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from rhizome.config import LOCK_SECONDS
from rhizome.errors import Damaged, Locked, NotDurable, NotFound, Refused, TooNew
from rhizome.log import batch, chain, envelope, mending, reading, recovery, scan, sealing, segments
from rhizome.log.catalog import Catalog, Known
from rhizome.log.catalog_file import set_aside
from rhizome.log.files import Files, make_folders, replace
from rhizome.log.lock import Held, held
from rhizome.log.lost import RANGE_LOST, body
from rhizome.log.port import DamagedRange, checked_name
from rhizome.log.upcast import too_new
from rhizome.log.verify import FORGET_DONE
from rhizome.log.write import AGAIN, place, write
from rhizome.model import Event, Head, timestamp

T = TypeVar("T")
EMPTY = Head(0, chain.ROOT.hex())
EMPTY_PLACE = chain.Place()
AGAIN_REPAIR = "check the disk and its free space, then repair again: nothing is lost by it"
MORE_ROOM = "check the disk and its free space; what is not sealed is read all the same, and sealed next time"


class FileLog:
    """An EventLog in `folder` (HOME/log), written for `home`, with its catalog in `index` (HOME/index).

    Opening reads nothing. Several processes and threads may use one folder at once. A clock that runs backwards is
    held at the last recorded time.
    """

    def __init__(self, folder: Path, home: str, *, index: Path, clock: Callable[[], datetime],
                 dice: Callable[[int], bytes], files: Files | None = None, lock_seconds: float = LOCK_SECONDS) -> None:
        if not segments.is_home(home):
            raise Refused(f"home {home!r}: no id of a home", "eight lower-case hex digits, as in rhizome.toml")
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
        return self._ask(lambda catalog: reading.events(self._folder, catalog, self.home, since, kinds=kinds))

    def span(self, home: str, first: int, last: int) -> Iterator[Event]:
        return self._ask(lambda catalog: reading.events(self._folder, catalog, home, first - 1, last))

    def session(self, name: str) -> Iterator[Event]:
        return self._ask(lambda catalog: reading.session(self._folder, catalog, name))

    def history(self, kinds: Collection[str] | None = None) -> Iterator[Event]:
        return self._ask(lambda catalog: reading.history(self._folder, catalog, kinds))

    def get(self, event: str) -> Event:
        name = checked_name(event)
        found = self._ask(lambda catalog: catalog.named(name))
        if not found:
            raise NotFound(f"event {event}: not in this log")
        if len({id_ for id_, _ in found}) > 1:
            raise Refused(f"event {event}: several events begin so", "give more digits of its id")
        where = found[0][1]
        raw = segments.line(self._folder / where.home / where.segment, where.offset, where.length)
        line = chain.parse(raw[:-1])
        if line is None or line.id.hex() != found[0][0] or not chain.kept(line):
            raise Damaged(f"event {event}: its line in {where.home}/{where.segment} at byte {where.offset} has changed",
                          "run `rhizome log verify`")
        return envelope.event(raw, where.home)

    def knows(self, event: str) -> frozenset[str]:
        return self.known([event]).get(event, frozenset())

    def known(self, ids: Sequence[str]) -> dict[str, frozenset[str]]:
        proper = ids if batch.are_ids(ids) else list(filter(batch.is_id, ids))
        return self._ask(lambda catalog: catalog.known(proper))

    def kinds(self) -> dict[str, int]:
        """How many readable events of each kind there are, over all homes."""
        return self._ask(lambda catalog: catalog.kinds())

    def damage(self) -> tuple[DamagedRange, ...]:
        return self._ask(lambda catalog: tuple(reading.damage(self._folder, catalog)))

    def _ask(self, question: Callable[[Catalog], T]) -> T:
        """The answer of a catalog that is up to date. One that turns out to be no good is made again, or left alone."""
        try:
            return self._asked(question)
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", None)  # Python's own complaints have none
            if code == sqlite3.SQLITE_BUSY:
                raise Locked(f"{self._catalog_path}: another process is filling it", "try again") from error
            self._catalog.close()
            if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                set_aside(self._catalog_path)
            self._catalog = Catalog(self._catalog_path)
            return self._asked(question)

    def _asked(self, question: Callable[[Catalog], T]) -> T:
        scan.sync(self._catalog, self._folder)
        return question(self._catalog)

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
        head = self._recovered(lock)
        batch.expect(head, expected_seq)
        fresh = batch.unseen(given, self._ask(lambda catalog: catalog.known([event.id for event in given])))
        repaired = self._repaired()
        if not fresh and not repaired:
            return head.seq
        known = self._catalog.segments(self.home)
        if too := [each.name for each in known if too_new(each.v)]:
            raise TooNew(f"{self._own / too[0]}: written by a newer rhizome", "upgrade this one; it may still read")
        last = known[-1] if known else None
        recorded_at = max(last.recorded_at if last else "", timestamp(self._clock()))
        made = batch.made([*repaired, *fresh], head, recorded_at, self._dice)
        written = write(self._files, self._own, made, head, last, recorded_at, lock)
        if (last.end if last else EMPTY_PLACE) == place(head):
            self._catalogue(made, last, written)
        return made.head.seq

    def _recovered(self, lock: Held) -> Head:
        """The head to append after, once whatever stood behind it has been dealt with."""
        known = self._ask(lambda catalog: catalog.segments(self.home))
        said = segments.read_head(self._own)
        head = said or (_head(known[-1].end) if known else EMPTY)
        names = {each.name for each in known}
        tails = [recovery.Tail(name, 0) for name in segments.names(self._own) if name not in names]
        if known:
            last = known[-1]
            tails.insert(0, recovery.Tail(last.name, min(last.offset, segments.whole(self._own / last.name))))
        repair = recovery.repair(self._own, head, tails, lock.before)
        for each in repair.torn:
            recovery.move_aside(self._own, each, self._files)
        if repair.head != said:
            replace(self._files, self._own / "HEAD", segments.render_head(repair.head))
        return repair.head

    def _repaired(self) -> list[Event]:
        """Reports of what was moved to `torn/`, now or by an append that did not get so far as to report it."""
        bodies = recovery.reports(self._own)
        reported = {event.fields.get("torn") for event in self.read(kinds={"tail.repaired"})} if bodies else set()
        return [Event(kind="tail.repaired", id=self._dice(16).hex(), actor="log", body=body)
                for body in bodies if body["torn"] not in reported]

    def _catalogue(self, made: batch.Made, last: Known | None, written: Known) -> None:
        """Tell the catalog what was written after `last`. Where it does not listen, or another process was faster, the
        next question reads the segment."""
        with suppress(sqlite3.DatabaseError), self._catalog.changing():
            if self._catalog.segments(self.home)[-1:] == ([last] if last else []):
                self._catalog.add(self.home, written, made.rows, after=written.offset - len(made.content))


    # ---- repairing

    def repair(self, anchors: Mapping[str, Sequence[tuple[int, str]]]) -> mending.Repaired:
        """Give up what is damaged: set this home's bad bytes aside, and say of every home what is lost (`range.lost`).

        `anchors` are the heads that are noted elsewhere, by home. Only for somebody who was asked. Nothing is
        destroyed; cut off anywhere, it goes on next time. Reads every line twice, under the lock.
        """
        try:
            with held(self._own / "lock", self._lock_seconds, self._files) as lock:
                if segments.read_head(self._own) is not None:
                    self._recovered(lock)
                done = mending.repair(self._files, self._folder, self.home, anchors,
                                      lambda: self.history({FORGET_DONE, RANGE_LOST}))
                given_up = [Event(kind=RANGE_LOST, id=self._dice(16).hex(), actor="human", body=body(each, done.aside))
                            for each in done.lost]
                if given_up:
                    self._append(given_up, None, dataclasses.replace(lock, before=None))
                return done
        except OSError as error:
            why = error.strerror or str(error)
            raise NotDurable(f"{self._own}: {why}; not repaired", AGAIN_REPAIR) from error

    # ---- sealing

    def seal(self) -> list[str]:
        """Seal this home's segments that no append goes into any more, and name them. 50 MB/s.

        Does nothing while another process seals. NotDurable where the disk refuses: the segment stays as it was.
        """
        if not self._own.is_dir():
            return []
        try:
            with held(self._own / "seal.lock", 0.0, self._files):
                full = self._ask(lambda catalog: catalog.segments(self.home))[:-1]
                return [known.name for known in full if sealing.seal(self._files, self._own, known, self._catalog)]
        except Locked:
            return []
        except OSError as error:
            raise NotDurable(f"{self._own}: {error.strerror or error}; a segment is not sealed", MORE_ROOM) from error


def _head(place: chain.Place) -> Head:
    return Head(place.seq, (place.h or chain.ROOT).hex())
