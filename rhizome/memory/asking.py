"""Search as a reader asks it: what is newer than the index is looked at directly, and old words point to new ones."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import islice
from typing import Any

import msgspec

from rhizome.ledger.projection import LedgerIndex
from rhizome.log.lineage import Lineage
from rhizome.memory import projections
from rhizome.memory.parts import Parts
from rhizome.model import Answer, Fact, Found, Hit, InsufficientEvidence, Status, Tier, timestamp
from rhizome.search.documents import Document, fact_documents
from rhizome.search.port import Query

LAYERS = {"all": (), "notes": ("note",), "history": ("history",), "facts": ("fact",)}

DIRECTLY = 300
"""So many documents newer than the index are looked at directly; with more, the reader brings the index up to date."""


def search(parts: Parts, text: str, *, explain: bool, clearance: Tier, **asked: Any) -> dict[str, Any]:
    """What a door shows of an answer; the numbers behind it only where they were asked for."""
    found = ask(parts, text, clearance=clearance, **asked)
    answer: dict[str, Any]
    if isinstance(found, Found):
        answer = {"status": "found", "reason": None, "detail": None, "nearest": (), "hits": found.hits}
        answer["degraded"] = found.degraded
    else:
        answer = {"status": "insufficient_evidence", "reason": found.reason, "detail": found.detail, "hits": ()}
        answer["nearest"] = found.nearest
    answer = msgspec.to_builtins(answer)
    for hit in () if explain else (*answer["hits"], *answer["nearest"]):
        hit.pop("parts")
    return answer


def ask(
    parts: Parts, text: str, *, k: int, layer: str, scope: str | None, session: str | None, as_of: str | None,
    vectors: bool, clearance: Tier,
) -> Answer:  # fmt: skip
    """The answer a reader of `clearance` gets. Waits for no lock.

    While the log is damaged, facts and derived notes say nothing, and the rest is served as degraded.
    """
    tiers = (Tier.GREEN,) if clearance is Tier.GREEN else projections.BOTH
    until = parts.instant(as_of)
    query = Query(
        text=text, k=k, layers=LAYERS[layer], scope=parts.scope(scope) if scope else None,
        session=_session(parts, session, clearance),
        until=timestamp(until) if until else None, vectors=vectors,
    )  # fmt: skip
    damaged = bool(parts.log.damage())
    if damaged and layer == "facts":
        return InsufficientEvidence("damaged", "part of the log cannot be believed; see `rhizome log verify`")
    recent, hidden = ([], set[str]()) if damaged and parts.indexed.reached else lately(parts)
    if clearance is Tier.AMBER:
        hidden |= parts.indexed.shadowed()
    if until is not None:
        hidden |= parts.indexed.facts().keys()
        recent = [each for each in recent if each.layer != "fact"]
        recent += [] if damaged else fact_documents(parts.fold().as_of(until, None, clearance))
    if damaged:
        hidden |= parts.indexed.derived() | parts.indexed.facts().keys()
        recent = [each for each in recent if each.layer == "history"]
    answer = parts.engine.query(query, tiers, recent, hidden)
    if isinstance(answer, Found):
        return replace(answer, hits=told(parts, answer.hits, clearance, damaged), degraded=answer.degraded or damaged)
    nearest = told(parts, answer.nearest, clearance, damaged)
    return replace(answer, nearest=nearest, reason="damaged" if damaged else answer.reason)


def _session(parts: Parts, session: str | None, clearance: Tier) -> str | None:
    """Our id of the session that is meant. A green reader does not learn whether there is one."""
    if session is None or clearance is not Tier.AMBER:
        return session
    from rhizome.log.sessions import resolved

    return resolved(Lineage.of(parts.log), session)


def lately(parts: Parts) -> tuple[list[Document], set[str]]:
    """`newer`, looked at again when the log has grown or the last look is older than the caller relies on."""
    now, heads = parts.around.clock(), parts.heads()
    looked = parts.looked
    if looked is None or looked[1] != heads or not 0 <= (now - looked[0]).total_seconds() < parts.around.look_seconds:
        looked = parts.looked = (now, heads, newer(parts))
    recent, hidden = looked[2]
    return list(recent), set(hidden)


def newer(parts: Parts) -> tuple[list[Document], set[str]]:
    """Documents that the index does not hold yet, and ids of those in it that no longer hold.

    An index far behind is brought up to date, unless another process is doing so: then what it has must do.
    """
    projections.refresh_edges(parts)
    parts.notes_known()
    projections.refresh_ledgers(parts)
    found = projections.changes(parts)
    some = [] if found.whole else list(islice(projections.batches(parts, found, DIRECTLY + 1), 2))
    if found.whole or len(some) > 1 or any(len(upserts) > DIRECTLY for upserts, _ in some):
        projections.index_apart(parts, 0.0)
        return [], set()
    return some[0] if some else ([], set())


def told(parts: Parts, hits: Iterable[Hit], clearance: Tier, damaged: bool) -> tuple[Hit, ...]:
    """History is said then: where the fact a turn set was superseded, the hit says so and names the current value."""
    ledger = parts.ledger(clearance)
    return tuple(
        hit if damaged or hit.layer != "history" else _then(hit, ledger.quoting(hit.ref), ledger) for hit in hits
    )


def _then(hit: Hit, quoting: Collection[Fact], ledger: LedgerIndex) -> Hit:
    old = [fact for fact in quoting if fact.status is Status.SUPERSEDED]
    if not old or any(fact.status is Status.ACTIVE for fact in quoting):
        return hit
    current = ledger.get(old[0].scope, old[0].fact_key)
    now = (current.value or current.statement) if current else None
    return replace(hit, receipt=replace(hit.receipt, status="superseded", superseded_by=now))
