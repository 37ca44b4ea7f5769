"""How well the right note is found among 142, by category of question; a floor under what is reached, not a target."""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rhizome.graph.note import parse
from rhizome.model import Found, Tier
from rhizome.search.documents import Document, note_documents
from rhizome.search.embedder import StaticEmbedder
from rhizome.search.engine import SearchEngine
from rhizome.search.port import Query
from rhizome.search.question import understand
from rhizome.search.ranking import Store
from rhizome.search.text_index import Filter
from rhizome.search.tier import Tier as OpenTier
from rhizome.search.tier import open_tier

LOCKERS = Path(__file__).parent / "lockers"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (LOCKERS / name).read_text(encoding="utf-8").splitlines()]


def documents() -> Iterator[Document]:
    for each in lines("documents.jsonl"):
        note = parse(each["id"], each["text"].encode())
        sections = [(" › ".join(section.heading), section.line, section.text) for section in note.sections]
        yield from note_documents(each["id"], note.title, sections, tier="green", aliases=note.aliases)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> SearchEngine:
    engine = SearchEngine(tmp_path_factory.mktemp("lockers"), StaticEmbedder())
    engine.build(1, documents())
    return engine


@pytest.fixture(scope="module")
def asked(store: SearchEngine) -> dict[str, list[tuple[dict[str, Any], list[str], bool]]]:
    """By category: the question, the notes found in order (or nearest, for a refusal), and whether it was answered."""
    found = defaultdict(list)
    for question in lines("questions.jsonl"):
        answer = store.query(Query(text=question["text"]), [Tier.GREEN])
        hits = answer.hits if isinstance(answer, Found) else answer.nearest
        paths = list(dict.fromkeys(hit.receipt.source or "" for hit in hits))
        found[question.get("why") or question["category"]].append((question, paths, isinstance(answer, Found)))
    return found


@pytest.mark.parametrize(("category", "first", "in_five"), [
    ("exact_token", 0.90, 0.95), ("identifier", 0.90, 0.95), ("alias", 0.85, 0.95), ("cjk", 0.90, 0.95),
    ("typo", 0.80, 0.95), ("two_hop", 0.90, 0.95), ("long_question", 0.30, 0.60), ("cross_lingual", 0.0, 0.10),
])
def test_the_right_note_comes_first_or_among_five(asked: Any, category: str, first: float, in_five: float) -> None:
    ranks = [next((at for at, path in enumerate(paths) if path in question["relevant"]), 99)
             for question, paths, _ in asked[category]]

    assert sum(rank == 0 for rank in ranks) / len(ranks) >= first
    assert sum(rank < 5 for rank in ranks) / len(ranks) >= in_five


@pytest.mark.parametrize("category", ["exact_token", "identifier", "alias", "cjk", "typo", "two_hop"])
def test_what_the_notes_say_is_never_refused(asked: Any, category: str) -> None:
    assert [question["text"] for question, _, answered in asked[category] if not answered] == []


def test_most_of_what_they_do_not_speak_of_is_refused(asked: Any) -> None:
    answered = [question["text"] for question, _, answered in asked["off_topic"] if answered]

    assert len(answered) <= 2


def test_it_is_never_worse_than_bm25_alone(asked: Any, store: SearchEngine) -> None:
    tier = open_tier(store._folder / "green")
    assert isinstance(tier, OpenTier)
    vocabulary = Store([tier]).vocabulary()
    ours, theirs = 0.0, 0.0
    for category in asked:
        for question, paths, _ in asked[category]:
            terms = understand(question["text"], vocabulary).weighted_terms()
            numbers = tier.text.search(terms, Filter(), 10)
            sources = {row.number: row.document.source for row in tier.table.rows(numbers)}
            bare = list(dict.fromkeys(sources[number] for number in numbers))
            ours += _reciprocal(paths, question["relevant"])
            theirs += _reciprocal(bare, question["relevant"])

    assert ours >= theirs


def _reciprocal(paths: list[Any], relevant: list[str]) -> float:
    return next((1 / at for at, path in enumerate(paths, 1) if path in relevant), 0.0)
