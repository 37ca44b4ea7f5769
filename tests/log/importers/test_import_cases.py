"""What went wrong with imports elsewhere, made small: the session is read all the same, and nothing is lost."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import zstandard

from rhizome.errors import NotFound, RhizomeError
from rhizome.log.door import Door
from rhizome.log.importing import import_paths
from rhizome.model import Part


def row(n: int, text: object = "hello", *, session: str = "s-1", cwd: str = "/nowhere/tidepool", **more: Any) -> str:
    """One row of Claude Code, as a person typed it."""
    message = {"role": "user", "content": text}
    return json.dumps({"parentUuid": None, "isSidechain": False, "type": "user", "message": message, "uuid": f"u-{n}",
                       "timestamp": f"2026-10-14T09:00:{n:02}.000Z", "sessionId": session, "cwd": cwd} | more)


def answer(n: int, *blocks: dict[str, Any], **more: Any) -> str:
    message = {"role": "assistant", "id": f"msg-{n}", "content": list(blocks)}
    return row(n, **({"type": "assistant", "message": message} | more))


def item(kind: str, at: str = "2026-10-22T08:00:00.000Z", **payload: Any) -> str:
    """One line of a Codex rollout."""
    return json.dumps({"timestamp": at, "type": kind, "payload": payload})


def user(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def written(path: Path, *lines: str | bytes, end: bytes = b"\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\n".join(line.encode() if isinstance(line, str) else line for line in lines) + end)
    return path


def test_a_line_of_nul_bytes_is_kept_and_the_rest_is_imported(archive: Any, tmp_path: Path) -> None:
    counts = archive.counts(written(tmp_path / "s.jsonl", row(1, "before"), b"\0" * 96, row(2, "after")))

    assert (counts.new, counts.unparsed) == (3, 1)
    assert archive.said("human") == ["before", "after"]
    assert archive.records[1].body == "\0" * 96


@pytest.mark.parametrize("after", [b"", b"\n", b"\n\n"])
def test_a_torn_tail_waits_and_comes_in_once_when_it_is_whole(archive: Any, tmp_path: Path, after: bytes) -> None:
    torn = written(tmp_path / "s.jsonl", row(1), row(2, "whole")[:60], end=after)
    first = archive.counts(torn)
    second = archive.counts(written(torn, row(1), row(2, "whole")))

    assert (first.new, first.pending) == (1, 1)
    assert (second.new, second.seen, second.pending) == (1, 1, 0)
    assert archive.said("human") == ["hello", "whole"]


def test_a_torn_line_with_another_after_it_is_kept_as_it_is(archive: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "s.jsonl", row(1), row(2)[:60])
    archive.take(path)
    counts = archive.counts(written(path, row(1), row(2)[:60], row(3, "later")))

    assert (counts.new, counts.unparsed, counts.pending) == (2, 1, 0)


def test_a_lone_surrogate_is_kept_raw_and_read_as_a_replacement(archive: Any, tmp_path: Path) -> None:
    line = row(1, "SURROGATE").replace("SURROGATE", "x\\ud83d")
    archive.take(written(tmp_path / "s.jsonl", line))

    assert archive.records[0].body == line
    assert archive.said("human") == ["x\ufffd"]


def test_a_line_that_is_not_utf8_is_kept_byte_for_byte(archive: Any, tmp_path: Path) -> None:
    line = row(1, "caf?").encode().replace(b"caf?", b"caf\xe9")
    counts = archive.counts(written(tmp_path / "s.jsonl", line))

    assert (counts.new, counts.unparsed) == (1, 0)
    assert archive.records[0].body is None
    assert archive.said("human") == ["caf\ufffd"]


def test_a_file_of_nine_megabytes_is_read_to_its_last_line(archive: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    written(path, *(row(n, "x" * 3_000_000) for n in range(3)), row(4, "the last line says 8087"))
    archive.take(path)

    assert archive.said("human")[-1] == "the last line says 8087"


def test_rows_replayed_after_a_compaction_are_no_new_events(archive: Any, tmp_path: Path) -> None:
    rows = [row(n, f"prompt {n}") for n in range(4)]
    boundary = row(9, type="system", subtype="compact_boundary")
    counts = archive.counts(written(tmp_path / "s.jsonl", *rows, boundary, *rows))

    assert (counts.new, counts.seen) == (5, 4)
    assert len(archive.said("human")) == 4


def test_a_row_emptied_in_place_keeps_its_old_text(archive: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "s.jsonl", row(1, "the port is 8087"))
    archive.take(path)
    counts = archive.counts(written(path, row(1, "")))

    assert (counts.new, counts.revised) == (0, 1)
    assert archive.said("human") == ["the port is 8087"]


def test_two_folders_that_share_a_name_for_their_sessions_are_two_projects(archive: Any, tmp_path: Path) -> None:
    place = tmp_path / "projects" / "-p-a-b"
    written(place / "one.jsonl", row(1, session="one", cwd="/nowhere/a_b"))
    written(place / "two.jsonl", row(2, session="two", cwd="/nowhere/a-b"))
    archive.take(tmp_path / "projects")

    assert {event.scope for event in archive.records} == {"a_b", "a-b"}


def test_two_projects_of_one_name_are_told_apart_by_their_parents(archive: Any, tmp_path: Path) -> None:
    for n, cwd in enumerate(["/nowhere/mine/api", "/nowhere/theirs/api", "/nowhere/mine/api"]):
        archive.take(written(tmp_path / f"{n}.jsonl", row(n, session=f"s-{n}", cwd=cwd)))

    assert [event.scope for event in archive.records] == ["api", "theirs/api", "api"]


def test_the_scope_is_the_repository_a_session_ran_in(archive: Any, tmp_path: Path) -> None:
    inside = tmp_path / "tidepool" / "src" / "deep"
    inside.mkdir(parents=True)
    (tmp_path / "tidepool" / ".git").mkdir()
    archive.take(written(tmp_path / "s.jsonl", row(1, cwd=str(inside))))

    assert archive.records[0].scope == "tidepool"


def test_agents_of_nested_workflows_are_imported_and_their_journal_is_attached(archive: Any, tmp_path: Path) -> None:
    place = tmp_path / "projects" / "-p"
    written(place / "s-1.jsonl", row(1, "go"))
    flow = place / "s-1" / "subagents" / "workflows" / "wf"
    written(flow / "agent-1.jsonl", row(2, "look", isSidechain=True, agentId="1"))
    written(flow / "journal.jsonl", json.dumps({"step": 1}))
    counts = archive.counts(tmp_path)

    assert (counts.new, counts.attached) == (2, 1)
    assert archive.said("model") == ["look"]


def test_agents_of_one_name_in_two_sessions_are_both_kept(archive: Any, tmp_path: Path) -> None:
    mode = {"type": "mode", "isSidechain": True, "agentId": "1"}
    for session in ("s-1", "s-2"):
        line = json.dumps({**mode, "sessionId": session})
        written(tmp_path / session / "subagents" / "agent-1.jsonl", line, line)

    assert archive.counts(tmp_path).new == 4


def test_the_text_in_a_list_of_blocks_is_read(archive: Any, tmp_path: Path) -> None:
    result = [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "from a list"}]}]
    archive.take(written(tmp_path / "s.jsonl", row(1), row(2, result)))

    assert [m.text for m in archive.messages() if m.part is Part.RETURNED] == ["from a list"]


def test_a_turn_of_calls_and_results_only_says_both(archive: Any, tmp_path: Path) -> None:
    call = answer(2, {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "make lint"}})
    result = row(3, [{"type": "tool_result", "tool_use_id": "t", "content": "clean as a whistle"}])
    archive.take(written(tmp_path / "s.jsonl", row(1), call, result))
    (turn,) = archive.turns()

    assert [m.text for m in turn.messages[1:]] == ["Bash\ncommand: make lint", "clean as a whistle"]
    assert [m.tool for m in turn.messages[1:]] == ["Bash", "Bash"]
    assert len({m.unit for m in turn.messages[1:]}) == 1


def test_a_subagents_copy_of_its_parents_turns_adds_only_its_own(archive: Any, tmp_path: Path) -> None:
    meta = item("session_meta", id="parent", cwd="/nowhere/moss")
    turns = [item("turn_context", turn_id="t-1"), item("response_item", **user("the parent's prompt")),
             item("event_msg", type="user_message", message="the parent's prompt")]
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": "parent", "depth": 1}}}
    child = [item("session_meta", id="child", source=spawn), meta, *turns,
             item("turn_context", turn_id="t-2"), item("response_item", **user("do this part"))]
    archive.take(written(tmp_path / "parent.jsonl", meta, *turns))
    counts = archive.counts(written(tmp_path / "child.jsonl", *child))

    assert (counts.new, counts.seen) == (3, 4)
    assert archive.said("human") == ["the parent's prompt"]
    assert archive.said("model") == ["do this part"]


def test_a_compressed_rollout_is_the_same_rollout(archive: Any, tmp_path: Path, samples: Path) -> None:
    plain = min((samples / "codex").rglob("*.jsonl"))
    packed = tmp_path / f"{plain.name}.zst"
    packed.write_bytes(zstandard.ZstdCompressor().compress(plain.read_bytes()))

    assert archive.counts(packed).new == 64
    assert archive.counts(packed, plain).new == 0


def test_a_compressed_file_that_is_damaged_is_named_and_the_others_go_on(archive: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl.zst").write_bytes(b"\x28\xb5\x2f\xfd" + b"\xff" * 40)
    written(tmp_path / "good.jsonl", row(1))
    report = archive.take(tmp_path)

    assert report.total.new == 1
    assert [Path(path).name for path, _ in report.problems] == ["bad.jsonl.zst"]


def test_what_an_editor_adds_is_no_persons_and_a_time_that_is_none_is_null(archive: Any, tmp_path: Path) -> None:
    context = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py"
    archive.take(written(tmp_path / "r.jsonl", item("session_meta", id="t", cwd="/nowhere/moss"),
                         item("response_item", "9e99", **user(context)), item("response_item", **user("ship it"))))

    assert archive.records[1].happened_at is None
    assert archive.said("harness") == [context]
    assert archive.turns()[0].messages[0].text == "ship it"


def test_a_request_inside_an_editors_context_is_a_persons(archive: Any, tmp_path: Path) -> None:
    asked = "# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nuse port 8087"
    archive.take(written(tmp_path / "r.jsonl", item("session_meta", id="t"), item("turn_context", turn_id="1"),
                         item("response_item", **user(asked)), item("event_msg", type="user_message", message=asked)))

    assert archive.said("human") == ["use port 8087"]


def test_a_renamed_session_is_found_by_what_is_in_it(archive: Any, tmp_path: Path, samples: Path) -> None:
    rollout = min((samples / "codex").rglob("*.jsonl"))
    (tmp_path / "notes.txt").write_bytes(rollout.read_bytes())

    assert archive.counts(tmp_path / "notes.txt").new == 64
    assert archive.counts(rollout).new == 0


@pytest.mark.parametrize("content", [b"just text\n", b'{"a": 1}\n', b"[]\n", b"\x89PNG\r\n", b'{\n "a": 1\n}\n'])
def test_a_named_file_that_is_no_session_is_refused_by_name(archive: Any, tmp_path: Path, content: bytes) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / "other.jsonl").write_bytes(content)

    with pytest.raises(RhizomeError, match=r"other\.jsonl: not a session rhizome knows"):
        archive.take(folder / "other.jsonl")
    assert archive.take(folder).skipped == 1


def test_a_path_that_does_not_exist_is_not_found(archive: Any, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no such file or folder"):
        archive.take(tmp_path / "gone")


def test_an_empty_session_file_has_no_events_yet(archive: Any, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").touch()
    empty = archive.counts(tmp_path / "s.jsonl")
    filled = archive.counts(written(tmp_path / "s.jsonl", row(1)))

    assert (empty.new, empty.pending) == (0, 0)
    assert filled.new == 1


def test_a_file_torn_in_its_first_line_is_pending(archive: Any, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text(row(1)[:30])

    assert archive.counts(tmp_path / "s.jsonl").pending == 1


def test_a_byte_order_mark_and_carriage_returns_are_no_part_of_a_record(archive: Any, tmp_path: Path) -> None:
    lines = [row(1), row(2)]
    archive.take(written(tmp_path / "s.jsonl", *lines))
    dressed = b"\xef\xbb\xbf" + "\r\n".join(lines).encode() + b"\r\n"
    (tmp_path / "t.jsonl").write_bytes(dressed)

    assert archive.counts(tmp_path / "t.jsonl").new == 0


def test_progress_is_told_file_by_file(archive: Any, tmp_path: Path) -> None:
    for n in range(3):
        written(tmp_path / f"{n}.jsonl", row(n))
    heard: list[tuple[str, int, int]] = []
    import_paths(archive.log, [tmp_path], index=archive.index, key=b"k", door=Door(b"k"),
                 on_file=lambda path, done, total: heard.append((path.name, done, total)))

    assert heard == [("0.jsonl", 1, 3), ("1.jsonl", 2, 3), ("2.jsonl", 3, 3)]


def test_a_session_without_any_time_gets_none(archive: Any, tmp_path: Path) -> None:
    archive.take(written(tmp_path / "s.jsonl", row(1, timestamp=None)))

    assert archive.records[0].happened_at is None
    assert archive.turns()[0].at is None


def test_side_files_of_one_name_in_two_workflows_are_both_kept(archive: Any, tmp_path: Path) -> None:
    written(tmp_path / "projects" / "-p" / "s-1.jsonl", row(1))
    for flow in ("one", "two"):
        place = tmp_path / "projects" / "-p" / "s-1" / "subagents" / "workflows" / flow
        written(place / "journal.jsonl", json.dumps({"flow": flow}))

    assert archive.counts(tmp_path / "projects").attached == 2
    assert len({event.id for event in archive.kinds("source.attached")}) == 2


def test_a_side_file_that_changed_is_attached_as_another_revision(archive: Any, tmp_path: Path) -> None:
    written(tmp_path / "projects" / "-p" / "s-1.jsonl", row(1))
    journal = tmp_path / "projects" / "-p" / "s-1" / "subagents" / "workflows" / "wf" / "journal.jsonl"
    counts = [archive.counts(tmp_path / "projects") for text in ("one", "one", "one more") if written(journal, text)]

    assert [each.attached for each in counts] == [1, 0, 1]
    assert len({event.id for event in archive.kinds("source.attached")}) == 1


def test_a_file_whose_name_is_no_text_is_imported(archive: Any, tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.jsonl")
    archive.take(written(tmp_path / name, row(1)))

    assert archive.records[0].source.path == "caf\ufffd.jsonl"
    assert archive.counts(tmp_path / name).seen == 1


def test_a_folder_that_cannot_be_read_is_named_and_the_others_go_on(archive: Any, tmp_path: Path) -> None:
    written(tmp_path / "good" / "s.jsonl", row(1))
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")
    report = archive.take(tmp_path / "loop.jsonl", tmp_path / "good")

    assert report.total.new == 1
    assert [Path(path).name for path, _ in report.problems] == ["loop.jsonl"]
