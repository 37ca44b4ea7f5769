"""Short ways to say ledger events: `claim("main", at=1)` is a human's claim about deploy|branch on day 1."""

from typing import Any

import pytest

from rhizome.model import Event, Tier

HUMAN, MODEL, INFERRED = 1.0, 0.8, 0.6


def day(number: float) -> str:
    """An instant `number` days into June, to the hour."""
    whole = int(number)
    return f"2026-06-{whole:02d}T{int((number - whole) * 24):02d}:00:00.000000Z"


class Log:
    """Gives events ids, seqs and recording times in the order in which they are made."""

    def __init__(self) -> None:
        self.seq = 0
        self.home = "0000000a"

    def event(self, kind: str, body: dict[str, Any], *, tier: str = Tier.GREEN, known: float | None = None) -> Event:
        self.seq += 1
        recorded = day(known) if known is not None else f"2026-07-01T00:00:00.{self.seq:06d}Z"
        return Event(kind=kind, id=f"{self.seq:032x}", rev="0" * 32, seq=self.seq, home=self.home, recorded_at=recorded,
                     tier=tier, body=body)

    def claim(self, value: str, at: float, by: float = HUMAN, *, key: str = "deploy|branch", tier: str = Tier.GREEN,
              capped: bool = False, event: str = "e0", known: float | None = None, **more: Any) -> Event:
        return self.event("fact.asserted", {
            "type": "decision", "scope": "tidepool", "fact_key": key, "value": value, "statement": f"we use {value}",
            "confidence": by, "tier": tier, "observed_at": day(at), "capped": capped,
            "evidence": [{"event": event, "quote": f"we use {value}", "start": 0, "end": 7}]} | more,
            tier=tier, known=known)

    def retract(self, at: float, by: float = HUMAN, *, key: str = "deploy|branch", tier: str = Tier.GREEN) -> Event:
        return self.event("fact.retracted", {"scope": "tidepool", "fact_key": key, "confidence": by,
                                             "observed_at": day(at)}, tier=tier)

    def expire(self, fact: Event, at: float, *, confirmed: float | None = None) -> Event:
        return self.event("fact.expired", {
            "scope": "tidepool", "fact_key": "deploy|branch", "fact": fact.id, "observed_at": day(at)}
            | ({"confirmed": day(confirmed)} if confirmed else {}))

    def saved(self, *operations: dict[str, str], at: float, tier: str = Tier.GREEN) -> Event:
        common = {"scope": "tidepool", "fact_key": "deploy|branch", "statement": "", "value": ""}
        return self.event("note.saved", {"path": "tidepool.md", "ops": [common | each for each in operations]},
                          known=at, tier=tier)

    def merged(self, source: str, target: str, *, known: float | None = None) -> Event:
        return self.event("key.merged", {"scope": "tidepool", "source": source, "target": target}, known=known)


@pytest.fixture
def log() -> Log:
    return Log()
