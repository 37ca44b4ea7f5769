"""What an event says when it is looked up: whose voice, when, and in which session."""

from typing import Any

import pytest

from rhizome.consolidate.heard import Heard, Hearing, proposed, trust
from rhizome.consolidate.wording import key_part, one_line, stands_in
from rhizome.model import Event, Message, Part, Turn


def message(event: str, text: str = "hello", origin: str = "human", at: str | None = None, **more: Any) -> Message:
    return Message(event=event, part=Part.SAID, origin=origin, text=text, at=at, **more)


def turn(*messages: Message, at: str | None = None, session: str = "s1") -> Turn:
    return Turn(id=messages[0].event, session=session, scope="tidepool", messages=messages, closed=True, at=at,
                harness="codex")


def look_up(event_id: str, *turns: Turn, **logged: Event) -> Heard | None:
    for each in turns:
        for said in each.messages:
            logged.setdefault(said.event, Event(kind="session.record", body=said.text, recorded_at="2026-06-09"))
    return Hearing(turns, logged.get, lambda event: str(event.body), root={"s2": "s1"}.get)(event_id)  # type: ignore[arg-type]


def test_an_event_nobody_logged_says_nothing() -> None:
    assert look_up("e9", turn(message("e1"))) is None


def test_a_message_speaks_in_its_turn() -> None:
    heard = look_up("e1", turn(message("e1", at="2026-06-01T10:00:00Z")))

    assert heard is not None
    assert (heard.text, heard.at, heard.session, heard.scope, heard.actor, heard.turn) == (
        "hello", "2026-06-01T10:00:00Z", "s1", "tidepool", "human", "e1")


@pytest.mark.parametrize(("turns", "at"), [
    ([turn(message("e1", at="2026-06-01"), message("e2"))], "2026-06-01"),
    ([turn(message("e1"), message("e2"), at="2026-06-02")], "2026-06-02"),
    ([turn(message("e0", at="2026-06-03")), turn(message("e1"), message("e2"))], "2026-06-03"),
    ([turn(message("e0", at="2026-06-03"), ), turn(message("e1"), message("e2"), session="s9")], "2026-06-09"),
    ([turn(message("e1"), message("e2"), message("e3", at="2026-06-04"))], "2026-06-09"),
])
def test_an_undated_event_takes_the_time_of_its_earlier_neighbour_or_of_its_recording(
        turns: list[Turn], at: str) -> None:
    heard = look_up("e2", *turns)

    assert heard is not None
    assert heard.at == at


def test_what_is_older_than_the_turns_at_hand_is_nobodys_word_but_has_a_session_and_a_day() -> None:
    old = Event(kind="session.record", body="hello", session="s2", happened_at="2026-05-01T10:00:00Z")
    heard = look_up("old", old=old)

    assert heard is not None
    assert (heard.session, heard.root, heard.at[:10], heard.speaker("hello")) == ("s2", "s1", "2026-05-01", None)


@pytest.mark.parametrize(("typed", "origin"), [(True, "human"), (False, "model")])
def test_a_proposal_speaks_for_whoever_typed_it(typed: bool, origin: str) -> None:
    event = Event(kind="memory.proposed", id="p1", recorded_at="2026-06-09T10:00:00Z", actor="agent:codex",
                  body={"statement": "we ship from main", "typed": typed})
    heard = proposed(event)
    spoken = heard.speaker("we ship from main")

    assert spoken is not None
    assert (spoken.origin, heard.at, heard.actor, heard.proposal) == (origin, event.recorded_at, "agent:codex", True)


def test_voices_rank_person_model_tool_nobody() -> None:
    ranked = ["human", "model", "tool", "harness"]

    assert sorted(ranked, key=trust, reverse=True) == ranked
    assert trust("peer:bo") == trust("model") > trust("memory") == trust("") == 0


@pytest.mark.parametrize(("text", "line"), [
    (" a\n\tb  c ", "a b c"), ("a\x00b\x1b[31mc", "a b [31mc"), ("a\u202eb\u2066c\u200bd\U000e0041e", "abcde"),
    ("a\u2028b", "a b"), ("می\u200cخواهم", "می\u200cخواهم"), ("x\ud800y", "xy")])
def test_words_are_kept_on_one_visible_line(text: str, line: str) -> None:
    assert one_line(text) == line


def test_a_part_of_a_key_cannot_hold_the_bar_that_parts_it() -> None:
    assert key_part(" Deploy|Branch ") == "deploy/branch"


@pytest.mark.parametrize(("value", "text", "stands"), [
    ("8087", "use port 8087.", True), ("8087", "use port 8088", False), ("80", "use port 8088", False),
    ("10分", "間隔は10 分にする", True), ("uv", "`uv`, never pip", True), ("main branch", "the branch is main", True),
    ("29x90 mm", "29 x 90mm", True), ("木曜日", "毎週木曜日です", True), ("10", "間隔は10分", True),
    ("C++", "in C++ now", True),
    ("release", "we use main", False), ("uv", "improve louvres", False), ("port 80", "port 8088", False)])
def test_a_value_stands_in_a_text_as_words(value: str, text: str, stands: bool) -> None:
    assert stands_in(value, text) == stands
