"""The log's twin in memory, for tests and trials: the same lines, the same answers, nothing on a disk."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime

from rhizome.errors import NotFound, Refused
from rhizome.log import batch, envelope
from rhizome.log.chain import ROOT
from rhizome.log.port import DamagedRange, checked_name
from rhizome.model import Event, Head, timestamp


def _new_year() -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC)


class MemoryLog:
    """An EventLog of one home. Without a clock every event is recorded at the same instant."""

    def __init__(self, home: str = "00000000", *, clock: Callable[[], datetime] = _new_year,
                 dice: Callable[[int], bytes] = bytes) -> None:
        self.home = home
        self._clock, self._dice = clock, dice
        self._lines: list[bytes] = []
        self._revs: dict[str, dict[str, int]] = {}
        self._head = Head(0, ROOT.hex())
        self._recorded_at = ""

    @property
    def head(self) -> Head:
        return self._head

    def append(self, events: Iterable[Event], expected_seq: int | None = None) -> int:
        given = batch.checked(events)
        batch.expect(self._head, expected_seq)
        fresh = batch.unseen(given, self.known([event.id for event in given]))
        if not fresh:
            return self._head.seq
        recorded_at = max(self._recorded_at, timestamp(self._clock()))
        made = batch.made(fresh, self._head, recorded_at, self._dice)
        for row in made.rows:
            self._lines.append(bytes(made.content[row.offset : row.offset + row.length]))
            self._revs.setdefault(row.id.hex(), {})[row.rev.hex()] = row.seq
        self._head = made.head
        self._recorded_at = recorded_at
        return self._head.seq

    def read(self, since: int = 0, kinds: Collection[str] | None = None) -> Iterator[Event]:
        for event in envelope.events(self._lines[max(since, 0) :], self.home):
            if kinds is None or event.kind in kinds:
                yield event

    def span(self, home: str, first: int, last: int) -> Iterator[Event]:
        if home != self.home:
            return iter(())
        return (event for event in self.read(first - 1) if event.seq <= last)

    def session(self, name: str) -> Iterator[Event]:
        return (event for event in self.read() if event.session == name)

    def history(self, kinds: Collection[str] | None = None) -> Iterator[Event]:
        return self.read(kinds=kinds)

    def get(self, event: str) -> Event:
        prefix = checked_name(event)
        names = [name for name in self._revs if name.startswith(prefix)]
        if not names:
            raise NotFound(f"event {event}: not in this log")
        if len(names) > 1:
            raise Refused(f"event {event}: several events begin so", "give more digits of its id")
        longest = max(self._revs[names[0]].values(), key=lambda seq: (len(self._lines[seq - 1]), seq))
        return envelope.event(self._lines[longest - 1], self.home)

    def knows(self, event: str) -> frozenset[str]:
        return frozenset(self._revs.get(event, ()))

    def known(self, ids: Sequence[str]) -> dict[str, frozenset[str]]:
        return {id_: frozenset(self._revs[id_]) for id_ in ids if id_ in self._revs}

    def damage(self) -> tuple[DamagedRange, ...]:
        return ()
