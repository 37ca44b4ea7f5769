"""What becomes a document, and what does not."""

import msgspec

from rhizome.model import Evidence, Fact, FactLink, Message, Part, Status
from rhizome.search.documents import (
    TOOL_CHARS,
    cleaned,
    fact_documents,
    note_documents,
    session_documents,
)

ACTIVE = Fact(
    id="f1", type="decision", scope="tidepool", fact_key="deploy|branch", value="release", status=Status.ACTIVE,
    statement="We ship from release.", confidence=1.0, tier="green", observed_at="2026-05-01T10:00:00Z",
    recorded_at="2026-05-02T10:00:00Z", last_confirmed_at="2026-05-03T10:00:00Z", origin="human", actor="human",
    evidence=(Evidence("e9", "we ship from release"),), aliases=("rollout",),
    links=(FactLink("ci", "runs on", "it builds"),),
)


def said(event: str, text: str, *, origin: str = "human", part: Part = Part.SAID, flags: str = "") -> Message:
    return Message(event, part, origin, text, at="2026-05-01T10:00:00+02:00", flags=frozenset(flags.split()))


def test_a_note_is_a_document_a_section() -> None:
    found = note_documents("a/b.md", "B", [("", 1, "intro"), ("Then", 5, "text")], tier="green", aliases=["bee"])

    assert [(each.id, each.ref, each.heading) for each in found] == [
        ("note:a/b.md#0", "a/b.md:1", ""), ("note:a/b.md#1", "a/b.md:5", "Then")]
    assert {each.status for each in found} == {"current"}


def test_a_note_without_text_still_has_its_title() -> None:
    assert [each.title for each in note_documents("a.md", "A", [("", 1, "  ")], tier="green")] == ["A"]


def test_only_an_active_fact_is_a_document_and_it_refers_to_its_quote() -> None:
    old = msgspec.structs.replace(ACTIVE, id="f0", status=Status.SUPERSEDED)

    found = list(fact_documents([old, ACTIVE]))

    assert [(each.id, each.ref, each.title, each.tier) for each in found] == [
        ("fact:f1", "e9", "deploy|branch", "green")]
    assert found[0].confirmed_at == "2026-05-03T10:00:00Z"


def test_a_session_is_what_was_said_and_returned_in_order() -> None:
    found = list(session_documents(
        [said("e1", "where do we ship from?"), said("e2", "let me look", origin="model"),
         said("e3", "x" * 9_000, origin="tool", part=Part.RETURNED), said("e4", "", origin="model"),
         said("e5", "from release", origin="model")],
        session="s", scope="tidepool", recorded={"e1": "2026-05-02T00:00:00Z"}, superseded={"e5": "fact:f2"}))

    assert [(each.ref, each.role, each.position, each.status) for each in found] == [
        ("e1", "human", 0, "said"), ("e2", "model", 1, "said"), ("e3", "tool", 2, "said"),
        ("e5", "model", 3, "superseded")]
    assert [each.before for each in found] == ["", "where do we ship from?", "let me look", "let me look"]
    assert found[2].text.endswith(f"[{9_000 - TOOL_CHARS} more characters in the log]")
    assert (found[0].recorded_at, found[3].superseded_by) == ("2026-05-02T00:00:00Z", "fact:f2")


def test_a_call_is_a_document_beside_what_it_returned_and_moves_no_turn_apart() -> None:
    found = list(session_documents(
        [said("e1", "ship it"), said("e2", "Bash\ncommand: make ship", origin="model", part=Part.CALLED),
         said("e3", "y" * 9_000, origin="model", part=Part.CALLED),
         said("e3", "shipped", origin="tool", part=Part.RETURNED),
         said("e4", "done", origin="model")],
        session="s", scope="tidepool"))

    assert [(each.id, each.role, each.origin, each.position) for each in found] == [
        ("event:e1", "human", "human", 0), ("event:e2", "call", "model", 1), ("event:e3", "call", "model", 1),
        ("event:e3:1", "tool", "tool", 1), ("event:e4", "model", "model", 2)]
    assert found[2].text.endswith(f"[{9_000 - TOOL_CHARS} more characters in the log]")
    assert {each.before for each in found[1:]} == {"ship it"}


def test_a_turn_that_was_undone_says_so() -> None:
    found = session_documents(
        [said("e1", "one", flags="rewound"), said("e2", "two", flags="sidechain aborted"), said("e3", "three")],
        session="s", scope=None, superseded={"e1": "fact:f2"})

    assert [each.status for each in found] == ["superseded", "aborted", "said"]


def test_second_copies_echoes_memory_and_harness_text_are_left_out() -> None:
    found = session_documents(
        [said("e1", "a", flags="mirror"), said("e2", "b", flags="meta"), said("e3", "c", flags="summary"),
         said("e4", "d", origin="memory", part=Part.RETURNED), said("e5", "e", origin="harness"),
         said("e6", "f", part=Part.THOUGHT, origin="model"), said("e7", "g"), said("e8", "h", flags="sidechain")],
        session="s", scope=None, echoes={"e7"})

    assert [each.ref for each in found] == ["e8"]


def test_two_texts_of_one_event_are_two_documents() -> None:
    found = session_documents([said("e1", "one"), said("e1", "two")], session="s", scope=None)

    assert [each.id for each in found] == ["event:e1", "event:e1:1"]


def test_lone_surrogates_are_replaced_and_nothing_else() -> None:
    broken, whole = (next(session_documents([said("e1", text)], session="s", scope=None)) for text in ("a\ud800b", "é"))

    assert cleaned(broken).text == "a?b"
    assert cleaned(whole) is whole
