"""Which current facts may be one thing under two keys: named to the owner, never merged."""

import pytest

from rhizome.consolidate.duplicates import duplicates
from rhizome.model import Fact, Status


def fact(key: str, value: str, statement: str = "", *, scope: str = "tidepool", day: int = 1,
         status: Status = Status.ACTIVE) -> Fact:
    at = f"2026-06-{day:02d}T00:00:00Z"
    return Fact(id=f"{scope} {key} {value}", type="fact", scope=scope, fact_key=key, value=value,
                statement=statement or f"The {key.replace('|', ' ')} is {value}.", status=status, confidence=1.0,
                tier="green", observed_at=at, recorded_at=at, last_confirmed_at=at)


def pairs(*facts: Fact) -> list[tuple[str, str]]:
    return [(pair.source.fact_key, pair.target.fact_key) for pair in duplicates(facts)]


@pytest.mark.parametrize(("one", "other"), [
    (fact("tidepool|dev_port", "8087"), fact("tidepool dev|port", "8087", day=2)),
    (fact("tidepool|dev_port", "8087"), fact("dev|tidepool_ports", "9090", day=2)),
    (fact("tidepool|dev_port", "8087"), fact("tidepool|port", "8087", day=2)),
    (fact("deploy|branch", "main", "We ship from main."), fact("release|source", "main", "we ship from `main`", day=2)),
])
def test_the_newer_of_two_names_for_one_thing_may_become_a_name_of_the_older(one: Fact, other: Fact) -> None:
    assert [(other.fact_key, one.fact_key)] == pairs(other, one)


@pytest.mark.parametrize(("one", "other"), [
    (fact("tidepool|dev_port", "8087"), fact("tidepool|dev_port", "8087", scope="mossbridge")),
    (fact("tidepool|dev_port", "8087"), fact("tidepool dev|port", "8087", status=Status.SUPERSEDED)),
    (fact("tidepool|retries", "3"), fact("tidepool|workers", "3")),
    (fact("deploy|branch", "main"), fact("docs|branch", "main")),
    (fact("tidepool|port", "8087"), fact("tidepool|dev_port", "9090")),
    (fact("user|reply_style", "short", "Short and in Spanish."), fact("user|language", "es", "Short and in Spanish.")),
])
def test_what_only_looks_alike_is_not_named(one: Fact, other: Fact) -> None:
    assert [] == pairs(one, other)


def test_a_value_that_many_keys_share_says_nothing() -> None:
    flags = [fact(f"tidepool|{'x' * length} flag", "true") for length in range(1, 25)]

    assert [] == pairs(*flags, fact("tidepool|flag", "true"))
