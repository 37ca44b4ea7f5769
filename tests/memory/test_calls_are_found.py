"""What agents told their tools, in every harness, is found: below what people said, and without teaching anything."""

import sqlite3
from collections.abc import Iterator
from shutil import copytree

import pytest

from rhizome.log.importers.texts import remembers
from rhizome.log.lineage import Lineage
from rhizome.log.sessions import messages
from rhizome.memory.searchable import spoken
from rhizome.model import Part
from rhizome.search.documents import LEFT_OUT
from tests.memory.living import EXAMPLES, Living

CALL = [{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "sluicegate --tighten 4711"}}]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    """The sample sessions of every harness in one log."""
    folder = tmp_path_factory.mktemp("every-harness")
    copytree(EXAMPLES, folder / "sessions")
    with sqlite3.connect(folder / "sessions" / "opencode" / "opencode.db") as database:
        database.executescript((EXAMPLES / "opencode" / "opencode.sql").read_text(encoding="utf-8"))
    database.close()
    living = Living(folder).begins()
    living.imports()
    yield living
    living.memory.parts.close()


def test_every_call_of_every_harness_is_searched(samples: Living) -> None:
    parts, harnesses, missing = samples.memory.parts, set(), []
    lineage = Lineage.of(parts.log)
    for session in lineage.sessions:
        here = {event.id for event in parts.log.session(session)}
        texts = {(each.ref, each.text) for each in spoken(parts, session, lineage)}
        for each in messages(parts.log, session, lineage):
            if each.part is Part.CALLED and each.event in here and not each.flags & LEFT_OUT:
                harnesses.add(lineage.sessions[session][0].harness)
                known = any(ref == each.event and each.text[:500] in text for ref, text in texts)
                missing += [] if known or remembers(each.tool, each.arguments) else [(session, each.text)]

    assert missing == []
    assert harnesses >= {"claude-code", "codex", "gemini-cli", "opencode", "pi", "cline", "specstory"}


def test_a_turn_of_a_call_and_its_result_alone_is_found_by_both(memory: Living) -> None:
    for n in range(6):
        memory.says(f"The harbour gauge shows {n} metres.", session=f"other-{n}")
    memory.records(("assistant", CALL), ("user", [
        {"type": "tool_result", "tool_use_id": "t", "content": "quernstone bearing replaced"}]))
    memory.imports()

    assert memory.found("sluicegate --tighten") and memory.found("quernstone bearing replaced")


def test_a_person_stands_before_a_call_that_holds_the_same_words(memory: Living) -> None:
    memory.records(("assistant", CALL))
    memory.says("We ran sluicegate --tighten 4711 on the north lock.")
    memory.imports()
    hits = memory.memory.search(query="sluicegate --tighten 4711")["hits"]

    assert hits[0]["receipt"]["origin"] == "human"
    assert any("command: sluicegate" in hit["snippet"] for hit in hits[1:])


def test_a_question_to_the_memory_does_not_answer_itself(memory: Living) -> None:
    question = {"query": "which valve does the north lock use"}
    memory.says("Look it up.")
    memory.records(
        ("assistant", [{"type": "tool_use", "id": "a", "name": "mcp__rhizome__memory_search", "input": question}]),
        ("assistant", [{"type": "tool_use", "id": "b", "name": "Bash",
                        "input": {"command": "rhizome search 'which valve does the north lock use'"}}]))
    memory.imports()

    assert [] == memory.found("which valve does the north lock use")


def test_nothing_is_derived_from_a_call(memory: Living) -> None:
    memory.says("Go on.")
    memory.records(("assistant", [{"type": "tool_use", "id": "t", "name": "Write", "input": {
        "file_path": "NOTES.md", "content": "Change of plan: tidepool dev server is 8087 from now on."}}]))
    memory.imports()
    memory.sleeps()

    assert memory.found("tidepool dev server")
    assert [] == memory.memory.facts()["facts"]


def test_a_secret_in_a_call_is_not_found_by_it(memory: Living) -> None:
    secret = "ghp_" + "k3Jd9fQ2mX7vB1nL5sT8wR4yZ6aC0eH2uG9p"
    memory.says("Push it.")
    memory.records(("assistant", [{"type": "tool_use", "id": "t", "name": "Bash", "input": {
        "command": f"git push https://{secret}@example.org/sluicegate.git"}}]))
    memory.imports()
    found = memory.memory.search(query=f"sluicegate push {secret}", no_vectors=True)["hits"]

    assert found
    assert secret not in str([hit["snippet"] for hit in found])


def test_a_turn_that_was_rewound_is_no_plain_saying(samples: Living) -> None:
    hits = samples.memory.search(query="zod", k=20)["hits"]

    assert "rewound" in {hit["receipt"]["status"] for hit in hits}


def test_what_was_rewound_is_read_as_such(samples: Living) -> None:
    said = next(hit["ref"] for hit in samples.memory.search(query="zod", k=20)["hits"]
                if hit["receipt"]["status"] == "rewound")

    assert samples.memory.read(ref=said)["receipt"]["status"] == "rewound"
    assert samples.memory.show_log(event=said)["events"][0]["status"] == "rewound"
