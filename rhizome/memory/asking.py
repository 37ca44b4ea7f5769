"""Search as a reader asks it: what is newer than the index is looked at directly, and old words point to new ones."""

from typing import Any

import msgspec
from msgspec.structs import replace

from rhizome.memory.hindsight import MORE, told
from rhizome.memory.lately import lately
from rhizome.memory.parts import Parts
from rhizome.model import Answer, Found, InsufficientEvidence, Tier, timestamp
from rhizome.search.documents import fact_documents
from rhizome.search.port import Query

LAYERS = {"all": (), "notes": ("note",), "history": ("history",), "facts": ("fact",)}


def search(parts: Parts, text: str, *, explain: bool, clearance: Tier, **asked: Any) -> dict[str, Any]:
    """What a door shows of an answer; the numbers behind it only where they were asked for."""
    found = ask(parts, text, clearance=clearance, **asked)
    answer: dict[str, Any]
    if isinstance(found, Found):
        answer = {"status": "found", "reason": None, "detail": None, "nearest": [], "hits": list(found.hits)}
        answer["degraded"] = found.degraded
    else:
        answer = {"status": "insufficient_evidence", "reason": found.reason, "detail": found.detail, "hits": []}
        answer["nearest"] = list(found.nearest)
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
        text=text, k=k + MORE, layers=LAYERS[layer], scope=parts.scope(scope) if scope else None,
        session=_session(parts, session, clearance),
        until=timestamp(until) if until else None, vectors=vectors,
        fusion=parts.search.fusion,
    )  # fmt: skip
    if vectors and parts.around.early:
        import rhizome.search.nearness  # noqa: F401 - numpy comes in while a child looks at the notes
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
    hits = answer.hits if isinstance(answer, Found) else answer.nearest
    hits = hits if damaged else told(hits, lambda: parts.ledger(clearance), query.until)
    if isinstance(answer, Found):
        return replace(answer, hits=hits[:k], degraded=answer.degraded or damaged)
    return replace(answer, nearest=hits, reason="damaged" if damaged else answer.reason)


def _session(parts: Parts, session: str | None, clearance: Tier) -> str | None:
    """Our id of the session that is meant. A green reader does not learn whether there is one."""
    if session is None or clearance is not Tier.AMBER:
        return session
    from rhizome.log.lineage import Lineage
    from rhizome.log.sessions import resolved

    return resolved(Lineage.of(parts.log), session)
