"""The ledger as SQLite, one database per clearance, so that a reader never opens what it may not see.

A projection: it is built from a `Fold`, holds no truth of its own, and is made anew where it is missing, damaged or of
another schema. The unique index makes a second active value for a key impossible (law 4).
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rhizome.database import opened
from rhizome.ledger.database import SCHEMA, VERSION
from rhizome.ledger.keys import canonical
from rhizome.model import Evidence, Fact, FactLink, Status, Tier

if TYPE_CHECKING:  # who reads facts folds none
    from rhizome.ledger.fold import Fold, Key

COLUMNS = ("scope, fact_key, id, type, value, statement, status, confidence, tier, observed_at, recorded_at,"
           " last_confirmed_at, version, detail, origin, actor, supersedes, superseded_by, contradicts, aliases, links")
SORTED_ROWS = (
    f"SELECT {COLUMNS}, place FROM facts ORDER BY scope, fact_key, place",  # noqa: S608
    "SELECT scope, fact_key, fact, place, event, quote FROM evidence ORDER BY scope, fact_key, fact, place",
    "SELECT scope, name, fact_key FROM names ORDER BY scope, name",
)


class LedgerIndex:
    """One clearance's facts in `folder`. `reached` tells up to which seq of each home it was built."""

    def __init__(self, folder: Path, clearance: Tier) -> None:
        self.clearance = clearance
        self._db = opened(folder / f"ledger-{clearance}.db", SCHEMA, VERSION, whole=True)

    def close(self) -> None:
        self._db.close()

    # ------------------------------------------------------------ building

    def rebuild(self, fold: "Fold", reached: Mapping[str, int]) -> None:
        """Everything anew, in one transaction."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            for table in ("facts", "evidence", "names"):
                self._db.execute(f"DELETE FROM {table}")  # noqa: S608
            self._write(fold, fold.keys(self.clearance))
            self._reach(fold, reached)

    def update(self, fold: "Fold", touched: "Iterable[Key]", reached: Mapping[str, int]) -> None:
        """Tell `touched` keys again, in one transaction; nothing else is looked at."""
        touched = sorted(touched)
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("DELETE FROM facts WHERE scope = ? AND fact_key = ?", touched)
            self._db.executemany("DELETE FROM evidence WHERE scope = ? AND fact_key = ?", touched)
            self._write(fold, (key for key in touched if fold.root(key, self.clearance) == key))
            self._reach(fold, reached)

    def _write(self, fold: "Fold", keys: "Iterable[Key]") -> None:
        for key in keys:
            facts = fold.story(key, self.clearance).facts
            self._db.executemany(
                f"INSERT INTO facts ({COLUMNS}, place) VALUES ({', '.join('?' * 22)})",  # noqa: S608
                [(*_row(fact), place) for place, fact in enumerate(facts)])
            self._db.executemany(
                "INSERT INTO evidence VALUES (?, ?, ?, ?, ?, ?)",
                [(*key, fact.id, place, evidence.event, evidence.quote)
                 for fact in facts for place, evidence in enumerate(fact.evidence)])

    def _reach(self, fold: "Fold", reached: Mapping[str, int]) -> None:
        self._db.execute("DELETE FROM names")
        self._db.executemany("INSERT INTO names VALUES (?, ?, ?)",
                             [(scope, name, to) for (scope, name), (_, to) in fold.merged(self.clearance).items()])
        self._db.execute("DELETE FROM reached")
        self._db.executemany("INSERT INTO reached VALUES (?, ?)", reached.items())

    # ------------------------------------------------------------ answering

    @property
    def reached(self) -> dict[str, int]:
        return dict(self._db.execute("SELECT home, seq FROM reached ORDER BY home").fetchall())

    def get(self, scope: str, key: str) -> Fact | None:
        """The one current value, or None. A merged key answers for the key it was merged into."""
        found = self._select("scope = ? AND fact_key = ? AND status = 'active'", [scope, self._root(scope, key)])
        return next(found, None)

    def history(self, scope: str, key: str) -> list[Fact]:
        """Every version, oldest first."""
        return list(self._select("scope = ? AND fact_key = ?", [scope, self._root(scope, key)]))

    def facts(self, *, scope: str | None = None, status: Status | None = None,
              key: str | None = None) -> Iterator[Fact]:
        """Versions by (scope, key), oldest first; `key` in every scope that has it."""
        tests, values = ["1"], list[str]()
        if scope is not None:
            tests, values = [*tests, "scope = ?"], [*values, scope]
        if status is not None:
            tests, values = [*tests, "status = ?"], [*values, status]
        if key is not None:
            merged = "(scope, fact_key) IN (SELECT scope, fact_key FROM names WHERE name = ?)"
            tests, values = [*tests, f"(fact_key = ? OR {merged})"], [*values, canonical(key), canonical(key)]
        return self._select(" AND ".join(tests), values)

    def quoting(self, event: str) -> list[Fact]:
        """Versions whose evidence is `event`."""
        quoting = "(scope, fact_key, id) IN (SELECT scope, fact_key, fact FROM evidence WHERE event = ?)"
        return list(self._select(quoting, [event]))

    def digest(self) -> str:
        """SHA-256 over the sorted rows; equal for equal ledgers, however they were built."""
        digest = hashlib.sha256()
        for query in SORTED_ROWS:
            for row in self._db.execute(query):
                digest.update(json.dumps(row, ensure_ascii=False).encode() + b"\n")
            digest.update(b"\n")
        return digest.hexdigest()

    def _root(self, scope: str, key: str) -> str:
        key = canonical(key)
        found = self._db.execute("SELECT fact_key FROM names WHERE scope = ? AND name = ?", (scope, key)).fetchone()
        return found[0] if found else key

    def _select(self, where: str, values: Sequence[str]) -> Iterator[Fact]:
        query = f"SELECT {COLUMNS} FROM facts WHERE {where} ORDER BY scope, fact_key, place"  # noqa: S608
        for row in self._db.execute(query, values).fetchall():
            evidence = self._db.execute(
                "SELECT event, quote FROM evidence WHERE scope = ? AND fact_key = ? AND fact = ? ORDER BY place",
                row[:3])
            yield _fact(row, tuple(Evidence(event, quote) for event, quote in evidence))


def _row(fact: Fact) -> tuple[object, ...]:
    links = [[link.target, link.label, link.why] for link in fact.links]
    return (
        fact.scope, fact.fact_key, fact.id, fact.type, fact.value, fact.statement, fact.status, fact.confidence,
        fact.tier, fact.observed_at, fact.recorded_at, fact.last_confirmed_at, fact.version, fact.detail,
        fact.origin, fact.actor, fact.supersedes, fact.superseded_by, fact.contradicts,
        json.dumps(fact.aliases, ensure_ascii=False), json.dumps(links, ensure_ascii=False),
    )


def _fact(row: tuple[Any, ...], evidence: tuple[Evidence, ...]) -> Fact:
    members = dict(zip(COLUMNS.split(", "), row, strict=True))
    members |= {
        "status": Status(members["status"]), "aliases": tuple(json.loads(members["aliases"])),
        "links": tuple(FactLink(*link) for link in json.loads(members["links"])), "evidence": evidence,
    }
    return Fact(**members)
