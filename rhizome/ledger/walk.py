"""The history of one key, as its claims tell it in order of time: what was current when, and what only proposed."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec.structs import replace

from rhizome.ledger.claims import EXPIRE, REJECT, RETRACT, Claim
from rhizome.ledger.values import same
from rhizome.model import Evidence, Fact, FactLink, Status, Tier


@dataclass(slots=True)
class _Version:
    """One value while it is being told. `words` is the claim whose wording stands, `first` the one that set it."""

    first: Claim
    status: Status
    number: int
    words: Claim
    last: Claim
    confidence: float
    type: str
    aliases: tuple[str, ...]
    links: tuple[FactLink, ...]
    origin: str
    actor: str
    evidence: tuple[Evidence, ...]
    told_by: set[str]
    supersedes: "_Version | None" = None
    superseded_by: "_Version | None" = None
    contradicts: "_Version | None" = None

    @property
    def value(self) -> str:
        return self.words.value or self.words.statement


@dataclass(frozen=True, slots=True)
class Story:
    """All versions of a key, oldest first; the current one if there is one; ids of proposals nobody has answered."""

    facts: tuple[Fact, ...] = ()
    current: Fact | None = None
    open: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Teller:
    versions: list[_Version] = field(default_factory=list)
    current: _Version | None = None
    proposals: list[_Version] = field(default_factory=list)
    rejected: list[Claim] = field(default_factory=list)
    gone: frozenset[str] = frozenset()
    accepted: int = 0
    latest: _Version | None = None
    before: _Version | None = None

    def hear(self, claim: Claim) -> None:
        now = self.current
        if claim.act == EXPIRE:
            if now and claim.fact in now.told_by and (claim.confirmed is None or now.last.at <= claim.confirmed):
                self._end(Status.EXPIRED)
        elif claim.act == RETRACT and claim.unsaid:
            self._unsay()
            self._stand(claim.again)
        elif claim.act == RETRACT:
            if now is None or claim.confidence >= now.confidence:
                self._end(Status.RETRACTED)
        elif claim.act == REJECT:
            self._reject(claim)
        elif now and _same(now.words, claim):
            self._confirm(now, claim)
        elif claim.capped or (now and claim.confidence < now.confidence) or self._refuses(claim):
            self._propose(claim)
        else:
            self._accept(claim)

    def _end(self, status: Status) -> None:
        """The current value ends and nothing older comes back; a person's retraction answers what was proposed."""
        self.before = None
        if self.current:
            self.current.status, self.current = status, None
        if status is Status.RETRACTED:
            self.proposals = []

    def _unsay(self) -> None:
        """Claims are taken back: a value that stood on nothing else ends, and nothing older comes back."""
        if self.current and self.current.told_by <= self.gone:
            self.before = self.current.supersedes
            self.current.status, self.current = Status.RETRACTED, None
        self.proposals = [known for known in self.proposals if not known.told_by <= self.gone]

    def _stand(self, claim: str) -> None:
        """The person went back to where they had said `claim`: it holds, if only what they left there replaced it."""
        if self.current is None and self.before and claim in self.before.told_by:
            self.current, self.before = self.before, None
            self.current.status, self.current.superseded_by = Status.ACTIVE, None

    def _reject(self, claim: Claim) -> None:
        """A person's no to a value: it is not proposed any more, and where it is current it ends."""
        self.rejected.append(claim)
        self.before = None
        self.proposals = [known for known in self.proposals if not _same(known.words, claim)]
        if self.current and _same(self.current.words, claim) and claim.confidence >= self.current.confidence:
            self.current.status, self.current = Status.RETRACTED, None

    def _refuses(self, claim: Claim) -> bool:
        """Whether a person said no to this value: then only a person's word makes it hold."""
        return any(claim.confidence < no.confidence and _same(no, claim) for no in self.rejected)

    def _accept(self, claim: Claim) -> None:
        before, self.before = self.current, None
        self.rejected = [no for no in self.rejected if not _same(no, claim)]
        version = self._version(claim, Status.ACTIVE)
        if before:
            before.status, before.superseded_by, version.supersedes = Status.SUPERSEDED, version, before
        self.accepted += 1
        self.current = self.latest = version
        self.proposals = []

    def _propose(self, claim: Claim) -> None:
        for known in self.proposals:
            if _same(known.words, claim):
                known.last, known.confidence = claim, max(known.confidence, claim.confidence)
                known.told_by.add(claim.id)
                return
        version = self._version(claim, Status.PROPOSED)
        version.contradicts = self.current
        if not self._refuses(claim):
            self.proposals.append(version)

    def _confirm(self, now: _Version, claim: Claim) -> None:
        """Say the current value again. Untrusted text adds nothing to what is believed already.

        A stronger voice becomes the fact's own. Words change only for a person's own and for those more may read.
        """
        if claim.capped:
            return
        if claim.confidence >= now.confidence:
            self.proposals = []
        if claim.confidence > now.confidence:
            now.confidence, now.origin, now.actor = claim.confidence, claim.origin, claim.actor
            now.evidence = tuple(dict.fromkeys(now.evidence + claim.evidence))
        declassified = claim.tier == Tier.GREEN != now.words.tier
        if claim.typed or declassified:
            now.evidence = tuple(dict.fromkeys(now.evidence + claim.evidence))
            now.words = claim if claim.value or declassified else replace(claim, value=now.words.value)
        now.last = claim
        now.told_by.add(claim.id)
        now.aliases = tuple(dict.fromkeys(now.aliases + claim.aliases))
        now.links = tuple(dict.fromkeys(now.links + claim.links))

    def _version(self, claim: Claim, status: Status) -> _Version:
        """A typed claim says only words; what it leaves out it takes from the value before."""
        heir = self.latest if claim.typed else None
        version = _Version(
            first=claim, status=status, number=self.accepted + 1, words=claim, last=claim, confidence=claim.confidence,
            type=claim.type or (heir.type if heir else "fact"), aliases=heir.aliases if heir else claim.aliases,
            links=heir.links if heir else claim.links, origin=claim.origin, actor=claim.actor,
            evidence=claim.evidence, told_by={claim.id},
        )
        self.versions.append(version)
        return version


def _same(one: Claim, other: Claim) -> bool:
    return same(one.value, one.statement, other.value, other.statement)


def story(claims: Iterable[Claim], key: str, clearance: Tier) -> Story:
    """What `claims`, sorted by (at, order), say about `key`. Without amber clearance quotes are left out."""
    claims = list(claims)
    teller = _Teller(gone=_gone(claims))
    for claim in claims:
        if claim.act != RETRACT or claim.id not in teller.gone:  # a retraction taken back never was
            teller.hear(claim)
    facts = tuple(_fact(version, key, clearance) for version in teller.versions)
    current = next((fact for fact in reversed(facts) if fact.status is Status.ACTIVE), None)
    return Story(facts, current, frozenset(version.first.id for version in teller.proposals))


def _gone(claims: Iterable[Claim]) -> frozenset[str]:
    """What was taken back and is not said again: a taking back may be taken back itself, and so on."""
    gone = set[str]()
    waiting = {claim.id: claim.unsaid for claim in claims if claim.unsaid}
    while waiting:
        aimed = frozenset().union(*waiting.values())
        decided = waiting.keys() - aimed or set(waiting)
        gone.update(*(waiting[name] for name in decided - gone))
        waiting = {name: back for name, back in waiting.items() if name not in decided}
    return frozenset(gone)


def _fact(version: _Version, key: str, clearance: Tier) -> Fact:
    words, quoted = version.words, version.evidence
    if clearance is not Tier.AMBER:
        quoted = tuple(Evidence(evidence.event, "") for evidence in quoted)
    return Fact(
        id=version.first.id, type=version.type, scope=version.first.scope, fact_key=key, value=words.value,
        statement=words.statement, status=version.status, confidence=version.confidence, tier=words.tier,
        observed_at=version.first.observed_at, recorded_at=version.first.recorded_at,
        last_confirmed_at=version.last.observed_at, version=version.number, detail=words.detail,
        origin=version.origin, actor=version.actor,
        supersedes=version.supersedes.value if version.supersedes else None,
        superseded_by=version.superseded_by.value if version.superseded_by else None,
        contradicts=version.contradicts.value if version.contradicts else None,
        evidence=quoted, aliases=version.aliases, links=version.links,
    )
