"""The shipped sample sessions, from their files to current facts: nothing that must not be believed is."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rhizome.consolidate.distill import NOTHING_KNOWN
from rhizome.consolidate.gather import Batch, gather
from rhizome.consolidate.heard import Hearing
from rhizome.consolidate.reconcile import Reconciled, Setting, reconcile
from rhizome.consolidate.rules.distiller import Rules
from rhizome.errors import NotFound
from rhizome.ledger.fold import Fold, fold
from rhizome.log.door import Door
from rhizome.log.importing import import_paths
from rhizome.log.lineage import Lineage
from rhizome.log.memory_log import MemoryLog
from rhizome.log.sessions import says, turns
from rhizome.model import Draft, Event, Message, Tier, Turn

SAMPLES = Path(__file__).parents[2] / "examples" / "sessions"
KEY = b"k" * 32
NOW = datetime(2026, 12, 1, tzinfo=UTC)


class Home:
    """The samples imported into a log in memory, and their turns."""

    def __init__(self, index: Path) -> None:
        self.log = MemoryLog()
        import_paths(self.log, [SAMPLES / "claude-code", SAMPLES / "codex"], index=index, key=KEY, door=Door(KEY))
        lineage = Lineage.of(self.log)
        self.turns = [turn for session in lineage.sessions for turn in turns(self.log, session, NOW, lineage)]
        self.batch: Batch = gather(self.turns)

    def event(self, name: str) -> Event | None:
        try:
            return self.log.get(name)
        except NotFound:
            return None

    def run(self, drafts: list[Draft], fold: Fold) -> Reconciled:
        return reconcile(drafts, Hearing(self.turns, self.event, says), fold, Setting(KEY, "ines", self.batch.run))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("index"))


def test_every_message_stands_in_what_its_event_says(home: Home) -> None:
    missing = [message for turn in home.turns for message in turn.messages
               if message.text not in says(home.log.get(message.event))]

    assert missing == []


def test_what_the_rules_draft_stands_on_quotes_and_a_second_run_adds_nothing(home: Home) -> None:
    drafts = Rules().distill(home.batch.turns, NOTHING_KNOWN)
    first = home.run(drafts, Fold())
    assert first.count("refused") == 0
    assert first.counts["superseded"] >= 3

    again = home.run(drafts, fold(first.events))
    assert again.events == ()
    assert again.count("known") == len(drafts)


def test_expected_facts_quoted_from_their_lines_become_what_is_expected(home: Home) -> None:
    """The samples' own list as a distiller: right about what is said, silent about who may be believed."""
    expected = [json.loads(line.rstrip(",\n")) for line in (SAMPLES / "expected.json").read_text().splitlines()
                if line.startswith("{")]
    known = [(each, found) for each in expected if (found := in_turns(home, each))]
    drafts = [as_draft(each, message, turn) for each, (message, turn) in known]
    ledger = fold(home.run(drafts, Fold()).events)

    assert len(known) >= 12
    for each, _ in known:
        versions = ledger.history(scope(each), each["fact_key"], Tier.AMBER)
        status = {fact.value: fact.status for fact in versions}
        assert status[each["value"]] == each["status"]
        assert {fact.tier for fact in versions} == {each["tier"]}


def scope(expected: dict[str, str]) -> str:
    return "user:ines" if expected["scope"] == "user" else expected["scope"]


def in_turns(home: Home, expected: dict[str, str]) -> tuple[Message, Turn] | None:
    """The first message of a person or a model that has the value in it."""
    for turn in home.batch.turns:
        for message in turn.messages:
            said = message.origin == expected["asserted_by"] and expected["value"].casefold() in message.text.casefold()
            if said and expected["scope"] in (turn.scope, "user"):
                return message, turn
    return None


def as_draft(expected: dict[str, str], message: Message, turn: Turn) -> Draft:
    subject, _, attribute = expected["fact_key"].partition("|")
    return Draft(type=expected["type"], subject=subject, attribute=attribute, value=expected["value"],
                 scope=expected["scope"], statement=expected["statement"], event=message.event, quote=message.text)


def test_whatever_must_not_be_derived_is_not_believed_even_when_a_distiller_believes_all_of_it(home: Home) -> None:
    """Every message there is, undone, summed up and returned by tools included, drafted as a fact with that value."""
    poison = ["RocksDB", "PostgreSQL", "9999", "cargo fmt"]
    drafts = [Draft("fact", "it", word, word, turn.scope, f"it uses {word}", message.event, message.text)
              for turn in home.turns for message in turn.messages for word in poison if word in message.text]
    ledger = fold(home.run(drafts, Fold()).events)

    assert len(drafts) >= len(poison)
    assert [fact.value for fact in ledger.current(Tier.AMBER)] == []
