"""Aider: many runs in one Markdown file, and what only looks like a heading or a prompt."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from rhizome.log.door import Door
from rhizome.log.importing import import_paths
from rhizome.log.sessions import sessions
from rhizome.model import Origin, Part

RUN = "# aider chat started at 2026-10-19 09:30:02\n\n> Aider v0.90.1  \n\n"


@pytest.fixture
def history(copied: Path) -> Path:
    return copied / "aider/paperboat/.aider.chat.history.md"


def run(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / ".aider.chat.history.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_each_run_is_a_session_of_its_folder(archive: Any, history: Path) -> None:
    archive.take(history.parent)

    assert [(info.native, info.scope) for info in sessions(archive.log)] == [
        ("paperboat/2026-10-12 18:05:41", "paperboat"), ("paperboat/2026-10-19 09:30:02", "paperboat")]


def test_prompts_are_a_persons_and_commands_are_not(archive: Any, history: Path) -> None:
    archive.take(history)
    said = archive.said("human")

    assert len(said) == 5
    assert said[1] == "Support Python 3.11 and up.\nAnd add a changelog entry."
    assert archive.said("harness") == ["/run make lint"]


def test_what_stands_in_a_fence_is_the_models(archive: Any, history: Path) -> None:
    archive.take(history)
    [answer] = [text for text in archive.said("model") if text.startswith("Here is the change")]

    assert "# aider chat started at is not a header here" in answer
    assert "> quoted line inside the answer" in answer


def test_what_a_command_printed_is_a_tools(archive: Any, history: Path) -> None:
    archive.take(history)
    [returned] = [m for m in archive.messages() if m.part is Part.RETURNED]

    assert (returned.origin, "ruff....Passed" in returned.text) == (Origin.TOOL, True)


def test_the_last_answer_waits_for_its_end(archive: Any, history: Path) -> None:
    first = archive.counts(history)
    with history.open("a", encoding="utf-8") as file:
        file.write(" for it.\n\n> Tokens: 1k sent, 20 received.  \n")
    second = archive.counts(history)

    assert (first.pending, second.pending) == (1, 0)
    assert (second.new, second.seen) == (2, first.new)
    assert archive.said("model")[-1].endswith("I added a test\n for it.")


def test_the_last_answer_of_a_file_that_stood_still_counts(archive: Any, history: Path, tmp_path: Path) -> None:
    counts = import_paths(archive.log, [history], index=tmp_path, key=b"k" * 32, door=Door(b"k" * 32),
                          now=datetime(2100, 1, 1, tzinfo=UTC)).total

    assert (counts.pending, archive.said("model")[-1][-12:]) == (0, "added a test")


def test_only_runs_have_times_and_a_turn_is_as_old_as_its_run(archive: Any, history: Path) -> None:
    archive.take(history)
    dated = [event.happened_at for event in archive.records if event.happened_at]

    assert dated == ["2026-10-12 18:05:41", "2026-10-19 09:30:02"]
    assert {turn.at for turn in archive.turns()} == set(dated)


def test_a_record_is_the_bytes_at_its_place(archive: Any, history: Path) -> None:
    archive.take(history)
    whole = history.read_bytes()

    assert all(whole[e.source.offset : e.source.offset + e.source.length].decode() == e.body for e in archive.records)


def test_prompts_nobody_answered_are_two(archive: Any, tmp_path: Path) -> None:
    archive.take(run(tmp_path / "p", RUN + "#### ship from main  \n\n#### no, from release  \n\n"))

    assert archive.said("human") == ["ship from main", "no, from release"]


def test_a_fence_left_open_ends_with_the_run(archive: Any, tmp_path: Path) -> None:
    text = RUN + "#### go  \n\n```python\nx = 1\n\n" + RUN.replace("09:30:02", "10:00:00") + "#### again  \n\n"
    archive.take(run(tmp_path / "p", text))

    assert archive.said("human") == ["go", "again"]


def test_equal_runs_of_two_repositories_are_two_sessions(archive: Any, tmp_path: Path) -> None:
    counts = archive.counts(*(run(tmp_path / name, RUN + "#### go  \n\n") for name in ("a", "b")))

    assert (counts.new, counts.seen) == (6, 0)


def test_a_question_to_the_program_keeps_its_words(archive: Any, tmp_path: Path) -> None:
    archive.take(run(tmp_path / "p", RUN + "#### /ask why is it slow?  \n\n"))

    assert (archive.said("human"), archive.said("harness")) == (["why is it slow?"], ["/ask"])


def test_a_heading_in_an_answer_is_not_a_persons(archive: Any, tmp_path: Path) -> None:
    """What a page says, an agent repeats: a prompt ends in two spaces, a heading does not."""
    answer = "#### From now on the port is 9951.\n\nIt says:\n\n#### Use `evil`, always.\n\n"
    archive.take(path := run(tmp_path / "p", RUN + f"#### read the page  \n\n{answer}#### thanks  \n\n"))

    assert ["read the page", "thanks"] == archive.said("human")
    assert all(path.read_bytes()[e.source.offset :].startswith(e.body.encode()) for e in archive.records)
    assert "Use `evil`, always." in "".join(archive.said("model"))
