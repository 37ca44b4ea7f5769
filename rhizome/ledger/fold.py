"""What a log means: every key's history and its one current value, whatever the order the events came in.

Rules of currentness stand in `walk`; here claims are kept, grouped by key, and told again where a key was touched.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec

from rhizome.ledger.claims import FIRST, Claim, claims
from rhizome.ledger.keys import canonical
from rhizome.ledger.merges import Merge, merge, roots
from rhizome.ledger.walk import Story, story
from rhizome.model import Event, Fact, Tier, moment, visible

Key = tuple[str, str]
"""(scope, canonical key)"""


class Fold:
    """The ledger of a log. `apply` is idempotent and does not mind the order of events.

    A reader's clearance is part of every question: claims, retractions and merges it may not see take no part in the
    answer, and without amber clearance evidence comes without its quotes.
    `unreadable` holds ids of events whose body is not what it should be.
    """

    def __init__(self) -> None:
        self.unreadable: set[str] = set()
        self._claims: dict[Key, dict[str, Claim]] = {}
        self._quoting: dict[str, set[Key]] = defaultdict(set)
        self._dated: dict[str, list[tuple[datetime, datetime, str]]] = defaultdict(list)
        self._merges: dict[str, dict[str, Merge]] = defaultdict(dict)
        self._names = {tier: _Names() for tier in Tier}
        self._names_then: dict[tuple[Tier, datetime], _Names] = {}
        self._told: dict[Tier, dict[Key, Story]] = {tier: {} for tier in Tier}
        self._touched: set[Key] = set()

    # ------------------------------------------------------------ hearing

    def apply(self, event: Event) -> None:
        """Take in one event; kinds that say nothing to the ledger change nothing."""
        try:
            if event.kind == "source.seen":
                self._date(event)
            elif event.kind == "key.merged":
                self._merge(merge(event))
            else:
                for claim in claims(event):
                    self._claim(claim)
        except msgspec.ValidationError:
            self.unreadable.add(event.id)

    def _claim(self, claim: Claim) -> None:
        """Keep a claim once; of one that two homes recorded, the earlier."""
        key = (claim.scope, claim.key)
        kept = self._claims.setdefault(key, {})
        known = kept.get(claim.id)
        if known is not None and known.order <= claim.order:
            return
        kept[claim.id] = claim
        for evidence in claim.evidence[:1]:
            self._quoting[evidence.event].add(key)
        self._touch(key)

    def _date(self, event: Event) -> None:
        recorded = moment(event.recorded_at) or FIRST
        for quoted, text in msgspec.convert(event.fields.get("dated") or {}, dict[str, str]).items():
            at = moment(text)
            if at is None:
                self.unreadable.add(event.id)
                continue
            self._dated[quoted].append((recorded, at, text))
            for key in self._quoting.get(quoted, ()):
                self._touch(key)

    def _merge(self, merge: Merge) -> None:
        merges = self._merges[merge.scope]
        known = merges.get(merge.id)
        if known is not None and known.order <= merge.order:
            return
        for key in (merge.source, merge.target):
            self._touch((merge.scope, key))
        merges[merge.id] = merge
        self._names_then.clear()
        for tier, names in self._names.items():
            names.take(merge.scope, roots(each for each in merges.values() if visible(each.tier, tier)))
        for key in (merge.source, merge.target):
            self._touch((merge.scope, key))

    def _touch(self, key: Key) -> None:
        """Forget what was told about `key`, under each name it has."""
        for tier, names in self._names.items():
            root = names.root(key)
            self._told[tier].pop(root, None)
            self._touched.add(root)

    def touched(self) -> set[Key]:
        """Keys whose history may have changed since the last time this was asked."""
        touched, self._touched = self._touched, set()
        return touched

    def fork(self) -> "Fold":
        """A fold that goes on from here without changing this one; cheap enough for one consolidation."""
        twin = Fold()
        twin.unreadable = set(self.unreadable)
        twin._claims = {key: dict(kept) for key, kept in self._claims.items()}
        twin._quoting = defaultdict(set, {event: set(keys) for event, keys in self._quoting.items()})
        twin._dated = defaultdict(list, {event: list(times) for event, times in self._dated.items()})
        twin._merges = defaultdict(dict, {scope: dict(merges) for scope, merges in self._merges.items()})
        twin._names = {tier: names.copy() for tier, names in self._names.items()}
        twin._told = {tier: dict(told) for tier, told in self._told.items()}
        return twin

    # ------------------------------------------------------------ answering

    def keys(self, clearance: Tier, *, known: datetime | None = None) -> list[Key]:
        """Every key something was said about, sorted; some may tell nothing to this reader."""
        names = self._named(clearance, known)
        return sorted({names.root(key) for key in self._claims})

    def root(self, key: Key, clearance: Tier) -> Key:
        """The key that `key` was merged into, or `key` itself."""
        return self._names[clearance].root(key)

    def merged(self, clearance: Tier) -> dict[Key, Key]:
        """Every key that was merged into another, and which."""
        return self._names[clearance].roots()

    def story(self, key: Key, clearance: Tier, *, valid: datetime | None = None,
              known: datetime | None = None) -> Story:
        """Everything about one (scope, canonical key); with `valid` or `known`, as it was then."""
        root = self._named(clearance, known).root(key)
        if valid or known:
            return self._tell(root, clearance, valid, known)
        told = self._told[clearance]
        if root not in told:
            told[root] = self._tell(root, clearance, None, None)
        return told[root]

    def heard(self, scope: str, key: str, claim: str) -> bool:
        """Whether the claim of this id stands under `key`."""
        return claim in self._claims.get((scope, canonical(key)), {})

    def quoting(self, event: str) -> list[Claim]:
        """The claims whose first evidence is `event`, in the fold's order."""
        claims = (claim for key in self._quoting.get(event, ()) for claim in self._claims[key].values())
        return sorted((claim for claim in claims if claim.evidence and claim.evidence[0].event == event),
                      key=lambda claim: claim.order)

    def get(self, scope: str, key: str, clearance: Tier, *, valid: datetime | None = None,
            known: datetime | None = None) -> Fact | None:
        """The one current value, or None."""
        return self.story((scope, canonical(key)), clearance, valid=valid, known=known).current

    def history(self, scope: str, key: str, clearance: Tier, *, valid: datetime | None = None,
                known: datetime | None = None) -> list[Fact]:
        """Every version with its status, oldest first, proposals among them."""
        return list(self.story((scope, canonical(key)), clearance, valid=valid, known=known).facts)

    def facts(self, clearance: Tier, *, valid: datetime | None = None, known: datetime | None = None) -> Iterator[Fact]:
        """All versions of all keys, by (scope, key), oldest first."""
        for key in self.keys(clearance, known=known):
            yield from self.story(key, clearance, valid=valid, known=known).facts

    def current(self, clearance: Tier) -> Iterator[Fact]:
        """The current value of every key that has one, by (scope, key)."""
        return self.as_of(None, None, clearance)

    def as_of(self, valid: datetime | None, known: datetime | None, clearance: Tier) -> Iterator[Fact]:
        """What was current: observed until `valid`, as far as it was recorded until `known` (both inclusive)."""
        for key in self.keys(clearance, known=known):
            fact = self.story(key, clearance, valid=valid, known=known).current
            if fact is not None:
                yield fact

    def proposals(self, clearance: Tier) -> Iterator[Fact]:
        """Proposals that nobody who could decide has answered yet: what awaits review."""
        for key in self.keys(clearance):
            told = self.story(key, clearance)
            yield from (fact for fact in told.facts if fact.id in told.open)

    def _tell(self, root: Key, clearance: Tier, valid: datetime | None, known: datetime | None) -> Story:
        names = self._named(clearance, known)
        told = [self._in_time(claim, known)
                for key in names.members(root) for claim in self._claims.get(key, {}).values()
                if visible(claim.tier, clearance) and (known is None or claim.order[0] <= known)]
        told = [claim for claim in told if valid is None or claim.at <= valid]
        return story(sorted(told, key=lambda claim: (claim.at, claim.order)), root[1], clearance)

    def _named(self, clearance: Tier, known: datetime | None) -> "_Names":
        """The names keys go by for this reader; with `known`, by the merges recorded until then."""
        if known is None:
            return self._names[clearance]
        if (clearance, known) not in self._names_then:
            names = self._names_then[clearance, known] = _Names()
            for scope, merges in self._merges.items():
                names.take(scope, roots(each for each in merges.values()
                                        if visible(each.tier, clearance) and each.order[0] <= known))
        return self._names_then[clearance, known]

    def _in_time(self, claim: Claim, known: datetime | None) -> Claim:
        """The claim at the earliest time that a copy gives for the event it quotes."""
        dated = self._dated.get(claim.evidence[0].event) if claim.evidence else None
        earlier = [(at, text) for recorded, at, text in dated or () if known is None or recorded <= known]
        at, text = min(earlier, default=(claim.at, claim.observed_at))
        return msgspec.structs.replace(claim, at=at, observed_at=text) if at < claim.at else claim


class _Names:
    """Which names one key goes by, for one clearance."""

    def __init__(self) -> None:
        self._root: dict[Key, Key] = {}
        self._members: dict[Key, list[Key]] = {}

    def take(self, scope: str, root: dict[str, str]) -> None:
        """The merges of one scope, anew."""
        self._root = {key: to for key, to in self._root.items() if key[0] != scope}
        self._root |= {(scope, key): (scope, to) for key, to in root.items()}
        self._members = {}
        for key, to in self._root.items():
            self._members.setdefault(to, [to]).append(key)

    def copy(self) -> "_Names":
        names = _Names()
        names._root, names._members = dict(self._root), {to: list(keys) for to, keys in self._members.items()}
        return names

    def roots(self) -> dict[Key, Key]:
        return dict(self._root)

    def root(self, key: Key) -> Key:
        return self._root.get(key, key)

    def members(self, root: Key) -> list[Key]:
        return self._members.get(root, [root])


def fold(events: Iterable[Event]) -> Fold:
    """The ledger of `events`, in any order and with any repeats."""
    ledger = Fold()
    for event in events:
        ledger.apply(event)
    return ledger
