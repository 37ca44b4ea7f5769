"""What becomes of a `remember`."""

import re
from typing import Any

import msgspec
import pytest

from rhizome.consolidate.captured import captured
from rhizome.consolidate.heard import proposed
from rhizome.consolidate.proposals import Outcome, Proposal, propose
from rhizome.consolidate.reconcile import Setting, reconcile
from rhizome.errors import Refused
from rhizome.ledger.fold import Fold, fold
from rhizome.model import Event, Tier

KEY = b"k" * 32


def wish(statement: str = "we ship from main", **more: Any) -> Proposal:
    given = {"key": "Deploy | Branch", "scope": "tidepool", "value": "main", "actor": "agent:codex", "session": "s1"}
    return Proposal(statement=statement, **(given | more))


def remember(proposal: Proposal, *, ledger: Fold | None = None, **more: Any) -> Outcome:
    return propose(proposal, fold=ledger or Fold(), key=KEY, **more)


def logged(outcome: Outcome, seq: int = 1, at: str = "2026-06-01T10:00:00Z") -> Event:
    assert outcome.event is not None
    return msgspec.structs.replace(outcome.event, seq=seq, home="a", recorded_at=at)


def consolidated(*proposals: Event) -> Fold:
    by_id = {event.id: proposed(event) for event in proposals}
    told = reconcile(captured(proposals), by_id.get, Fold(), Setting(KEY, "ines", "run"))
    return fold(msgspec.structs.replace(event, seq=seq, recorded_at="2026-06-02T10:00:00Z")
                for seq, event in enumerate(told.events, start=1))


def test_something_new_is_an_event_in_the_proposers_words() -> None:
    outcome = remember(wish())

    event = logged(outcome)
    assert (outcome.outcome, event.kind, event.scope, event.session, event.actor, event.tier) == (
        "new", "memory.proposed", "tidepool", "s1", "agent:codex", "amber")
    assert event.fields == {"subject": "deploy", "attribute": "branch", "statement": "we ship from main",
                            "value": "main", "type": "fact", "tier": None, "typed": False}


@pytest.mark.parametrize(("typed", "confidence"), [(False, 0.8), (True, 1.0)])
def test_a_proposal_is_believed_as_far_as_whoever_typed_it(typed: bool, confidence: float) -> None:
    fact = consolidated(logged(remember(wish(typed=typed)))).get("tidepool", "deploy|branch", Tier.AMBER)

    assert fact is not None
    assert (fact.value, fact.confidence) == ("main", confidence)
    assert [evidence.quote for evidence in fact.evidence] == ["we ship from main"]


def test_what_is_known_is_confirmed_and_what_contradicts_is_named() -> None:
    ledger = consolidated(logged(remember(wish(typed=True))))

    again = remember(wish("Main it is", value="Main."), ledger=ledger)
    other = remember(wish("we ship from release", value="release"), ledger=ledger)
    assert (again.outcome, other.outcome) == ("confirmed", "conflicts")
    assert other.event is not None
    assert other.other is not None
    assert other.other.value == "main"


def test_a_green_caller_is_not_told_what_it_may_not_see() -> None:
    ledger = consolidated(logged(remember(wish(typed=True, tier="amber"))))

    outcome = remember(wish("we ship from release", value="release"), ledger=ledger, clearance=Tier.GREEN)
    assert (outcome.outcome, outcome.other) == ("new", None)


def test_an_equal_proposal_that_waits_is_a_duplicate() -> None:
    first = logged(remember(wish()))

    outcome = remember(wish("We ship from main!", value=""), earlier=[first])
    assert (outcome.outcome, outcome.event, outcome.known) == ("duplicate", None, first.id)


def test_a_session_that_says_it_again_adds_nothing_but_another_session_does() -> None:
    first = logged(remember(wish()))
    settled = frozenset({first.id})

    assert remember(wish(), earlier=[first], settled=settled).outcome == "duplicate"
    assert remember(wish(session="s2"), earlier=[first], settled=settled).outcome == "new"


def test_a_person_saying_what_an_agent_proposed_is_no_duplicate() -> None:
    first = logged(remember(wish()))

    assert remember(wish(typed=True), earlier=[first]).outcome == "new"


def test_saying_it_again_after_it_was_settled_is_another_event() -> None:
    first = logged(remember(wish(session=None, typed=True)))

    again = remember(wish(session=None, typed=True), earlier=[first], settled=frozenset({first.id}))
    assert again.event is not None
    assert again.event.id != first.id


def test_red_words_are_refused_and_nothing_of_them_is_kept() -> None:
    by_tier = remember(wish("the pin is 4711", tier="red", key="bank|pin", value="4711"))
    by_pattern = remember(wish("the pin is 4711"), red=[re.compile("nothing"), re.compile(r"\bpin\b")])

    assert (by_tier.outcome, by_pattern.outcome) == ("refused", "refused")
    for outcome, rule in ((by_tier, "[refused:tier-red]"), (by_pattern, "[refused:red-2]")):
        event = logged(outcome)
        assert event.fields["statement"] == rule
        assert not {"4711", "pin", "bank"} & set(re.findall(r"\w+", str(event.fields)))
        assert captured([event]) == []


def many(count: int, **more: Any) -> list[Event]:
    """Different proposals of one session, recorded at ten."""
    wishes = [wish(f"statement {number}", value="", key=f"deploy|thing{number}", **more) for number in range(count)]
    return [logged(remember(each), seq) for seq, each in enumerate(wishes, start=1)]


@pytest.mark.parametrize(("before", "turn_began", "outcome"), [
    (many(4), "2026-06-01T09:00:00Z", "new"), (many(5), "2026-06-01T09:00:00Z", "over_quota"),
    (many(5), "2026-06-01T11:00:00Z", "new"), (many(19), None, "new"), (many(20), None, "over_quota"),
    (many(20, session="s2"), None, "new"), (many(20, typed=True), None, "new")])
def test_an_agent_may_propose_so_much_and_no_more(before: list[Event], turn_began: str | None, outcome: str) -> None:
    assert remember(wish(), earlier=before, turn_began=turn_began).outcome == outcome


def test_a_person_has_no_quota() -> None:
    assert remember(wish("we ship " * 700, typed=True), earlier=many(30)).outcome == "new"
    assert remember(wish("we ship " * 700)).outcome == "over_quota"


@pytest.mark.parametrize("wrong", [{"key": "deploy"}, {"key": "|branch"}, {"key": ""}, {"statement": "  "},
                                   {"type": "rumour"}, {"tier": "teal"}])
def test_what_cannot_be_meant_is_refused_with_a_hint(wrong: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        remember(wish(**wrong))

    assert refused.value.hint


@pytest.mark.parametrize("statement", [
    "Maybe tidepool deploys on Fridays?", "Does tidepool deploy on Fridays?", "Perhaps it deploys on Fridays.",
    "I think we ship from main.", "We ship from main, probably.", "Not sure, but the port is 8087.",
    "Talvez o deploy seja às sextas.", "Acho que a porta é 8087.", "O deploy é na sexta?",
    "Quizás desplegamos los viernes.", "Creo que el puerto es 8087.", "¿El puerto es 8087?",
    "Vielleicht deployen wir freitags.", "Ich glaube, der Port ist 8087.", "Ist der Port 8087?",
    "たぶん金曜日にデプロイする。", "ポートは8087だと思います。", "ポートは8087ですか", "ポートは8087？",
    "x", "- x", "8087", "...", "はい", "(?)",
])
def test_a_question_a_doubt_and_what_says_nothing_are_refused_and_told_why(statement: str) -> None:
    outcome = remember(wish(statement, typed=True))

    assert (outcome.outcome, outcome.event) == ("refused", None)
    assert outcome.why


@pytest.mark.parametrize("statement", [
    "The API might return 429; retry after a second.", "If the build fails, clear the cache.", "uv only",
    "Tests usually take three minutes.", "Ask before you deploy: `deploy?` is the alias.", "リリースは木曜日",
    "夜のサーバーは静か", 'A search for "maybe" finds nothing.', "GET /tide?day=1 answers with JSON.",
    "Quando fizer deploy, rode make smoke.",
    "The thinking budget is 4,000 tokens.", "Der Port ist 8087.", "デプロイは金曜日にしない。",
])
def test_what_claims_something_is_taken(statement: str) -> None:
    assert remember(wish(statement)).outcome == "new"


def test_whatever_is_refused_says_why() -> None:
    before = [logged(remember(wish(f"we ship from {nth}", value=str(nth))), seq=nth) for nth in range(1, 21)]

    assert [outcome.outcome for outcome in (remember(wish(tier="red")), remember(wish("we ship"), earlier=before))] == [
        "refused", "over_quota"]
    assert all(outcome.why for outcome in (remember(wish(tier="red")), remember(wish("we ship"), earlier=before)))
