"""What a green reader sees of an amber memory: nothing, by any verb."""

from collections.abc import Iterator
from typing import Any

import pytest

from rhizome.errors import NotFound
from tests.memory.living import Living

SECRET = "zanzibar"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    """A memory whose amber parts all speak of one word: a private note, a raised one, a session, a person's fact."""
    memory = Living(tmp_path_factory.mktemp("guarded")).begins()
    memory.hears(f"The dev server runs on port 8080. I was in {SECRET} once.")
    memory.memory.remember(key="ines|birthplace", statement=f"Ines was born in {SECRET}.", value=SECRET, scope="user")
    memory.sleeps()
    memory.writes(f"private/{SECRET}.md", f"# {SECRET}\n\nOn [tidepool](../notes/tidepool.md): {SECRET}\n")
    memory.writes("raised.md", f"---\ntier: amber\naliases: [{SECRET}]\n---\n# Raised\n\n[tidepool](tidepool.md)\n")
    memory.writes("open.md", "# Open\n\nTo [raised](raised.md): the other one.\n")
    memory.imports_nothing()
    yield memory
    memory.memory.parts.close()


def test_a_green_reader_is_told_nothing_by_verbs_that_answer(guarded: Living) -> None:
    green: dict[str, Any] = {"clearance": "green"}
    answers = [
        guarded.memory.search(query=SECRET, k=20, **green),
        guarded.memory.search(query="dev server port", k=20, **green),
        guarded.memory.search(query="dev server", session="s1", k=20, **green),
        guarded.memory.facts(**green),
        guarded.memory.fact(key="tidepool|dev_port", history=True, **green),
        guarded.memory.list_(**green),
        guarded.memory.graph(note="tidepool.md", hops=3, **green),
        guarded.memory.graph(note="open.md", **green),
        guarded.memory.read(ref="tidepool.md", **green),
    ]

    assert not [answer for answer in answers if SECRET in str(answer)]
    assert not [hit for answer in answers[:3] for hit in answer["hits"] if hit["layer"] == "history"]
    assert SECRET in str(guarded.memory.search(query=SECRET, k=20))


@pytest.mark.parametrize("ref", [f"private/{SECRET}.md", "raised.md"])
@pytest.mark.parametrize("at", [None, "2030-01-01"])
def test_a_green_reader_finds_no_amber_note_to_read(guarded: Living, ref: str, at: str | None) -> None:
    assert guarded.memory.read(ref=ref, at=at)["text"]

    with pytest.raises(NotFound):
        guarded.memory.read(ref=ref, at=at, clearance="green")


@pytest.mark.parametrize("ref", [f"private/{SECRET}.md", "raised.md"])
def test_a_green_reader_hears_the_same_of_an_amber_note_and_of_none(guarded: Living, ref: str) -> None:
    told = []
    for name in (ref, ref.replace(".md", "-none.md")):
        with pytest.raises(NotFound) as refused:
            guarded.memory.read(ref=name, clearance="green")
        told.append((refused.value.message.replace(name, "it"), refused.value.hint))

    assert told[0] == told[1]


def test_an_amber_reader_reads_a_green_note_as_it_was_before_it_was_removed(guarded: Living) -> None:
    guarded.writes("gone.md", "# Gone\n\nFor a while.\n")
    guarded.imports_nothing()
    commit = guarded.git("rev-parse", "HEAD").strip()
    guarded.path("gone.md").unlink()
    guarded.imports_nothing()

    assert "For a while." in guarded.memory.read(ref="gone.md", at=commit)["text"]


def test_events_of_amber_notes_and_sessions_are_not_there_for_a_green_reader(guarded: Living) -> None:
    events = list(guarded.memory.parts.log.history())

    assert {"amber", "green"} == {event.tier for event in events}
    for event in events:
        if event.tier == "amber":
            with pytest.raises(NotFound):
                guarded.memory.read(ref=event.id, clearance="green", raw=True)
        else:
            assert SECRET not in guarded.memory.read(ref=event.id, clearance="green", raw=True)["text"]


def test_a_session_that_there_is_not_is_told_from_one_that_there_is_only_to_an_amber_reader(guarded: Living) -> None:
    with pytest.raises(NotFound):
        guarded.memory.search(query="port", session="none")

    known, unknown = (guarded.memory.search(query="port", session=name, clearance="green") for name in ("s1", "none"))
    assert known | {"detail": known["detail"].replace("s1", "none")} == unknown


def test_private_notes_are_committed_in_a_repository_of_their_own(guarded: Living) -> None:
    assert f"{SECRET}.md" in guarded.git("ls-files", private=True)
    assert SECRET not in guarded.git("ls-files")
