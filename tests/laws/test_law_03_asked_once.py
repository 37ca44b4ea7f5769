"""Law 3: a model is asked once. What it said is an event before anyone uses it, however often a run is cut off."""

import json
import re
from collections import Counter
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from rhizome.consolidate.distill import NOTHING_KNOWN, Known, KnownFact
from rhizome.consolidate.models.asking import AskingDistiller, Recorded
from rhizome.consolidate.models.port import NoReply, Reply
from rhizome.model import Draft, Event, Message, Part, Turn


class LightsOut(Exception):
    """The machine goes off."""


class Echoing:
    """A model that notes the first words of every turn it is shown, and counts how often it was shown each."""

    backend, model = "echoing", "small"

    def __init__(self) -> None:
        self.shown: Counter[str] = Counter()

    def ask(self, system: str, text: str) -> str | NoReply:
        assert system
        said = re.findall(r"event ([0-9a-f]+), said by the person\n(.*)", text)
        self.shown.update(words for _, words in said)
        return json.dumps({"drafts": [
            {"type": "fact", "subject": "tidepool", "attribute": words.split()[-1], "statement": words, "event": event,
             "quote": words} for event, words in said
        ]})  # fmt: skip

    def read(self, raw: str) -> Reply:
        return Reply(raw)


class Log:
    """Events that were appended, until the lights go out after so many of them."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.left = 0

    def append(self, event: Event) -> None:
        self.events.append(event)
        self.left -= 1
        if self.left < 0:
            raise LightsOut


def turn(number: int) -> Turn:
    event = f"{number:04x}".ljust(32, "0")
    text = f"The tidepool gauge number {number} hangs at place{number}"
    said = Message(event=event, part=Part.SAID, origin="human", text=text)
    return Turn(id=event, session="s", scope="tidepool", messages=(said,), closed=True)


def night(model: Echoing, log: Log, turns: list[Turn], known: Known) -> list[Draft]:
    recorded = Recorded(log.append, str, b"k" * 32, list(log.events))
    return AskingDistiller(model, recorded, lambda size: b"7" * size).distill(turns, known)


@settings(max_examples=settings().max_examples // 2)
@given(st.integers(1, 30), st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), max_size=5))
def test_whatever_cuts_a_run_off_no_turn_is_asked_about_twice(first: int, cuts: list[tuple[int, int]]) -> None:
    """After each cut there are more turns and more facts than before."""
    model, log, turns = Echoing(), Log(), [turn(number) for number in range(first)]
    facts: list[KnownFact] = []
    for appends, more in cuts:
        log.left = appends
        try:
            night(model, log, turns, Known({"tidepool": facts}))
        except LightsOut:
            facts = [*facts, KnownFact("tidepool|mast", f"number {len(facts)}")]
        turns = [*turns, *(turn(len(turns) + n) for n in range(more))]
    log.left = 1_000

    drafts = night(model, log, turns, NOTHING_KNOWN)

    assert set(model.shown.values()) == {1}
    assert len(drafts) == len(turns) == len({draft.event for draft in drafts})


def test_what_was_said_stands_in_the_log_when_the_lights_go_out() -> None:
    model, log = Echoing(), Log()
    with suppress(LightsOut):
        night(model, log, [turn(1)], NOTHING_KNOWN)

    assert [event.kind for event in log.events] == ["model.answered"]
    assert "place1" in log.events[0].fields["answer"]
