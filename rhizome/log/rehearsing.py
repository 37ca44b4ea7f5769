"""A log to rehearse an import on: what is appended is known from then on, and goes nowhere."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from rhizome.errors import NotFound
from rhizome.log import batch
from rhizome.log.port import NO_REV, DamagedRange, EventLog
from rhizome.model import Event, Head


class Rehearsal:
    """The log as it is, and behind it what was appended here: ids, revisions and places, without bodies."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._base = log.head
        self._added: list[Event] = []
        self._revs: dict[str, frozenset[str]] = {}

    @property
    def home(self) -> str:
        return self._log.home

    @property
    def head(self) -> Head:
        return Head(self._base.seq + len(self._added), self._base.h)

    def append(self, events: Iterable[Event], expected_seq: int | None = None) -> int:
        batch.expect(self.head, expected_seq)
        given = batch.checked(events)
        for event in batch.unseen(given, self.known([each.id for each in given])):
            rev = event.rev or NO_REV
            body = event.body if isinstance(event.body, dict) else None
            self._added.append(replace(event, rev=rev, home=self.home, seq=self.head.seq + 1, body=body, body64=None))
            self._revs[event.id] = self._revs.get(event.id, frozenset()) | {rev}
        return self.head.seq

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
