"""The projection serves what the fold says, and can always be thrown away."""

import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest

from rhizome.ledger.fold import Fold, fold
from rhizome.ledger.projection import LedgerIndex
from rhizome.model import Status, Tier


@pytest.fixture
def ledger(log: Any) -> Fold:
    return fold([
        log.claim("main", at=1, aliases=["ship"], links=[{"target": "ci", "label": "CI", "why": "runs on it"}]),
        log.claim("release", at=2), log.claim("trunk", at=3, by=0.8), log.claim("secret", at=4, tier="amber"),
        log.claim("8087", at=1, key="tidepool|port"), log.claim("8087", at=2, key="dev|port"),
        log.merged("dev|port", "tidepool|port")])


@pytest.mark.parametrize("clearance", list(Tier))
def test_every_fact_comes_back_as_the_fold_told_it(tmp_path: Path, ledger: Fold, clearance: Tier) -> None:
    index = LedgerIndex(tmp_path, clearance)
    index.rebuild(ledger, {"a": 7, "b": 2})

    assert list(ledger.facts(clearance)) == list(index.facts())
    assert ledger.get("tidepool", "Deploy|Branch", clearance) == index.get("tidepool", "Deploy|Branch")
    assert index.reached == {"a": 7, "b": 2}
    index.close()


def test_it_answers_by_key_status_scope_evidence_and_merged_name(tmp_path: Path, ledger: Fold) -> None:
    index = LedgerIndex(tmp_path, Tier.GREEN)
    index.rebuild(ledger, {})

    assert [fact.value for fact in index.facts(status=Status.ACTIVE, key="deploy|branch")] == ["release"]
    assert [fact.value for fact in index.facts(scope="tidepool", key="dev|port")] == ["8087"]
    assert [fact.value for fact in index.history("tidepool", "dev|port")] == ["8087"]
    assert list(index.facts(scope="elsewhere")) == []
    assert len(index.quoting("e0")) == 4
    index.close()


def test_the_green_database_holds_nothing_amber(tmp_path: Path, ledger: Fold) -> None:
    index = LedgerIndex(tmp_path, Tier.GREEN)
    index.rebuild(ledger, {})
    index.close()

    assert b"secret" not in (tmp_path / "ledger-green.db").read_bytes()


def test_touched_keys_give_the_same_digest_as_everything_anew(tmp_path: Path, log: Any, ledger: Fold) -> None:
    kept, anew = LedgerIndex(tmp_path / "kept", Tier.AMBER), LedgerIndex(tmp_path / "anew", Tier.AMBER)
    kept.rebuild(ledger, {})
    ledger.touched()
    before = kept.digest()
    for event in (log.claim("stable", at=9), log.merged("tidepool|port", "deploy|branch"), log.retract(at=20)):
        ledger.apply(event)
        kept.update(ledger, ledger.touched(), {"a": event.seq})
    anew.rebuild(ledger, {"a": 10})

    assert before != kept.digest() == anew.digest()
    kept.close()
    anew.close()


def test_it_is_there_when_opened_again(tmp_path: Path, ledger: Fold) -> None:
    index = LedgerIndex(tmp_path, Tier.AMBER)
    index.rebuild(ledger, {"a": 7})
    digest = index.digest()
    index.close()

    again = LedgerIndex(tmp_path, Tier.AMBER)
    assert (digest, {"a": 7}) == (again.digest(), again.reached)
    again.close()


@pytest.mark.parametrize("damage", ["garbage", "truncated", "foreign", "newer"])
def test_what_is_damaged_or_foreign_is_made_anew(tmp_path: Path, ledger: Fold, damage: str) -> None:
    path = tmp_path / "ledger-amber.db"
    index = LedgerIndex(tmp_path, Tier.AMBER)
    index.rebuild(ledger, {"a": 7})
    digest = index.digest()
    index.close()
    spoil(path, damage)

    again = LedgerIndex(tmp_path, Tier.AMBER)
    assert again.reached == {}
    again.rebuild(ledger, {"a": 7})
    assert digest == again.digest()
    again.close()


def spoil(path: Path, damage: str) -> None:
    if damage == "garbage":
        path.write_bytes(b"not a database " * 1000)
    elif damage == "truncated":
        path.write_bytes(path.read_bytes()[:5000])
    else:
        if damage == "foreign":
            path.unlink()
        db = sqlite3.connect(path)
        db.execute("CREATE TABLE others (x)" if damage == "foreign" else "PRAGMA user_version = 99")
        db.commit()
        db.close()


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    LedgerIndex(tmp_path / "index", Tier.AMBER).close()

    assert stat.S_IMODE((tmp_path / "index" / "ledger-amber.db").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "index").stat().st_mode) == 0o700


def test_a_reader_sees_the_last_whole_state_while_a_writer_writes(tmp_path: Path, log: Any, ledger: Fold) -> None:
    writer, reader = LedgerIndex(tmp_path, Tier.AMBER), LedgerIndex(tmp_path, Tier.AMBER)
    writer.rebuild(ledger, {"a": 7})
    before = reader.digest()
    ledger.apply(log.claim("stable", at=9))
    writer.update(ledger, ledger.touched(), {"a": 8})

    assert before != reader.digest() == writer.digest()
    writer.close()
    reader.close()
