"""Importing a Claude Code session of 27 MB: its first import, growth, a second import with and without cursors, and
reading its turns, beside decoding the same lines to bare objects and the pass of the door's rules over them; and
importing 2,000 small ones.

Rows have the sizes of real ones (median about 600 bytes, mean about 2 kB). Seconds are CPU seconds.
"""

import json
import os
import random
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from benchmarks.row import Row
from rhizome.log.door import Door
from rhizome.log.file_log import FileLog
from rhizome.log.importing import import_paths
from rhizome.log.secrets.matching import marks
from rhizome.log.sessions import sessions, turns

RECORDS = 12_000
FILES = 2_000
START = datetime(2026, 10, 14, 9, tzinfo=UTC)
KEY = b"k" * 32
WORDS = ["the", "harbour", "gauge", "shows", "two", "metres", "of", "water", "while", "the", "feed", "says", "cm;",
         "nobody", "divides", "tests/test_feed.py::test_window[057]", "PASSED", "uv", "run", "pytest", "parse()"]


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        return _rows(Path(folder))


def _rows(folder: Path) -> list[Row]:
    session = folder / "session.jsonl"
    session.write_bytes(b"".join(made(RECORDS)))
    size = session.stat().st_size / 1e6
    bare = size / min(spent(lambda: decoded(session)) for _ in range(3))
    ruled = size / min(spent(lambda: passed(session)) for _ in range(3))
    first = size / min(fresh(folder / str(n), session) for n in range(4))
    log = opened(folder)

    def take() -> None:
        import_paths(log, [session], index=folder / "index", key=KEY, door=Door(KEY))

    take()
    still = spent(take) * 1000
    with session.open("ab") as file:
        file.writelines(made(20, start=RECORDS))
    grown = spent(take) * 1000
    (folder / "index" / "sources.db").unlink()
    again = size / spent(take)
    name = next(sessions(log)).id
    read = size / spent(lambda: sum(1 for _ in turns(log, name, datetime(2026, 12, 1, tzinfo=UTC))))
    log.close()
    hashed = spent(session.read_bytes) * 1000
    return [
        *small(folder / "small"),
        Row("import of a Claude session, redaction on", first, "MB/s", 40, "higher", "bare decode", bare),
        Row("import of a Claude session, the same", first, "MB/s", 40, "higher", "the bare pass of the rules", ruled),
        Row("import again without cursors", again, "MB/s", 25, "higher", "bare decode", bare),
        Row("import again of what stands still", still, "ms", 20, "lower", "reading it", hashed),
        Row("import of 20 records a session grew by", grown, "ms", 100, "lower", "reading it", hashed),
        Row("reading a session's turns", read, "MB/s", 20, "higher", "bare decode", bare),
    ]


def opened(folder: Path) -> FileLog:
    return FileLog(folder / "log", "0a0b0c0d", index=folder / "index", clock=lambda: datetime(2026, 12, 1, tzinfo=UTC),
                   dice=os.urandom)


def fresh(folder: Path, session: Path) -> float:
    """Seconds for the first import into a log of its own."""
    with closing(opened(folder)) as log:
        return spent(lambda: import_paths(log, [session], index=folder / "index", key=KEY, door=Door(KEY)))


def small(folder: Path) -> list[Row]:
    """Many small sessions, as a person has them who asks often: their first import, and one that finds them as they
    were."""
    for n in range(FILES):
        path = folder / "sessions" / f"-home-{n % 20}" / f"{n:08x}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = (json.dumps({**row(n * 6 + at, START, random.Random(n)), "sessionId": f"s{n}"}) for at in range(6))
        path.write_text("".join(f"{each}\n" for each in rows), "utf-8")
    paths = sorted(folder.rglob("*.jsonl"))
    with closing(opened(folder)) as log:
        def take() -> None:
            import_paths(log, [folder / "sessions"], index=folder / "index", key=KEY, door=Door(KEY))

        first, again = spent(take), min(spent(take) for _ in range(3))
    return [
        Row("import of a small session, of many", first / FILES * 1000, "ms", 4, "lower", "reading it",
            spent(lambda: [path.read_bytes() for path in paths]) / FILES * 1000),
        Row("import again of 10,000 files that stand still", again / FILES * 10_000, "s", 3, "lower", "a stat of each",
            spent(lambda: [path.stat() for path in paths]) / FILES * 10_000),
    ]


def spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def decoded(session: Path) -> None:
    decoder = msgspec.json.Decoder()
    with session.open("rb") as file:
        for line in file:
            decoder.decode(line)


def passed(session: Path) -> None:
    """The door's one pass for the marks of all rules, which finds none here."""
    with session.open("rb") as file:
        for line in file:
            marks(line)


def made(records: int, start: int = 0) -> list[bytes]:
    """Rows of a session: a prompt, then answers, calls and results."""
    dice = random.Random(f"rows {start}")
    rows = (row(n, START + timedelta(seconds=n), dice) for n in range(start, start + records))
    return [json.dumps(each).encode() + b"\n" for each in rows]


def row(n: int, at: datetime, dice: random.Random) -> dict[str, object]:
    text = " ".join(dice.choices(WORDS, k=dice.choice([5, 20, 60, 200, 3_500])))
    shape = n % 6
    content: object = text[:400]
    if shape == 2 or shape == 4:
        content = [{"type": "tool_use", "id": f"toolu_{n}", "name": "Bash", "input": {"command": text[:80]}}]
    elif shape == 3 or shape == 5:
        content = [{"type": "tool_result", "tool_use_id": f"toolu_{n - 1}", "content": text}]
    elif shape == 1:
        content = [{"type": "text", "text": text[:600]}]
    role = "user" if shape in {0, 3, 5} else "assistant"
    return {"parentUuid": f"uuid-{n - 1}", "isSidechain": False, "type": role, "uuid": f"uuid-{n}",
            "message": {"role": role, "id": f"msg_{n // 3}", "content": content}, "timestamp": at.isoformat(),
            "userType": "external", "cwd": "/home/ines/src/tidepool", "sessionId": "bench", "version": "2.1.231",
            "gitBranch": "main"}
