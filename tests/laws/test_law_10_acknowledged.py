"""Law 10: acknowledged means readable after a crash, and what was not acknowledged is never half there."""

import mmap
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random

import pytest

from rhizome.errors import NotDurable
from rhizome.log.file_log import FileLog
from rhizome.log.files import READ_BYTES, Files
from rhizome.log.verify import verify
from rhizome.model import Event
from tests.laws.faulty import Faulty, Swift

HOME = "0a0b0c0d"


class Disk:
    """A log folder that is opened again and again, as if by new processes."""

    def __init__(self, root: Path) -> None:
        self.root, self.month = root, 3
        throws = count(1)
        self.dice: Callable[[int], bytes] = lambda n: next(throws).to_bytes(n, "big")

    def append(self, batch: list[str], files: Files = Swift()) -> None:  # noqa: B008 - it has no state
        with closing(self.open(files)) as log:
            log.append([event(each) for each in batch])

    def open(self, files: Files = Swift()) -> FileLog:  # noqa: B008
        return FileLog(self.root / "log", HOME, index=self.root / "index", files=files, dice=self.dice,
                       clock=lambda: datetime(2026, self.month, 1, tzinfo=UTC))

    def copy(self, name: str) -> "Disk":
        """The same disk once more."""
        other = Disk(self.root.with_name(name))
        if self.root.exists():
            shutil.copytree(self.root, other.root)
        other.month = self.month
        return other

    def texts(self) -> list[str]:
        """What a new process reads."""
        with closing(self.open()) as log:
            return texts(log)


def texts(log: FileLog) -> list[str]:
    """The records of a log that has no damage."""
    assert log.damage() == ()
    return [str(each.body) for each in log.read(kinds={"session.record"})]


def event(text: str) -> Event:
    return Event(kind="session.record", id=text.encode().hex().ljust(32, "0")[:32], body=text)


@pytest.fixture(params=["first", "same segment", "new segment"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Disk:
    """Where the next append finds nothing, a segment to add to, or a month that is over."""
    made = Disk(tmp_path / "original")
    if request.param != "first":
        made.append(["a", "b"])
        made.append(["c"])
    if request.param == "new segment":
        made.month = 4
    return made


@pytest.mark.parametrize(("fault", "for_good"), [("EIO", False), ("ENOSPC", True), ("short", False), ("lost", False)])
def test_whatever_call_fails_the_acknowledged_is_there_and_nothing_else_is_there_in_part(
        disk: Disk, fault: str, for_good: bool) -> None:
    known, batch, failed = disk.texts(), ["one", "two", "three"], 0
    for at in count(1):
        tried, files = disk.copy(str(at)), Faulty(at, fault, for_good=for_good)
        try:
            tried.append(batch, files)
        except NotDurable:
            failed += 1
            allowed = (known, known + batch)
        else:
            allowed = (known + batch, known + batch)

        with closing(tried.open()) as log:
            assert texts(log) in allowed
            log.append([event("next")])
            assert texts(log) in [[*each, "next"] for each in allowed]
            log.append([event(each) for each in batch])
            assert sorted(texts(log)) == sorted([*known, "next", *batch])
        assert verify(tried.root / "log", HOME) == []
        if files.calls < at:  # the append came to its end before anything could go wrong
            break
    assert failed >= 3 or (fault == "short" and not failed)


@pytest.mark.parametrize("late", ["late", "x" * 3 * READ_BYTES + "late", "late" + "x" * READ_BYTES])
def test_a_read_back_that_differs_is_not_acknowledged(disk: Disk, late: str) -> None:
    class Liar(Files):
        def read(self, file: int, length: int, offset: int) -> bytes:
            return super().read(file, length, offset).replace(b"late", b"l4te")

    known = disk.texts()

    with pytest.raises(NotDurable, match="not what is there"):
        disk.append([late], Liar())
    assert disk.texts() == known


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "rhizome-test", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("needs the right to mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.parametrize("pages", range(7))
def test_on_a_full_disk_a_batch_is_there_as_a_whole_or_was_never_acknowledged(small_disk: Path, pages: int) -> None:
    disk, batch = Disk(small_disk), [f"{n} " + "x" * 2_500 for n in range(3)]
    disk.append(["a"], Files())
    filler = small_disk / "filler"
    with suppress(OSError), filler.open("wb", 0) as file:
        while True:
            file.write(bytes(mmap.PAGESIZE))
    os.truncate(filler, filler.stat().st_size - pages * mmap.PAGESIZE)

    try:
        disk.append(batch, Files())
        acknowledged = True
    except NotDurable:
        acknowledged = False
    filler.unlink()

    assert disk.texts() == (["a", *batch] if acknowledged else ["a"])
    disk.append(batch, Files())
    assert disk.texts() == ["a", *batch]
    assert verify(small_disk / "log", HOME) == []


KILLS = 500 if os.environ.get("RHIZOME_EXAMPLES") == "prove" else 4

CHILD = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from rhizome.log.file_log import FileLog
from rhizome.model import Event

root, who, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
log = FileLog(root / "log", "0a0b0c0d", index=root / "index", clock=lambda: datetime.now(UTC), dice=os.urandom)
for n in range(rounds):
    texts = [f"{who} {n} {part}" for part in range(1 + n % 5)]
    log.append([Event(kind="session.record", id=os.urandom(16).hex(), body=text) for text in texts])
    print(*texts, sep="\\n", flush=True)
"""


def child(root: Path, who: str, rounds: int) -> "subprocess.Popen[str]":
    """A process that appends batches of one to five events and says which of them are acknowledged."""
    return subprocess.Popen([sys.executable, "-c", CHILD, str(root), who, str(rounds)],
                            stdout=subprocess.PIPE, text=True)


def test_a_process_that_is_killed_while_it_appends_loses_nothing_acknowledged(tmp_path: Path) -> None:
    acknowledged, dice = list[str](), Random(11)
    for turn in range(KILLS):
        process = child(tmp_path, f"round {turn}", 10_000)
        assert process.stdout is not None
        acknowledged.append(process.stdout.readline().rstrip("\n"))
        time.sleep(dice.random() * 0.1)
        process.send_signal(signal.SIGKILL)
        acknowledged += process.stdout.read().split("\n")
        process.wait()
        process.stdout.close()

    disk = Disk(tmp_path)
    disk.append(["after all that"])

    there = set(disk.texts())
    assert there.issuperset(text for text in acknowledged if text)
    assert verify(tmp_path / "log", HOME) == []
    whole = {text.rpartition(" ")[0] for text in there if text.startswith("round")}
    assert all(f"{batch} {part}" in there for batch in whole for part in range(1 + int(batch.split()[2]) % 5))


def test_two_processes_that_append_at_once_lose_nothing_and_keep_one_chain(tmp_path: Path) -> None:
    processes = [child(tmp_path, who, 10) for who in ("one", "two")]
    acknowledged = [text for process in processes for text in process.communicate()[0].split("\n") if text]

    assert [process.returncode for process in processes] == [0, 0]
    assert sorted(acknowledged) == sorted(Disk(tmp_path).texts())
    assert len(acknowledged) == 2 * sum(1 + n % 5 for n in range(10))
    assert verify(tmp_path / "log", HOME) == []
