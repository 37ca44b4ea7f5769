"""What one event says to the ledger: claims, and what ends or refuses them, read once and kept in a comparable form.

A body that is not what docs/design.md says raises `msgspec.ValidationError`; the fold keeps such events by name.
"""

from datetime import UTC, datetime
from typing import Any

import msgspec

from rhizome.ledger.keys import canonical
from rhizome.model import Event, Evidence, FactLink, Tier, moment

LEDGER_KINDS = (
    "fact.asserted", "fact.confirmed", "fact.retracted", "fact.expired", "key.merged", "note.saved", "source.seen",
    "review.rejected",
)  # fmt: skip
"""What the fold of facts listens to."""

ASSERT, RETRACT, EXPIRE, REJECT = "assert", "retract", "expire", "reject"
FIRST = datetime.min.replace(tzinfo=UTC)
Order = tuple[datetime, str, int, int]


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """One thing said about one key. `typed` words are a person's own and are kept to the byte.

    `order` is the fold's: (recorded, home, seq, place in the event). `confidence` is the class the claim has.
    """

    id: str
    act: str
    scope: str
    key: str
    order: Order
    at: datetime
    observed_at: str
    recorded_at: str
    tier: str
    confidence: float = 1.0
    capped: bool = False
    typed: bool = False
    type: str = ""
    value: str = ""
    statement: str = ""
    detail: str = ""
    origin: str = ""
    actor: str = ""
    evidence: tuple[Evidence, ...] = ()
    aliases: tuple[str, ...] = ()
    links: tuple[FactLink, ...] = ()
    fact: str = ""
    confirmed: datetime | None = None
    unsaid: frozenset[str] = frozenset()
    again: str = ""


class _Quote(msgspec.Struct):
    event: str
    quote: str = ""


class _Link(msgspec.Struct):
    target: str
    label: str = ""
    why: str = ""


class _Asserted(msgspec.Struct):
    scope: str
    fact_key: str
    type: str = "fact"
    value: str = ""
    statement: str = ""
    detail: str = ""
    confidence: float = 0.0
    tier: str = Tier.AMBER
    observed_at: str = ""
    capped: bool = False
    evidence: tuple[_Quote, ...] = ()
    aliases: tuple[str, ...] = ()
    links: tuple[_Link, ...] = ()


class _Ended(msgspec.Struct):
    """A retraction (`confidence`; `evidence` where somebody said it in words; `claims` where only these are taken back,
    `again` the claim that holds again by it) or an expiry (`fact`, and the confirmation it was judged by)."""

    scope: str
    fact_key: str
    confidence: float = 0.0
    observed_at: str = ""
    fact: str = ""
    confirmed: str = ""
    claims: frozenset[str] = frozenset()
    again: str = ""
    evidence: tuple[_Quote, ...] = ()


class _Rejected(msgspec.Struct):
    """A person's no in review; one that is about no fact (notes, merges) has no key and says nothing here."""

    scope: str = ""
    fact_key: str = ""
    value: str = ""
    statement: str = ""
    tier: str = Tier.AMBER


class _Operation(msgspec.Struct):
    op: str
    scope: str
    fact_key: str
    statement: str = ""
    value: str = ""


class _Saved(msgspec.Struct):
    ops: tuple[_Operation, ...] = ()


def claims(event: Event) -> tuple[Claim, ...]:
    """What `event` says to the ledger; nothing for the kinds that say nothing to it."""
    match event.kind:
        case "fact.asserted" | "fact.confirmed":
            return (_asserted(event, msgspec.convert(event.fields, _Asserted)),)
        case "fact.retracted" | "fact.expired":
            return (_ended(event, msgspec.convert(event.fields, _Ended)),)
        case "review.rejected":
            rejected = msgspec.convert(event.fields, _Rejected)
            return (_rejected(event, rejected),) if rejected.fact_key else ()
        case "note.saved":
            operations = msgspec.convert(event.fields, _Saved).ops
            return tuple(_operation(event, operation, place) for place, operation in enumerate(operations))
    return ()


def _asserted(event: Event, body: _Asserted) -> Claim:
    return Claim(
        **_frame(event, body.scope, body.fact_key, body.observed_at),
        act=ASSERT, tier=body.tier, confidence=min(body.confidence, 1.0), capped=body.capped,
        type=body.type, value=body.value, statement=body.statement, detail=body.detail,
        evidence=tuple(Evidence(quote.event, quote.quote) for quote in body.evidence), aliases=body.aliases,
        links=tuple(FactLink(link.target, link.label, link.why) for link in body.links),
    )


def _ended(event: Event, body: _Ended) -> Claim:
    return Claim(
        **_frame(event, body.scope, body.fact_key, body.observed_at),
        act=RETRACT if event.kind == "fact.retracted" else EXPIRE, tier=event.tier,
        confidence=min(body.confidence, 1.0), fact=body.fact, confirmed=moment(body.confirmed),
        unsaid=body.claims, again=body.again,
        evidence=tuple(Evidence(quote.event, quote.quote) for quote in body.evidence),
    )


def _rejected(event: Event, body: _Rejected) -> Claim:
    return Claim(
        **_frame(event, body.scope, body.fact_key, event.recorded_at),
        act=REJECT, tier=body.tier, value=body.value, statement=body.statement,
    )


def _operation(event: Event, body: _Operation, place: int) -> Claim:
    """A person's edit of a derived note: human confidence, observed when it was recorded, its own evidence."""
    if body.op not in (ASSERT, RETRACT):
        raise msgspec.ValidationError(f"unknown operation {body.op!r}")
    frame = _frame(event, body.scope, body.fact_key, event.recorded_at, place)
    return Claim(
        **frame, act=body.op, tier=event.tier, typed=True, value=body.value, statement=body.statement,
        evidence=(Evidence(event.id, body.statement),),
    )


def _frame(event: Event, scope: str, fact_key: str, observed_at: str, place: int = 0) -> dict[str, Any]:
    """The members that every claim has. A time that is none falls back to when the event was recorded."""
    if not canonical(fact_key):
        raise msgspec.ValidationError("the fact key is empty")
    recorded = moment(event.recorded_at) or FIRST
    observed = moment(observed_at)
    return {
        "id": f"{event.id}#{place}" if event.kind == "note.saved" else event.id,
        "scope": scope, "key": canonical(fact_key), "order": (recorded, event.home, event.seq, place),
        "at": observed or recorded, "observed_at": observed_at if observed else event.recorded_at,
        "recorded_at": event.recorded_at, "origin": event.origin or "", "actor": event.actor,
    }
