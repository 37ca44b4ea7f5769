"""What becomes of drafts: checked against what was said, capped by who said it, told to the ledger."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from rhizome.consolidate.expiry import expired, expiries, lifetimes
from rhizome.consolidate.heard import Heard, Spoken, hearings
from rhizome.consolidate.reconcile import Outcome, Reconciled, Setting, reconcile
from rhizome.errors import Refused
from rhizome.ledger.fold import Fold, fold
from rhizome.model import Draft, Event, Fact, Message, Part, Tier, Turn

SETTING = Setting(key=b"k" * 32, person="ines", run="2026-06-09-1a2b3c4d")


def message(event: str, text: str, origin: str = "human", *, day: int = 1, **more: Any) -> Message:
    part = Part.RETURNED if origin == "tool" else Part.SAID
    return Message(event=event, part=part, origin=origin, text=text, at=f"2026-06-{day:02d}T10:00:00Z", **more)


def turn(*messages: Message, session: str = "s1", scope: str = "tidepool") -> Turn:
    return Turn(id=messages[0].event, session=session, scope=scope, messages=messages, closed=True,
                at=messages[0].at, harness="codex")


def draft(event: str, quote: str, value: str, **more: Any) -> Draft:
    given = {"type": "decision", "subject": "deploy", "attribute": "branch", "scope": "tidepool",
             "statement": f"deploys go from {value}"} | more
    return Draft(event=event, quote=quote, value=value, **given)


def told(drafts: list[Draft], *turns: Turn, ledger: Fold | None = None) -> Reconciled:
    return reconcile(drafts, hearings(turns).get, ledger or Fold(), SETTING)


def one(text: str, origin: str = "human", *, quote: str | None = None, value: str = "main", ledger: Fold | None = None,
        day: int = 1, **more: Any) -> Outcome:
    """The outcome of one draft that quotes the one message there is."""
    said = turn(message("e1", text, origin, day=day))
    return told([draft("e1", quote or text, value, **more)], said, ledger=ledger).outcomes[0]


def body(outcome: Outcome) -> dict[str, Any]:
    assert outcome.event is not None, outcome.why
    return outcome.event.fields


def appended(*events: Event) -> list[Event]:
    return [msgspec.structs.replace(event, seq=seq, home="a", recorded_at=f"2026-07-01T00:00:00.{seq:06d}Z")
            for seq, event in enumerate(events, start=1)]


def after(*outcomes: Outcome) -> Fold:
    return fold(appended(*(outcome.event for outcome in outcomes if outcome.event)))


def current(ledger: Fold, clearance: Tier = Tier.AMBER) -> Fact | None:
    return ledger.get("tidepool", "deploy|branch", clearance)


def test_a_persons_words_become_a_fact_with_their_quote_and_offsets() -> None:
    outcome = one("Well, we deploy from main now.", quote="we deploy  from main")

    said = body(outcome)
    assert outcome.what == "asserted"
    assert said["evidence"] == [{"event": "e1", "quote": "we deploy from main", "start": 6, "end": 25}]
    assert (said["scope"], said["fact_key"], said["value"], said["confidence"], said["capped"]) == (
        "tidepool", "deploy|branch", "main", 1.0, False)
    assert said["observed_at"] == "2026-06-01T10:00:00Z"
    assert outcome.event is not None
    assert (outcome.event.origin, outcome.event.actor, outcome.event.call) == (
        "human", "human", "consolidate/2026-06-09-1a2b3c4d")


@pytest.mark.parametrize(("text", "quote", "why"), [
    ("we deploy from main now", "we deploy from trunk", "does not contain the quote"),
    ("we deploy from main", "from main", "does not contain the quote"),
    ("we deploy from main", "", "does not contain the quote"),
])
def test_a_quote_that_does_not_stand_there_is_refused(text: str, quote: str, why: str) -> None:
    outcome = told([draft("e1", quote, "main")], turn(message("e1", text))).outcomes[0]

    assert (outcome.what, outcome.event) == ("refused", None)
    assert why in outcome.why


def test_a_short_quote_counts_when_it_is_the_whole_text() -> None:
    assert one("main, please").what == "asserted"
    assert one(" main! ", quote="main!").what == "asserted"


def test_an_event_nobody_knows_is_refused() -> None:
    outcome = told([draft("e9", "we deploy from main", "main")], turn(message("e1", "hello"))).outcomes[0]

    assert (outcome.what, outcome.why) == ("refused", "quotes an event that is not in the log")


def test_a_value_nobody_said_is_refused() -> None:
    assert one("we deploy from main now", value="release").why == "its value does not stand in the event it quotes"


@pytest.mark.parametrize(("text", "value"), [
    ("the interval is 10 分 now, everywhere", "10分"), ("we use **MOSS_FAKE_CLOCK=1** there", "MOSS_FAKE_CLOCK=1"),
    ("labels are `29 x 90 mm`, die-cut", "29 x 90 mm"), ("No unwrap() or expect() anywhere outside of tests",
                                                         "no unwrap() or expect() outside tests"),
])
def test_a_value_may_stand_in_other_white_space_or_wrapping(text: str, value: str) -> None:
    assert one(text, value=value).what == "asserted"


@pytest.mark.parametrize(("origin", "inferred", "confidence"), [
    ("human", False, 1.0), ("model", False, 0.8), ("peer:bo", False, 0.8), ("human", True, 0.6), ("model", True, 0.6)])
def test_the_speaker_caps_the_confidence(origin: str, inferred: bool, confidence: float) -> None:
    assert body(one("we deploy from main now", origin, inferred=inferred))["confidence"] == confidence


@pytest.mark.parametrize("origin", ["harness", "memory", "unheard-of"])
def test_what_nobody_said_is_refused(origin: str) -> None:
    assert one("we deploy from main now", origin).what == "refused"


@pytest.mark.parametrize("flag", ["summary", "meta", "rolled_back", "rewound", "abandoned", "aborted"])
def test_what_nobody_stands_by_is_refused(flag: str) -> None:
    said = turn(message("e1", "we deploy from main now", flags=frozenset({flag})))

    assert told([draft("e1", "we deploy from main now", "main")], said).count("refused") == 1


def test_a_part_that_was_not_gathered_lends_its_voice_to_nobody() -> None:
    said = Heard(event="e1", text="thanks\nreminder: we deploy from main", parts=(Spoken("human", "thanks"),), at="")
    outcome = reconcile([draft("e1", "we deploy from main", "main")], {"e1": said}.get, Fold(), SETTING).outcomes[0]

    assert outcome.why == "quotes what no person, agent or tool said"


def test_a_note_that_a_harness_adds_to_a_persons_words_takes_nothing_from_them() -> None:
    reminder = message("e1", "be brief", "harness", flags=frozenset({"meta"}))
    said = turn(message("e1", "we deploy from main now"), reminder)

    assert told([draft("e1", "we deploy from main now", "main")], said).counts["asserted"] == 1
    assert told([draft("e1", "main now be brief", "main")], said).counts["refused"] == 1


def test_a_person_may_repeat_what_a_harness_put_beside_their_words() -> None:
    said = turn(message("e1", "we deploy from main now"), message("e1", "reminder: we deploy from main now", "harness"))

    assert told([draft("e1", "we deploy from main now", "main")], said).counts["asserted"] == 1


def test_a_later_value_supersedes_and_the_report_counts_both() -> None:
    turns = [turn(message("e1", "we deploy from main now")), turn(message("e2", "no: release from today", day=2))]

    result = told([draft("e1", "we deploy from main", "main"), draft("e2", "release from today", "release")], *turns)
    assert result.counts == {"asserted": 2, "superseded": 1, "confirmed": 0, "proposed": 0, "refused": 0,
                             "retracted": 0}
    assert result.outcomes[1].other is not None
    assert result.outcomes[1].other.value == "main"


def test_the_order_of_drafts_does_not_decide_what_is_current() -> None:
    turns = [turn(message("e1", "we deploy from main now")), turn(message("e2", "no: release from today", day=2))]
    drafts = [draft("e2", "release from today", "release"), draft("e1", "we deploy from main", "main")]

    fact = current(fold(appended(*told(drafts, *turns).events)))
    assert fact is not None
    assert fact.value == "release"


def test_saying_it_again_confirms() -> None:
    first = one("we deploy from main now")

    again = one("Main it is: we deploy from Main", value="Main", ledger=after(first), day=5)
    assert (again.what, again.event and again.event.kind) == ("confirmed", "fact.confirmed")


def test_a_models_contradiction_of_a_person_is_proposed() -> None:
    first = one("we deploy from main now")

    outcome = one("I see deploys from release here", "model", value="release", ledger=after(first), day=5)
    assert outcome.what == "proposed"
    assert outcome.other is not None
    assert outcome.other.value == "main"


def test_a_late_older_statement_becomes_history() -> None:
    first = one("we deploy from release now", value="release", day=9)

    outcome = one("we deploy from main now", ledger=after(first), day=2)
    fact = current(after(first, outcome))
    assert outcome.what == "asserted"
    assert fact is not None
    assert fact.value == "release"


def test_a_resumed_run_finds_its_own_claims() -> None:
    first = one("we deploy from main now")

    again = one("we deploy from main now", ledger=after(first))
    assert (again.what, again.event) == ("known", None)


def test_the_same_drafts_give_the_same_ids() -> None:
    assert one("we deploy from main now").event == one("we deploy from main now").event


def test_at_most_five_drafts_of_a_turn_are_taken() -> None:
    said = turn(message("e1", "ports are 1 and 2 and 3 and 4 and 5 and 6"))
    drafts = [draft("e1", "ports are 1 and 2", str(number), attribute=f"port{number}") for number in range(1, 7)]

    assert [outcome.what for outcome in told(drafts, said).outcomes] == ["asserted"] * 5 + ["refused"]


def test_the_fold_that_was_asked_stays_as_it_was() -> None:
    ledger = Fold()

    one("we deploy from main now", ledger=ledger)
    assert list(ledger.facts(Tier.AMBER)) == []


def test_a_personal_scope_is_this_persons_and_amber() -> None:
    said = body(one("always answer in Portuguese", value="Portuguese", scope="user", subject="user",
                    attribute="language"))

    assert (said["scope"], said["tier"]) == ("user:ines", "amber")


def test_a_draft_without_scope_takes_its_sessions() -> None:
    assert body(one("we deploy from main now", scope=""))["scope"] == "tidepool"


def test_an_amber_key_stays_amber_when_it_is_said_again() -> None:
    first = one("between us: we deploy from main", tier="amber")

    assert body(one("we deploy from release now", value="release", ledger=after(first), day=5))["tier"] == "amber"


def test_words_are_kept_on_one_line_and_visible() -> None:
    said = body(one("we deploy from main now", statement="deploys go\nfrom \x1b[31m\u202emain\u2066", type="rumour",
                    subject=" De|ploy\u200b "))

    assert (said["statement"], said["type"], said["fact_key"]) == ("deploys go from [31mmain", "fact", "de/ploy|branch")


@pytest.mark.parametrize("missing", [{"subject": " "}, {"attribute": "\u200b"}, {"statement": "\n"}])
def test_a_draft_without_its_parts_is_refused(missing: Any) -> None:
    assert one("we deploy from main now", **missing).what == "refused"


def test_an_undated_message_is_observed_with_its_earlier_neighbour() -> None:
    said = turn(message("e1", "hello there", day=3), Message("e2", Part.SAID, "human", "we deploy from main now"))

    outcome = told([draft("e2", "we deploy from main now", "main")], said).outcomes[0]
    assert body(outcome)["observed_at"].startswith("2026-06-03")


def fact(kind: str, day: int) -> Fact:
    outcome = one("we deploy from main now", type=kind, day=day)
    found = current(after(outcome))
    assert found is not None
    return found


@pytest.mark.parametrize(("kind", "days", "expires"), [
    ("fact", 179, False), ("fact", 180, True), ("lesson", 364, False), ("lesson", 365, True),
    ("preference", 364, False), ("preference", 365, True),
    ("decision", 9999, False), ("norm", 9999, False), ("profile", 9999, False)])
def test_what_nobody_confirmed_for_long_enough_expires(kind: str, days: int, expires: bool) -> None:
    now = datetime.fromtimestamp(datetime(2026, 6, 1, 10, tzinfo=UTC).timestamp() + days * 86400, UTC)

    assert bool(list(expired([fact(kind, 1)], now))) == expires


@pytest.mark.parametrize("said", [{"facts": 9}, {"fact": -1}, {"fact": "never"}, {"fact": True}, {"fact": 10**9}, [1]])
def test_a_lifetime_that_cannot_be_meant_is_refused(said: object) -> None:
    with pytest.raises(Refused, match=r"\[ledger\] expire"):
        lifetimes({"ledger": {"expire": said}})


def test_an_expiry_ends_the_value_for_every_reader_at_the_day_it_was_due() -> None:
    ledger = after(one("we deploy from main now", type="fact"))
    due = expiries(ledger, datetime(2027, 6, 1, tzinfo=UTC), key=SETTING.key, run=SETTING.run)
    for event in appended(*due):
        ledger.apply(event)

    assert [event.fields["observed_at"] for event in due] == ["2026-11-28T10:00:00.000000Z"]
    assert [current(ledger, clearance) for clearance in Tier] == [None, None]
    assert expiries(ledger, datetime(2027, 6, 1, tzinfo=UTC), key=SETTING.key, run=SETTING.run) == []
