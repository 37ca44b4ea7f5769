"""Words that were taken back after a run took them: what stands on nothing else holds no more.

Where a turn is rolled back, rewound or abandoned after it was consolidated, its claims are in the log. Each is taken
back by an event of its own; the fold ends a value when everything that said it was taken back.
"""

from collections.abc import Iterable

from rhizome.consolidate.heard import UNDONE
from rhizome.ledger.claims import Claim
from rhizome.ledger.fold import Fold
from rhizome.log.identity import identify
from rhizome.model import Event, Turn


def undone(turns: Iterable[Turn]) -> frozenset[str]:
    """The events of `turns` that nobody stands by any more; not one that stands in any copy of its turn."""
    gone, stands = set[str](), set[str]()
    for turn in turns:
        whole = any(message.event == turn.id and message.flags & UNDONE for message in turn.messages)
        for message in turn.messages:
            (gone if whole or message.flags & UNDONE else stands).add(message.event)
    return frozenset(gone - stands)


def retractions(events: Iterable[str], fold: Fold, *, key: bytes) -> list[Event]:
    """The `fact.retracted` events for every claim that quotes one of `events` and was not taken back before."""
    claims = [claim for event in sorted(events) for claim in fold.quoting(event)]
    made = [_event(claim, key) for claim in claims]
    return [event for event in made if not fold.heard(event.fields["scope"], event.fields["fact_key"], event.id)]


def _event(claim: Claim, key: bytes) -> Event:
    """Taken back when it was said: nothing that was said later is meant."""
    return Event(
        kind="fact.retracted", id=identify(key, b"unsaid", claim.id.encode()), actor="consolidator", scope=claim.scope,
        tier=claim.tier,
        body={"scope": claim.scope, "fact_key": claim.key, "confidence": claim.confidence,
              "observed_at": claim.observed_at, "claims": [claim.id]},
    )
