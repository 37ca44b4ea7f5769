"""Claude Code: what its records say, who says it, and what no longer counts."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from rhizome.log.importers.claude_code_meaning import prompt
from rhizome.log.sessions import info, says
from rhizome.model import Part

TIDEPOOL = "claude-code:87237015-0c94-48a3-939a-458705170700"
LANTERN = "claude-code:a6fcd94d-84bd-4d71-86bf-c3eec50b9ecf"
PORT = "8080 belongs to the reverse proxy on this box. Change of plan: tidepool dev server is 8087 from now on."


@pytest.fixture
def sampled(archive: Any, samples: Path) -> Any:
    archive.take(samples / "claude-code")
    return archive


def row(n: int, content: object, parent: str | None = None, **more: Any) -> str:
    kind = "assistant" if "model" in more else "user"
    message = {"role": kind, "content": content, "id": f"msg-{n}"}
    return json.dumps({"parentUuid": parent, "isSidechain": False, "type": kind, "message": message, "uuid": f"u-{n}",
                       "timestamp": f"2026-10-14T09:{n:02}:00.000Z", "sessionId": "s", "cwd": "/nowhere/x"} | more)


def take(archive: Any, tmp_path: Path, *lines: str) -> Any:
    (tmp_path / "s.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    archive.take(tmp_path / "s.jsonl")
    return archive


def test_a_person_said_what_was_typed_and_nothing_else(sampled: Any) -> None:
    assert [text[:14] for text in sampled.said("human", TIDEPOOL)] == [
        "Tidepool is ou", "No pip in this", "8080 belongs t", "Wrong unit. Th", "Good. So: run "]


def test_a_queued_prompt_is_said_once_and_its_queue_row_is_a_mirror(sampled: Any) -> None:
    flags = [message.flags for message in sampled.messages(TIDEPOOL) if message.text == PORT]

    assert flags == [{"queued", "mirror"}, {"queued"}]
    assert sampled.said("human", TIDEPOOL).count(PORT) == 1


def test_a_prompt_that_only_the_queue_holds_is_a_persons(archive: Any, tmp_path: Path) -> None:
    queued = json.dumps({"type": "queue-operation", "operation": "enqueue", "sessionId": "s", "content": "use 8087"})
    take(archive, tmp_path, row(1, "go"), queued)

    assert archive.said("human") == ["go", "use 8087"]
    assert [turn.messages[0].text for turn in archive.turns()] == ["go", "use 8087"]


def test_a_queued_prompt_that_was_sent_as_a_message_is_said_once(archive: Any, tmp_path: Path) -> None:
    queued = json.dumps({"type": "queue-operation", "operation": "enqueue", "sessionId": "s", "content": "use 8087"})
    take(archive, tmp_path, row(1, "go"), queued, row(2, "use 8087"))

    assert archive.said("human") == ["go", "use 8087"]


def test_summaries_are_the_harnesss_and_flagged(sampled: Any) -> None:
    told = [message for message in sampled.messages(LANTERN) if "PostgreSQL" in message.text]

    assert [(message.part, message.origin, message.flags) for message in told] == [
        (Part.COMPACTED, "harness", {"summary"})]


def test_meta_rows_are_the_harnesss(sampled: Any) -> None:
    (caveat,) = [message for message in sampled.messages(TIDEPOOL) if "local-command-caveat" in message.text]

    assert (caveat.origin, caveat.turn) == ("harness", None)


def test_a_subagents_prompt_is_the_models_and_opens_no_turn(sampled: Any) -> None:
    aside = [message for message in sampled.messages(TIDEPOOL) if message.thread == "a7c31e9"]
    task = next(message for message in sampled.messages(TIDEPOOL) if message.tool == "Task")

    assert [message.origin for message in aside] == ["model", "model", "tool", "model"]
    assert {message.turn for message in aside} == {task.turn}
    assert all("sidechain" in message.flags for message in aside)


def test_an_unknown_record_is_the_harnesss_and_not_understood(sampled: Any) -> None:
    (unknown,) = [message for message in sampled.messages(LANTERN) if "aurora" in message.text]

    assert (unknown.part, unknown.origin) == (Part.UNKNOWN, "harness")


def test_an_output_that_was_moved_aside_is_read_in_full_after_its_preview(sampled: Any) -> None:
    texts = [m.text for m in sampled.messages(TIDEPOOL) if m.call == "toolu_01WBMRATHAODLCGRABFVLIRT"]

    assert [text.split("\n")[0] for text in texts[1:]] == ["<persisted-output>",
                                                           "tests/test_feed.py::test_window[000] PASSED"]


def test_calls_and_results_share_a_unit_with_the_answer_they_belong_to(sampled: Any) -> None:
    units = [(m.part, m.unit) for m in sampled.turns(TIDEPOOL)[0].messages if m.part in {Part.CALLED, Part.RETURNED}]

    assert units[0][1] == units[1][1] != units[2][1] == units[3][1]


def test_a_rejected_call_failed(sampled: Any) -> None:
    (rejected,) = [m for m in sampled.messages(TIDEPOOL) if m.text.startswith("The user doesn't want")]

    assert (rejected.failed, rejected.origin, rejected.tool) == (True, "tool", "Bash")


def test_no_message_is_told_twice(sampled: Any) -> None:
    told = [(message.event, message.part, message.text) for message in sampled.messages()]

    assert len(told) == len(set(told))


def test_what_an_event_says_is_what_its_messages_say(sampled: Any) -> None:
    spoken: dict[str, list[str]] = {}
    for message in sampled.messages():
        spoken.setdefault(message.event, []).append(message.text)

    for event, texts in spoken.items():
        assert says(sampled.log.get(event)) == "\n".join(text for text in texts if text)


@pytest.mark.parametrize("shown", [
    "<system-reminder>\nToday is Monday.\n</system-reminder>", "<local-command-stdout>8087</local-command-stdout>",
    "<bash-input>ls</bash-input>", "<task-notification>done</task-notification>", "<ide_selection>x</ide_selection>",
    "[Request interrupted by user]", "Caveat: The messages below were generated by the user", "<system-reminder>cut of",
])
def test_what_the_harness_shows_is_not_typed(shown: str) -> None:
    assert [piece.origin for piece in prompt(shown)] == ["harness"]


def test_a_reminder_beside_a_prompt_leaves_the_prompt_a_persons() -> None:
    told = prompt("<system-reminder>be brief</system-reminder>\nship on Thursdays")

    assert [(piece.origin, piece.text.strip()) for piece in told] == [
        ("harness", "<system-reminder>be brief</system-reminder>"), ("human", "ship on Thursdays")]


def test_a_slash_commands_arguments_are_a_persons_words() -> None:
    told = prompt("<command-message>review</command-message>\n<command-name>/review</command-name>\n"
                  "<command-args>only the parser</command-args>")

    assert [(piece.origin, piece.text) for piece in told] == [("harness", "/review"), ("human", "only the parser")]


def test_a_results_text_is_a_tools_though_a_person_wrote_beside_it(archive: Any, tmp_path: Path) -> None:
    both = [{"type": "tool_result", "tool_use_id": "t", "content": "from the web"}, {"type": "text", "text": "not so"}]
    take(archive, tmp_path, row(1, "go"), row(2, both))

    assert [(message.origin, message.text) for message in archive.messages()[1:]] == [
        ("tool", "from the web"), ("human", "not so")]


@pytest.mark.parametrize("call", [
    {"name": "mcp__rhizome__memory_search", "input": {"query": "port"}},
    {"name": "Bash", "input": {"command": "cd notes && rhizome search port"}},
])
def test_what_a_memory_returned_is_memory(archive: Any, tmp_path: Path, call: dict[str, Any]) -> None:
    used = [{"type": "tool_use", "id": "t", **call}]
    result = [{"type": "tool_result", "tool_use_id": "t", "content": "the port is 8087"}]
    take(archive, tmp_path, row(1, "go"), row(2, used, model="m"), row(3, result))

    assert archive.messages()[-1].origin == "memory"


def test_an_interrupted_turn_is_aborted(archive: Any, tmp_path: Path) -> None:
    take(archive, tmp_path, row(1, "use rocksdb"), row(2, [{"type": "text", "text": "[Request interrupted by user]"}]),
         row(3, "use sqlite"))

    assert archive.said("human") == ["use sqlite"]


def test_a_prompt_typed_anew_in_the_place_of_another_abandons_what_followed_that(archive: Any, tmp_path: Path) -> None:
    take(archive, tmp_path, row(1, "go"), row(2, "done", "u-1", model="m"), row(3, "use redis", "u-2"),
         row(4, "redis it is", "u-3", model="m"), row(5, "deploy it", "u-4"), row(6, "use sqlite", "u-2"))

    assert archive.said("human") == ["go", "use sqlite"]
    assert archive.said("model") == ["done"]


def test_a_turn_is_closed_by_the_next_or_by_six_quiet_hours(archive: Any, tmp_path: Path) -> None:
    take(archive, tmp_path, row(1, "first"), row(2, "second"))
    last = datetime(2026, 10, 14, 9, 2, tzinfo=UTC)

    assert [turn.closed for turn in archive.turns(now=last + timedelta(hours=6))] == [True, False]
    assert [turn.closed for turn in archive.turns(now=last + timedelta(hours=6, seconds=1))] == [True, True]


def test_a_session_that_was_left_is_closed_at_once(archive: Any, tmp_path: Path) -> None:
    take(archive, tmp_path, row(1, "first"), row(2, "<command-name>/exit</command-name>"))

    assert [turn.closed for turn in archive.turns(now=datetime(2026, 10, 14, 9, 3, tzinfo=UTC))] == [True]


def test_a_session_is_found_by_the_harnesss_id(sampled: Any) -> None:
    assert info(sampled.log, "a6fcd94d-84bd-4d71-86bf-c3eec50b9ecf").id == LANTERN
