"""The log: twenty thousand harness lines of about 1 KB, appended, replayed, verified and cleaned. All in CPU time."""

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from benchmarks.row import Row
from rhizome.log import chain, segments
from rhizome.log.door import Door, suspicious
from rhizome.log.file_log import FileLog
from rhizome.log.verify import verify
from rhizome.model import Event, Source

HOME = "0a0b0c0d"
EVENTS = 20_000
BATCH = 1_000
ROUNDS = 5
MB = 1e6


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        return list(_rows(Path(name)))


def _rows(root: Path) -> Iterator[Row]:
    batches = [_events(start) for start in range(0, EVENTS, BATCH)]
    with closing(_opened(root)) as log:
        appending = _cpu(lambda: _count(log.append(batch) for batch in batches), rounds=1)
        path = root / "log" / HOME / segments.names(root / "log" / HOME)[0]
        content = path.read_bytes()
        raws, size = content.split(b"\n")[:-1], len(content) / MB
        bare = _cpu(lambda: _write_bare(root / "bare", content), rounds=1)
        yield Row("append: chained, synced, read back, catalogued", size / appending, "MB/s", 20, "higher",
                  "bare write and fsync", size / bare)
        decode = msgspec.json.Decoder().decode
        yield Row("replay into events", size / _cpu(lambda: _count(log.read())), "MB/s", 200, "higher",
                  "msgspec into dicts", size / _cpu(lambda: _count(map(decode, raws))))
        yield Row("replay with verification of every line", size / _cpu(lambda: _verified(path, log)), "MB/s", 80,
                  "higher", "json into dicts", size / _cpu(lambda: _count(map(json.loads, raws))))
        yield Row("log verify --full", size / _cpu(lambda: verify(root / "log", HOME)), "MB/s", 60, "higher",
                  "SHA-256 of each line", size / _cpu(lambda: _count(hashlib.sha256(raw).digest() for raw in raws)))
        ids = [event.id for batch in batches for event in batch]
        everything = {raw[30:62].decode(): raw for raw in raws}
        yield Row("is it known: each of 20,000 ids", _cpu(lambda: log.known(ids)) / EVENTS * MB, "us", 15, "lower",
                  "a dictionary in memory", _cpu(lambda: _count(map(everything.get, ids))) / EVENTS * MB)
        some = EVENTS // 20
        yield Row("read one event by its id", _cpu(lambda: _count(map(log.get, ids[:some]))) / some * MB, "us", 1_000,
                  "lower", "decode its line", _cpu(lambda: _count(map(decode, raws[:some]))) / some * MB)
    yield Row("rebuild the catalog", _cpu(lambda: _rebuilt(root), rounds=2) / EVENTS * MB, "us/event", 40, "lower",
              "read and split the segment", _cpu(lambda: path.read_bytes().split(b"\n")) / EVENTS * MB)
    yield from _door(raws)


def _door(raws: list[bytes]) -> Iterator[Row]:
    texts = [text for raw in raws if not suspicious(text := raw.decode())]
    size, door = sum(map(len, texts)) / MB, Door(bytes(32))
    yield Row("the door: lines without secrets", size / _cpu(lambda: _count(map(door.clean, texts))), "MB/s", 200,
              "higher", "one search for one word", size / _cpu(lambda: _count("PRIVATE KEY" in text for text in texts)))


def _events(start: int) -> list[Event]:
    return [Event(kind="session.record", id=f"{n:032x}", rev=f"{n:032x}", happened_at="2026-09-08T10:00:00.000Z",
                  actor="import", scope="tidepool", session=f"claude-code:{n // 300}", body=_record(n),
                  source=Source("claude-code", "projects/-home-ines-src-tidepool/session.jsonl", n * 1000, 1000))
            for n in range(start, start + BATCH)]


def _record(n: int) -> str:
    """A line as a harness writes it: a little structure, a tool's output with its line ends, some prose."""
    output = f"src/tidepool/reading_{n % 97}.py:{n}: error: the station's offset is added twice\n" * 4
    text = "The reading is taken before the offset is known, so it has to be stored with it. " * 3
    return json.dumps({
        "parentUuid": f"{n:08x}-94d8-4d71-86bf-c3eec50b9ecf", "type": "user", "timestamp": "2026-09-08T10:00:00.000Z",
        "message": {"role": "user", "content": [{"type": "tool_result", "content": output}, {"text": text}]}})


def _opened(root: Path) -> FileLog:
    return FileLog(root / "log", HOME, index=root / "index", clock=lambda: datetime.now(UTC), dice=os.urandom)


def _rebuilt(root: Path) -> None:
    (root / "index" / "catalog.db").unlink()
    with closing(_opened(root)) as log:
        assert log.damage() == ()


def _verified(path: Path, log: FileLog) -> None:
    assert all(not step.why for step in chain.walk(segments.lines(path), chain.Place()))
    assert _count(log.read()) == EVENTS


def _write_bare(path: Path, content: bytes) -> None:
    with path.open("wb", 0) as file:
        step = len(content) // (EVENTS // BATCH)
        for start in range(0, len(content), step):
            file.write(content[start : start + step])
            os.fsync(file.fileno())


def _count(things: Iterable[object]) -> int:
    return sum(1 for _ in things)


def _cpu(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The best of several rounds, in seconds of CPU."""
    return min(_took(work) for _ in range(rounds))


def _took(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
