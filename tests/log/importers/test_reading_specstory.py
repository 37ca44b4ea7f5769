"""SpecStory: Markdown rendered from other harnesses' sessions."""

from pathlib import Path
from typing import Any

import pytest

from rhizome.log.sessions import sessions
from rhizome.model import Part


@pytest.fixture
def history(copied: Path) -> Path:
    return next((copied / "specstory").rglob("*.md"))


def test_each_marker_begins_a_record(archive: Any, history: Path) -> None:
    counts = archive.counts(history.parents[2])

    assert (counts.new, counts.pending) == (1 + 4, 0)
    assert [m.at for m in archive.messages() if m.part is Part.SAID] == ["2026-11-04T08:12:00Z", "2026-11-04T08:13:40Z"]


def test_a_marker_inside_a_result_is_a_tools_text(archive: Any, history: Path) -> None:
    archive.take(history)
    [returned] = [m for m in archive.messages() if m.part is Part.RETURNED]

    assert "_**User (1999-01-01 00:00:00Z)**_" in returned.text
    assert archive.said("human") == [
        "Rename the command from `tinkr` to `tinker` in tinkerbox. Keep `tinkr` as an alias until version 2.0."]


def test_a_session_the_log_has_from_its_own_harness_is_not_rendered_again(archive: Any, history: Path) -> None:
    own = history.with_name("5d7c1b1e-2f4a-4b7c-9a51-0c6f2f1e9d10.jsonl")
    own.write_text('{"type":"user","uuid":"u1","sessionId":"5d7c1b1e-2f4a-4b7c-9a51-0c6f2f1e9d10",'
                   '"message":{"role":"user","content":"Rename it."}}\n', encoding="utf-8")
    archive.take(own)

    assert archive.counts(history).new == 0
    assert [info.harness for info in sessions(archive.log)] == ["claude-code"]


def test_a_file_that_is_written_anew_adds_only_what_is_new(archive: Any, history: Path) -> None:
    first = archive.counts(history)
    text = history.read_text(encoding="utf-8")
    history.write_text(text + "\n_**User (2026-11-04 09:00:00Z)**_\n\nThanks.\n", encoding="utf-8")
    second = archive.counts(history)

    assert (second.new, second.seen) == (1, first.new)
