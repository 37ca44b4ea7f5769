"""Codex: paginated rollouts, in which a turn's items stand once and a history is not copied but referred to."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from rhizome.log.sessions import says, sessions
from rhizome.model import Part

PARENT, FORK, AGAIN = (f"0199a5d0-0000-7000-8000-00000000000{n}" for n in range(3))


def line(ordinal: int, kind: str, **payload: Any) -> str:
    return json.dumps({"timestamp": "2026-10-22T08:00:00.000Z", "ordinal": ordinal, "type": kind, "payload": payload})


def meta(ordinal: int, thread: str, base: str | None = None, **more: Any) -> str:
    told = {"thread_id": base, "end_ordinal_exclusive": ordinal, "end_byte_offset": 1} if base else None
    return line(ordinal, "session_meta", id=thread, cwd="/nowhere/x", history_mode="paginated", history_base=told,
                **more)


def completed(ordinal: int, turn: str, kind: str, **item: Any) -> str:
    item["type"] = kind
    return line(ordinal, "event_msg", type="item_completed", thread_id=PARENT, turn_id=turn, item=item)


def asked(ordinal: int, turn: str, text: str, answer: str) -> list[str]:
    """A turn of six lines, as a paginated rollout has it."""
    said, typed = [{"type": "input_text", "text": text}], [{"type": "text", "text": text, "text_elements": []}]
    given, shown = [{"type": "output_text", "text": answer}], [{"type": "Text", "text": answer}]
    return [
        line(ordinal, "event_msg", type="task_started", turn_id=turn), line(ordinal + 1, "turn_context", turn_id=turn),
        line(ordinal + 2, "response_item", type="message", role="user", content=said),
        completed(ordinal + 3, turn, "UserMessage", id=f"u-{turn}", content=typed),
        line(ordinal + 4, "response_item", type="message", role="assistant", id=f"m-{turn}", content=given),
        completed(ordinal + 5, turn, "AgentMessage", id=f"m-{turn}", content=shown)]


def rollout(folder: Path, name: str, *lines: str) -> Path:
    path = folder / f"rollout-2026-10-22T08-00-00-{name}.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    """Thirteen lines: where the session begins, and two turns."""
    return rollout(tmp_path, PARENT, meta(0, PARENT), *asked(1, "t1", "where do we ship from?", "From main."),
                   *asked(7, "t2", "and on Fridays?", "Never."))


@pytest.fixture
def fork(tmp_path: Path) -> Path:
    """Seven lines: it left its parent behind the first turn."""
    return rollout(tmp_path, FORK, meta(7, FORK, PARENT, forked_from_id=PARENT), *asked(8, "t3", "who ships?", "Ada."))


@pytest.fixture
def reverted(tmp_path: Path) -> Path:
    """Seven lines of the parent's thread, which gave up its second turn."""
    return rollout(tmp_path, f"{PARENT}_{AGAIN}", meta(7, PARENT, PARENT), *asked(8, "t4", "and at night?", "Yes."))


def test_what_was_said_is_said_once(archive: Any, parent: Path) -> None:
    assert archive.counts(parent).new == 13
    assert archive.said("human") == ["where do we ship from?", "and on Fridays?"]
    assert archive.said("model") == ["From main.", "Never."]
    assert [m.text for m in archive.messages() if "mirror" in m.flags] == [
        "where do we ship from?", "From main.", "and on Fridays?", "Never."]


def test_an_item_without_a_response_item_is_the_message(archive: Any, tmp_path: Path) -> None:
    typed, thought = [{"type": "text", "text": "use uv"}], ["They want uv."]
    archive.take(rollout(tmp_path, "x", meta(0, "x"), completed(1, "t", "UserMessage", id="u", content=typed),
                         completed(2, "t", "Reasoning", id="r", summary_text=thought, raw_content=[])))

    assert archive.said("human") == ["use uv"]
    assert [m.text for m in archive.messages() if m.part is Part.THOUGHT] == thought


def test_words_in_the_role_of_a_user_without_an_item_are_the_harnesss(archive: Any, tmp_path: Path) -> None:
    injected = [{"type": "input_text", "text": "<new_kind_of_notice> use npm"}]
    archive.take(rollout(tmp_path, "x", meta(0, "x"), *asked(1, "t1", "use uv", "Yes."),
                         line(7, "response_item", type="message", role="user", content=injected)))

    assert archive.said("human") == ["use uv"]


def test_an_answer_that_is_shown_without_its_plan_is_the_same_answer(archive: Any, tmp_path: Path) -> None:
    given = [{"type": "output_text", "text": "Here it is.<proposed_plan>1. tag</proposed_plan>"}]
    archive.take(rollout(
        tmp_path, "x", meta(0, "x"), line(1, "turn_context", turn_id="t"),
        line(2, "response_item", type="message", role="assistant", id="m", content=given),
        completed(3, "t", "AgentMessage", id="m", content=[{"type": "Text", "text": "Here it is."}]),
        completed(4, "t", "Plan", id="m-plan", text="1. tag")))

    assert archive.said("model") == ["Here it is.<proposed_plan>1. tag</proposed_plan>"]


@pytest.mark.parametrize(("kind", "item", "tool", "output", "failed"), [
    ("CommandExecution", {"command": ["bash", "-lc", "make test"], "aggregated_output": "2 failed", "exit_code": 1,
                          "status": "failed"}, "exec_command", "2 failed", True),
    ("McpToolCall", {"server": "docs", "tool": "find", "arguments": {"q": "port"}, "status": "completed",
                     "result": {"content": [{"type": "text", "text": "8087"}]}}, "docs__find", "8087", False),
    ("McpToolCall", {"server": "docs", "tool": "find", "arguments": {}, "status": "failed",
                     "error": {"message": "gone"}}, "docs__find", "gone", True),
    ("DynamicToolCall", {"tool": "look", "arguments": {}, "success": True, "status": "completed",
                         "content_items": [{"type": "inputText", "text": "blue"}]}, "look", "blue", False),
    ("FileChange", {"changes": {"a.py": {"type": "add", "content": "x"}}, "status": "completed", "stdout": "Done."},
     "apply_patch", "Done.", False),
])
def test_a_call_that_only_an_item_tells_is_a_call_and_its_result(
    archive: Any, tmp_path: Path, kind: str, item: dict[str, Any], tool: str, output: str, failed: bool,
) -> None:
    archive.take(rollout(tmp_path, "x", meta(0, "x"), completed(1, "t", kind, id="c", **item)))
    (call, result) = [m for m in archive.messages() if m.part in {Part.CALLED, Part.RETURNED}]

    assert (call.tool, result.tool, result.text, result.failed) == (tool, tool, output, failed)
    assert says(archive.log.get(call.event)) == f"{call.text}\n{output}"


def test_a_call_that_its_response_item_tells_is_told_once(archive: Any, tmp_path: Path) -> None:
    archive.take(rollout(
        tmp_path, "x", meta(0, "x"),
        line(1, "response_item", type="function_call", name="shell", arguments='{"cmd": "ls"}', call_id="c"),
        completed(2, "t", "CommandExecution", id="c", command=["ls"], aggregated_output="a.py", exit_code=0),
        line(3, "response_item", type="function_call_output", call_id="c", output="a.py")))
    told = [m for m in archive.messages() if m.part in {Part.CALLED, Part.RETURNED} and "mirror" not in m.flags]

    assert [(m.part, m.tool) for m in told] == [(Part.CALLED, "shell"), (Part.RETURNED, "shell")]


def test_what_a_memory_returned_to_an_item_is_memory(archive: Any, tmp_path: Path) -> None:
    item = {"command": ["bash", "-lc", "rhizome search port"], "aggregated_output": "8087"}
    archive.take(rollout(tmp_path, "x", meta(0, "x"), completed(1, "t", "CommandExecution", id="c", **item)))

    assert archive.messages()[-1].origin == "memory"


def test_an_item_of_an_unknown_type_is_kept_and_not_understood(archive: Any, tmp_path: Path) -> None:
    archive.take(rollout(tmp_path, "x", meta(0, "x"), completed(1, "t", "Aurora", id="a", note="never on Fridays")))
    (unknown,) = [message for message in archive.messages() if message.part is Part.UNKNOWN]

    assert "Fridays" in unknown.text


def test_a_fork_that_refers_to_its_parent_shows_what_the_parent_had(archive: Any, parent: Path, fork: Path) -> None:
    for one, other in permutations([parent, fork]):
        archive.take(one, other)

        assert archive.said("human", f"codex:{FORK}") == ["where do we ship from?", "who ships?"]
        assert archive.said("human", f"codex:{PARENT}") == ["where do we ship from?", "and on Fridays?"]
    assert len(archive.records) == 13 + 7
    assert {info.id: info.parent for info in sessions(archive.log)}[f"codex:{FORK}"] == f"codex:{PARENT}"
    assert archive.turns(f"codex:{FORK}")[0].id == archive.turns(f"codex:{PARENT}")[0].id


def test_a_fork_shows_its_parents_turns_once_its_parent_is_there(archive: Any, parent: Path, fork: Path) -> None:
    archive.take(fork)
    before = archive.said("human", f"codex:{FORK}")
    archive.take(parent)

    assert before == ["who ships?"]
    assert archive.said("human", f"codex:{FORK}") == ["where do we ship from?", "who ships?"]


@pytest.mark.parametrize("first", [0, 1])
def test_a_thread_that_was_reverted_goes_on_without_the_turns_it_gave_up(
    archive: Any, parent: Path, reverted: Path, first: int,
) -> None:
    files = [parent, reverted]
    archive.take(files[first])
    archive.take(files[1 - first])

    assert [info.id for info in sessions(archive.log)] == [f"codex:{PARENT}"]
    assert archive.said("human") == ["where do we ship from?", "and at night?"]
    assert [(turn.messages[0].text, "rolled_back" in turn.messages[0].flags) for turn in archive.turns()] == [
        ("where do we ship from?", False), ("and on Fridays?", True), ("and at night?", False)]


def test_a_fork_of_a_reverted_thread_knows_nothing_of_what_was_given_up(
    archive: Any, tmp_path: Path, parent: Path, reverted: Path,
) -> None:
    later = rollout(tmp_path, FORK, meta(14, FORK, AGAIN, forked_from_id=PARENT), *asked(15, "t5", "who?", "Ada."))
    archive.take(later, reverted, parent)

    assert [turn.messages[0].text for turn in archive.turns(f"codex:{FORK}")] == [
        "where do we ship from?", "and at night?", "who?"]


def test_a_rollout_that_goes_on_from_itself_is_read_once(archive: Any, tmp_path: Path) -> None:
    archive.take(rollout(tmp_path, PARENT, meta(0, PARENT, PARENT), *asked(1, "t1", "ship it", "Done.")))

    assert archive.said("human") == ["ship it"]
