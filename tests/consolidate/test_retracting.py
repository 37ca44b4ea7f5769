"""A retraction in words: whose word ends what, and what it leaves behind."""

import msgspec

from rhizome.consolidate.heard import hearings
from rhizome.consolidate.reconcile import Reconciled, Setting, reconcile
from rhizome.ledger.fold import Fold
from rhizome.model import Draft, Event, Message, Part, Status, Tier, Turn

SETTING = Setting(key=b"k" * 32, person="ines", run="2026-06-09-1a2b3c4d")
KEY = "tidepool|deploy_day"


def turn(event: str, text: str, origin: str = "human", *, day: int = 2) -> Turn:
    at = f"2026-06-{day:02d}T10:00:00Z"
    part = Part.RETURNED if origin == "tool" else Part.SAID
    message = Message(event=event, part=part, origin=origin, text=text, at=at)
    return Turn(id=event, session="s1", scope="tidepool", messages=(message,), closed=True, at=at, harness="codex")


def draft(said: Turn, value: str = "") -> Draft:
    text = said.messages[0].text
    return Draft("decision", "tidepool", "deploy_day", value, "tidepool", text, said.id, text, retract=not value)


def after(ledger: Fold, *said: tuple[Turn, str]) -> tuple[Reconciled, Fold]:
    done = reconcile([draft(*each) for each in said], hearings([each for each, _ in said]).get, ledger, SETTING)
    events = [msgspec.structs.replace(event, seq=seq, home="a", recorded_at=f"2026-07-01T00:00:00.{seq:06d}Z")
              for seq, event in enumerate(done.events, start=1)]
    grown = ledger.fork()
    for event in events:
        grown.apply(event)
    return done, grown


def thursdays(origin: str = "human") -> Fold:
    return after(Fold(), (turn("e1", "We deploy on Thursdays, by the way.", origin, day=1), "Thursdays"))[1]


def test_a_persons_retraction_ends_the_value_and_brings_nothing_older_back() -> None:
    mondays = after(thursdays(), (turn("e2", "Deploys are on Mondays now, please.", day=2), "Mondays"))[1]

    done, ledger = after(mondays, (turn("e3", "Forget the deploy day, please.", day=3), ""))
    assert [outcome.what for outcome in done.outcomes] == ["retracted"]
    assert ledger.get("tidepool", KEY, Tier.AMBER) is None
    history = ledger.history("tidepool", KEY, Tier.AMBER)
    assert [fact.status for fact in history] == [Status.SUPERSEDED, Status.RETRACTED]


def test_who_may_see_the_fact_may_see_that_it_ended_but_no_words() -> None:
    done, ledger = after(thursdays(), (turn("e2", "Forget the deploy day, please."), ""))

    assert ledger.get("tidepool", KEY, Tier.GREEN) is None
    assert "Forget" not in msgspec.json.encode(done.events[0]).decode()


def test_a_tool_or_an_agent_ends_nothing_that_a_person_set() -> None:
    for origin in ("tool", "model"):
        done, ledger = after(thursdays(), (turn("e2", "Forget the deploy day, please.", origin), ""))

        assert done.events == ()
        assert done.outcomes[0].why == "takes back what a stronger word set"
        assert ledger.get("tidepool", KEY, Tier.AMBER) is not None


def test_what_nobody_holds_is_not_taken_back() -> None:
    done, _ = after(Fold(), (turn("e2", "Forget the deploy day, please."), ""))

    assert (done.events, done.outcomes[0].why) == ((), "takes back what is not held")


def test_the_same_words_take_it_back_once() -> None:
    said = (turn("e2", "Forget the deploy day, please."), "")
    _, ledger = after(thursdays(), said)

    again, _ = after(ledger, said)
    assert (again.events, again.outcomes[0].what) == ((), "known")


def test_what_is_said_afterwards_holds_again() -> None:
    _, without = after(thursdays(), (turn("e2", "Forget the deploy day, please.", day=2), ""))
    _, ledger = after(without, (turn("e3", "We deploy on Thursdays again.", day=3), "Thursdays"))

    fact = ledger.get("tidepool", KEY, Tier.AMBER)
    assert fact is not None and fact.value == "Thursdays"


def test_a_retraction_stays_in_its_time_whatever_the_order_of_the_log() -> None:
    first = Event(kind="fact.retracted", id="r", body={"scope": "tidepool", "fact_key": KEY, "confidence": 1.0,
                                                       "observed_at": "2026-05-01T00:00:00Z"})

    ledger = thursdays()
    ledger.apply(msgspec.structs.replace(first, recorded_at="2026-08-01T00:00:00Z"))
    assert ledger.get("tidepool", KEY, Tier.AMBER) is not None


