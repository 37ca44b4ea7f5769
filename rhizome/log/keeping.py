"""What harnesses delete by themselves, and when. The log has it by then; the files go unless a setting is changed."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rhizome.config import SOON_DAYS
from rhizome.log.importers import IMPORTERS
from rhizome.log.importers.port import Period

_LONGEST_DAYS = 36_500
"""A hundred years are for ever; people write larger numbers, and no date is that far away."""


@dataclass(frozen=True, slots=True)
class Going:
    """So many sessions of a harness go within config.SOON_DAYS, the first of them on the day `first` (UTC), because it
    keeps them for `days` (0: it keeps none). `setting` is what to change."""

    harness: str
    days: int
    sessions: int
    first: str
    setting: str


class Keeping:
    """Hears of session files and says what will be gone soon after `now`; without a clock it says nothing."""

    def __init__(self, now: datetime | None) -> None:
        self._now = now
        self._periods: dict[tuple[str, Path], Period | None] = {}
        self._ages: dict[tuple[str, Period], dict[str, datetime]] = {}

    def add(self, harness: str | None, path: Path, session: str) -> None:
        """One file of a session. Costs a `stat` where the harness deletes any."""
        importer = IMPORTERS.get(harness or "")
        home = importer.root_of(path) if importer and importer.keeps else None
        if self._now is None or importer is None or importer.keeps is None or home is None:
            return
        name = importer.name, home
        if name not in self._periods:
            self._periods[name] = importer.keeps(home)
        period = self._periods[name]
        if period is not None:
            ages = self._ages.setdefault((importer.name, period), {})
            at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            ages[session] = max(at, ages.get(session, at))

    def going(self) -> tuple[Going, ...]:
        """What goes soon, by harness and setting."""
        found = []
        for (harness, period), ages in self._ages.items():
            ends = sorted(at + timedelta(days=min(period.days, _LONGEST_DAYS)) for at in ages.values())
            soon = [end for end in ends if self._now and end <= self._now + timedelta(days=SOON_DAYS)]
            if soon:
                found.append(Going(harness, period.days, len(soon), soon[0].date().isoformat(), period.setting))
        return tuple(found)
