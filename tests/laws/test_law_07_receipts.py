"""Laws 7 and 8: every hit has a whole receipt, and without evidence there is no hit."""

from collections.abc import Iterator

import pytest

from tests.memory.living import EXAMPLES, Living

FIELDS = {"source", "status", "origin", "actor", "recorded_at", "confirmed_at", "superseded_by", "subject"}
ASKED = ("dev server port", "package manager uv", "harbour feed centimetres", "SQLite WAL fila", "retry attempts feed",
         "português breve", "mossbridge storage", "who said what about tests")  # fmt: skip
NOT_KNOWN = ("what is the airspeed of an unladen swallow", "Großherzogtum Luxemburg Thronfolge", "quinoa with figs")


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    living = Living(tmp_path_factory.mktemp("receipts")).begins()
    living.memory.import_(paths=[EXAMPLES / "claude-code", EXAMPLES / "codex"])
    living.now = living.now.replace(month=12)
    living.sleeps()
    living.writes("own.md", "# Own\n\nThe harbour feed is read twice a day.\n")
    yield living
    living.memory.parts.close()


@pytest.mark.parametrize("clearance", ["green", "amber"])
@pytest.mark.parametrize("layer", ["all", "facts", "notes", "history"])
def test_every_hit_names_its_source_status_origin_and_time(memory: Living, layer: str, clearance: str) -> None:
    answers = [memory.memory.search(query=text, k=20, layer=layer, clearance=clearance) for text in ASKED]
    hits = [hit for answer in answers for hit in (*answer["hits"], *answer["nearest"])]

    assert hits or (layer, clearance) == ("history", "green")
    for hit in hits:
        receipt = hit["receipt"]
        assert set(receipt) == FIELDS
        assert all(receipt[name] for name in ("source", "status", "origin", "recorded_at")), hit
        assert memory.memory.read(ref=hit["ref"])["text"]


@pytest.mark.parametrize("query", NOT_KNOWN)
@pytest.mark.parametrize("no_vectors", [True, False])
def test_below_the_floor_there_is_no_hit_but_a_reason(memory: Living, query: str, no_vectors: bool) -> None:
    answer = memory.memory.search(query=query, no_vectors=no_vectors)

    assert ("insufficient_evidence", []) == (answer["status"], answer["hits"])
    assert answer["reason"] in {"off_topic", "near_miss"}


def test_an_empty_memory_has_no_answer(tmp_path_factory: pytest.TempPathFactory) -> None:
    empty = Living(tmp_path_factory.mktemp("empty")).begins()
    for note in empty.memory.list_()["notes"]:
        empty.path(note["path"]).unlink()
    empty.imports_nothing()

    answer = empty.memory.search(query="anything at all")

    assert ("insufficient_evidence", "empty") == (answer["status"], answer["reason"])
    empty.memory.parts.close()
