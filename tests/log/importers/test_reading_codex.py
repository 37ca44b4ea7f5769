"""Codex: what its records say, who says it, and what no longer counts."""

import json
from pathlib import Path
from typing import Any

import pytest

from rhizome.log.sessions import says
from rhizome.model import Part

FIRST = "codex:019f4a23-0edd-7a9f-bf83-ac1e05773d35"


@pytest.fixture
def sampled(archive: Any, samples: Path) -> Any:
    archive.take(samples / "codex")
    return archive


def line(kind: str, **payload: Any) -> str:
    return json.dumps({"timestamp": "2026-10-22T08:00:00.000Z", "type": kind, "payload": payload})


def user(text: str) -> str:
    return line("response_item", type="message", role="user", content=[{"type": "input_text", "text": text}])


def take(archive: Any, tmp_path: Path, *lines: str) -> Any:
    start = [line("session_meta", id="t", cwd="/nowhere/x"), line("turn_context", turn_id="turn-1")]
    (tmp_path / "r.jsonl").write_text("\n".join([*start, *lines]) + "\n", encoding="utf-8")
    archive.take(tmp_path / "r.jsonl")
    return archive


def test_a_person_said_what_was_typed_once(sampled: Any) -> None:
    assert [text[:20] for text in sampled.said("human", FIRST)] == [
        "mossbridge syncs boo", "House rule: no unwra", "Run the integration ", "Clippy in CI needs l"]


def test_every_text_is_a_message_and_its_event_a_mirror(sampled: Any) -> None:
    spoken = [m for m in sampled.messages(FIRST) if m.part in {Part.SAID, Part.THOUGHT} and m.origin != "harness"]
    mirrors = [m for m in spoken if "mirror" in m.flags]

    assert len(mirrors) * 2 == len(spoken)
    assert {m.text for m in mirrors} == {m.text for m in spoken}


def test_an_event_without_its_item_is_the_message(archive: Any, tmp_path: Path) -> None:
    take(archive, tmp_path, line("event_msg", type="user_message", message="only here"),
         line("event_msg", type="agent_message", message="here too"))

    assert (archive.said("human"), archive.said("model")) == (["only here"], ["here too"])


def test_instructions_and_environment_are_the_harnesss(sampled: Any) -> None:
    told = [message for message in sampled.messages(FIRST) if "cargo fmt" in message.text or "<cwd>" in message.text]

    assert [(message.origin, message.flags, message.turn) for message in told] == [("harness", {"meta"}, None)] * 2


def test_words_with_the_role_of_a_user_that_nobody_typed_are_the_harnesss(archive: Any, tmp_path: Path) -> None:
    take(archive, tmp_path, user("<new_kind_of_notice> use npm"), user("use uv"),
         line("event_msg", type="user_message", message="use uv"))

    assert archive.said("human") == ["use uv"]


def test_an_aborted_turn_that_was_rolled_back_is_flagged_as_a_whole_and_alone(sampled: Any) -> None:
    gone = [turn for turn in sampled.turns(FIRST) if any(m.flags & {"aborted", "rolled_back"} for m in turn.messages)]

    assert [turn.messages[0].text for turn in gone] == ["Switch the storage to RocksDB."]
    assert all({"aborted", "rolled_back"} <= message.flags for turn in gone for message in turn.messages)


def test_a_compaction_is_a_summary_and_repeats_nothing(sampled: Any) -> None:
    told = [message for message in sampled.messages(FIRST) if message.part is Part.COMPACTED]

    assert [(m.origin, m.text[:11], m.flags) for m in told] == [("harness", "Work so far", told[0].flags | {"summary"})]


def test_a_call_without_an_output_stands_alone(sampled: Any) -> None:
    calls = {message.call for message in sampled.messages(FIRST) if message.part is Part.CALLED and message.call}
    results = {message.call for message in sampled.messages(FIRST) if message.part is Part.RETURNED}

    assert results < calls


def test_an_exit_code_tells_that_a_call_failed(sampled: Any) -> None:
    failed = [m for m in sampled.messages(FIRST) if m.failed]

    assert [(m.tool, "FAILED" in m.text) for m in failed] == [("exec_command", True)]


def test_an_output_in_an_object_is_read_as_its_text(sampled: Any) -> None:
    (patched, _) = [m.text for m in sampled.messages(FIRST) if m.part is Part.RETURNED and m.tool == "apply_patch"]

    assert patched == "Success. Updated the following files:\nM Cargo.toml\n"


@pytest.mark.parametrize(("name", "origin"), [("mcp__rhizome__memory_fact", "memory"), ("exec_command", "tool")])
def test_what_a_memory_returned_is_memory(archive: Any, tmp_path: Path, name: str, origin: str) -> None:
    take(archive, tmp_path, line("response_item", type="function_call", name=name, arguments="{}", call_id="c"),
         line("response_item", type="function_call_output", call_id="c", output="the port is 8087"))

    assert archive.messages()[-1].origin == origin


def test_what_an_event_says_is_what_its_messages_say(sampled: Any) -> None:
    for message in sampled.messages():
        assert says(sampled.log.get(message.event)) == message.text


def test_an_unknown_type_is_kept_and_not_understood(archive: Any, tmp_path: Path) -> None:
    take(archive, tmp_path, line("aurora_item", note="deploys on Fridays are forbidden"))
    (unknown,) = [message for message in archive.messages() if message.part is Part.UNKNOWN]

    assert (unknown.origin, "Fridays" in unknown.text) == ("harness", True)


def test_bare_items_of_the_first_rollouts_are_read(archive: Any, tmp_path: Path) -> None:
    meta = json.dumps({"id": "t", "timestamp": "2025-05-07T17:24:21.597Z", "instructions": None})
    said = json.dumps({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "ship it"}]})
    (tmp_path / "rollout-2025.jsonl").write_text(f"{meta}\n{said}\n{said}\n", encoding="utf-8")

    assert archive.counts(tmp_path / "rollout-2025.jsonl").new == 3
    assert archive.said("human", "codex:t") == ["ship it", "ship it"]
