"""Which day it was: every home has a time zone, and a changed one applies to what is recorded later."""

from bisect import bisect_right
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from rhizome.model import moment


class Zones:
    """The zones that `home.configured` events named, in the order of the log."""

    def __init__(self) -> None:
        self._since: list[str] = []
        self._zones: list[tzinfo] = []

    def configure(self, recorded_at: str, name: object) -> None:
        self._since.append(recorded_at)
        self._zones.append(zone(name))

    def at(self, recorded_at: str) -> tzinfo:
        """The zone in force when something was recorded; before the first, the first."""
        return self._zones[max(bisect_right(self._since, recorded_at) - 1, 0)] if self._zones else UTC

    def date(self, at: str, recorded_at: str) -> str:
        """The date of an ISO 8601 time for what was recorded at `recorded_at`; of what is no time, the epoch's."""
        instant = moment(at) or datetime.fromtimestamp(0, UTC)
        return instant.astimezone(self.at(recorded_at)).date().isoformat()


def zone(name: object) -> tzinfo:
    """A time zone by its IANA name; UTC for what is none."""
    try:
        return ZoneInfo(str(name)) if name else UTC
    except (KeyError, OSError, ValueError):
        return UTC
