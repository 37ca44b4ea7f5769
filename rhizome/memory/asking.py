"""Search as a reader asks it: what is newer than the index is looked at directly, and old words point to new ones."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from rhizome.memory.lately import lately
from rhizome.memory.parts import Parts
from rhizome.model import Answer, Found, Hit, InsufficientEvidence, Status, Tier, timestamp
from rhizome.search.documents import fact_documents
from rhizome.search.port import Query

if TYPE_CHECKING:
    from rhizome.ledger.projection import LedgerIndex

LAYERS = {"all": (), "notes": ("note",), "history": ("history",), "facts": ("fact",)}


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
    until = parts.instant(as_of)
    query = Query(
        text=text, k=k, layers=LAYERS[layer], scope=parts.scope(scope) if scope else None,
        session=_session(parts, session, clearance),
        until=timestamp(until) if until else None, vectors=vectors,
    )  # fmt: skip
    found = lately(parts, clearance)
    damaged, recent, hidden = found.damaged, list(found.recent), set(found.hidden)
    if damaged and layer == "facts":
        return InsufficientEvidence("damaged", "part of the log cannot be believed; see `rhizome log verify`")
    if until is not None:
        hidden |= parts.indexed.facts().keys()
        recent = [each for each in recent if each.layer != "fact"]
        recent += [] if damaged else fact_documents(parts.fold().as_of(until, None, clearance))
    if damaged:
        hidden |= parts.indexed.derived() | parts.indexed.facts().keys()
        recent = [each for each in recent if each.layer == "history"]
    answer = parts.engine.query(query, parts.tiers(clearance), recent, hidden)
    if isinstance(answer, Found):
        return replace(answer, hits=told(parts, answer.hits, clearance, damaged), degraded=answer.degraded or damaged)
    nearest = told(parts, answer.nearest, clearance, damaged)
    return replace(answer, nearest=nearest, reason="damaged" if damaged else answer.reason)


def _session(parts: Parts, session: str | None, clearance: Tier) -> str | None:
    """Our id of the session that is meant. A green reader does not learn whether there is one."""
    if session is None or clearance is not Tier.AMBER:
        return session
    from rhizome.log.lineage import Lineage
    from rhizome.log.sessions import resolved

    return resolved(Lineage.of(parts.log), session)


def told(parts: Parts, hits: Iterable[Hit], clearance: Tier, damaged: bool) -> tuple[Hit, ...]:
    """History is said then: where the fact a turn set was superseded, the hit says so and names the current value."""
    if damaged:
        return tuple(hits)
    return tuple(hit if hit.layer != "history" else _then(hit, parts.ledger(clearance)) for hit in hits)


def _then(hit: Hit, ledger: "LedgerIndex") -> Hit:
    quoting = ledger.quoting(hit.ref)
    old = [fact for fact in quoting if fact.status is Status.SUPERSEDED]
    if not old or any(fact.status is Status.ACTIVE for fact in quoting):
        return hit
    current = ledger.get(old[0].scope, old[0].fact_key)
    now = (current.value or current.statement) if current else None
    return replace(hit, receipt=replace(hit.receipt, status="superseded", superseded_by=now))
