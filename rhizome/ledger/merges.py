"""Which keys are one key: `key.merged` events, followed in the order of the log."""

from collections.abc import Iterable

import msgspec

from rhizome.ledger.claims import FIRST, Order
from rhizome.ledger.keys import canonical
from rhizome.model import Event, moment


class Merge(msgspec.Struct, frozen=True):
    """`source` is another name for `target`, in one scope."""

    id: str
    scope: str
    source: str
    target: str
    order: Order
    tier: str


class _Merged(msgspec.Struct):
    scope: str
    source: str
    target: str


def merge(event: Event) -> Merge:
    """The merge a `key.merged` event names; msgspec.ValidationError where it names none."""
    body = msgspec.convert(event.fields, _Merged)
    order = (moment(event.recorded_at) or FIRST, event.home, event.seq, 0)
    return Merge(event.id, body.scope, canonical(body.source), canonical(body.target), order, event.tier)


def roots(merges: Iterable[Merge]) -> dict[str, str]:
    """key -> the key its claims stand under, for one scope; keys that stand under their own name are left out.

    A later merge moves everything gathered so far; merging a group into one of its own members renames the group.
    """
    root: dict[str, str] = {}
    for each in sorted(merges, key=lambda each: each.order):
        source, target = root.get(each.source, each.source), root.get(each.target, each.target)
        if source == target:
            target = each.target
        root |= {key: target for key, old in root.items() if old in (source, target)}
        root |= {source: target, each.source: target, target: target}
    return {key: target for key, target in root.items() if key != target}
