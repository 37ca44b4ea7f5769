"""The ledger over 10,000 facts: folding them, telling them, projecting them, and telling one key again."""

import itertools
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from benchmarks.row import Row
from benchmarks.truth import Truth, night, told
from rhizome.consolidate.derive import derive
from rhizome.ledger.fold import Fold, fold
from rhizome.ledger.projection import LedgerIndex
from rhizome.model import Event, Tier

FACTS = 10_000
KEYS = 7_000


def claim(number: int) -> Event:
    return Event(
        kind="fact.asserted", id=f"{number:032x}", seq=number, home="0000000a",
        recorded_at=f"2026-06-10T00:00:00.{number:06d}Z", origin="human", actor="human", body={
            "type": "decision", "scope": f"project{number % 20}", "fact_key": f"subject {number % KEYS}|attribute",
            "value": f"value {number}", "statement": f"statement {number} is about as long as a statement is",
            "detail": "", "confidence": 1.0, "tier": "green" if number % 4 else "amber", "capped": False,
            "observed_at": f"2026-06-{1 + number % 28:02d}T10:00:00Z", "aliases": [], "links": [],
            "evidence": [{"event": f"{number:032x}", "quote": "a verbatim quote of it", "start": 0, "end": 22}]})


def spent(work: Callable[[], object]) -> float:
    """The least CPU seconds of three runs."""
    times = []
    for _ in range(3):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def rows() -> list[Row]:
    events = [claim(number) for number in range(1, FACTS + 1)]
    lines = [msgspec.json.encode(event) for event in events]
    decode = msgspec.json.Decoder(Event).decode
    folder = Path(tempfile.mkdtemp())
    try:
        index = LedgerIndex(folder, Tier.AMBER)
        folding = spent(lambda: list(fold(events).current(Tier.AMBER)))
        decoding = spent(lambda: [decode(line) for line in lines])
        ledger = fold(events)
        projecting = spent(lambda: index.rebuild(ledger, {"0000000a": FACTS}))
        inserting = spent(lambda: bare_insert(events))
        numbers = itertools.count(FACTS + 1)
        touching = spent(lambda: touch(ledger, index, next(numbers)))
        index.close()
    finally:
        shutil.rmtree(folder)
    matching, rebuilding = vault()
    return [
        Row("fold and tell 10,000 facts", folding, "s", 2.0, "lower", "decode the same events", decoding),
        Row("project 10,000 facts", projecting, "s", 2.0, "lower", "insert the same rows bare", inserting),
        Row("one new claim, told and projected", touching, "s", 0.05, "lower", "all anew", folding + projecting),
        Row("10,000 facts: true at 50 dates, rebuilt twice", matching + rebuilding, "s", 60.0, "lower",
            "decode the same events", decoding),
    ]


def vault() -> tuple[float, float]:
    """CPU seconds that a truth table of 10,000 facts takes at 50 random dates, and two rebuilds of all its notes."""
    truth = Truth(FACTS)
    dates, events = truth.dates(50), [*truth.events, night(truth.events)]
    began = time.process_time()
    ledger = fold(truth.events)
    wrong = [date for date in dates if truth.at(date) != told(ledger, date)]
    matched = time.process_time()
    same = derive(events).files == derive(events).files
    if wrong or not same:
        raise AssertionError(f"the ledger is wrong at {wrong}, or two rebuilds differ")
    return matched - began, time.process_time() - matched


def touch(ledger: Fold, index: LedgerIndex, number: int) -> None:
    ledger.touched()
    ledger.apply(claim(number))
    index.update(ledger, ledger.touched(), {"0000000a": number})


def bare_insert(events: list[Event]) -> None:
    db = sqlite3.connect(":memory:")
    with db:
        db.execute("CREATE TABLE facts (id, scope, fact_key, value, statement, observed_at)")
        db.executemany("INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?)", [
            (event.id, *(event.fields[name] for name in ("scope", "fact_key", "value", "statement", "observed_at")))
            for event in events])
    db.close()
