"""What a log promises, whoever keeps it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from rhizome.errors import Refused
from rhizome.model import Event, Head

NO_REV = "0" * 32
"""The revision of an event that was given without one: there is only one version of it."""

PREFIX_MIN = 8
"""Fewer digits of an id than this are no name of an event."""


@dataclass(frozen=True, slots=True)
class DamagedRange:
    """Bytes that should never have changed. `segment` is relative to the log folder; length 0: lines missing here.

    `first` and `last` are the seqs that are missing or cannot be believed; 0 where the bytes do not tell.
    """

    segment: str
    offset: int
    length: int
    why: str
    first: int = 0
    last: int = 0


def is_name(text: str) -> bool:
    """Whether `text` can name an event: the first 8 to 32 lower-case hex digits of its id."""
    return PREFIX_MIN <= len(text) <= 32 and not set(text) - set("0123456789abcdef")


def checked_name(event: str) -> str:
    """`event` as a name of an event. Refused where it can be none."""
    if not is_name(event):
        raise Refused(f"event {event}: no name of an event",
                      f"give the first {PREFIX_MIN} to 32 hex digits of its id, in lower case")
    return event


class EventLog(Protocol):
    """Append-only and ordered, one writer at a time. A batch lands whole or not at all; an (id, rev) seen before is
    absorbed. `read` and `head` are this home's own; everything else answers over every home in the log."""

    @property
    def home(self) -> str:
        """The 8 hex digits of the home this log is written for."""
        ...

    @property
    def head(self) -> Head:
        """How far this home's log reaches."""
        ...

    def append(self, events: Iterable[Event], expected_seq: int | None = None) -> int:
        """Append what is not known yet and return the seq of the last line there is, durable and read back.

        Gives each event its seq, home and recorded_at (which never runs backwards); an empty rev becomes NO_REV.
        Raises Refused (an id or rev that is not 32 lower-case hex digits), Conflict (`expected_seq` is not the head),
        Locked, TooNew, NotDurable; then nothing was appended.
        """
        ...

    def read(self, since: int = 0, kinds: Collection[str] | None = None) -> Iterator[Event]:
        """This home's readable events with seq > `since`, in order; damaged lines are left out (see `damage`).

        What is appended once reading has begun is left out, too: a reader may append.
        """
        ...

    def span(self, home: str, first: int, last: int) -> Iterator[Event]:
        """The readable events `first` to `last` (both included) of one home, in order."""
        ...

    def session(self, name: str) -> Iterator[Event]:
        """The events of one session, in the order of (recorded_at, home, seq)."""
        ...

    def history(self, kinds: Collection[str] | None = None) -> Iterator[Event]:
        """The events of every home, in the order of (recorded_at, home, seq); an (id, rev) in two homes comes once."""
        ...

    def get(self, event: str) -> Event:
        """The longest readable revision of the event of this id, or with a unique prefix of at least 8 digits.

        Raises NotFound, Refused (too short, or several begin so) and Damaged (it is there and cannot be believed).
        """
        ...

    def knows(self, event: str) -> frozenset[str]:
        """The revisions of this event that are in the log."""
        ...

    def known(self, ids: Sequence[str]) -> dict[str, frozenset[str]]:
        """The revisions of each of these ids; ids nobody knows are left out. About 2 us an id."""
        ...

    def damage(self) -> tuple[DamagedRange, ...]:
        """What can no longer be believed, of every home; empty nearly always. Cheap: looks again at what changed."""
        ...
