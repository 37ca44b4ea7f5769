"""Derived notes: a year of one much edited note, a first derivation of 10,000 facts, and one more night after it."""

import time
from collections.abc import Callable, Sequence

import msgspec

from benchmarks.row import Row
from rhizome.consolidate.derive import Derived, derive
from rhizome.consolidate.readings import Save, readings
from rhizome.model import Event

NIGHTS, FACTS, SAVES_EVERY = 365, 200, 3
MANY = 10_000
NOTE = "tidepool/deploy.md"


def event(seq: int, kind: str, body: dict[str, object]) -> Event:
    return Event(kind=kind, id=f"{seq:032x}", seq=seq, home="0000000a", body=body, tier="green", actor="human",
                 recorded_at=f"2026-06-10T{seq // 3600:02d}:{seq // 60 % 60:02d}:{seq % 60:02d}.000000Z")


def claim(seq: int, key: str, day: int = 0) -> Event:
    observed_at = f"{2026 + day // 360}-{1 + day // 30 % 12:02d}-{1 + day % 28:02d}T10:00:00Z"
    return event(seq, "fact.asserted", {
        "type": "decision", "scope": "tidepool", "fact_key": key, "value": f"value {seq}", "confidence": 0.8,
        "statement": f"The value of it is value {seq} now.", "tier": "green", "observed_at": observed_at,
        "evidence": [{"event": f"{seq:032x}", "quote": "a verbatim quote of it"}]})


def night(seq: int) -> Event:
    return event(seq, "consolidated", {"run": f"r{seq}", "previous": None, "derive": 1, "turns": [], "days": {}})


def year() -> list[Event]:
    """One note of 200 facts, three changes a night, and every third day a person who adds a line."""
    log = [claim(seq, f"deploy|key {seq:03d}") for seq in range(1, FACTS + 1)]
    derived = derive([*log, night(FACTS + 1)])
    log.append(night(FACTS + 1))
    for number in range(NIGHTS):
        news = [claim(len(log) + 1 + each, f"deploy|key {1 + (number * 3 + each) % FACTS:03d}", number)
                for each in range(3)]
        log += news
        if number % SAVES_EVERY == 0:
            text = derived.files[NOTE] + b"a remark\n"
            log.append(event(len(log) + 1, "note.saved", readings([Save(NOTE, text, "")], derived)[0]))
            news.append(log[-1])
        log.append(night(len(log) + 1))
        for each in (*news, log[-1]):
            derived.apply(each)
    return log


def many() -> list[Event]:
    return [*(claim(seq, f"subject {seq // 8}|key {seq}", seq % 300) for seq in range(1, MANY + 1)), night(MANY + 1)]


def spent(work: Callable[[], object]) -> float:
    """The least CPU seconds of three runs."""
    times = []
    for _ in range(3):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def decoding(log: Sequence[Event]) -> float:
    """What it costs only to decode the same events from their lines."""
    lines = [msgspec.json.encode(each) for each in log]
    decode = msgspec.json.Decoder(Event).decode
    return spent(lambda: [decode(line) for line in lines])


def one_more(derived: Derived) -> float:
    """A night with one changed fact after all the others."""
    news = [claim(MANY + 2, "subject 7|key 60", 300), night(MANY + 3)]
    began = time.process_time()
    for each in news:
        derived.apply(each)
    return time.process_time() - began


def rows() -> list[Row]:
    lived, large = year(), many()
    beside = "decode the events"
    return [
        Row("derive: a year of one note with 200 facts", spent(lambda: derive(lived)), "s", 1.0, "lower",
            beside, decoding(lived)),
        Row("derive: 10,000 facts for the first time", spent(lambda: derive(large)), "s", 3.0, "lower",
            beside, decoding(large)),
        Row("derive: one more night after them", one_more(derive(large)), "s", 0.05, "lower", beside, decoding(large)),
    ]
