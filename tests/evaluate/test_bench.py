"""A set of documents and questions in a memory of its own."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from rhizome.errors import NotFound, Refused
from rhizome.evaluate.corpus import Text, corpus, when
from rhizome.memory.memory import Memory

TURNS = [
    {"id": "c1:1", "text": "Ada: The boiler was replaced on Tuesday.",
     "meta": {"scope": "c1", "parent": "c1:A", "date": "1:56 pm on 8 May, 2023", "speaker": "Ada"}},
    {"id": "c1:2", "text": "Bo: Which make did they install?",
     "meta": {"scope": "c1", "parent": "c1:A", "date": "1:56 pm on 8 May, 2023", "speaker": "Bo"}},
    {"id": "c2:1", "text": "We moved the greenhouse to the north wall.",
     "meta": {"scope": "c2", "parent": "c2:A", "date": "March-15-2024", "role": "user"}},
    {"id": "c2:2", "text": "The boiler there heats the greenhouse.",
     "meta": {"scope": "c2", "parent": "c2:A", "date": "March-15-2024", "role": "assistant"}},
]
NOTES = [{"id": "tide", "text": "# Tides\n\nThe tide gauge at the pier reports every six minutes."},
         {"id": "kiln", "text": "The kiln cools for nine hours.\n\n## Cones\n\nCone six is fired at 1222 degrees."}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lay(tmp_path / "set", documents=[*TURNS, *NOTES], queries=[
        {"id": "q1", "text": "when was the boiler replaced", "relevant": ["c1:1"], "category": "turn", "scope": "c1"},
        {"id": "q2", "text": "boiler there heats what", "relevant": ["c2:2"], "category": "turn", "scope": "c2"},
        {"id": "q3", "text": "cone six degrees", "relevant": ["kiln"], "category": "note"},
    ])
    return tmp_path / "set"


def lay(folder: Path, **files: Iterable[dict[str, Any]]) -> None:
    folder.mkdir(exist_ok=True)
    for name, lines in files.items():
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


def answers(file: Path) -> dict[str, dict[str, Any]]:
    return {line["id"]: line for line in map(json.loads, file.read_text(encoding="utf-8").splitlines())}


def test_turns_and_notes_are_found_where_their_scope_is(memory: Memory, folder: Path) -> None:
    told = memory.eval_bench(folder=folder, out=folder / "run.jsonl")

    assert told["sets"][0]["table"]["all"]["hit@1"] == 1
    run = answers(folder / "run.jsonl")
    assert all(name.startswith("c1:") for name in run["q1"]["ranked"])
    assert run["q3"]["ranked"].count("kiln") == 1  # two sections of one note


def test_each_file_of_questions_has_its_own_answers_beside_the_one_named(memory: Memory, folder: Path) -> None:
    lay(folder, queries_foreign=[{"id": "f1", "text": "who won the chess final", "relevant": [], "unanswerable": True}])

    told = memory.eval_bench(folder=folder, out=folder / "run.jsonl")

    assert [each["queries"] for each in told["sets"]] == ["queries.jsonl", "queries_foreign.jsonl"]
    assert answers(folder / "run_foreign.jsonl")["f1"]["abstained"]
    assert told["sets"][1]["refusals"]["recall"] == 1


def test_a_refusal_is_ranked_too(memory: Memory, folder: Path) -> None:
    text = "which notary in Lisbon witnessed the boiler deed and mortgage"
    lay(folder, queries=[{"id": "q", "text": text, "relevant": [], "unanswerable": True, "scope": "c1"}])

    memory.eval_bench(folder=folder, out=folder / "run.jsonl")

    answer = answers(folder / "run.jsonl")["q"]
    assert answer["abstained"]
    assert answer["ranked"][0] == "c1:1"
    assert 0 < answer["score"] < 1


def test_two_runs_give_the_same_answers(memory: Memory, folder: Path) -> None:
    for name in ("one", "two"):
        memory.eval_bench(folder=folder, out=folder / f"{name}.jsonl", no_vectors=True)

    assert (folder / "one.jsonl").read_bytes() == (folder / "two.jsonl").read_bytes()


def test_the_notes_of_a_vault_are_the_documents_of_their_paths(memory: Memory, folder: Path) -> None:
    (folder / "vault" / "shore").mkdir(parents=True)
    (folder / "vault" / "shore" / "pier.md").write_text("---\naliases: [jetty]\n---\n# Pier\n\nLit at night.\n")
    lay(folder, documents=[{"id": "shore/pier.md", "text": "is a file already"}],
        queries=[{"id": "q", "text": "is the jetty lit", "relevant": ["shore/pier.md"]}])  # fmt: skip

    memory.eval_bench(folder=folder, out=folder / "run.jsonl")

    assert answers(folder / "run.jsonl")["q"]["ranked"] == ["shore/pier.md"]


def test_a_vault_needs_no_other_documents(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "set" / "vault").mkdir(parents=True)
    (tmp_path / "set" / "vault" / "pier.md").write_text("# Pier\n\nLit at night.\n")
    lay(tmp_path / "set", queries=[{"id": "q", "text": "is the pier lit", "relevant": ["pier.md"]}])

    told = memory.eval_bench(folder=tmp_path / "set", out=tmp_path / "new folder" / "run.jsonl")

    assert told["documents"] == 1
    assert answers(tmp_path / "new folder" / "run.jsonl")["q"]["ranked"] == ["pier.md"]


def test_a_number_of_the_search_is_another_one_for_a_run(memory: Memory, folder: Path) -> None:
    from rhizome.search import floor

    before = floor.ENOUGH
    told = memory.eval_bench(folder=folder, settings=["floor.ENOUGH=99"])

    assert told["settings"] == {"floor.ENOUGH": 99}
    assert before == floor.ENOUGH


@pytest.mark.parametrize("setting", ["floor.SIZE=1", "attic.ENOUGH=1", "floor.ENOUGH=much", "no sign", "colour=red"])
def test_what_is_no_setting_is_refused(memory: Memory, folder: Path, setting: str) -> None:
    with pytest.raises(Refused, match="--set"):
        memory.eval_bench(folder=folder, settings=[setting])


def test_a_folder_without_questions_is_named(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no queries"):
        memory.eval_bench(folder=tmp_path)


def test_a_line_that_is_no_question_is_named(memory: Memory, folder: Path) -> None:
    (folder / "queries.jsonl").write_text('{"id": "q", "text": "one"}\n{"id": 7}\n')

    with pytest.raises(Refused, match=r"queries.jsonl:2"):
        memory.eval_bench(folder=folder)


def test_what_only_has_a_scope_stands_beside_nothing() -> None:
    found = corpus([Text("a", "one", {"scope": "en"}), Text("b", "two", {"scope": "en"})], {})

    assert len(found.sessions) == 2
    assert len({file.partition("/")[0] for file in found.sessions}) == 1


@pytest.mark.parametrize(("written", "meant"), [
    ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00+00:00"), ("March-15-2024", "2024-03-15T00:00:00+00:00"),
    ("2026-09-08T14:00+02:00", "2026-09-08T14:00+02:00"), ("some time in May", None), (None, None),
])
def test_times_are_read_as_people_write_them(written: str | None, meant: str | None) -> None:
    assert when(written) == meant


