"""Facts with histories: who says what about which subject when, and what is true in the end.

The truth is worked out here by itself, so that it can be held against the ledger's.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from benchmarks.synthetic.words import dice, rare

BEGAN, DAYS = datetime(2023, 9, 1, 9, tzinfo=UTC), 1_000
PER_SUBJECT, SCOPES = 5, 50
TWIN = 9
"""Every tenth subject has the name of the one before and lies in another project, with other values."""

RELATIONS = (
    "port", "owner", "region", "backup window", "branch", "license", "timeout", "base image", "queue", "schedule",
    "manager", "budget code", "log level", "cache size", "retry limit", "runbook", "on-call rota", "data center",
    "protocol", "review partner", "storage class", "test runner", "package manager", "release day", "alert channel",
    "database engine", "default locale", "maintenance slot", "memory limit", "proxy", "rate limit", "sandbox account",
    "service level", "shard count", "support contact", "template", "time zone", "trunk", "vendor", "warehouse",
)  # fmt: skip
FORMS = ("The {relation} of {subject} is {value}.", "{subject} has {value} as its {relation}.",
         "For {subject} the {relation} is {value}.")


@dataclass(frozen=True, slots=True)
class Claim:
    """One act about a key: a value asserted, or the key's end by `retract` or `expire`. `late` ones are recorded after
    everything else, though they are older."""

    act: str
    value: str
    at: datetime
    said: str
    late: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """One key with all that is ever said about it, in the order of time."""

    number: int
    subject: str
    attribute: str
    scope: str
    tier: str
    alias: str
    claims: tuple[Claim, ...]

    @property
    def key(self) -> str:
        return f"{self.subject}|{self.attribute}"

    def at(self, moment: datetime) -> str | None:
        """The value that held at a moment, as it is known now."""
        before = [claim for claim in self.claims if claim.at <= moment]
        return before[-1].value if before and before[-1].act == "assert" else None

    @property
    def current(self) -> str | None:
        """The value that holds: the last one asserted, unless the key ended after it."""
        return self.at(self.claims[-1].at)

    @property
    def replaced(self) -> tuple[str, ...]:
        """Values that held once and do not now."""
        return tuple(dict.fromkeys(claim.value for claim in self.claims
                                   if claim.act == "assert" and claim.value != self.current))


def known(number: int, seed: int = 7) -> Known:
    """The fact of a number. Of a hundred, 70 have one value, 20 two, 8 three to five, 2 go back to an earlier one;
    3 are contradicted on one day, 2 retracted, 2 expired, 1 is told late; every eighth is amber."""
    entity, place = divmod(number, PER_SUBJECT)
    throws = dice(seed, "fact", number)
    subject, alias = names(namesake(entity), seed)
    attribute = relations(entity, seed)[place]
    values = [rare(10_000_000 + 8 * number + nth) for nth in range(throws.choices((1, 2, 3, 4, 5, 9),
              (70, 20, 4, 2, 2, 2))[0])][:5]  # fmt: skip
    if len(values) == 5 and throws.random() < 0.5:
        values = [values[0], values[1], values[0]]
    days = sorted(throws.sample(range(DAYS), len(values)))
    moments = [BEGAN + timedelta(days=day, minutes=throws.randrange(480)) for day in days]
    claims = [Claim("assert", value, at, said(subject, alias, attribute, value, throws.random(), throws.randrange(3)))
              for value, at in zip(values, moments, strict=True)]
    claims = _odd(claims, throws.random(), subject, alias, attribute, rare(10_000_000 + 8 * number + 6))
    return Known(number, subject, attribute, f"project-{entity % SCOPES:02d}", "amber" if number % 8 == 3 else "green",
                 alias, tuple(sorted(claims, key=lambda claim: claim.at)))


def _odd(claims: list[Claim], coin: float, subject: str, alias: str, attribute: str, other: str) -> list[Claim]:
    """What else may happen to a key."""
    last = claims[-1]
    if coin < 0.03:
        words = said(subject, alias, attribute, other, 1.0, 0)
        return [*claims, Claim("assert", other, last.at + timedelta(hours=3), words)]
    if coin < 0.05:
        return [*claims, Claim("retract", "", last.at + timedelta(days=9), f"Forget the {attribute} of {subject}.")]
    if coin < 0.07:
        return [*claims, Claim("expire", last.value, last.at + timedelta(days=181), "")]
    if coin < 0.08:
        words = said(subject, alias, attribute, other, 1.0, 1)
        return [*claims, Claim("assert", other, claims[0].at - timedelta(days=3), words, late=True)]
    return claims


def namesake(entity: int) -> int:
    """The subject whose name and relations a subject has: its own, or those of the one before."""
    return entity - 1 if entity % 10 == TWIN else entity


def relations(entity: int, seed: int = 7) -> list[str]:
    """What is known of a subject."""
    return dice(seed, "relations", namesake(entity)).sample(RELATIONS, PER_SUBJECT)


def names(entity: int, seed: int) -> tuple[str, str]:
    """What a person, a service or a host is called, and what else."""
    throws = dice(seed, "entity", entity)
    one, two = rare(2_000_000 + 2 * entity), rare(2_000_001 + 2 * entity)
    alias = rare(6_000_000 + entity)
    return throws.choice([f"{one.capitalize()} {two.capitalize()}", f"{one}-{two}", f"{one}.{two}.example"]), alias


def said(subject: str, alias: str, attribute: str, value: str, coin: float, form: int) -> str:
    """A fact in words; in one of five the subject goes by its other name."""
    return FORMS[form].format(subject=alias if coin < 0.2 else subject, relation=attribute, value=value)
