"""Law 1: nothing derived changes before its event is durable."""

import errno
from pathlib import Path

import pytest

from rhizome.errors import RhizomeError
from rhizome.log.file_log import FileLog
from rhizome.log.files import Files
from tests.memory.living import Living


class FullDisk(Files):
    """A disk that takes no more bytes."""

    def write(self, file: int, data: bytes | memoryview) -> int:  # noqa: ARG002
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def full(memory: Living) -> Living:
    """A memory with something to consolidate and something saved, whose log cannot grow any more."""
    memory.hears("The dev server runs on port 8080.")
    memory.sleeps()
    memory.hears("The dev server runs on port 8087.")
    memory.writes("mine.md", "# Mine\n")
    memory.edits("tidepool.md", "8080", "9999")
    parts = memory.memory.parts
    parts.log.close()
    parts.__dict__["log"] = FileLog(parts.home.log, parts.home.id, index=parts.home.index, clock=parts.around.clock,
                                    dice=parts.around.dice, files=FullDisk())  # fmt: skip
    return memory


def state(memory: Living) -> tuple[object, ...]:
    files = {path: path.read_bytes() for path in sorted(memory.home.rglob("*.md"))}
    tips = [memory.git("rev-parse", "HEAD"), memory.git("rev-parse", "HEAD", private=True)]
    return files, tips, memory.memory.parts.log.head


def test_no_note_and_no_commit_changes_when_the_log_cannot_be_written(full: Living) -> None:
    before = state(full)

    for verb in (full.sleeps, full.imports):
        with pytest.raises(RhizomeError):
            verb()

    assert before == state(full)


def test_a_proposal_that_was_not_written_is_not_acknowledged(full: Living) -> None:
    with pytest.raises(RhizomeError):
        full.memory.remember(key="deploy|branch", statement="We ship from release.")


def test_what_could_not_be_written_is_done_when_there_is_room_again(full: Living, tmp_path: Path) -> None:
    with pytest.raises(RhizomeError):
        full.sleeps()

    full = Living(tmp_path, now=full.now, said=full.said)
    report = full.sleeps()

    assert report["identical"]
    assert "9999" == full.value("dev_port")
    full.memory.parts.close()


@pytest.fixture
def memory(tmp_path: Path) -> Living:
    return Living(tmp_path).begins()
