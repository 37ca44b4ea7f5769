"""Laws of search: no question raises, and the same documents give the same answers and the same digest."""

import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rhizome.model import Answer, Found, InsufficientEvidence, Tier
from rhizome.search.documents import Document, note_documents
from rhizome.search.embedder import StaticEmbedder
from rhizome.search.engine import SearchEngine
from rhizome.search.port import Query

FEW = settings().max_examples // 10
WORDS = ["ship", "release", "branch", "boat", "harbour", "東京", "デプロイ", "1.0.21", "deploy_branch", "the", "of"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
NOTES = st.dictionaries(st.sampled_from([f"n{n}.md" for n in range(8)]), TEXTS, max_size=8)
QUESTIONS = ("release branch", "boat", "東京", "1.0.21", "harbour of the release", "zeppelin")


def documents(notes: dict[str, str]) -> list[Document]:
    return [note_documents(path, Path(path).stem, [("", 1, text)], tier="green" if path < "n4" else "amber")[0]
            for path, text in notes.items()]


def answers(engine: SearchEngine) -> list[Answer]:
    return [engine.query(Query(text=question), tuple(Tier)) for question in QUESTIONS]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> SearchEngine:
    engine = SearchEngine(tmp_path_factory.mktemp("store"))
    engine.build(1, documents({f"n{n}.md": f"We ship crate {n} from the release branch 東京 {n}" for n in range(8)}))
    return engine


@pytest.fixture(scope="module")
def near(tmp_path_factory: pytest.TempPathFactory, words: StaticEmbedder) -> SearchEngine:
    engine = SearchEngine(tmp_path_factory.mktemp("near"), words)
    engine.build(1, documents({f"n{n}.md": f"We ship crate {n} from the release branch 東京 {n}" for n in range(30)}))
    return engine


@given(text=st.text(), k=st.integers(0, 50), scope=st.none() | st.text(max_size=5),
       until=st.none() | st.text(max_size=12))
@example(text="C++ (and: 'x' \"unclosed [label](x.md) title:x -dogs a AND", k=10, scope=None, until=None)
@example(text="a" * 10_000, k=10, scope=None, until=None)
@example(text="word " * 2_000, k=10, scope=None, until=None)
@example(text="\ud800 lone surrogate \x00", k=1, scope=None, until=None)
@example(text="what is it of the", k=10, scope=None, until="2026-99-99")
def test_no_question_raises(store: SearchEngine, text: str, k: int, scope: str | None, until: str | None) -> None:
    answer = store.query(Query(text=text, k=k, scope=scope, until=until), tuple(Tier))

    assert isinstance(answer, Found | InsufficientEvidence)


@given(text=st.text() | st.sampled_from(QUESTIONS), fusion=st.sampled_from(["sum", "rrf"]))
@example(text="oven " * 2_000, fusion="sum")
@settings(max_examples=FEW)
def test_no_question_raises_with_vectors(near: SearchEngine, text: str, fusion: str) -> None:
    answer = near.query(Query(text=text, fusion=fusion), tuple(Tier))

    assert isinstance(answer, Found | InsufficientEvidence)


@given(notes=NOTES, seed=st.integers(0, 99))
@settings(max_examples=FEW)
def test_a_rebuild_in_another_order_is_identical(
    tmp_path_factory: pytest.TempPathFactory, notes: dict[str, str], seed: int
) -> None:
    here = documents(notes)
    shuffled = random.Random(seed).sample(here, len(here))
    one, other = (SearchEngine(tmp_path_factory.mktemp("one")), SearchEngine(tmp_path_factory.mktemp("other")))

    one.build(1, here)
    other.build(1, shuffled)

    assert one.digest(tuple(Tier)) == other.digest(tuple(Tier))
    assert answers(one) == answers(other)


@given(before=NOTES, after=NOTES)
@settings(max_examples=FEW)
def test_changes_end_where_a_build_ends(
    tmp_path_factory: pytest.TempPathFactory, before: dict[str, str], after: dict[str, str]
) -> None:
    changed, built = (SearchEngine(tmp_path_factory.mktemp("one")), SearchEngine(tmp_path_factory.mktemp("other")))
    changed.build(1, documents(before))
    built.build(1, documents(after))

    changed.apply(2, documents(after), [f"note:{path}#0" for path in before])

    assert changed.digest(tuple(Tier)) == built.digest(tuple(Tier))
    assert changed.faults(tuple(Tier)) == []


@given(notes=NOTES, clearance=st.sampled_from(list(Tier)))
@settings(max_examples=FEW)
def test_a_reader_is_only_answered_from_what_it_may_see(
    tmp_path_factory: pytest.TempPathFactory, notes: dict[str, str], clearance: Tier
) -> None:
    engine = SearchEngine(tmp_path_factory.mktemp("store"))
    allowed = [tier for tier in Tier if clearance is Tier.AMBER or tier is Tier.GREEN]
    engine.build(1, documents(notes))

    for question in QUESTIONS:
        answer = engine.query(Query(text=question), allowed)
        seen = answer.hits if isinstance(answer, Found) else answer.nearest
        assert clearance is Tier.AMBER or all(hit.ref < "n4" for hit in seen)


def test_every_hit_has_a_receipt(store: SearchEngine) -> None:
    answer = store.query(Query(text="release branch"), tuple(Tier))

    assert isinstance(answer, Found)
    assert all(hit.receipt.source and hit.receipt.status and hit.receipt.origin for hit in answer.hits)


def test_the_index_is_small_to_import(tmp_path: Path) -> None:
    import subprocess
    import sys

    heavy = ["numpy", "model2vec", "tokenizers", "safetensors", "huggingface_hub", "networkx", "mcp", "rich", "pygit2"]
    code = f"import sys, rhizome.search.engine; print([name for name in {heavy} if name in sys.modules])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


