"""What awaits a person, and what becomes of it when they decide: an event, then the notes."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from rhizome.errors import NotFound, Refused
from rhizome.memory.memory import Memory
from rhizome.render.screen import screen
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


@pytest.mark.parametrize("decision", ["review_edit", "review_supersede"])
def test_a_persons_own_words_stand_on_themselves_and_name_what_they_replace(disputed: Living, decision: str) -> None:
    item = only(disputed)
    decide = getattr(disputed.memory, decision)
    event = decide(id=item["id"], statement="The dev server is on 9001.", value="9001")["events"][0]
    disputed.sleeps()

    fact = disputed.memory.fact(key=KEY)["fact"]
    assert [(event, "The dev server is on 9001.")] == [(each["event"], each["quote"]) for each in fact["evidence"]]
    assert item["facts"][0]["statement"] in fact["detail"]
    assert str(item["facts"][0]["event"])[:12] in fact["detail"]
    assert [] == disputed.proven()


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


def saved_without_its_name(memory: Living) -> None:
    """A person saved a note without the line that names its rendering, and without its statement."""
    memory.hears(PORT.format(8080))
    memory.sleeps()
    text = memory.text("tidepool.md")
    kept = [line for line in text.split("\n") if not line.startswith(("derived:", "- The dev server"))]
    memory.writes("tidepool.md", "\n".join(kept))
    memory.sleeps()


def test_what_a_save_without_a_name_left_out_ends_only_when_a_person_says_so(memory: Living) -> None:
    saved_without_its_name(memory)
    item = only(memory)
    assert ("absent", "8080") == (item["what"], memory.value(KEY))
    assert "8080" in memory.text("tidepool.md")

    memory.memory.review_accept(id=item["id"])
    memory.sleeps()

    assert (None, []) == (memory.value(KEY), items(memory))
    assert [] == memory.proven()


def test_what_a_save_without_a_name_left_out_may_go_on_holding(memory: Living) -> None:
    saved_without_its_name(memory)

    memory.memory.review_reject(id=only(memory)["id"])

    assert ("8080", []) == (memory.value(KEY), items(memory))


def test_what_has_changed_since_such_a_save_is_not_asked_about(memory: Living) -> None:
    saved_without_its_name(memory)
    memory.hears(PORT.format(8081))
    memory.sleeps()

    assert [] == items(memory)


# ---------------------------------------------------------------- what holds is replaced; the screen


def test_what_holds_is_replaced_by_what_was_proposed_or_by_other_words(disputed: Living) -> None:
    disputed.memory.review_supersede(id=only(disputed)["id"])
    disputed.sleeps()
    assert ("9000", []) == (disputed.value(KEY), items(disputed))
    agent_says(disputed, "9002")

    disputed.memory.review_supersede(id=only(disputed)["id"], statement="It is 9003 now.", value="9003")
    disputed.sleeps()

    assert ("9003", []) == (disputed.value(KEY), items(disputed))


def test_green_readers_can_be_told_something_else_instead_of_a_private_value(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    memory.memory.remember(key=KEY, statement="It runs on 9000.", value="9000", tier="amber", scope="tidepool")
    memory.sleeps()
    name = only(memory)["id"]
    with pytest.raises(Refused, match="instead"):
        memory.memory.review_supersede(id=name)

    memory.memory.review_supersede(id=name, statement="The port is no secret: 9001.", value="9001")
    memory.sleeps()

    assert ("9001", []) == (memory.value(KEY, clearance="green"), items(memory))


def sat_at(memory: Living, *typed: str) -> tuple[int, list[str]]:
    """A person goes through the review and types these lines; how many decisions they made, and what they read."""
    return shown(memory, items(memory), *typed)


def shown(memory: Living, found: list[dict[str, Any]], *typed: str) -> tuple[int, list[str]]:
    waiting, read = list(typed), list[str]()

    def decide(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = getattr(memory.memory, f"review_{name}")(**arguments)
        return answer

    def ask(question: str) -> str | None:
        read.append(question)
        return waiting.pop(0) if waiting else None

    return screen(found, decide, ask, read.append), read


def test_a_letter_at_the_screen_is_a_decision_at_once(disputed: Living) -> None:
    made, read = sat_at(disputed, "x\n", "s\n", "\n")

    assert (1, []) == (made, items(disputed))
    assert "a accept, r reject, e edit, s supersede, n next, q quit: " in read
    disputed.sleeps()
    assert "9000" == disputed.value(KEY)


@pytest.mark.parametrize("typed", [("q",), ("n",), (), ("e",), ("e", "nine")], ids=str)
def test_who_leaves_the_screen_has_decided_nothing(disputed: Living, typed: tuple[str, ...]) -> None:
    before = disputed.events()

    assert 0 == sat_at(disputed, *typed)[0]
    assert before == disputed.events()


def test_words_at_the_screen_are_the_persons(disputed: Living) -> None:
    sat_at(disputed, "edit\n", "The dev server is on 9001.\n", "9001\n")
    disputed.sleeps()

    assert "9001" == disputed.value(KEY)


def test_the_screen_says_why_a_decision_was_refused_and_asks_again(disputed: Living) -> None:
    found = items(disputed)
    disputed.memory.review_reject(id=found[0]["id"])

    _, read = shown(disputed, found, "a", "q")

    assert any("nothing of this name awaits you" in text for text in read)
