"""Facts with a truth table: what was said of many keys, out of order, and what held at any date by a plain rule."""

from datetime import UTC, datetime, timedelta
from random import Random

from rhizome.ledger.fold import Fold
from rhizome.model import Event, Tier

START = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = 500
SAID_AGAIN = 0.2


class Truth:
    """`events` in the order of a log; `said` is what was said of each key, by time, None where it was withdrawn."""

    def __init__(self, facts: int, *, seed: int = 7) -> None:
        self.random = Random(seed)
        self.events: list[Event] = []
        self.said: dict[str, list[tuple[datetime, str | None]]] = {}
        keys = [f"subject {number // 8}|attribute {number}" for number in range(facts * 7 // 10)]
        for number, minute in enumerate(self.random.sample(range(DAYS * 1440), facts)):
            key = keys[number] if number < len(keys) else self.random.choice(keys)
            self._say(key, f"value {number}", START + timedelta(minutes=minute))

    def _say(self, key: str, value: str, at: datetime) -> None:
        told = self.said.setdefault(key, [])
        told_before = [each for _, each in told if each is not None]
        withdrawn = bool(told_before) and self.random.random() < SAID_AGAIN / 2
        if told_before and not withdrawn and self.random.random() < SAID_AGAIN:
            value = self.random.choice(told_before)
        told.append((at, None if withdrawn else value))
        told.sort(key=lambda each: each[0])
        seq = len(self.events) + 1
        body = {"scope": "tidepool", "fact_key": key, "confidence": 1.0, "observed_at": at.isoformat()}
        if not withdrawn:
            body |= {"type": "decision", "value": value, "statement": f"It is {value}.", "tier": "green",
                     "evidence": [{"event": f"{seq:032x}", "quote": f"It is {value}."}]}  # fmt: skip
        self.events.append(Event(
            kind="fact.retracted" if withdrawn else "fact.asserted", id=f"{seq:032x}", seq=seq, home="0000000a",
            recorded_at=f"2027-06-10T{seq // 3600:02d}:{seq // 60 % 60:02d}:{seq % 60:02d}.000000Z", origin="human",
            actor="human", tier="green", body=body))  # fmt: skip

    def dates(self, count: int) -> list[datetime]:
        return [START + timedelta(minutes=self.random.randrange(DAYS * 1440)) for _ in range(count)]

    def at(self, date: datetime) -> dict[str, str]:
        """What held: of each key what was said last until then."""
        last = {key: next((value for at, value in reversed(told) if at <= date), None)
                for key, told in self.said.items()}  # fmt: skip
        return {key: value for key, value in last.items() if value is not None}


def told(ledger: Fold, date: datetime) -> dict[str, str]:
    """What the ledger says held at a date."""
    return {fact.fact_key: fact.value for fact in ledger.as_of(date, None, Tier.GREEN)}


def night(events: list[Event]) -> Event:
    """The run that renders all of it."""
    return Event(kind="consolidated", id="f" * 32, seq=len(events) + 1, home="0000000a", actor="consolidator",
                 recorded_at="2027-06-11T00:00:00.000000Z",
                 body={"run": "r", "previous": None, "derive": 1, "turns": [], "days": {}})  # fmt: skip
