"""Notes to search and engines to ask, by words alone unless an embedder is given."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rhizome.model import Answer, Found, Tier
from rhizome.search.documents import Document, note_documents
from rhizome.search.embedder import StaticEmbedder
from rhizome.search.engine import SearchEngine
from rhizome.search.port import Query

Build = Callable[..., SearchEngine]


@pytest.fixture
def note() -> Callable[..., Document]:
    """Makes a green note of one section whose title is the path's stem unless told."""

    def make(path: str, text: str, *, title: str = "", tier: str = "green", **more: Any) -> Document:
        return note_documents(path, title or Path(path).stem.title(), [("", 1, text)], tier=tier, **more)[0]

    return make


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Makes an engine over these documents."""

    def make(*documents: Document, embedder: Any = None, folder: str = "search") -> SearchEngine:
        engine = SearchEngine(tmp_path / folder, embedder)
        engine.build(len(documents), documents)
        return engine

    return make


@pytest.fixture
def ask() -> Callable[..., Answer]:
    """Asks as the owner unless other tiers are given."""

    def answer(engine: SearchEngine, text: str, *, tiers: Any = tuple(Tier), recent: Any = (), hidden: Any = (),
               **query: Any) -> Answer:
        return engine.query(Query(text=text, **query), tiers, recent, hidden)

    return answer


@pytest.fixture
def refs(ask: Callable[..., Answer]) -> Callable[..., list[str]]:
    """The refs of the hits; none for a refusal."""

    def found(engine: SearchEngine, text: str, **more: Any) -> list[str]:
        answer = ask(engine, text, **more)
        return [hit.ref for hit in answer.hits] if isinstance(answer, Found) else []

    return found


FIELDS = (
    "ship release deploy branch rollout publish trunk main launch",
    "boat harbour sea pier water sail anchor crate metres",
    "bread oven dough flour sourdough bake yeast loaf",
    "salary pay money wage rent tax payday",
    "wifi password router network cable signal",
    "backup nas night attic copy save",
    "the from it is of we to on",
)
WORDS = [word for words in FIELDS for word in words.split()]
"""Some fifty words in fields of meaning; those of one field lie near each other."""


@pytest.fixture(scope="session")
def words(tmp_path_factory: pytest.TempPathFactory) -> StaticEmbedder:
    """A model of fifty words in eight dimensions, written as model2vec writes the one that ships."""
    import numpy as np
    from safetensors.numpy import save_file
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

    folder = tmp_path_factory.mktemp("model")
    pieces = [("<unk>", 0.0), *((f"\u2581{word}", -5.0) for word in WORDS)]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=0, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Lowercase(), normalizers.Replace(Regex("\\s+"), " "), normalizers.Strip()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.save(str(folder / "tokenizer.json"))
    rows = np.random.default_rng(7).normal(scale=0.15, size=(len(pieces), 8)).astype(np.float32)
    rows[np.arange(len(WORDS)) + 1, [field for field, words in enumerate(FIELDS) for _ in words.split()]] += 1
    small, weights = np.rint(rows * 60).astype(np.int8), np.full(len(pieces), 1 / 60, dtype=np.float32)
    save_file({"embeddings": small, "weights": weights}, folder / "model.safetensors")
    (folder / "config.json").write_text('{"model_type": "model2vec", "normalize": true, "max_length": 512}')
    return StaticEmbedder(folder)
