"""A log with something behind its end that is not in it yet: what would come of an import, or what is gathered."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from rhizome.errors import Conflict, NotFound, RhizomeError
from rhizome.log import batch
from rhizome.log.port import NO_REV, DamagedRange, EventLog
from rhizome.model import Event, Head


class Overlay:
    """The log as it is, and behind it what was appended here, at the places it is going to have."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._begin()

    def _begin(self) -> None:
        self._base = self._log.head
        self._added: list[Event] = []
        self._revs: dict[str, frozenset[str]] = {}

    @property
    def home(self) -> str:
        return self._log.home

    @property
    def waiting(self) -> bool:
        """Whether anything was appended that is to go into the log and is not there yet."""
        return False

    def flush(self) -> None:
        """Put what is waiting into the log."""

    @property
    def head(self) -> Head:
        return Head(self._base.seq + len(self._added), self._base.h)

    def append(self, events: Iterable[Event], expected_seq: int | None = None) -> int:
        batch.expect(self.head, expected_seq)
        given = batch.checked(events)
        for event in batch.unseen(given, self.known([each.id for each in given])):
            rev = event.rev or NO_REV
            self._added.append(self._kept(replace(event, rev=rev, home=self.home, seq=self.head.seq + 1)))
            self._revs[event.id] = self._revs.get(event.id, frozenset()) | {rev}
        return self.head.seq

    def _kept(self, event: Event) -> Event:
        return event

    def read(self, since: int = 0, kinds: Collection[str] | None = None) -> Iterator[Event]:
        return chain(self._log.read(since, kinds), (event for event in self._added[max(0, since - self._base.seq):]
                                                    if kinds is None or event.kind in kinds))

    def span(self, home: str, first: int, last: int) -> Iterator[Event]:
        begin, end = (max(0, seq - self._base.seq) for seq in (first - 1, last))
        return chain(self._log.span(home, first, last), self._added[begin:end] if home == self.home else ())

    def session(self, name: str) -> Iterator[Event]:
        return chain(self._log.session(name), (event for event in self._added if event.session == name))

    def history(self, kinds: Collection[str] | None = None) -> Iterator[Event]:
        return chain(self._log.history(kinds), (event for event in self._added if kinds is None or event.kind in kinds))

    def get(self, event: str) -> Event:
        try:
            return self._log.get(event)
        except NotFound:
            if event not in self._revs:
                raise
        return next(each for each in self._added if each.id == event)

    def knows(self, event: str) -> frozenset[str]:
        return self.known([event]).get(event, frozenset())

    def known(self, ids: Sequence[str]) -> dict[str, frozenset[str]]:
        found = self._log.known(ids)
        return found | {id_: found.get(id_, frozenset()) | self._revs[id_] for id_ in ids if id_ in self._revs}

    def damage(self) -> tuple[DamagedRange, ...]:
        return self._log.damage()


class Rehearsal(Overlay):
    """What is appended is known from then on, and goes nowhere. Texts are not kept: only who asks again wants them."""

    def _kept(self, event: Event) -> Event:
        return replace(event, body=event.body if isinstance(event.body, dict) else None, body64=None)


class Overtaken(RhizomeError):
    """What was gathered does not fit behind the log any more: take it in again, one by one."""


def _size(event: Event) -> int:
    """About how much an event holds."""
    return event.source.length if event.source else len(event.fields.get("text", ""))


class Gathering(Overlay):
    """Gathers appends of little, until there is enough for a sync to disk or `flush` is called: so many records or
    bytes. Nothing is acknowledged before that; a large append goes straight through. Raises Overtaken."""

    def __init__(self, log: EventLog, records: int, size: int) -> None:
        super().__init__(log)
        self._records, self._bytes, self._gathered, self._sound = records, size, 0, False

    @property
    def waiting(self) -> bool:
        return bool(self._added)

    def append(self, events: Iterable[Event], expected_seq: int | None = None) -> int:
        given = list(events)
        if 2 * len(given) >= self._records or 2 * (size := sum(map(_size, given))) >= self._bytes:
            if self._added:
                self.flush()
            try:
                return self._log.append(given, expected_seq)
            finally:
                self._begin()
        if not self._sound:
            self._log.append([])  # what an earlier process left torn is dealt with before places are counted
            self._begin()
            self._sound = True
        last = super().append(given, expected_seq)
        self._gathered += size
        if self._gathered >= self._bytes or len(self._added) >= self._records:
            self.flush()
        return last

    def flush(self) -> None:
        """Append what was gathered. Raises what `EventLog.append` raises, but Overtaken for Conflict."""
        added, expected, self._gathered = self._added, self.head.seq, 0
        try:
            last = self._log.append(added, self._base.seq) if added else expected
        except Conflict:
            last = 0
        finally:
            self._begin()
        if last != expected:
            raise Overtaken("the log grew while this was gathered", "import it again")
