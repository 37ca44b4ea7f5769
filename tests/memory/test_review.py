"""What awaits a person, and what becomes of it when they decide: an event, then the notes."""

from dataclasses import replace
from typing import Any

import pytest

from rhizome.errors import NotFound, Refused
from rhizome.memory.memory import Memory
from tests.memory.living import Living

PORT = "The dev server runs on port {}."
KEY = "tidepool|dev_port"


def agent_says(memory: Living, value: str, key: str = KEY, statement: str = PORT) -> None:
    """An agent proposes a value, and a night passes."""
    agent = Memory(replace(memory.around, typed=False))
    agent.remember(key=key, statement=statement.format(value), value=value, scope="tidepool")
    agent.parts.close()
    memory.sleeps()


def items(memory: Living) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = memory.memory.review()["items"]
    return found


def only(memory: Living) -> dict[str, Any]:
    [item] = items(memory)
    return item


@pytest.fixture
def disputed(memory: Living) -> Living:
    """A person said 8080; an agent proposes 9000."""
    memory.hears(PORT.format(8080))
    memory.sleeps()
    agent_says(memory, "9000")
    return memory


def day_notes(memory: Living) -> str:
    return "".join(data.decode() for ref, data in memory.derived().items() if ref.startswith("private/days/"))


def test_a_proposal_against_what_holds_awaits_as_a_conflict_with_both_receipts(disputed: Living) -> None:
    item = only(disputed)

    assert "conflict" == item["what"]
    assert ["9000", "8080"] == [fact["value"] for fact in item["facts"]]
    assert all(fact["event"] for fact in item["facts"])


def test_what_is_accepted_holds_from_the_next_night_on_a_persons_word(disputed: Living) -> None:
    disputed.memory.review_accept(id=only(disputed)["id"][:12])
    disputed.sleeps()

    fact = disputed.memory.fact(key=KEY)["fact"]
    assert ("9000", 1.0, "human") == (fact["value"], fact["confidence"], fact["origin"])
    assert "9000" in disputed.text("tidepool.md")
    assert [] == items(disputed)
    assert [] == disputed.proven()


def test_an_accepted_fact_leads_to_the_decision_and_to_what_was_proposed(disputed: Living) -> None:
    decision = disputed.memory.review_accept(id=only(disputed)["id"])["events"][0]
    disputed.sleeps()

    line = next(at for at, text in enumerate(disputed.text("tidepool.md").splitlines(), 1) if "9000. [^" in text)
    [told] = disputed.memory.why(ref=f"tidepool.md:{line}")["facts"]

    assert [decision, "memory.proposed"] == [told["evidence"][0]["event"], told["evidence"][1]["kind"]]


def test_what_is_rejected_is_gone_from_the_review_and_the_days_and_what_holds_stays(disputed: Living) -> None:
    assert "9000" in day_notes(disputed)

    disputed.memory.review_reject(id=only(disputed)["id"])
    disputed.sleeps()

    assert "8080" == disputed.value(KEY)
    assert [] == items(disputed)
    assert "9000" not in day_notes(disputed)
    assert [] == disputed.proven()


def test_what_is_rejected_does_not_come_back_when_an_agent_says_it_again(disputed: Living) -> None:
    disputed.memory.review_reject(id=only(disputed)["id"])
    agent_says(disputed, "9000", statement="Again: the port is {}.")

    assert [] == items(disputed)
    assert "8080" == disputed.value(KEY)


def test_a_person_may_say_it_in_their_own_words(disputed: Living) -> None:
    disputed.memory.review_edit(id=only(disputed)["id"], statement="The dev server is on 9001.", value="9001")
    disputed.sleeps()

    assert "9001" == disputed.value(KEY)
    assert "- The dev server is on 9001. [^" in disputed.text("tidepool.md")
    assert [] == items(disputed)


def test_private_words_of_an_edit_do_not_go_into_a_green_note(disputed: Living) -> None:
    words = "Ask ines at ines@tidepool-harbour.com for the port."
    disputed.memory.review_edit(id=only(disputed)["id"], statement=words, value="")
    disputed.sleeps()

    assert "ines@" not in disputed.text("tidepool.md")
    assert words == disputed.memory.fact(key=KEY)["fact"]["statement"]


def test_two_keys_that_may_be_one_are_merged_only_by_a_person(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    agent_says(memory, "8080", key="tidepool dev|port", statement="Port {} is the dev port.")
    item = only(memory)
    assert "merge" == item["what"]
    assert "8080" == memory.value("tidepool dev|port", scope="tidepool")
    assert 2 == len(item["receipts"])

    memory.memory.review_merge(id=item["id"])
    memory.sleeps()

    assert [] == items(memory)
    assert [KEY] == [fact["fact_key"] for fact in memory.memory.facts(status="active")["facts"]]
    assert [] == memory.proven()


def test_keys_that_a_person_says_are_two_are_not_asked_about_again(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    agent_says(memory, "8080", key="tidepool dev|port", statement="Port {} is the dev port.")

    memory.memory.review_reject(id=only(memory)["id"])
    memory.sleeps()

    assert [] == items(memory)
    assert 2 == len(memory.memory.facts(status="active")["facts"])


def test_the_facts_of_a_note_deleted_whole_end_when_a_person_says_so(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    memory.path("tidepool.md").unlink()
    memory.sleeps()
    item = only(memory)
    assert ("deleted", "tidepool.md", "8080") == (item["what"], item["path"], memory.value(KEY))

    memory.memory.review_accept(id=item["id"])
    memory.sleeps()

    assert None is memory.value(KEY)
    assert [] == items(memory)
    assert [] == memory.proven()


def test_the_facts_of_a_note_deleted_whole_go_on_holding_when_a_person_says_no(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    memory.path("tidepool.md").unlink()
    memory.sleeps()

    memory.memory.review_reject(id=only(memory)["id"])
    memory.sleeps()

    assert ([], "8080") == (items(memory), memory.value(KEY))
    assert not memory.path("tidepool.md").exists()


def test_a_green_value_that_a_private_one_replaced_ends_for_green_readers_alone(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    memory.memory.remember(key=KEY, statement="The dev server runs on port 9000.", value="9000", tier="amber",
                           scope="tidepool")
    memory.sleeps()
    item = only(memory)
    assert ("hidden", "8080", "9000") == (
        item["what"], memory.value(KEY, clearance="green"), memory.value(KEY, clearance="amber"))

    memory.memory.review_accept(id=item["id"])
    memory.sleeps()

    assert (None, "9000") == (memory.value(KEY, clearance="green"), memory.value(KEY, clearance="amber"))
    assert [] == items(memory)
    assert [] == memory.proven()


def test_an_agent_cannot_decide_and_without_a_terminal_somebody_has_to_say_so(disputed: Living) -> None:
    name = only(disputed)["id"]

    with pytest.raises(Refused, match="a person's"):
        Memory(replace(disputed.around, typed=False, by_agent=True)).review_accept(id=name, yes=True)
    with pytest.raises(Refused, match="no terminal"):
        Memory(replace(disputed.around, typed=False)).review_accept(id=name)
    Memory(replace(disputed.around, typed=False)).review_accept(id=name, yes=True)

    assert [] == items(disputed)


@pytest.mark.parametrize("name", ["", "1234567", "0" * 32, "nothing at all"])
def test_what_does_not_await_anybody_cannot_be_decided(disputed: Living, name: str) -> None:
    with pytest.raises(NotFound):
        disputed.memory.review_accept(id=name)


def test_a_decision_that_does_not_fit_is_refused_and_nothing_is_appended(disputed: Living) -> None:
    item, before = only(disputed), disputed.events()

    with pytest.raises(Refused, match="no decision about a conflict"):
        disputed.memory.review_merge(id=item["id"])

    assert before == disputed.events()


def test_deciding_twice_finds_nothing_the_second_time(disputed: Living) -> None:
    name = only(disputed)["id"]
    disputed.memory.review_accept(id=name)

    with pytest.raises(NotFound):
        disputed.memory.review_accept(id=name)
