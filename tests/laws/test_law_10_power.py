"""Law 10 when the power goes: whatever the disk kept, the acknowledged is there and nothing else is there in part.

A disk owes us what was synced, and nothing else: of later writes it may keep all, none or half, of later names all or
none. Each moment of a few appends is tried with each of these.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from rhizome.log.file_log import FileLog
from rhizome.log.files import Files
from rhizome.log.verify import verify
from rhizome.model import Event
from tests.laws.power import OUTCOMES, Call, Disk, Recording

HOME = "0a0b0c0d"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Call], dict[int, list[str]]]:
    """The calls of five appends (into nothing, a segment, a new month, behind a torn tail), and what each promised."""
    root, files, acknowledged = tmp_path_factory.mktemp("power"), Recording(), dict[int, list[str]]()
    for n, batch in enumerate((["a", "b"], ["c"], ["d", "e", "f"], ["g"], ["h", "i"])):
        if n == 3:
            torn = root / "log" / HOME / "2026/04/000000000004.jsonl"
            file = files.open(torn, os.O_WRONLY | os.O_APPEND)
            files.write(file, b'{"v":1,"seq":7')
            files.close(file)
        with closing(opened(root, 3 if n < 2 else 4, files)) as log:
            log.append([event(text) for text in batch])
        acknowledged[len(files.calls)] = batch
    return root, files.calls, acknowledged


def opened(root: Path, month: int, files: Files) -> FileLog:
    throws: Iterator[int] = count(month)
    dice: Callable[[int], bytes] = lambda n: (next(throws) * 1_000 + n).to_bytes(n, "big")  # noqa: E731
    (root / "no index").touch()  # the catalog stays in memory: it is no part of this law
    return FileLog(root / "log", HOME, index=root / "no index", files=files, dice=dice,
                   clock=lambda: datetime(2026, month, 1, tzinfo=UTC))


def event(text: str) -> Event:
    return Event(kind="session.record", id=text.encode().hex().ljust(32, "0"), body=text)


def texts(log: FileLog) -> list[str]:
    assert log.damage() == ()
    return [str(each.body) for each in log.read(kinds={"session.record"})]


@pytest.mark.parametrize("outcome", OUTCOMES, ids="-".join)
def test_after_a_power_cut_at_any_moment_the_acknowledged_is_there_and_nothing_in_part(
        outcome: tuple[str, str], recorded: tuple[Path, list[Call], dict[int, list[str]]], tmp_path: Path) -> None:
    root, calls, acknowledged = recorded
    disk = Disk()
    for moment, (name, given) in enumerate(calls, 1):
        disk.call(name, given)
        after = tmp_path / str(moment)
        for path, content in disk.kept(*outcome).items():
            new = after / path.relative_to(root)
            new.parent.mkdir(parents=True, exist_ok=True)
            new.write_bytes(content)
        after.mkdir(exist_ok=True)
        promised = [text for at, batch in acknowledged.items() if at <= moment for text in batch]
        under_way = next((batch for at, batch in acknowledged.items() if at > moment), [])

        with closing(opened(after, 4, Recording())) as log:
            assert texts(log) in (promised, promised + under_way)
            log.append([event("next")])
            assert texts(log) in ([*promised, "next"], [*promised, *under_way, "next"])
            log.append(map(event, under_way))
            assert sorted(texts(log)) == sorted([*promised, *under_way, "next"])
        assert verify(after / "log", HOME) == []
