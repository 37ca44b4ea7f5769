"""What is known by now of words that were said then: history says whether what it set still holds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from rhizome.model import UNDONE, Fact, Hit, Status

if TYPE_CHECKING:
    from rhizome.ledger.projection import LedgerIndex

MORE = 5
"""So many hits more are looked at: the fact that holds may stand below the words that it has replaced."""

QUOTE_CHARS = 60
"""By so much of its beginning a quote is found in a snippet."""


def told(hits: Iterable[Hit], ledger: Callable[[], "LedgerIndex"], until: str | None) -> tuple[Hit, ...]:
    """Hits of history say what holds instead of what they set, or that it ended, and the fact that says so comes first.
    One whose turn was undone says that, which is why it ended.

    Nothing after the instant `until` is known yet. A turn of which a part still holds stays `said`. `ledger` is opened
    where there is history alone.
    """
    marked, current = list[Hit](), dict[int, Fact]()
    for hit in hits:
        status, instead = _now(hit, ledger(), until) if hit.layer == "history" else (None, None)
        if instead:
            current[len(marked)] = instead
        marked.append(_marked(hit, status, instead) if status or instead else hit)
    return tuple(_ordered(marked, current))


def _marked(hit: Hit, status: Status | None, instead: Fact | None) -> Hit:
    by = (instead.value or instead.statement) if instead else None
    undone = hit.receipt.status in UNDONE
    status = None if undone else status
    return replace(hit, receipt=replace(hit.receipt, status=status or hit.receipt.status, superseded_by=by))


def _ordered(hits: Sequence[Hit], current: Mapping[int, Fact]) -> list[Hit]:
    """Each fact that holds before the first of the words that it has replaced."""
    found: list[Hit] = []
    for at, hit in enumerate(hits):
        facts = [other for other in hits[at + 1 :] if at in current and _tells(other, current[at])]
        found += [each for each in (*facts, hit) if each not in found]
    return found


def _tells(hit: Hit, fact: Fact) -> bool:
    """Whether a hit is the fact itself: another project may have the same key."""
    ref = fact.evidence[0].event if fact.evidence else fact.id
    return (hit.layer, hit.title, hit.ref) == ("fact", fact.fact_key, ref)


def _now(hit: Hit, ledger: "LedgerIndex", until: str | None) -> tuple[Status | None, Fact | None]:
    """How what a turn set stands by now, and the fact that holds instead; nothing where it holds, or set nothing.

    Of several facts that were read in one turn, those count whose words are shown.
    """
    quoting = [fact for fact in ledger.quoting(hit.ref) if until is None or fact.observed_at <= until]
    then = [(fact, _last(fact, ledger, until)) for fact in [each for each in quoting if _shows(hit, each)] or quoting]
    instead = next((last for fact, last in then if last.id != fact.id and _holds(last, until)), None)
    if any(last.id == fact.id and _holds(last, until) for fact, last in then):
        return None, instead
    if instead:
        return Status.SUPERSEDED, instead
    return next((last.status for _, last in then if last.status is not Status.PROPOSED), None), None


def _last(fact: Fact, ledger: "LedgerIndex", until: str | None) -> Fact:
    """The version of a fact's key that held last."""
    versions = [each for each in ledger.history(fact.scope, fact.fact_key)
                if each.status is not Status.PROPOSED and (until is None or each.observed_at <= until)]  # fmt: skip
    return versions[-1] if versions else fact


def _holds(last: Fact, until: str | None) -> bool:
    """Whether the last version of a key holds; what ended after `until` held then."""
    return last.status is Status.ACTIVE or (until is not None and last.status is not Status.PROPOSED)


def _shows(hit: Hit, fact: Fact) -> bool:
    shown = " ".join(hit.snippet.split())
    quotes = (" ".join(each.quote.split()) for each in fact.evidence if each.event == hit.ref)
    return any(quote and quote[:QUOTE_CHARS] in shown for quote in quotes)
