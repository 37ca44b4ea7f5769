"""The main job on the sample sessions of two harnesses: the facts that are there, from words that are there."""

import json
import re
import shutil
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rhizome.log.sessions import says
from tests.memory.living import EXAMPLES, Living

CODEX = sorted((EXAMPLES / "codex").rglob("rollout-*.jsonl"))
CLAUDE = EXAMPLES / "claude-code"
HERE = ("claude-code/", "codex/")
NEVER = ("npm", "9999", "millimet(re|er)s", "postgresql", "30 segundos", "sextas", "rocksdb", "cargo fmt")
"""What `must_not_derive` of expected_import.json has of these files: injected, guessed, summarised, half written."""


def taught(folder: Path, paths: list[Path]) -> Living:
    memory = Living(folder).begins()
    for path in paths:
        memory.memory.import_(paths=[path])
    memory.now = memory.now.replace(year=2026, month=12)
    memory.sleeps()
    return memory


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    living = taught(tmp_path_factory.mktemp("samples"), [CLAUDE, *CODEX])
    yield living
    living.memory.parts.close()


def facts(memory: Living) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = memory.memory.facts()["facts"]
    return found


def folded(value: str) -> str:
    return re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", value).casefold()).strip()


def said_as(fact: dict[str, Any]) -> tuple[str, ...]:
    """A fact without what an order of imports may change: ids and when it was recorded."""
    return tuple(str(fact[name]) for name in ("scope", "fact_key", "value", "statement", "status", "type", "tier",
                                              "confidence", "observed_at", "version"))  # fmt: skip


def test_the_same_facts_in_either_order_of_the_files(memory: Living, tmp_path: Path) -> None:
    other = taught(tmp_path, [*reversed(CODEX), CLAUDE])

    assert Counter(map(said_as, facts(memory))) == Counter(map(said_as, facts(other)))


def test_the_facts_that_people_expect_are_found(memory: Living) -> None:
    expected = [each for each in json.loads((EXAMPLES / "expected.json").read_text(encoding="utf-8"))
                if each["source"]["file"].startswith(HERE)]  # fmt: skip
    have = {
        (fact["scope"].partition(":")[0], folded(fact["value"]), fact["status"])
        for fact in facts(memory)
        for _ in fact["evidence"]
    }

    missing = [
        each["fact_key"]
        for each in expected
        if not any(
            (scope, folded(each["value"]), each["status"]) in have
            for scope in (each["scope"], *each.get("scope_also", ()))
        )
    ]

    assert [] == missing


def test_nothing_that_must_not_be_derived_is(memory: Living) -> None:
    told = [fact for fact in facts(memory) if fact["status"] in ("active", "superseded")]
    texts = [folded(f"{fact['value']} {fact['statement']}") for fact in told]

    assert told
    assert not [text for text in texts for word in NEVER if re.search(rf"\b{word}\b", text)]


def test_every_fact_quotes_an_event_that_says_so(memory: Living) -> None:
    log, told = memory.memory.parts.log, facts(memory)

    assert told
    for fact in told:
        assert fact["evidence"], fact["statement"]
        for evidence in fact["evidence"]:
            said = re.sub(r"\s+", " ", unicodedata.normalize("NFC", says(log.get(evidence["event"]))))
            assert re.sub(r"\s+", " ", unicodedata.normalize("NFC", evidence["quote"])).strip() in said


@pytest.mark.parametrize("clearance", ["green", "amber"])
def test_there_are_never_two_active_values(memory: Living, clearance: str) -> None:
    active = memory.memory.facts(status="active", clearance=clearance)["facts"]
    counts = Counter((fact["scope"], fact["fact_key"]) for fact in active)

    assert set(counts.values()) == {1}


def test_a_second_import_and_a_second_night_change_nothing(memory: Living) -> None:
    head = memory.memory.parts.log.head

    memory.memory.import_(paths=[CLAUDE, *CODEX])
    memory.memory.consolidate()

    assert head == memory.memory.parts.log.head


def test_the_notes_are_rebuilt_to_the_byte_after_everything_derived_is_deleted(memory: Living) -> None:
    before = memory.derived()
    for ref in before:
        memory.path(ref).unlink()
    shutil.rmtree(memory.home / "index")

    answer = memory.memory.rebuild()

    assert answer["identical"]
    assert before == memory.derived()
