"""What was done on a day, read from the turns of its sessions."""

from datetime import UTC
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from rhizome.consolidate.days import days
from rhizome.model import Message, Part, Turn


def said(text: str, **more: Any) -> Message:
    return Message(event="e", part=Part.SAID, origin="human", text=text, **more)


def called(tool: str, call: str = "c1", **arguments: Any) -> Message:
    return Message(event="e", part=Part.CALLED, origin="model", text="", tool=tool, call=call, arguments=arguments)


def returned(call: str = "c1", *, failed: bool = False) -> Message:
    return Message(event="e", part=Part.RETURNED, origin="tool", text="...", call=call, failed=failed)


def turn(*messages: Message, at: str | None = "2026-10-14T23:30:00Z", session: str = "s1") -> Turn:
    return Turn(id="t", session=session, scope="tidepool", messages=messages, closed=True, at=at, harness="codex")


def test_a_session_is_told_with_its_first_words() -> None:
    day = days([turn(said("  "), said("fix\nthe deploy")), turn(said("go on"))], UTC)["2026-10-14"]

    assert [{"session": "s1", "title": "fix the deploy", "scope": "tidepool", "harness": "codex", "turns": 2}] \
        == day["sessions"]


def test_a_day_is_the_day_in_the_zone_of_the_home() -> None:
    assert ["2026-10-15"] == list(days([turn(said("hi"))], ZoneInfo("Asia/Tokyo")))


def test_a_turn_without_a_time_takes_its_messages_and_else_has_no_day() -> None:
    dated = turn(said("hi", at="2026-10-12T10:00:00+02:00"), at=None)

    assert ["2026-10-12"] == list(days([turn(said("hi"), at=None), dated], UTC))


@pytest.mark.parametrize(("message", "paths"), [
    (called("Edit", file_path="src/main.rs"), ["src/main.rs"]),
    (called("mcp__fs__write_file", path="a.md"), ["a.md"]),
    (called("edit", filePath="b.ts"), ["b.ts"]),
    (called("apply_patch", input="*** Begin Patch\n*** Update File: a.py\n@@\n*** Add File: b.py\n"), ["a.py", "b.py"]),
    (called("shell", command=["bash", "-lc", "ls"]), []),
    (called("Read", file_path="src/main.rs"), []),
])
def test_files_that_tools_wrote_are_named(message: Message, paths: list[str]) -> None:
    day = days([turn(message, returned())], UTC)["2026-10-14"]

    assert paths == [each["path"] for each in day["changed"]]


def test_a_write_that_failed_changed_nothing() -> None:
    day = days([turn(called("Edit", file_path="a.md"), returned(failed=True))], UTC)["2026-10-14"]

    assert [] == day["changed"]


@pytest.mark.parametrize("command", ["cargo  test", ["bash", "-lc", "cargo test"], ["cargo", "test"]])
def test_a_command_that_failed_and_then_passed_is_named_once(command: object) -> None:
    day = days([turn(called("Bash", "c1", command=command), returned("c1", failed=True)),
                turn(called("Bash", "c2", command=command), returned("c2"), called("Bash", "c3", command=command),
                     returned("c3"))], UTC)["2026-10-14"]

    assert [{"session": "s1", "command": "cargo test"}] == day["fixed"]


def test_a_command_that_passed_in_another_session_was_not_fixed() -> None:
    day = days([turn(called("Bash", command="make"), returned(failed=True)),
                turn(called("Bash", command="make"), returned(), session="s2")], UTC)["2026-10-14"]

    assert [] == day["fixed"]
