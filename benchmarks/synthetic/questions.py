"""Questions whose answers are known because the facts are."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from benchmarks.synthetic.facts import PER_SUBJECT, RELATIONS, TWIN, Known, relations
from benchmarks.synthetic.words import rare


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: to which reader, in which project, about which fact, as things stood on which day. `right` is the
    value that answers it, None where nothing does; `wrong` are values that may not be served."""

    kind: str
    text: str
    scope: str
    clearance: str
    fact: Known
    right: str | None
    wrong: tuple[str, ...] = ()
    as_of: str | None = None


def questions(facts: Iterable[Known]) -> Iterator[Asked]:
    """Every question that these facts are good for."""
    before: Known | None = None
    for fact in facts:
        plain = f"what is the {fact.attribute} of {fact.subject}"
        if fact.tier == "amber":
            yield Asked("forbidden", plain, fact.scope, "green", fact, None, _values(fact))
        elif fact.current is not None:
            yield Asked("exact", plain, fact.scope, "amber", fact, fact.current, fact.replaced)
            other = f"{fact.attribute} of {fact.alias}"
            yield Asked("alias", other, fact.scope, "amber", fact, fact.current, fact.replaced)
        for old in fact.replaced[:1]:
            yield Asked("superseded", f"is {old} the {fact.attribute} of {fact.subject}", fact.scope, "amber", fact,
                        fact.current, fact.replaced)
        if fact.number // PER_SUBJECT % 10 == TWIN and before is not None:
            yield Asked("scope", plain, fact.scope, "amber", fact, fact.current, fact.replaced)
        if fact.number % PER_SUBJECT == 0 and fact.tier == "green":
            unused = next(each for each in RELATIONS if each not in relations(fact.number // PER_SUBJECT))
            yield Asked("unused", f"what is the {unused} of {fact.subject}", fact.scope, "amber", fact, None)
        if (day := _earlier(fact)) is not None:
            yield Asked("as of", plain, fact.scope, "amber", fact, fact.at(day), (), day.date().isoformat())
        if fact.number % 10 == 0:
            unknown = f"what is the {fact.attribute} of {rare(90_000_000 + fact.number)}"
            yield Asked("unknown", unknown, fact.scope, "amber", fact, None)
        before = fact


def _values(fact: Known) -> tuple[str, ...]:
    return tuple(dict.fromkeys(claim.value for claim in fact.claims if claim.value))


def _earlier(fact: Known) -> datetime | None:
    """The end of the day before the value that holds was said, where another one held then."""
    last = fact.claims[-1]
    day = datetime.combine(last.at.date(), time(), last.at.tzinfo) - timedelta(microseconds=1)
    return day if last.act == "assert" and fact.at(day) not in (None, fact.current) else None
