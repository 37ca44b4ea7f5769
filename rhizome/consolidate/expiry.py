"""What nobody has confirmed for long enough is no longer current. Ended by an event, kept in history."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from rhizome.config import EXPIRE_DAYS
from rhizome.errors import Refused
from rhizome.ledger.fold import Fold
from rhizome.log.identity import identify
from rhizome.model import FACT_TYPES, Event, Fact, Status, Tier, moment, timestamp

LONGEST_DAYS = 100 * 365
"""What stands for longer never expires: 0 says so."""


def lifetimes(settings: Mapping[str, Any]) -> dict[str, int]:
    """Days by type of fact as `[ledger] expire` of a home's settings changes them; a type of 0 days never expires.

    Refused where it names what is no type, or no number of days.
    """
    said = settings.get("ledger", {}).get("expire", {})
    if not isinstance(said, dict):
        raise Refused(f"rhizome.toml: [ledger] expire: {said!r} names no types",
                      "Say it like { fact = 90, lesson = 0 }.")
    for kind, days in said.items():
        if kind not in FACT_TYPES:
            raise Refused(f"rhizome.toml: [ledger] expire: {kind!r} is not a type of fact",
                          f"Use some of: {', '.join(FACT_TYPES)}.")
        if type(days) is not int or not 0 <= days <= LONGEST_DAYS:
            raise Refused(f"rhizome.toml: [ledger] expire: {kind} = {days!r} is not a number of days",
                          f"Say how many days, up to {LONGEST_DAYS}; 0 means never.")
    return {kind: days for kind, days in {**EXPIRE_DAYS, **said}.items() if days}


def expired(facts: Iterable[Fact], now: datetime, days: Mapping[str, int] = EXPIRE_DAYS) -> Iterator[Fact]:
    """Active facts nobody has confirmed for as many `days` as their type may stand; types not named never expire."""
    for fact in facts:
        end = _end(fact, days)
        if fact.status is Status.ACTIVE and end is not None and end <= now:
            yield fact


def expiries(fold: Fold, now: datetime, *, key: bytes, run: str,
             days: Mapping[str, int] = EXPIRE_DAYS) -> list[Event]:
    """The `fact.expired` events that are due, for what each clearance sees as current.

    Each is judged by a confirmation and names it: where a later one turns up, the fold holds the expiry void.
    """
    events: dict[str, Event] = {}
    for clearance in Tier:
        for fact in expired(fold.current(clearance), now, days):
            event = _event(fact, clearance, key, run, days)
            events.setdefault(event.id, event)
    return list(events.values())


def _end(fact: Fact, days: Mapping[str, int]) -> datetime | None:
    confirmed, length = moment(fact.last_confirmed_at), days.get(fact.type)
    return confirmed + timedelta(days=length) if confirmed and length is not None else None


def _event(fact: Fact, clearance: Tier, key: bytes, run: str, days: Mapping[str, int]) -> Event:
    end = _end(fact, days)
    parts = (fact.scope, fact.fact_key, fact.id, fact.last_confirmed_at)
    return Event(
        kind="fact.expired", id=identify(key, b"expired", *(part.encode("utf-8", "replace") for part in parts)),
        actor="consolidator", scope=fact.scope, call=f"consolidate/{run}", tier=clearance,
        body={"scope": fact.scope, "fact_key": fact.fact_key, "fact": fact.id,
              "observed_at": timestamp(end) if end else "", "confirmed": fact.last_confirmed_at},
    )
