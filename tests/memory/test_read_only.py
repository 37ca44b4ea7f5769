"""A home on a disk that may only be read, like a backup: it answers, and what would write says why it does not."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from rhizome.errors import RhizomeError
from tests.memory.living import Living

WHY = r"(Read-only|denied)"


@pytest.fixture
def backup(tmp_path: Path) -> Iterator[Path]:
    """A home that may only be read: for root by a mount, for others by its modes."""
    (tmp_path / "of").mkdir()
    mine = Living(tmp_path / "of").begins()
    mine.hears("Change of plan: tidepool dev server is 8087 from now on.")
    mine.sleeps()
    mine.memory.parts.close()
    place = tmp_path / "backup"
    place.mkdir()
    if os.geteuid():
        place.rmdir()
        mine.home.rename(place)
        subprocess.run(["chmod", "-R", "a-w", place], check=True)
        yield place
        subprocess.run(["chmod", "-R", "u+w", place], check=True)
        return
    bind = [["mount", "--bind", str(mine.home), str(place)], ["mount", "-o", "remount,bind,ro", str(place)]]
    if any(subprocess.run(each, capture_output=True).returncode for each in bind):
        pytest.skip("nothing may be mounted here, and root may write everywhere else")
    yield place
    subprocess.run(["umount", place], check=True)


def test_it_answers_and_its_index_stands_elsewhere(backup: Path, tmp_path: Path) -> None:
    reader = Living(tmp_path / "of").elsewhere(tmp_path, home=backup, spare=tmp_path / "cache").memory

    assert reader.search(query="tidepool dev server port")["status"] == "found"
    assert reader.fact(key="tidepool|dev_port")["fact"]["value"] == "8087"
    assert reader.rebuild(verify=True)["identical"]
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_a_home_without_an_index_is_read_too(backup: Path, tmp_path: Path) -> None:
    reader = Living(tmp_path / "of").elsewhere(tmp_path, home=backup, spare=tmp_path / "cache").memory
    reader.parts.forget_index()

    assert reader.search(query="tidepool dev server port")["status"] == "found"


def test_what_writes_says_that_nothing_may_be_written(backup: Path, tmp_path: Path) -> None:
    writer = Living(tmp_path / "of").elsewhere(tmp_path, home=backup, spare=tmp_path / "cache").memory

    with pytest.raises(RhizomeError, match=WHY) as night:
        writer.consolidate()
    with pytest.raises(RhizomeError, match=WHY):
        writer.import_(paths=[])
    with pytest.raises(RhizomeError, match=WHY):
        writer.remember(key="tidepool|owner", statement="Ada owns tidepool.")

    assert night.value.code != "locked"
