"""Law 3: a rebuild asks no model, no clock and no dice, and repeats no distilling and no reading of a save."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from rhizome.memory.memory import Memory
from tests.memory.living import Living

NEVER = {"distill", "readings", "reconcile", "gather", "expiries"}
"""What a run asks, once."""


@contextmanager
def calls() -> Iterator[set[str]]:
    """The names of the functions of the consolidator that are called meanwhile."""
    met: set[str] = set()

    def heard(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and "consolidate" in frame.f_code.co_filename:
            met.add(frame.f_code.co_name)

    sys.setprofile(heard)
    try:
        yield met
    finally:
        sys.setprofile(None)


def no_dice(_count: int) -> bytes:
    raise AssertionError("a rebuild asked for chance")


def test_a_rebuild_calls_no_distiller_and_reads_no_save_again(tmp_path: Path) -> None:
    memory = Living(tmp_path).begins()
    memory.hears("The dev server runs on port 8080.")
    memory.sleeps()
    memory.edits("tidepool.md", "8080", "9999")
    with calls() as asked:
        memory.sleeps()
    before = memory.derived()
    memory.memory.parts.close()
    for ref in before:
        memory.path(ref).unlink()
    shutil.rmtree(memory.home / "index")
    elsewhere = Memory(replace(memory.around, dice=no_dice, clock=lambda: datetime(2099, 1, 1, tzinfo=UTC)))

    with calls() as repeated:
        answer = elsewhere.rebuild()

    assert (NEVER, set()) == (asked & NEVER, repeated & NEVER)
    assert (True, sorted(before)) == (answer["identical"], sorted(answer["restored"]))
    assert before == {ref: memory.path(ref).read_bytes() for ref in before}
    elsewhere.parts.close()
