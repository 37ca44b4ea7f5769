"""Law 4: one active value per (clearance, scope, fact key), by construction in the fold and by a unique index."""

import sqlite3
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.ledger.fold import fold
from rhizome.ledger.projection import LedgerIndex
from rhizome.model import Event, Status, Tier

claimed = st.tuples(st.sampled_from(["deploy|branch", "Deploy | Branch", "ship|branch"]), st.sampled_from("abc"),
                    st.integers(1, 9), st.sampled_from([1.0, 0.8, 0.6]), st.sampled_from(["green", "amber"]),
                    st.booleans())


def claim(seq: int, key: str, value: str, day: int, by: float, tier: str, capped: bool = False) -> Event:
    return Event(kind="fact.asserted", id=f"{seq:032x}", seq=seq, home="a", tier=tier,
                 recorded_at="2026-06-10T00:00:00Z", body={
                     "type": "fact", "scope": "tidepool", "fact_key": key, "value": value, "statement": value,
                     "confidence": by, "tier": tier, "observed_at": f"2026-06-0{day}T00:00:00Z", "capped": capped})


def merged(seq: int) -> Event:
    return Event(kind="key.merged", id=f"{seq:032x}", seq=seq, home="a", tier="green",
                 recorded_at="2026-06-10T00:00:00Z",
                 body={"scope": "tidepool", "source": "ship|branch", "target": "deploy|branch"})


@given(st.lists(claimed), st.booleans())
def test_no_history_has_two_active_values_for_one_key(claims: list[tuple[str, str, int, float, str, bool]],
                                                      merge: bool) -> None:
    events = [claim(seq, *each) for seq, each in enumerate(claims, start=1)]
    ledger = fold([*events, *([merged(len(events) + 1)] if merge else [])])

    for clearance in Tier:
        active = Counter((fact.scope, fact.fact_key) for fact in ledger.facts(clearance)
                         if fact.status is Status.ACTIVE)
        assert set(active.values()) <= {1}


def test_the_projection_refuses_a_second_active_value(tmp_path: Path) -> None:
    index = LedgerIndex(tmp_path, Tier.AMBER)
    index.rebuild(fold([claim(1, "deploy|branch", "main", 1, 1.0, "green")]), {"a": 1})
    index.close()
    other = sqlite3.connect(tmp_path / "ledger-amber.db")
    columns = [row[1] for row in other.execute("PRAGMA table_info(facts)")]
    copied = ", ".join("'another'" if column == "id" else column for column in columns)

    with pytest.raises(sqlite3.IntegrityError):
        other.execute(f"INSERT INTO facts SELECT {copied} FROM facts")
    other.close()
