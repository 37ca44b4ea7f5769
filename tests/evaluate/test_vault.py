"""A made-up life is the same each time, and a memory that lived it is never wrong about what may not be wrong."""

import hashlib
from dataclasses import replace

import pytest

from benchmarks.synthetic.facts import Claim, known
from benchmarks.synthetic.measured import NEVER, disagreements, lived, measured
from benchmarks.synthetic.notes import note
from benchmarks.synthetic.questions import questions
from benchmarks.synthetic.sessions import sessions
from benchmarks.vault import digest, vault
from rhizome.memory.surroundings import Surroundings

FACTS = [known(number) for number in range(2_000)]


def test_a_small_vault_has_the_bytes_it_always_had() -> None:
    assert digest(100) == "e9e46383941bcbfb0d786007ae613fdd7d3f96c00013328dcbdbf1bb3866f4a7"


def test_a_small_vault_is_the_beginning_of_a_greater_one() -> None:
    assert list(vault(30)) == list(vault(60))[:30]
    assert note(7, seed=8) != note(7, seed=7)


def test_the_sessions_say_each_value_and_are_the_same_each_time() -> None:
    files = sessions(FACTS[:200])
    text = "\n".join(line for lines in files.values() for line in lines)

    assert all(claim.value in text for fact in FACTS[:200] for claim in fact.claims if claim.act == "assert")
    assert hashlib.sha256(text.encode()).hexdigest() == (
        "45f2091da058e3ac160f93c193d9f95bda415050fe4221d07cbc33a8218fb318")


def test_histories_are_as_frequent_as_they_should_be() -> None:
    share = [sum(condition(fact) for fact in FACTS) / len(FACTS) for condition in (
        lambda fact: not fact.replaced, lambda fact: fact.current is None, lambda fact: fact.tier == "amber",
        lambda fact: any(claim.late for claim in fact.claims))]

    assert share == pytest.approx([0.66, 0.04, 0.125, 0.01], abs=0.03)


def test_a_namesake_in_another_project_has_another_value() -> None:
    one, other = FACTS[8 * 5], FACTS[9 * 5]

    assert (one.key, one.scope, one.current) != (other.key, other.scope, other.current)
    assert one.key == other.key


def test_every_kind_of_question_has_its_label() -> None:
    kinds = {asked.kind for asked in questions(FACTS)}

    assert kinds == {"exact", "alias", "superseded", "scope", "unknown", "unused", "as of", "forbidden"}
    assert all(asked.right not in asked.wrong for asked in questions(FACTS))


def test_what_is_replaced_foreign_or_forbidden_is_never_served(around: Surroundings) -> None:
    found = measured(around, 150, each=6)

    assert {what: found.never[what] for what in NEVER} == dict.fromkeys(NEVER, 0)
    for kind in ("exact", "alias", "scope", "as of", "forbidden"):
        assert found.right[kind] >= 0.8 * found.asked[kind] > 0


def test_a_memory_that_believes_something_else_is_noticed(around: Surroundings) -> None:
    memory, _ = lived(around, around.folder / "lived", FACTS[:5], 7)
    other = [replace(FACTS[0], claims=(Claim("assert", "otherwise", FACTS[0].claims[0].at, "?"),)), *FACTS[1:5]]

    assert disagreements(memory, FACTS[:5]) == 0
    assert disagreements(memory, other) == 1

