"""Where words come from: a line leads to its commit, its call, its fact, its event, and the turns around it."""

from typing import Any

import pytest

from rhizome.errors import NotFound, Refused
from tests.memory.living import Living

PORT = "The dev server runs on port {}."


def line_of(memory: Living, ref: str, words: str) -> int:
    return next(at for at, line in enumerate(memory.text(ref).splitlines(), 1) if words in line)


def why(memory: Living, ref: str, words: str, **how: Any) -> dict[str, Any]:
    return memory.memory.why(ref=f"{ref}:{line_of(memory, ref, words)}", **how)


def test_a_line_of_a_derived_note_leads_to_the_words_that_set_it(memory: Living) -> None:
    memory.hears("What do we have here?", reply="A tide gauge.")
    memory.hears(PORT.format(8080), reply="Noted.")
    memory.hears("Thanks!")
    memory.sleeps()

    chain = why(memory, "tidepool.md", "8080. [^")

    assert memory.git("rev-parse", "HEAD").strip() == chain["commit"]["id"]
    assert ("consolidated", "consolidator") == (chain["call"]["kind"], chain["call"]["actor"])
    [told] = chain["facts"]
    [said] = told["evidence"]
    assert ("tidepool|dev_port", "8080") == (told["fact"]["fact_key"], told["fact"]["value"])
    assert ("human", PORT.format(8080)) == (said["origin"], said["text"])
    assert said["quote"] in said["text"]
    assert ["What do we have here?", "A tide gauge.", PORT.format(8080), "Noted.", "Thanks!"] == [
        message["text"] for turn in said["turns"] for message in turn["messages"]
    ]
    assert [PORT.format(8080)] == [
        message["text"] for turn in said["turns"] for message in turn["messages"] if message["quoted"]
    ]


def test_a_footnote_leads_to_the_same_fact_as_its_statement(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()

    statement, footnote = (why(memory, "tidepool.md", words) for words in ("8080. [^", "[^tidepool-dev_port"))

    assert statement["facts"] == footnote["facts"]


def test_a_line_that_a_person_wrote_leads_to_their_save(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    memory.edits("tidepool.md", "# tidepool\n", "# tidepool\n\nMine.\n")
    memory.imports_nothing()

    chain = why(memory, "tidepool.md", "Mine.")

    assert ("note.saved", "human") == (chain["call"]["kind"], chain["call"]["actor"])
    assert [] == chain["facts"]


def test_a_statement_that_a_person_typed_leads_to_their_save_as_its_evidence(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    memory.edits("tidepool.md", "8080. [^", "9999. [^")
    memory.sleeps()

    chain = why(memory, "tidepool.md", "9999. [^")

    assert ["note.saved"] == [said["kind"] for said in chain["facts"][0]["evidence"]]
    assert "9999" == chain["facts"][0]["fact"]["value"]


def test_a_line_that_no_commit_has_yet_says_so_and_the_others_keep_theirs(memory: Living) -> None:
    memory.writes("boat.md", "# Boat\n\nIt floats.\n")
    memory.imports_nothing()
    memory.writes("boat.md", "# Boat\n\nIt is red.\n\nIt floats.\n")

    assert why(memory, "boat.md", "It is red.")["commit"] is None
    assert why(memory, "boat.md", "It floats.")["commit"]["subject"] == "save boat.md"


def test_an_event_leads_to_the_facts_that_rest_on_it(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    event = why(memory, "tidepool.md", "8080. [^")["facts"][0]["evidence"][0]["event"]

    chain = memory.memory.why(ref=event[:12])

    assert ["tidepool|dev_port"] == [each["fact"]["fact_key"] for each in chain["facts"]]
    assert PORT.format(8080) == chain["text"]


def test_a_whole_note_leads_to_its_newest_commit_and_the_facts_it_shows(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()

    chain = memory.memory.why(ref="tidepool.md")

    assert ["8080"] == [each["fact"]["value"] for each in chain["facts"]]
    assert chain["call"]["id"].startswith("consolidate/")


def test_a_green_reader_learns_the_id_of_what_was_said_and_no_word_of_it(memory: Living) -> None:
    memory.hears("Something private first.", reply="A secret answer.")
    memory.hears(PORT.format(8080))
    memory.sleeps()

    chain = why(memory, "tidepool.md", "8080. [^", clearance="green")

    [said] = chain["facts"][0]["evidence"]
    assert ("", "", [], "above the reader's clearance") == (
        said["quote"], said["text"], said["turns"], said["withheld"])
    assert [{"event": said["event"], "quote": ""}] == chain["facts"][0]["fact"]["evidence"]


def test_a_green_reader_cannot_ask_about_a_private_note_or_an_amber_event(memory: Living) -> None:
    memory.writes("private/me.md", "# Me\n")
    memory.hears(PORT.format(8080))
    memory.sleeps()
    event = why(memory, "tidepool.md", "8080. [^")["facts"][0]["evidence"][0]["event"]

    for ref in ("private/me.md:1", event):
        with pytest.raises(NotFound):
            memory.memory.why(ref=ref, clearance="green")


def test_a_line_that_the_note_does_not_have_is_refused(memory: Living) -> None:
    with pytest.raises(Refused, match="lines"):
        memory.memory.why(ref="welcome.md:9999")


def test_blame_tells_of_every_line_which_commit_and_call_set_it(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    memory.edits("tidepool.md", "# tidepool\n", "# tidepool\n\nMine.\n")
    memory.imports_nothing()

    lines = memory.memory.blame(note="tidepool.md")["lines"]

    assert memory.text("tidepool.md").splitlines() == [each["text"] for each in lines]
    actors = {each["text"]: each["call"].partition("/")[0] for each in lines}
    assert ("human", "consolidate") == (actors["Mine."], actors["title: tidepool"])
    assert {"tidepool|dev_port"} == {each["fact_key"] for each in lines if "8080" in each["text"]}
