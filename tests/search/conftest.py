"""Notes to search and engines to ask, by words alone unless an embedder is given."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rhizome.model import Answer, Found, Tier
from rhizome.search.documents import Document, note_documents
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
