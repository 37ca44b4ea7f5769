"""What becomes of a `remember`: decided against the ledger, the quotas and what was proposed before, without acting."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rhizome.config import PROPOSAL_CHARS, PROPOSALS_PER_SESSION, PROPOSALS_PER_TURN
from rhizome.consolidate.claiming import claimless
from rhizome.errors import Refused
from rhizome.ledger.fold import Fold
from rhizome.ledger.keys import canonical
from rhizome.ledger.values import same
from rhizome.log.identity import identify
from rhizome.model import FACT_TYPES, Event, Fact, Tier, moment

REFUSED = "[refused:"
RED = "red"
OVER_QUOTA = "too much was proposed at once. Propose less, and in fewer words; a consolidation makes room."


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody wants remembered. `typed`: by a person at a terminal; quotas are for everybody else."""

    key: str
    statement: str
    scope: str
    value: str = ""
    type: str = "fact"
    tier: str | None = None
    typed: bool = False
    actor: str = ""
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """`outcome` is new, confirmed, conflicts, duplicate, refused or over_quota; `event` is to be appended, None where
    nothing is; `other` is the current fact it confirms or conflicts with; `known` the id of an equal proposal; `why`
    says what a refused one or one too many was refused for, and what to do about it."""

    outcome: str
    event: Event | None = None
    other: Fact | None = None
    known: str | None = None
    why: str = ""


def propose(proposal: Proposal, *, fold: Fold, key: bytes, clearance: Tier = Tier.AMBER,
            earlier: Iterable[Event] = (), settled: frozenset[str] = frozenset(), turn_began: str | None = None,
            red: Sequence[re.Pattern[str]] = ()) -> Outcome:
    """Decide about one proposal. `earlier` are the log's `memory.proposed` events, `settled` ids of consolidated ones.

    `clearance` bounds what `other` may tell. `turn_began` is when the session's running turn began; where it is not
    known only the session's quota holds; whoever names no session has that between two nights. Raises Refused for a key
    or type that is none, and for an empty statement.
    """
    checked = _checked(proposal)
    before = list(earlier)
    rule = _red(checked, red)
    if rule:
        kept = replace(checked, key="|", statement=f"{REFUSED}{rule}]", value="")
        why = "red is never kept" if rule == "tier-red" else "it matches a [red] pattern, which is never kept"
        return Outcome("refused", _event(kept, key, before), why=f"{why}. Keep it where secrets belong.")
    if why := claimless(checked.statement):
        return Outcome("refused", why=f"{why}. Say in one sentence what holds, once it is known.")
    equal = next((event for event in before if _equal(event, checked)
                  and (event.id not in settled or (checked.session and event.session == checked.session))), None)
    if equal is not None:
        return Outcome("duplicate", known=equal.id)
    counted = before if checked.session else [event for event in before if event.id not in settled]
    if not checked.typed and _over_quota(checked, counted, turn_began):
        return Outcome("over_quota", why=OVER_QUOTA)
    event = _event(checked, key, before)
    current = fold.get(checked.scope, checked.key, clearance)
    if current is None:
        return Outcome("new", event)
    equals = same(current.value, current.statement, checked.value, checked.statement)
    return Outcome("confirmed" if equals else "conflicts", event, current)


def _checked(proposal: Proposal) -> Proposal:
    subject, _, attribute = canonical(proposal.key).partition("|")
    if not subject or not attribute:
        raise Refused(f"{proposal.key!r} is not a fact key", "Write it as 'subject|attribute', like 'deploy|branch'.")
    if not proposal.statement.strip():
        raise Refused(f"{proposal.key}: the statement is empty", "Say in one sentence what should be remembered.")
    if proposal.type not in FACT_TYPES:
        raise Refused(f"{proposal.type!r} is not a type of fact", f"Use one of: {', '.join(FACT_TYPES)}.")
    if proposal.tier not in (None, Tier.GREEN, Tier.AMBER, RED):
        raise Refused(f"{proposal.tier!r} is not a tier", "Use green, amber or red.")
    return replace(proposal, key=f"{subject}|{attribute}", statement=proposal.statement.strip(),
                   value=proposal.value.strip())


def _red(proposal: Proposal, patterns: Sequence[re.Pattern[str]]) -> str:
    """The rule that refuses it, or nothing. What is refused is counted and never kept."""
    if proposal.tier == RED:
        return "tier-red"
    words = f"{proposal.statement}\n{proposal.value}"
    return next((f"red-{place}" for place, each in enumerate(patterns, start=1) if each.search(words)), "")


def _over_quota(proposal: Proposal, earlier: Sequence[Event], turn_began: str | None) -> bool:
    if len(proposal.statement) + len(proposal.value) > PROPOSAL_CHARS:
        return True
    session = [event for event in earlier if event.session == proposal.session and not event.fields.get("typed")]
    began = moment(turn_began)
    turn = [event for event in session if began and (moment(event.recorded_at) or began) >= began]
    return len(session) >= PROPOSALS_PER_SESSION or len(turn) >= PROPOSALS_PER_TURN


def _equal(event: Event, proposal: Proposal) -> bool:
    body = event.fields
    return (
        event.scope == proposal.scope and _key(event) == proposal.key
        and bool(body.get("typed")) == proposal.typed
        and same(str(body.get("value", "")), str(body.get("statement", "")), proposal.value, proposal.statement)
    )


def _key(event: Event) -> str:
    return canonical(f"{event.fields.get('subject', '')}|{event.fields.get('attribute', '')}")


def _event(proposal: Proposal, key: bytes, earlier: Sequence[Event]) -> Event:
    """The event to append; its id counts what was proposed before, so that saying it again later is another event."""
    subject, _, attribute = proposal.key.partition("|")
    said = (proposal.session or "", proposal.scope, proposal.key, proposal.statement, proposal.value)
    parts = (part.encode("utf-8", "replace") for part in (*said, str(len(earlier))))
    return Event(
        kind="memory.proposed", id=identify(key, b"proposal", *parts), actor=proposal.actor,
        origin="human" if proposal.typed else "model", scope=proposal.scope, session=proposal.session, tier=Tier.AMBER,
        body={"subject": subject, "attribute": attribute, "statement": proposal.statement, "value": proposal.value,
              "type": proposal.type, "tier": proposal.tier, "typed": proposal.typed},
    )
