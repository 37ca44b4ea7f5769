"""Days and months that a question names, in digits or in words."""

import math
import re
from datetime import date

import msgspec

from rhizome.patterns import late
from rhizome.search.tokens import normal

MONTHS = {
    name: number
    for number, names in enumerate((
        "january janeiro enero jan", "february fevereiro febrero feb", "march março marzo mar", "april abril apr",
        "may maio mayo", "june junho junio jun", "july julho julio jul", "august agosto aug",
        "september setembro septiembre sep sept", "october outubro octubre oct", "november novembro noviembre nov",
        "december dezembro diciembre dec",
    ), 1)
    for name in names.split()
}
_ISO = late(r"\b(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?\b")
_CJK = late(r"(?:(\d{4})年)?(\d{1,2})月(?:(\d{1,2})日)?")
_WORDS = late(
    r"(?:\b(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+|de\s+)?)?\b(" + "|".join(MONTHS) + r")\b\.?"
    r"(?:\s+(\d{1,2})(?:st|nd|rd|th)?\b(?!\d))?(?:,?\s+(?:of\s+|de\s+)?(\d{4})\b)?", re.IGNORECASE)
_LIKELY_A_VERB = {"may", "mar", "march"}


class Day(msgspec.Struct, frozen=True):
    """A month, perhaps of a year, perhaps a day of it."""

    month: int
    year: int | None = None
    day: int | None = None

    def nearness(self, ordinal: int) -> float:
        """1 for a day in this month (and year), less by distance from the day where one is named, else 0."""
        if not ordinal:
            return 0.0
        at = date.fromordinal(ordinal)
        if at.month != self.month or (self.year or at.year) != at.year:
            return 0.0
        return 1.0 if self.day is None else 0.6 + 0.4 * math.exp(-abs(at.day - self.day) / 4)


def days(text: str) -> list[Day]:
    """The months a question names, in order; "may" and "march" only beside a number, because they are verbs too."""
    plain = normal(text[:2_000])
    found = [_day(*match.groups()) for pattern in (_ISO, _CJK) for match in pattern.finditer(plain)]
    lower = plain.lower()
    for match in _WORDS.finditer(plain) if any(name in lower for name in MONTHS) else ():  # it takes 1 ms to compile
        before, name, after, year = match.groups()
        if name.lower() not in _LIKELY_A_VERB or before or after or year:
            found.append(_day(year, str(MONTHS[name.lower()]), before or after))
    return [each for each in found if each]


def _day(year: str | None, month: str, day: str | None) -> Day | None:
    if not 1 <= int(month) <= 12:
        return None
    return Day(int(month), int(year) if year else None, int(day) if day else None)
