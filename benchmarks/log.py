"""The log: twenty thousand harness lines of about 1 KB, appended, replayed, verified and cleaned. All in CPU time."""

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

import msgspec
import zstandard

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
        yield Row("append: chained, synced, read back, catalogued", size / appending, "MB/s", 40, "higher",
                  "bare write and fsync", size / bare)
        decode = msgspec.json.Decoder().decode
        yield Row("replay into events", size / _cpu(lambda: _count(log.read())), "MB/s", 300, "higher",
                  "msgspec into dicts", size / _cpu(lambda: _count(map(decode, raws))))
        yield Row("replay with verification of every line", size / _cpu(lambda: _verified(path, log)), "MB/s", 80,
                  "higher", "json into dicts", size / _cpu(lambda: _count(map(json.loads, raws))))
        yield Row("log verify --full", size / _cpu(lambda: verify(root / "log", HOME)), "MB/s", 100, "higher",
                  "SHA-256 of each line", size / _cpu(lambda: _count(hashlib.sha256(raw).digest() for raw in raws)))
        ids = [event.id for batch in batches for event in batch]
        everything = {raw[30:62].decode(): raw for raw in raws}
        yield Row("is it known: each of 20,000 ids", _cpu(lambda: log.known(ids)) / EVENTS * MB, "us", 15, "lower",
                  "a dictionary in memory", _cpu(lambda: _count(map(everything.get, ids))) / EVENTS * MB)
        some = EVENTS // 20
        yield Row("read one event by its id", _cpu(lambda: _count(map(log.get, ids[:some]))) / some * MB, "us", 1_000,
                  "lower", "decode its line", _cpu(lambda: _count(map(decode, raws[:some]))) / some * MB)
    yield from _sealed(root, ids, raws)
    yield Row("rebuild the catalog", _cpu(lambda: _rebuilt(root), rounds=2) / EVENTS * MB, "us/event", 40, "lower",
              "read and split the segment", _cpu(lambda: path.read_bytes().split(b"\n")) / EVENTS * MB)
    yield from _door(raws)


def _sealed(root: Path, ids: list[str], raws: list[bytes]) -> Iterator[Row]:
    """The same segment in its sealed form, every hundredth event a fact; a later month makes it full."""
    other = root / "sealed"
    with closing(_opened(other, datetime(2026, 3, 1, tzinfo=UTC))) as log:
        for start in range(0, EVENTS, BATCH):
            log.append([msgspec.structs.replace(each, kind="fact.asserted", body={"statement": "Ada owns tidepool."})
                        if n % 100 == 0 else each for n, each in enumerate(_events(start))])
    with closing(_opened(other)) as log:
        log.append([Event(kind="note.saved", id="f" * 32)])
        (name,) = segments.names(other / "log" / HOME)[:-1]
        plain = (other / "log" / HOME / name).read_bytes()
        size, pack = len(plain) / MB, zstandard.ZstdCompressor(level=3).compress
        yield Row("seal: packed, synced, compared", size / _cpu(lambda: _count(log.seal()), rounds=1), "MB/s", 30,
                  "higher", "zstd of it all at once", size / _cpu(lambda: pack(plain), rounds=1))
        packed = (other / "log" / HOME / f"{name}.zst").stat().st_size / MB
        yield Row("a sealed segment's share of the plain one", packed / size, "", 0.5, "lower",
                  "zstd of it all at once", len(pack(plain)) / MB / size)
        some = Random(5).sample(ids, 2_000)
        frame = zstandard.ZstdCompressor(level=3).compress(plain[:256 * 1024])
        unpack = zstandard.ZstdDecompressor().decompress
        yield Row("read one event by its id, sealed, p99", _p99(log.get, some), "us", 1_000, "lower",
                  "unpack 256 KB", _p99(lambda _: unpack(frame), some))
        decode = msgspec.json.Decoder().decode
        yield Row("replay into events, sealed", size / _cpu(lambda: _count(log.read())), "MB/s", 150, "higher",
                  "msgspec into dicts, plain", size / _cpu(lambda: _count(map(decode, raws))))
        yield Row("read the facts alone, of plain bytes passed", size / _cpu(
            lambda: _count(log.history({"fact.asserted"}))), "MB/s", 5_000, "higher",
            "unpack everything", size / _cpu(lambda: _count(unpack(frame) for _ in range(len(plain) >> 18))))


def _p99(ask: Callable[[str], object], ids: list[str]) -> float:
    """What 99 of 100 questions take at most in the best of several rounds, in microseconds of CPU."""
    return min(_slowest(ask, ids[start::ROUNDS]) for start in range(ROUNDS))


def _slowest(ask: Callable[[str], object], ids: list[str]) -> float:
    took = sorted(_took(partial(ask, id_)) for id_ in ids)
    return took[len(took) * 99 // 100] * MB


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


def _opened(root: Path, now: datetime | None = None) -> FileLog:
    return FileLog(root / "log", HOME, index=root / "index", clock=lambda: now or datetime.now(UTC), dice=os.urandom)


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
