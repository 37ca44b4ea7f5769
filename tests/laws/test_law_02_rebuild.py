"""Law 2, for derived notes: replaying the log gives the bytes that a live run gave, and nothing is parsed again."""

from random import Random

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from rhizome.consolidate.derive import derive
from rhizome.consolidate.plan import Plan, diff
from rhizome.model import Event
from tests.laws.histories import DEPLOY, History


@given(st.integers(0, 2**32 - 1).map(Random))
def test_a_replay_of_the_log_gives_every_derived_note_to_the_byte(random: Random) -> None:
    history = History(random, stale=0.2)
    history.play()

    replayed = derive(history.log).files

    assert Plan() == diff(replayed, history.derived.files)


@given(st.integers(0, 2**32 - 1).map(Random))
def test_a_replay_of_the_log_from_its_bytes_gives_the_same(random: Random) -> None:
    history = History(random, stale=0.2)
    history.play()
    lines = [msgspec.json.encode(event) for event in history.log]

    replayed = derive(msgspec.json.decode(line, type=Event) for line in lines).files

    assert history.derived.files == replayed


def test_what_a_save_said_is_what_its_event_says_however_its_text_would_be_read_today() -> None:
    history = History(Random(1))
    history.hears("deploy|branch", "main")
    history.night()
    body = history.edits(DEPLOY, "# deploy", "# deploy\nThe branch is nobody's. [^other]")
    said = {"op": "assert", "scope": "tidepool", "fact_key": "deploy|branch", "statement": "It is blue.", "value": ""}
    history.log[-1] = msgspec.structs.replace(history.log[-1], body=body | {"ops": [said]})
    history.put("consolidated", {"run": "r", "turns": [], "days": {}})

    replayed = derive(history.log).files[DEPLOY].decode()

    assert "- It is blue. [^deploy-branch-" in replayed


def test_nothing_is_rendered_before_a_night() -> None:
    history = History(Random(1))
    history.hears("deploy|branch", "main")

    assert {} == history.derived.files


def test_the_order_in_which_a_fact_was_heard_and_confirmed_changes_no_byte_of_its_note() -> None:
    history = History(Random(1))
    history.hears("deploy|branch", "main")
    history.night()
    before = history.text(DEPLOY)
    history.hears("deploy|branch", "main", "It is main, as ever.")
    history.night()

    assert before == history.text(DEPLOY)
