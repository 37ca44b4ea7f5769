"""What a run takes in, and what it leaves alone."""

from datetime import UTC
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.consolidate.captured import captured
from rhizome.consolidate.echo import Echoes
from rhizome.consolidate.gather import Batch, consumed, gather
from rhizome.model import Event, Message, Part, Turn

MEMORY = "tidepool uses uv only (uv sync, uv run), never pip, because the lock file is what we ship to production"


def message(event: str, text: str = "hello", origin: str = "human", part: Part = Part.SAID, *flags: str,
            at: str = "2026-06-01T23:30:00Z") -> Message:
    return Message(event=event, part=part, origin=origin, text=text, at=at, flags=frozenset(flags))


def turn(identity: str, *messages: Message, session: str = "s1", closed: bool = True,
         at: str | None = "2026-06-01") -> Turn:
    return Turn(id=identity, session=session, scope="tidepool", messages=(message(identity), *messages), closed=closed,
                at=at)


def proposal(identity: str, statement: str, session: str | None = "s1", **more: Any) -> Event:
    return Event(kind="memory.proposed", id=identity, session=session, scope="tidepool",
                 recorded_at="2026-06-02T10:00:00Z", body={
                     "subject": "deploy", "attribute": "branch", "statement": statement, "value": "", **more})


def texts(batch: Batch) -> list[str]:
    return [message.text for each in batch.turns for message in each.messages]


def test_closed_turns_nobody_took_are_taken() -> None:
    batch = gather([turn("t1"), turn("t2"), turn("t3", closed=False)], consumed={"t1"})

    assert batch.taken == ("t2",)
    assert [each.id for each in batch.turns] == ["t2"]


def test_nothing_new_is_no_batch() -> None:
    assert not gather([turn("t1"), turn("t2", closed=False)], consumed={"t1"})


def test_consumed_is_what_consolidated_events_name() -> None:
    events = [Event(kind="consolidated", body={"turns": ["t1", "p1"]}),
              Event(kind="consolidated", body={"turns": ["t2"]}), Event(kind="note.saved", body={"turns": ["t9"]})]

    assert consumed(events) == {"t1", "t2", "p1"}


@pytest.mark.parametrize("left_out", [
    message("m", "text", "harness"), message("m", "text", "memory", Part.RETURNED),
    message("m", "text", "model", Part.COMPACTED), message("m", "text", "model", Part.SAID, "summary"),
    *(message("m", "text", "human", Part.SAID, flag)
      for flag in ("meta", "mirror", "replay", "aborted", "rolled_back", "rewound", "abandoned"))])
def test_what_teaches_nothing_is_left_out(left_out: Message) -> None:
    assert texts(gather([turn("t1", left_out, message("m2", "kept", "model"))])) == ["hello", "kept"]


def test_what_tools_returned_and_subagents_said_stays() -> None:
    returned = message("m1", "1 failed", "tool", Part.RETURNED)
    said = message("m2", "found", "model", Part.SAID, "sidechain")

    assert texts(gather([turn("t1", returned, said)])) == ["hello", "1 failed", "found"]


@pytest.mark.parametrize("flag", ["aborted", "rolled_back", "rewound", "abandoned"])
def test_a_turn_that_was_undone_is_settled_without_being_read(flag: str) -> None:
    undone = Turn(id="t1", session="s1", scope="tidepool", closed=True,
                  messages=(message("t1", "use RocksDB", "human", Part.SAID, flag), message("m", "done", "model")))

    batch = gather([undone])
    assert (batch.turns, batch.taken) == ((), ("t1",))


def test_a_turn_that_a_fork_shares_is_taken_once_and_whole() -> None:
    parent = turn("t1", closed=False, session="parent")
    fork = turn("t1", message("m", "more", "model"), session="fork")

    for order in ([parent, fork], [fork, parent]):
        batch = gather(order)
        assert [(each.id, each.session, len(each.messages)) for each in batch.turns] == [("t1", "fork", 2)]


def test_what_memory_returned_is_not_learned_again() -> None:
    batch = gather([turn("t1", message("m1", f"Found:\n{MEMORY}\n", "memory", Part.RETURNED),
                         message("m2", f"As I remember, {MEMORY}.", "model"), message("m3", MEMORY, "human"),
                         message("m4", "The lock file is broken since yesterday and nobody knows why", "model"))])

    assert texts(batch) == ["hello", "The lock file is broken since yesterday and nobody knows why"]


@pytest.mark.parametrize("echo", [
    MEMORY.replace(" ", "\u00a0"), MEMORY.replace(" ", "\n"), MEMORY.upper(), MEMORY.replace("l", "l\u200b"),
    MEMORY.partition(", because ")[2] + "; " + MEMORY.partition(", because ")[0], " ".join(MEMORY.split()[3:]),
])  # fmt: skip
def test_an_echo_in_part_in_another_order_or_spaced_otherwise_is_an_echo(echo: str) -> None:
    assert echo in Echoes([f"1. [fact] {MEMORY}.\n2. [fact] Releases go out on Thursdays."])


def test_an_echo_is_known_by_what_an_earlier_run_already_took() -> None:
    first = turn("t1", message("m1", MEMORY, "memory", Part.RETURNED))
    second = turn("t2", message("m2", MEMORY, "model"))

    assert texts(gather([first, second], consumed={"t1"})) == ["hello"]


def test_other_sessions_words_are_no_echo() -> None:
    other = turn("t1", message("m1", MEMORY, "memory", Part.RETURNED), session="s2")

    assert MEMORY in texts(gather([other, turn("t2", message("m2", MEMORY, "model"))]))


def test_a_short_answer_is_never_an_echo() -> None:
    echoes = Echoes(["yes\nship it\nuv"])

    assert "yes" not in echoes
    assert "ship it" not in echoes
    assert "" not in echoes


@pytest.mark.parametrize(("text", "is_echo"), [
    ("リリースは毎週木曜日の午前に行い、金曜日には絶対に出さないことにしました", True),
    ("リリースは毎週木曜日の午前に行い、金曜日には絶対に出さないことにしましたよね", True),
    ("同期間隔は十分ごとに変更し、以前の十五分という設定は使わないことにする", False)])
def test_scripts_without_spaces_are_compared_by_characters(text: str, is_echo: bool) -> None:
    echoes = Echoes(["リリースは毎週木曜日の午前に行い、金曜日には絶対に出さないことにしました"])

    assert (text in echoes) == is_echo


@given(st.lists(st.text(alphabet="abc de\n", min_size=1), min_size=1, max_size=5))
def test_every_long_return_is_its_own_echo(returned: list[str]) -> None:
    echoes = Echoes(returned)

    assert all(text in echoes for text in returned if len(text.split()) >= 8)


def test_what_an_agent_proposes_from_memory_is_settled_without_being_learned() -> None:
    asked = turn("t1", message("m1", f"1. {MEMORY}", "memory", Part.RETURNED))
    echo, typed = proposal("p1", "tidepool uses uv only"), proposal("p2", "tidepool uses uv only", typed=True)

    batch = gather([asked], consumed={"t1"}, proposals=[typed, echo])
    assert batch.taken == ("p2", "p1")
    assert [event.id for event in batch.proposals] == ["p2"]


def test_proposals_are_taken_once() -> None:
    assert gather([], consumed={"p1"}, proposals=[proposal("p1", "x"), proposal("p2", "y")]).taken == ("p2",)


def test_what_was_proposed_is_drafted_word_for_word() -> None:
    said = proposal("p1", "we ship from main", value="main", type="decision", tier="amber")
    refused = proposal("p2", "[refused:tier-red]")

    drafts = captured([said, refused])
    assert [(draft.event, draft.quote, draft.statement, draft.value, draft.type, draft.tier) for draft in drafts] == [
        ("p1", "we ship from main", "we ship from main", "main", "decision", "amber")]


def test_a_run_is_named_by_its_inputs() -> None:
    one, other = turn("t1", session="s1"), turn("t2", session="s2")

    run = gather([one, other], previous="c1").run
    assert run == gather([other, one], previous="c1").run
    assert run.startswith("2026-06-01-")
    assert len({run, gather([one], previous="c1").run, gather([one, other], previous="c2").run}) == 3


def test_a_run_is_dated_in_the_homes_zone_by_its_newest_event() -> None:
    assert gather([turn("t1")], zone=ZoneInfo("Asia/Tokyo")).run.startswith("2026-06-02-")
    assert gather([turn("t1")], zone=UTC, proposals=[proposal("p1", "x")]).run.startswith("2026-06-02-")
    undated = Turn(id="t1", session="s", scope="x", closed=True, messages=(message("t1", at=""),))
    assert gather([undated]).run.startswith("undated-")


def test_a_sessions_turns_keep_their_order_when_nothing_is_dated() -> None:
    turns = [turn(name, at=None) for name in ("t9", "t1", "t5")]

    assert gather(turns).taken == ("t9", "t1", "t5")


def test_the_agents_last_words_before_the_first_due_turn_are_handed_down() -> None:
    first = turn("t1", message("m1", "I suggest vitest.", "model"))
    mine = turn("t2", message("m2", "Done.", "model"))
    other = turn("t3", message("m3", "I suggest jest.", "model"), session="s2")

    answers = gather([first, mine, other], consumed={"t1"}).answers
    assert {session: said.text for session, said in answers.items()} == {"s1": "I suggest vitest."}
    assert gather([first, mine, other]).answers == {}


def test_what_the_agent_said_out_of_memory_is_not_handed_down() -> None:
    recalled = turn("t1", message("m1", MEMORY, "memory", Part.RETURNED), message("m2", MEMORY, "model"))

    assert gather([recalled, turn("t2")], consumed={"t1"}).answers == {}
