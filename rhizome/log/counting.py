"""What an import counts: what became of records, and from when to when they are."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from rhizome.log.lineage import earlier, later
from rhizome.model import moment


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the records of some files; the fields that `rhizome import --json` has of the same names.

    `redacted` counts the secrets that were taken out, `redacted_by` those of each rule of the door; `oldest` and
    `newest` are the times of records, new or seen.
    """

    new: int = 0
    seen: int = 0
    revised: int = 0
    attached: int = 0
    unparsed: int = 0
    pending: int = 0
    redacted: int = 0
    redacted_by: Mapping[str, int] = field(default_factory=dict)
    oldest: str | None = None
    newest: str | None = None

    def __add__(self, other: "Counts") -> "Counts":
        by = self.redacted_by
        if other.redacted_by:
            by = Counter(by) + Counter(other.redacted_by)
        return Counts(self.new + other.new, self.seen + other.seen, self.revised + other.revised,
                      self.attached + other.attached, self.unparsed + other.unparsed, self.pending + other.pending,
                      self.redacted + other.redacted, by, earlier(self.oldest, other.oldest),
                      later(self.newest, other.newest))


class Dates:
    """The oldest and the newest of some times, as they are written."""

    def __init__(self) -> None:
        self.oldest: str | None = None
        self.newest: str | None = None
        self._first, self._last = datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)

    def take(self, at: str | None) -> str | None:
        """`at` where it names a time, else None."""
        instant = moment(at)
        if instant is None:
            return None
        if instant < self._first:
            self._first, self.oldest = instant, at
        if instant > self._last:
            self._last, self.newest = instant, at
        return at
