"""The sample sessions, read through the real importers: what must be found, and what must never be."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from rhizome.consolidate.distill import NOTHING_KNOWN
from rhizome.consolidate.rules import Rules
from rhizome.log.door import Door
from rhizome.log.importing import import_paths
from rhizome.log.memory_log import MemoryLog
from rhizome.log.sessions import says, sessions, turns
from rhizome.model import Draft, Turn

SAMPLES = Path(__file__).parents[2] / "examples" / "sessions"
TREES = ("claude-code", "codex")
KEY = bytes(32)
LATER = datetime(2027, 6, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> MemoryLog:
    made = MemoryLog()
    import_paths(
        made, [SAMPLES / tree for tree in TREES], index=tmp_path_factory.mktemp("index"), key=KEY, door=Door(KEY)
    )
    return made


@pytest.fixture(scope="module")
def distilled(log: MemoryLog) -> list[Draft]:
    return Rules().distill([*whole(log)], NOTHING_KNOWN)


def whole(log: MemoryLog) -> Iterator[Turn]:
    """Every turn once: a fork begins with its parent's."""
    seen: set[str] = set()
    for session in sessions(log):
        for turn in turns(log, session.id, LATER):
            if turn.id not in seen:
                seen.add(turn.id)
                yield turn


def expected() -> list[dict[str, Any]]:
    facts = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))
    return [fact for fact in facts if fact["source"]["file"].startswith(TREES)]


def is_found(fact: dict[str, Any], drafts: list[Draft]) -> bool:
    scopes = {fact["scope"], fact.get("scope_also", [None])[0]}
    return any(draft.scope in scopes and draft.value.casefold() == fact["value"].casefold() for draft in drafts)


def test_the_expected_facts_are_found_with_their_exact_value(distilled: list[Draft]) -> None:
    missing = [fact["fact_key"] for fact in expected() if not is_found(fact, distilled)]

    assert [] == missing


def test_a_superseded_value_has_the_key_of_the_value_that_replaced_it(distilled: list[Draft]) -> None:
    for old, new in (("8080", "8087"), ("5 minutos", "2 minutos"), ("1.78", "1.82")):
        keys = [f"{draft.subject}|{draft.attribute}" for draft in distilled if draft.value in {old, new}]

        assert 2 == len(keys)
        assert 1 == len(set(keys))


def test_nothing_that_must_not_be_derived_is(distilled: list[Draft]) -> None:
    said = [f"{draft.value}\n{draft.statement}".casefold() for draft in distilled]
    forbidden = (
        "npm",
        "9999",
        "millimet",
        "postgres",
        "30 segundos",
        "sextas",
        "rocksdb",
        "cargo fmt",
        "akia",
        "lantern.service\n",
    )

    assert [] == [(word, text) for word in forbidden for text in said if word in text]


def test_every_quote_stands_in_the_event_it_names(log: MemoryLog, distilled: list[Draft]) -> None:
    for draft in distilled:
        text = says(log.get(draft.event))

        assert draft.quote in text
        assert len(draft.quote) > 12 or draft.quote == text.strip()


def test_the_same_sessions_give_the_same_drafts(log: MemoryLog, distilled: list[Draft]) -> None:
    assert distilled == Rules().distill([*whole(log)], NOTHING_KNOWN)


def test_distilling_turn_by_turn_gives_what_the_batch_gives_for_plain_statements(
    log: MemoryLog, distilled: list[Draft]
) -> None:
    alone = [draft for turn in whole(log) for draft in Rules().distill([turn], NOTHING_KNOWN)]

    assert {draft.value for draft in distilled} == {draft.value for draft in alone}
