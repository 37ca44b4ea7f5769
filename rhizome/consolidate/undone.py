"""Words that were taken back after a run took them: what stands on nothing else holds no more.

Where a turn is rolled back, rewound or abandoned after it was consolidated, its claims are in the log. Each is taken
back by an event of its own; the fold ends a value when everything that said it was taken back. Where the person goes
back to such a turn, that event is taken back in the same way, and so on.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from rhizome.ledger.claims import FIRST, Claim
from rhizome.ledger.fold import Fold
from rhizome.log.identity import identify
from rhizome.model import UNDONE, Event, Turn, moment


def undone(turns: Iterable[Turn]) -> frozenset[str]:
    """The events of `turns` that nobody stands by any more; not one that stands in any copy of its turn."""
    gone, stands = set[str](), set[str]()
    for turn in turns:
        whole = is_undone(turn)
        for message in turn.messages:
            (gone if whole or message.flags & UNDONE else stands).add(message.event)
    return frozenset(gone - stands)


def is_undone(turn: Turn) -> bool:
    """Whether nobody stands by the prompt of `turn` any more."""
    return any(message.event == turn.id and message.flags & UNDONE for message in turn.messages)


def standing(turns: Iterable[Turn], events: Collection[str]) -> dict[str, str]:
    """Those of `events` that somebody stands by, and when their session was last heard."""
    heard: dict[str, list[Turn]] = defaultdict(list)
    for turn in turns:
        heard[turn.session].append(turn)
    found: dict[str, str] = {}
    for of in heard.values():
        said = {message.event: message.at for turn in of for message in turn.messages}
        newest = max(filter(None, said.values()), key=lambda at: moment(at) or FIRST, default="")
        found |= dict.fromkeys((said.keys() & events) - undone(of), newest)
    return found


def retractions(gone: Iterable[str], stands: Mapping[str, str], fold: Fold, *, key: bytes) -> list[Event]:
    """The `fact.retracted` events by which no claim that quotes an event in `gone` holds, and each that quotes one in
    `stands` (event -> since when) does, unless that is so already."""
    made = [_turned(claim, stands.get(event), fold, key) for event in sorted({*gone, *stands})
            for claim in fold.quoting(event)]  # fmt: skip
    return [event for event in made if event is not None]


def _turned(claim: Claim, since: str | None, fold: Fold, key: bytes) -> Event | None:
    """What takes back `claim` or its last taking back; None where it holds, or not, as it should.

    Taken back when it was said: nothing that was said later is meant.
    """
    last, holds = claim.id, True
    while fold.heard(claim.scope, claim.key, name := identify(key, b"unsaid", last.encode())):
        last, holds = name, not holds
    if holds == (since is not None):
        return None
    body = {"scope": claim.scope, "fact_key": claim.key, "confidence": claim.confidence,
            "observed_at": since or claim.observed_at, "claims": [last]}  # fmt: skip
    return Event(kind="fact.retracted", id=name, actor="consolidator", scope=claim.scope, tier=claim.tier,
                 body=body if since is None else body | {"again": claim.id})  # fmt: skip
