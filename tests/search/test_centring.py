"""Vectors seen from the middle of their store."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rhizome.search.centring import BESIDE, Centred, Middle
from rhizome.search.documents import Document
from rhizome.search.engine import SearchEngine
from rhizome.search.language import language
from rhizome.search.manifest import IndexDamaged
from rhizome.search.vectors import Vectors

Note = Callable[..., Document]
Build = Callable[..., SearchEngine]


class Leaning:
    """Gives every text a direction of its own, and all the same strong lean."""

    dims, fingerprint = 32, "leaning"

    def common(self, word: str) -> float | None:  # noqa: ARG002
        return None

    def encode(self, sentences: Sequence[str]) -> Any:
        found = np.zeros((len(sentences), self.dims), dtype=np.float32)
        for at, text in enumerate(sentences):
            seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
            found[at] = np.random.default_rng(seed).normal(size=self.dims)
        found[:, 0] += 12
        return found / np.linalg.norm(found, axis=1, keepdims=True) if len(found) else found


@pytest.fixture
def generation(tmp_path: Path, build: Build, note: Note) -> Path:
    build(*(note(f"n{n}.md", f"The crate number {n} stands in the harbour.") for n in range(400)), embedder=Leaning())
    return next((tmp_path / "search" / "green").glob("g*"))


def test_what_all_share_is_gone(generation: Path) -> None:
    model = Leaning()
    vectors, middle = Vectors(generation, "note", model.dims), Middle.read(generation, model.dims)
    vector = model.encode(["some question"])[0]

    centred = Centred(generation, "note", vectors, middle).scan(middle.question(vector, "en"))

    assert vectors.scan(vector).mean() > 0.7
    assert abs(float(centred.mean())) < 0.05


def test_a_scan_equals_the_cosine_of_both_seen_from_the_middle(generation: Path) -> None:
    model = Leaning()
    vectors, middle = Vectors(generation, "note", model.dims), Middle.read(generation, model.dims)
    question = middle.question(model.encode(["some question"])[0], "en")
    raw = vectors.table.astype(np.float32) * vectors.rows["scale"][:, None]
    centred = Centred(generation, "note", vectors, middle)

    found = centred.scan(question)

    spans = [language(f"The crate number {n} stands in the harbour.") for n in range(400)]
    assert set(spans) == {"en"}
    assert np.allclose(found, middle.centred(raw, np.full(len(raw), 1)) @ question, atol=1e-4)


def test_a_few_sentences_have_no_middle(tmp_path: Path, build: Build, note: Note) -> None:
    build(note("a.md", "One sentence."), note("b.md", "Another one."), embedder=Leaning())

    middle = Middle.read(next((tmp_path / "search" / "green").glob("g*")), Leaning.dims)

    assert not middle.means.any()
    assert not middle.directions.any()


@pytest.mark.parametrize(("text", "code"), [
    ("what is the limit of the queue", "en"), ("qual é o limite da fila", "pt"),
    ("¿cuál es el límite de la cola?", "es"), ("wie hoch ist das Limit der Warteschlange", "de"),
    ("kuyruk limiti ne kadar", "tr"), ("какой лимит", "ru"), ("キューの上限はいくつ", "ja"),
    ("队列的上限是多少", "zh"), ("대기열 한도는", "ko"), ("deploy_branch", ""), ("", ""),
])
def test_a_language_is_told_by_script_and_little_words(text: str, code: str) -> None:
    assert language(text) == code


def test_rows_of_a_language_that_there_is_not_are_damage(generation: Path) -> None:
    path, vectors = generation / "note.beside", Vectors(generation, "note", 32)
    beside = np.frombuffer(path.read_bytes(), dtype=BESIDE).copy()
    beside["language"][0] = 9_999
    path.write_bytes(beside.tobytes())

    with pytest.raises(IndexDamaged):
        Centred(generation, "note", vectors, Middle.read(generation, 32))
