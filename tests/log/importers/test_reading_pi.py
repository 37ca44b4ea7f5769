"""Pi: a tree of entries, its abandoned branches, and forks."""

import json
from pathlib import Path
from typing import Any

import pytest

from rhizome.log.sessions import sessions
from rhizome.model import Part


@pytest.fixture
def session(copied: Path) -> Path:
    return next((copied / "pi").rglob("*.jsonl"))


def test_a_line_is_an_event(archive: Any, session: Path) -> None:
    counts = archive.counts(session)

    assert (counts.new, counts.seen, counts.unparsed, counts.pending) == (21, 0, 0, 0)


def test_an_abandoned_branch_is_kept_and_flagged(archive: Any, session: Path) -> None:
    archive.take(session)
    abandoned = [m.text for m in archive.messages() if "abandoned" in m.flags and m.part is Part.SAID]

    assert abandoned == ["Cache parsed feeds in Redis.", "Redis is not installed; I would add it as a service."]
    assert "Cache parsed feeds in Redis." not in archive.said("human")
    assert len(archive.said("human")) == 4


def test_summaries_are_the_harnesss(archive: Any, session: Path) -> None:
    archive.take(session)
    compacted = [(m.origin, m.text[:16]) for m in archive.messages() if m.part is Part.COMPACTED]

    assert compacted == [("harness", "Abandoned branch"), ("harness", "quillfeed CLI. N")]


def test_results_carry_their_tool_and_whether_they_failed(archive: Any, session: Path) -> None:
    archive.take(session)
    returned = [(m.tool, m.failed, m.text) for m in archive.messages() if m.part is Part.RETURNED]

    assert returned == [("bash", True, "(empty)"), ("bash", False, "npm test\n42 passing")]


def test_a_session_has_the_name_it_was_given(archive: Any, session: Path) -> None:
    archive.take(session)
    [info] = sessions(archive.log)

    assert (info.scope, info.title, info.started_at) == (
        "quillfeed", "quillfeed cache and muting", "2026-10-30T07:00:00.000Z")


def test_a_fork_copies_entries_and_adds_only_its_own(archive: Any, session: Path) -> None:
    head, *entries = session.read_text(encoding="utf-8").splitlines()
    own = {"type": "message", "id": "aaaa0001", "parentId": "cce9da56", "timestamp": "2026-10-31T07:00:00.000Z",
           "message": {"role": "user", "content": "Cache nothing."}}
    fork = {**json.loads(head), "id": "019f4a47-0000-7933-8a6c-683510bbe463", "parentSession": str(session)}
    other = session.with_name("2026-10-31T07-00-00-000Z_019f4a47-0000-7933-8a6c-683510bbe463.jsonl")
    other.write_text("\n".join([json.dumps(fork), *entries[:4], json.dumps(own)]) + "\n", encoding="utf-8")
    archive.take(session)
    counts = archive.counts(other)
    parents = {info.native: info.parent for info in sessions(archive.log)}

    assert (counts.new, counts.seen) == (2, 4)
    assert parents["019f4a47-0000-7933-8a6c-683510bbe463"] == "pi:019f4a47-9316-7933-8a6c-683510bbe463"


def test_the_same_short_id_in_two_sessions_is_two_events(archive: Any, tmp_path: Path) -> None:
    for day in ("30", "31"):
        at = f"2026-10-{day}T07:00:00.000Z"
        rows = [{"type": "session", "version": 3, "id": f"s{day}", "timestamp": at, "cwd": "/p"},
                {"type": "message", "id": "aaaa0001", "parentId": None, "timestamp": at,
                 "message": {"role": "user", "content": "go on"}}]
        (tmp_path / f"{day}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    assert archive.counts(tmp_path / "30.jsonl", tmp_path / "31.jsonl").new == 4


def test_version_one_has_no_ids_and_repeats_count(archive: Any, tmp_path: Path) -> None:
    said = {"type": "message", "timestamp": "2026-01-01T00:00:00.000Z", "message": {"role": "user", "content": "ok"}}
    rows = [{"type": "session", "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/p"}, said, said]
    path = tmp_path / "old.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    assert archive.counts(path).new == 3
    assert archive.said("human") == ["ok", "ok"]
