"""A person's questions, asked of their memory."""

from typing import Any

import pytest
from msgspec.structs import replace

from rhizome.errors import NotFound, Refused
from rhizome.evaluate.golden import NOTE
from rhizome.memory.memory import Memory
from rhizome.memory.surroundings import Surroundings

KILN = "# Kiln\n\nCone six is fired at 1222 degrees.\n"


@pytest.fixture
def lived(around: Surroundings) -> Memory:
    """A memory with one note."""
    Memory.init(around, person="ines")
    (around.home / "notes" / "kiln.md").write_text(KILN)
    return Memory(around)


def test_what_the_memory_answers_has_its_place_and_what_it_should_not_know_is_refused(lived: Memory) -> None:
    lived.eval_add(question="how hot is cone six fired", expect=["kiln.md"])
    lived.eval_add(question="which notary witnessed the deed of the mill in Lisbon", expect_nothing=True)

    told = lived.eval_run()

    assert [each["place"] for each in told["questions"]] == [1, 0]
    assert told["figures"]["P@1"] == 1
    assert told["last"] is None


def test_the_next_run_stands_beside_the_last_one(lived: Memory) -> None:
    lived.eval_add(question="how hot is cone six fired", expect=["kiln.md"])
    lived.eval_run()
    (lived.parts.home.notes / "kiln.md").write_text("# Kiln\n\nSold.\n")

    told = lived.eval_run()

    assert told["questions"][0]["place"] is None
    assert told["last"]["places"] == {"how hot is cone six fired": 1}
    assert lived.rebuild(verify=True)["identical"]


def test_the_questions_answer_no_question(lived: Memory) -> None:
    lived.eval_add(question="which notary witnessed the deed of the mill in Lisbon", expect_nothing=True)

    found = lived.search(query="which notary witnessed the deed of the mill in Lisbon")

    assert not found["hits"]
    assert all(NOTE not in hit["ref"] for hit in found["nearest"])


def test_a_question_is_one_commit_of_the_person_and_a_rebuild_explains_it(lived: Memory) -> None:
    told = lived.eval_add(question="how hot is cone six", expect=["kiln.md:3"])

    assert told["expected"] == ["kiln.md"]
    assert lived.parts.vault.committed(NOTE) == (lived.parts.home.notes / NOTE).read_bytes()
    assert lived.rebuild(verify=True)["identical"]


def test_a_private_answer_is_asked_for_in_private(lived: Memory) -> None:
    private = lived.parts.home.private
    lived.parts.vault.store(lived.parts.vault.place("private/key.md"))
    (private / "key.md").write_text("# Key\n\nUnder the third step.\n")

    assert lived.eval_add(question="where is the key", expect=["private/key.md"])["note"] == f"private/{NOTE}"
    assert lived.eval_run()["questions"][0]["place"] == 1


def test_a_ref_of_nothing_is_refused_before_anything_is_written(lived: Memory) -> None:
    with pytest.raises(NotFound):
        lived.eval_add(question="how hot is cone six", expect=["attic.md"])

    assert not (lived.parts.home.notes / NOTE).exists()


@pytest.mark.parametrize("asked", [
    {"question": "q"}, {"question": "q", "expect": ["kiln.md"], "expect_nothing": True},
    {"question": " ", "expect_nothing": True},
])
def test_a_question_without_one_expectation_is_refused(lived: Memory, asked: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        lived.eval_add(**asked)


def test_an_agent_adds_no_question(around: Surroundings, lived: Memory) -> None:
    with pytest.raises(Refused, match="a person's"):
        Memory(replace(around, by_agent=True)).eval_add(question="q", expect=["kiln.md"])
