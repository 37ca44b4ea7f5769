"""All sample sessions, whatever wrote them: how much is found, and that nothing old or borrowed is taken for current.

A fact counts as found when scope, value, status, whose words they are and the file they stand in are those expected.
"""

import json
import re
import sqlite3
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from rhizome.consolidate.distill import NOTHING_KNOWN
from rhizome.consolidate.gather import gather
from rhizome.consolidate.heard import Hearing
from rhizome.consolidate.reconcile import Setting, reconcile
from rhizome.consolidate.rules import Rules
from rhizome.errors import NotFound
from rhizome.ledger.fold import fold
from rhizome.log.door import Door
from rhizome.log.importing import import_paths
from rhizome.log.lineage import Lineage
from rhizome.log.memory_log import MemoryLog
from rhizome.log.sessions import says, turns
from rhizome.model import Event, Fact, Status, Tier

SAMPLES = Path(__file__).parents[2] / "examples" / "sessions"
EXPECTED = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))
KEY = bytes(32)
LATER = datetime(2027, 6, 1, tzinfo=UTC)
PRECISION = 0.9
"""Of what is told so much must stand on the list; true statements that nobody asked for count against it, such as a
tag's format beside the branch it is cut from."""


class Learned:
    """The log of all samples, and the facts that a first night makes of it."""

    def __init__(self, folder: Path) -> None:
        copytree(SAMPLES, folder / "sessions")
        with sqlite3.connect(folder / "sessions" / "opencode" / "opencode.db") as database:
            database.executescript((SAMPLES / "opencode" / "opencode.sql").read_text(encoding="utf-8"))
        database.close()
        self.log = MemoryLog()
        import_paths(self.log, [folder / "sessions"], index=folder / "index", key=KEY, door=Door(KEY))
        lineage = Lineage.of(self.log)
        heard = [turn for session in lineage.sessions for turn in turns(self.log, session, LATER, lineage)]
        batch = gather(heard)
        drafts = Rules().distill(batch.turns, NOTHING_KNOWN)
        done = reconcile(drafts, Hearing(heard, self.event, says), fold(()), Setting(KEY, "ines", batch.run))
        self.facts = [*fold(done.events).facts(Tier.AMBER)]

    def event(self, name: str) -> Event | None:
        try:
            return self.log.get(name)
        except NotFound:
            return None

    def finds(self, wanted: dict[str, Any]) -> Fact | None:
        return next((fact for fact in self.facts if self._is(fact, wanted)), None)

    def _is(self, fact: Fact, wanted: dict[str, Any]) -> bool:
        scopes = {wanted["scope"], *wanted.get("scope_also", ())}
        there = wanted["scope"] is None or fact.scope.removesuffix(":ines") in scopes
        said = folded(fact.value) == folded(wanted["value"])
        return there and said and (fact.status, fact.origin) == (wanted["status"], wanted["asserted_by"]) and (
            self._stands_in(fact, wanted)
        )

    def _stands_in(self, fact: Fact, wanted: dict[str, Any]) -> bool:
        """Two files of one session are one source; a database row has no file of its own."""
        source = self.log.get(fact.evidence[0].event).source
        files = [wanted["source"]["file"], *(each["file"] for each in wanted.get("also_seen_in", ()))]
        stems = {Path(file).stem for file in files}
        return source is not None and (Path(source.path).stem in stems or source.path.endswith(".db"))


def folded(value: str) -> str:
    return re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", value).casefold()).strip()


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Learned:
    return Learned(tmp_path_factory.mktemp("learned"))


def test_nine_in_ten_expected_facts_are_found_and_hardly_any_beside_them(learned: Learned) -> None:
    found = {fact.id for wanted in EXPECTED if (fact := learned.finds(wanted))}
    told = {fact.id for fact in learned.facts if fact.status in (Status.ACTIVE, Status.SUPERSEDED)}

    assert len(found) >= 0.9 * len(EXPECTED)
    assert len(found & told) >= PRECISION * len(told)


def test_no_superseded_value_is_current(learned: Learned) -> None:
    old = {(wanted["scope"], folded(wanted["value"])) for wanted in EXPECTED if wanted["status"] == "superseded"}
    current = [fact for fact in learned.facts if fact.status is Status.ACTIVE]

    assert [] == [fact for fact in current for scope, value in old
                  if folded(fact.value) == value and scope in (fact.scope, None)]


def test_nothing_that_must_not_be_derived_is(learned: Learned) -> None:
    told = [f"{fact.value}\n{fact.detail}" for fact in learned.facts]
    never = "npm|9999|millimet|postgres|30 segundos|sextas|rocksdb|cargo fmt|zod|redis|1000 reais|1999|physio"

    assert [] == [text for text in told if re.search(rf"\b(?:{never})", text, re.IGNORECASE)]


def test_the_reason_for_a_private_wish_is_in_no_statement(learned: Learned) -> None:
    assert [] == [fact.statement for fact in learned.facts if "physio" in fact.statement.casefold()]
