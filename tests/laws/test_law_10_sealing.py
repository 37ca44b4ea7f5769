"""Law 10 while a segment is sealed: at every moment one whole form of it has a name, and nobody reads anything else."""

import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random

import pytest

from rhizome.errors import NotDurable
from rhizome.log import segments
from rhizome.log.file_log import FileLog
from rhizome.log.files import Files
from rhizome.log.verify import verify
from rhizome.model import Event
from tests.laws.faulty import Faulty, Swift
from tests.laws.power import OUTCOMES, Disk, Recording

HOME = "0a0b0c0d"
MONTHS = range(1, 4)


def opened(root: Path, files: Files, month: int = 12) -> FileLog:
    return FileLog(root / "log", HOME, index=root / "index", files=files, dice=Random(month).randbytes,
                   clock=lambda: datetime(2026, month, 1, tzinfo=UTC))


def filled(root: Path, events: int = 20) -> list[str]:
    """A log with a segment for each month; what is in it."""
    for month in MONTHS:
        with closing(opened(root, Swift(), month)) as log:
            log.append([Event(kind="session.record" if n % 7 else "fact.asserted", id=f"{month:016x}{n:016x}",
                              body=f"{month} {n} " * 50) for n in range(events)])
    return read(root)


def read(root: Path) -> list[str]:
    """What a new process reads of a log that has no damage."""
    with closing(opened(root, Swift())) as log:
        assert log.damage() == ()
        return [f"{each.seq} {each.id} {each.body}" for each in log.read()]


@pytest.mark.parametrize(("fault", "for_good"), [("EIO", False), ("ENOSPC", True), ("short", False), ("lost", False)])
def test_whatever_call_fails_while_a_segment_is_sealed_every_event_is_read_and_sealing_goes_on(
        tmp_path: Path, fault: str, for_good: bool) -> None:
    events = filled(tmp_path / "original")
    for at in count(1):
        root, files = tmp_path / str(at), Faulty(at, fault, for_good=for_good)
        shutil.copytree(tmp_path / "original" / "log", root / "log")
        try:
            with closing(opened(root, files)) as log:
                log.seal()
        except NotDurable as refused:
            assert "not sealed" in refused.message

        assert read(root) == events
        assert verify(root / "log", HOME) == []
        with closing(opened(root, Swift())) as log:
            log.seal()
        assert read(root) == events
        assert forms(root) == ["zst", "zst", "jsonl"]
        if files.calls < at:
            break


def forms(root: Path) -> list[str]:
    """The files of each segment by what they end in."""
    files = sorted((root / "log" / HOME).glob("2026/*/*"))
    return [each.name.rpartition(".")[2] for each in files]


@pytest.mark.parametrize("outcome", OUTCOMES, ids="-".join)
def test_after_a_power_cut_at_any_moment_of_sealing_every_event_is_read(
        outcome: tuple[str, str], tmp_path: Path) -> None:
    root, files, disk = tmp_path / "original", Recording(), Disk()
    events = filled(root)
    for path in (root / "log").rglob("*"):
        if path.is_file():
            disk.holds(path, path.read_bytes())
    with closing(opened(root, files)) as log:
        assert len(log.seal()) == len(MONTHS) - 1

    for moment, (name, given) in enumerate(files.calls, 1):
        disk.call(name, given)
        after = tmp_path / str(moment)
        for path, content in disk.kept(*outcome).items():
            new = after / path.relative_to(root)
            new.parent.mkdir(parents=True, exist_ok=True)
            new.write_bytes(content)

        assert read(after) == events
        assert verify(after / "log", HOME) == []


CHILD = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from rhizome.log.file_log import FileLog

root = Path(sys.argv[1])
log = FileLog(root / "log", "0a0b0c0d", index=root / "index", clock=lambda: datetime.now(UTC), dice=os.urandom)
log.head
print("ready", flush=True)
log.seal()
"""


def test_a_process_that_is_killed_while_it_seals_leaves_one_whole_form(tmp_path: Path) -> None:
    events, sealed, random = filled(tmp_path, events=600), set[int](), Random(3)
    with closing(opened(tmp_path, Swift())) as log:
        log.damage()  # a child finds the catalog made, and begins at once
    shutil.copytree(tmp_path / "log", tmp_path / "before")
    for turn in range(6):
        shutil.rmtree(tmp_path / "log")
        shutil.copytree(tmp_path / "before", tmp_path / "log")
        with closing(opened(tmp_path, Swift())) as log:
            log.damage()
        process = subprocess.Popen([sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(random.random() * 0.06 if turn else 0)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()

        sealed.add(forms(tmp_path).count("zst"))
        assert read(tmp_path) == events
        assert verify(tmp_path / "log", HOME) == []
    assert sealed  # how far each got is up to the machine
    with closing(opened(tmp_path, Swift())) as log:
        log.seal()
    assert forms(tmp_path) == ["zst", "zst", "jsonl"]
    assert read(tmp_path) == events


def test_a_reader_meets_one_form_or_the_other_and_never_neither(tmp_path: Path) -> None:
    events = filled(tmp_path, events=300)
    with closing(opened(tmp_path, Swift())) as log:
        log.damage()
    process = subprocess.Popen([sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.DEVNULL)

    while process.poll() is None:
        assert read(tmp_path) == events

    assert process.returncode == 0
    assert read(tmp_path) == events
    assert [segments.sealed(tmp_path / "log" / HOME / name) for name in segments.names(tmp_path / "log" / HOME)] == [
        True, True, False]
