"""Law 11: re-import is a no-op, however the source grew, was copied, forked, resumed, compressed, torn or rewritten."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from rhizome.log.door import Door
from rhizome.log.file_log import FileLog
from rhizome.log.importing import Counts, import_paths

KEY = b"k" * 32
SAMPLES = Path(__file__).parents[2] / "examples" / "sessions"
PATHS = [*sorted((SAMPLES / "claude-code").rglob("*.jsonl")), *sorted((SAMPLES / "codex").rglob("*.jsonl"))]
FILES = {path: path.read_bytes() for path in PATHS}

Change = Callable[[bytes], bytes]


def torn(content: bytes) -> bytes:
    """Cut off in the middle of a line; the rest comes again with the next change."""
    return content[: len(content) * 2 // 3]


def respelled(content: bytes) -> bytes:
    """Every whole record written anew, its members in another order."""
    lines = []
    for line in content.split(b"\n"):
        try:
            lines.append(json.dumps(dict(reversed(json.loads(line).items()))).encode())
        except ValueError:
            lines.append(line)
    return b"\n".join(lines)


def with_carriage_returns(content: bytes) -> bytes:
    return b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")


def headless(content: bytes) -> bytes:
    """Without its first third, as a compaction in place would leave it; only its place may tell whose it is now."""
    at = content.index(b"\n", len(content) // 3) + 1
    return content[at:]


def resumed(content: bytes) -> bytes:
    """The rows that have a uuid replayed before the last line, as Claude Code does after a compaction."""
    *lines, last = content.split(b"\n")
    return b"\n".join([*lines, *(line for line in lines if b'"uuid":' in line), last])


def same(content: bytes) -> bytes:
    return content


CHANGES: list[Change] = [same, torn, respelled, with_carriage_returns, headless, resumed]
IN_PLACE = "s.jsonl"
NAMES = [IN_PLACE, "renamed.jsonl", "elsewhere/s.jsonl", "no-suffix", "packed.jsonl.zst"]


@contextmanager
def opened() -> Iterator[tuple[Path, FileLog]]:
    with tempfile.TemporaryDirectory() as folder:
        throws = count(1)
        log = FileLog(Path(folder) / "log", "0a0b0c0d", index=Path(folder) / "index",
                      clock=lambda: datetime(2026, 12, 1, tzinfo=UTC), dice=lambda n: next(throws).to_bytes(n, "big"))
        yield Path(folder), log
        log.close()


def take(log: FileLog, folder: Path, name: str, content: bytes) -> Counts:
    path = folder / "given" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(zstandard.ZstdCompressor().compress(content) if name.endswith(".zst") else content)
    return import_paths(log, [path], index=folder / "index", key=KEY, door=Door(KEY)).total


@given(st.sampled_from(list(FILES)),
       st.lists(st.tuples(st.sampled_from(CHANGES), st.sampled_from(NAMES), st.booleans()), min_size=1, max_size=4))
@settings(max_examples=settings().max_examples // 3)
def test_a_known_source_brings_nothing_in_any_shape(path: Path, shapes: list[tuple[Change, str, bool]]) -> None:
    with opened() as (folder, log):
        take(log, folder, IN_PLACE, FILES[path])
        records = {(event.id, event.rev) for event in log.read(kinds=["session.record"])}
        for change, name, keep_cursors in shapes:
            if not keep_cursors:
                (folder / "index" / "sources.db").unlink()
            counts = take(log, folder, IN_PLACE if change is headless else name, change(FILES[path]))

            assert (counts.new, counts.revised) == (0, 0)
        assert records == {(event.id, event.rev) for event in log.read(kinds=["session.record"])}


@given(st.permutations([(path, change) for path in FILES for change in (same, torn)]))
@settings(max_examples=settings().max_examples // 10)
def test_whatever_came_first_the_same_events_are_there(order: list[tuple[Path, Change]]) -> None:
    with opened() as (folder, log):
        for path, change in order:
            take(log, folder, path.name, change(FILES[path]))
        for path, content in FILES.items():
            take(log, folder, path.name, content)

        assert len({event.id for event in log.read(kinds=["session.record"])}) == 71 + 75


@given(st.sampled_from(list(FILES)))
@settings(max_examples=len(FILES))
def test_a_second_import_appends_nothing_at_all(path: Path) -> None:
    with opened() as (folder, log):
        take(log, folder, path.name, FILES[path])
        head = log.head
        (folder / "index" / "sources.db").unlink()
        take(log, folder, path.name, FILES[path])

        assert head == log.head
