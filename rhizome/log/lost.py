"""What is lost for good because a person said so: a `range.lost` names it, and from then on it is no damage any more.

A home's own bytes are set aside by a repair, and what stays is a gap in its seqs. Another home's bytes are left alone:
they may come back from where they were written.
"""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, NamedTuple

from rhizome.log.port import DamagedRange
from rhizome.model import Event

RANGE_LOST = "range.lost"


class Loss(NamedTuple):
    """What one `range.lost` gives up: a home's seqs from `first` to `last` (0: none), or bytes and why they are bad."""

    home: str
    first: int
    last: int
    where: tuple[str, int, int, str]

    def covers(self, found: DamagedRange) -> bool:
        """Whether this damage is part of the loss."""
        same_home = found.segment.partition("/")[0] == self.home
        within = bool(found.first) and self.first <= found.first and found.last <= self.last
        return same_home and (within or self.where == (found.segment, found.offset, found.length, found.why))


def body(found: DamagedRange, aside: Iterable[str] = ()) -> dict[str, Any]:
    """The body of the `range.lost` that gives `found` up; `aside` names the copies of what stood there."""
    return asdict(found) | {"home": found.segment.partition("/")[0], "aside": list(aside)}


def losses(told: Iterable[Event]) -> list[Loss]:
    """What these events give up. One that does not say what is not heard."""
    found = []
    for event in told:
        said = event.fields if event.kind == RANGE_LOST else {}
        texts, numbers = [said.get(name) for name in ("home", "segment", "why")], [
            said.get(name) for name in ("first", "last", "offset", "length")]
        if all(isinstance(each, str) for each in texts) and all(isinstance(each, int) for each in numbers):
            found.append(Loss(said["home"], said["first"], said["last"],
                              (said["segment"], said["offset"], said["length"], said["why"])))
    return found


def still_damaged(found: Iterable[DamagedRange], told: Iterable[Event]) -> list[DamagedRange]:
    """The damage that nobody has given up. `told` is not read where there is none."""
    ranges = list(found)
    given_up = losses(told) if ranges else []
    return [each for each in ranges if not any(loss.covers(each) for loss in given_up)]
