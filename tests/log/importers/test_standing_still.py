"""Files that are as they were: what tells it, what is said of them, and what an import only says."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from rhizome.log.door import Door
from rhizome.log.importing import import_paths

KEY = b"k" * 32
NOW = datetime(2026, 9, 8, 12, tzinfo=UTC)


def mode(said: str, session: str = "s", **more: str) -> str:
    return json.dumps({"type": "mode", "mode": said, "sessionId": session, **more}) + "\n"


def change(path: Path, old: str, new: str) -> None:
    """Change a file in place and put its time back."""
    stat = path.stat()
    with path.open("r+", encoding="utf-8") as file:
        text = file.read()
        file.seek(0)
        file.write(text.replace(old, new))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """A session whose middle is no edge."""
    path = tmp_path / "s.jsonl"
    path.write_text(mode("first") + mode("x" * 9_000) + mode("middle") + mode("y" * 9_000) + mode("last"), "utf-8")
    return path


def test_a_file_that_stands_still_is_not_read_again(archive: Any, long: Path) -> None:
    archive.take(long)
    change(long, "middle", "MIDDLE")

    assert archive.counts(long).new == 0
    os.utime(long)
    assert archive.counts(long).new == 1


@pytest.mark.parametrize("edge", ["first", "last"])
def test_a_change_near_its_ends_is_seen_whatever_its_time_says(archive: Any, long: Path, edge: str) -> None:
    archive.take(long)
    change(long, edge, edge.upper())

    assert archive.counts(long).new == 1


def test_once_a_week_all_of_it_is_looked_at(archive: Any, long: Path, take: Callable[..., Any]) -> None:
    take(long, now=NOW)
    change(long, "middle", "MIDDLE")

    assert take(long, now=NOW + timedelta(days=6)).total.new == 0
    assert take(long, now=NOW + timedelta(days=8)).total.new == 1
    assert take(long, now=NOW + timedelta(days=9)).total == take(long, now=NOW + timedelta(days=10)).total


def test_the_report_of_what_stands_still_is_the_one_it_had(archive: Any, samples: Path) -> None:
    first, second, third = (archive.take(samples) for _ in range(3))

    assert second == third
    assert (first.sessions, first.total.oldest, first.total.newest) == (
        second.sessions, second.total.oldest, second.total.newest)
    assert second.total.new == second.total.revised == second.total.attached == 0


def test_a_report_knows_its_sessions_and_the_time_they_are_of(archive: Any, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        mode("a", timestamp="2026-09-08T01:00:00+05:00") + mode("b", timestamp="2026-09-07T23:00:00Z"), "utf-8")
    (tmp_path / "b.jsonl").write_text(mode("c", "t", timestamp="no time at all"), "utf-8")

    report = archive.take(tmp_path)

    assert report.sessions == {"claude-code": 2}
    assert (report.total.oldest, report.total.newest) == ("2026-09-08T01:00:00+05:00", "2026-09-07T23:00:00Z")


# ---------------------------------------------------------------- only saying


def test_a_rehearsal_says_what_would_come_and_leaves_everything_as_it_is(
        archive: Any, samples: Path, take: Callable[..., Any]) -> None:
    rehearsed = take(samples, dry=True), take(samples, dry=True)
    assert archive.log.head.seq == 0

    done = take(samples)

    assert rehearsed == (done, done)


def test_a_rehearsal_knows_what_is_there(archive: Any, long: Path, take: Callable[..., Any]) -> None:
    archive.take(long)
    with long.open("a", encoding="utf-8") as file:
        file.write(mode("more"))
    head = archive.log.head

    assert (take(long, dry=True).total.new, archive.log.head) == (1, head)
    assert archive.counts(long).new == 1


# ---------------------------------------------------------------- what is not taken, and what goes


@pytest.mark.parametrize(("cwd", "words"), [
    ("/home/ines/rhizome/index/distill", "hello"), ("/home/ines/src", "Take notes for rhizome. So:"),
])
def test_sessions_of_our_own_questions_are_counted_and_not_taken(
        archive: Any, tmp_path: Path, take: Callable[..., Any], cwd: str, words: str) -> None:
    said = {"type": "user", "sessionId": "s", "uuid": "u", "cwd": cwd, "message": {"role": "user", "content": words}}
    (tmp_path / "s.jsonl").write_text(json.dumps(said) + "\n", "utf-8")
    own = lambda cwd, words: cwd == "/home/ines/rhizome/index/distill" or words.startswith("Take notes")  # noqa: E731

    reports = [take(tmp_path, own=own) for _ in range(2)]

    assert [(report.own, report.total.new, report.sessions) for report in reports] == [(1, 0, {"claude-code": 0})] * 2
    assert archive.log.head.seq == 0


@pytest.mark.parametrize(("place", "harness"), [
    (".claude/projects/-src", "claude-code"), (".codex/sessions/2026/09/08", "codex"), (".pi/agent/sessions/x", "pi"),
    ("elsewhere", "unknown"),
])
def test_an_empty_session_file_is_its_harnesss(archive: Any, tmp_path: Path, place: str, harness: str) -> None:
    folder = tmp_path / place
    folder.mkdir(parents=True)
    (folder / "0a.jsonl").touch()

    assert set(archive.take(tmp_path).sources) == {harness}


@pytest.mark.parametrize(("settings", "days", "gone"), [
    (None, 30, 2), ('{"cleanupPeriodDays": 14}', 14, 3), ('{"cleanupPeriodDays": 900}', 900, 0), ("{", 30, 2),
    ('{"cleanupPeriodDays": 99999999}', 0, 0),
])
def test_what_claude_code_deletes_soon_is_counted(
        archive: Any, tmp_path: Path, take: Callable[..., Any], settings: str | None, days: int, gone: int) -> None:
    folder = tmp_path / ".claude" / "projects" / "-src"
    folder.mkdir(parents=True)
    if settings is not None:
        (tmp_path / ".claude" / "settings.json").write_text(settings, "utf-8")
    for name, age in (("a", 29), ("b", 24), ("c", 10), ("d", 1)):
        (folder / f"{name}.jsonl").write_text(mode("m", name), "utf-8")
        at = (NOW - timedelta(days=age)).timestamp()
        os.utime(folder / f"{name}.jsonl", (at, at))

    report = take(tmp_path, now=NOW)

    assert [(each.harness, each.days, each.sessions) for each in report.going] == (
        [("claude-code", days, gone)] if gone else [])
    assert all("cleanupPeriodDays" in each.setting for each in report.going)


@pytest.mark.parametrize(("kept", "days", "gone"), [
    (None, 30, 2), ('{"maxAge": "2w"}', 14, 3), ('{"maxAge": "240h"}', 10, 3), ('{"maxAge": "3m"}', 90, 0),
    ('{"maxAge": "12h"}', 1, 4),
    ('{"enabled": false, "maxAge": "2w"}', 0, 0), ('{"maxAge": "soon"}', 30, 2), ('{"maxAge": "999999999d"}', 30, 2),
])
def test_what_gemini_deletes_soon_is_counted(
        archive: Any, tmp_path: Path, take: Callable[..., Any], kept: str | None, days: int, gone: int) -> None:
    folder = tmp_path / ".gemini" / "tmp" / "tidepool" / "chats"
    folder.mkdir(parents=True)
    if kept is not None:
        (tmp_path / ".gemini" / "settings.json").write_text(f'{{"general": {{"sessionRetention": {kept}}}}}', "utf-8")
    for name, age in (("a", 29), ("b", 24), ("c", 10), ("d", 1)):
        file = folder / f"session-{name}.jsonl"
        file.write_text(json.dumps({"sessionId": name, "projectHash": "p", "startTime": "2026-08-01"}) + "\n", "utf-8")
        at = (NOW - timedelta(days=age)).timestamp()
        os.utime(file, (at, at))

    report = take(tmp_path, now=NOW)

    assert [(each.harness, each.days, each.sessions) for each in report.going] == (
        [("gemini-cli", days, gone)] if gone else [])
    assert all("sessionRetention" in each.setting for each in report.going)


def test_of_a_folder_only_the_files_that_are_named_are_looked_at(
        archive: Any, tmp_path: Path, take: Callable[..., Any]) -> None:
    for name in "abc":
        (tmp_path / f"{name}.jsonl").write_text(mode("m", name), "utf-8")

    report = take(tmp_path, only=[tmp_path / "b.jsonl", tmp_path / "gone.jsonl", tmp_path.parent / "other.jsonl"])

    assert (report.total.new, report.sessions, report.problems) == (1, {"claude-code": 1}, ())


@pytest.fixture
def take(archive: Any) -> Callable[..., Any]:
    """An import with options."""
    return lambda *paths, **options: import_paths(
        archive.log, paths, index=archive.index, key=KEY, door=Door(KEY), **options)
