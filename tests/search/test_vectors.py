"""Vectors: what they add, when they are made, and what happens without the model."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhizome.errors import Damaged
from rhizome.model import Answer, Found
from rhizome.search.documents import Document
from rhizome.search.embedder import OwnEmbedder, StaticEmbedder
from rhizome.search.engine import SearchEngine
from rhizome.search.sentences import chunks, covered
from rhizome.search.vectors import Vectors

Ask = Callable[..., Answer]
Note = Callable[..., Document]
Build = Callable[..., SearchEngine]
Refs = Callable[..., list[str]]

BREAD = ("bread.md", "Sourdough wants a hot oven.")
NOTES = [("deploy.md", "We ship from the release branch."), BREAD, ("nas.md", "The NAS backs up at night.")]


NONE_KNOWN: dict[int, Any] = {}


class Counting:
    """The small model, telling what it was asked to encode."""

    def __init__(self, inner: StaticEmbedder, fingerprint: str = "") -> None:
        self.inner, self.fingerprint, self.dims = inner, fingerprint or inner.fingerprint, inner.dims
        self.asked: list[str] = []

    def encode(self, sentences: Sequence[str]) -> Any:
        self.asked += sentences
        return self.inner.encode(sentences)

    def common(self, word: str) -> float | None:
        return self.inner.common(word)


def test_a_note_is_found_by_words_of_its_field(build: Build, note: Note, refs: Refs, words: StaticEmbedder) -> None:
    notes = [note(*each, title="x") for each in NOTES]

    assert refs(build(*notes, embedder=words), "dough flour yeast") == ["bread.md:1"]
    assert refs(build(*notes), "dough flour yeast") == []


def test_nearness_counts_twice_where_no_note_holds_the_words(
    build: Build, note: Note, ask: Ask, words: StaticEmbedder
) -> None:
    notes = [note("nas.md", "backup attic night", title="copy"), note("bread.md", "dough oven flour", title="bake")]
    store = build(*notes, embedder=words)
    by_words, by_nearness = ask(store, "backup attic"), ask(store, "save the nas from a zeppelin")
    first = (by_nearness.hits if isinstance(by_nearness, Found) else by_nearness.nearest)[0].parts

    assert isinstance(by_words, Found)
    assert first["far"] == pytest.approx(first["near"] + first["sentence"] + first["context"], abs=1e-5)
    assert "far" not in by_words.hits[0].parts


def test_no_vectors_never_touches_the_model(build: Build, note: Note, ask: Ask, words: StaticEmbedder) -> None:
    model = Counting(words)
    store = build(*(note(*each) for each in NOTES), embedder=model)
    model.asked.clear()

    answer = ask(store, "release branch", vectors=False)

    assert isinstance(answer, Found)
    assert not answer.degraded
    assert model.asked == []


def test_an_unchanged_sentence_is_not_encoded_again(build: Build, note: Note, words: StaticEmbedder) -> None:
    model = Counting(words)
    store = build(note("bread.md", "Bread wants an oven. Dough wants flour."), embedder=model)
    model.asked.clear()

    store.apply(2, [note("bread.md", "Bread wants an oven. Dough wants yeast.")])

    assert model.asked == ["Dough wants yeast.", "yeast"]


def test_a_tier_written_anew_takes_the_vectors_it_has(build: Build, note: Note, words: StaticEmbedder) -> None:
    model = Counting(words)
    store = build(*(note(*each) for each in NOTES), embedder=model)
    model.asked.clear()

    store.apply(4, [note("nas.md", "The NAS backs up at night.", tier="amber")])

    assert set(model.asked).isdisjoint({"We ship from the release branch.", "Sourdough wants a hot oven."})


def test_a_changed_note_is_near_what_it_says_now(build: Build, note: Note, refs: Refs, words: StaticEmbedder) -> None:
    store = build(*(note(*each, title="x") for each in NOTES), embedder=words)

    store.apply(4, [note("bread.md", "The boat is in the harbour.", title="x")])

    assert refs(store, "dough flour yeast") == []
    assert refs(store, "sail the sea") == ["bread.md:1"]


def test_a_broken_model_leaves_words_and_says_degraded(tmp_path: Path, build: Build, note: Note, ask: Ask) -> None:
    store = build(*(note(*each) for each in NOTES), embedder=StaticEmbedder(tmp_path / "nowhere"))

    answer = ask(store, "release branch")

    assert isinstance(answer, Found)
    assert answer.degraded
    assert [hit.ref for hit in answer.hits] == ["deploy.md:1"]


def test_vectors_of_another_model_are_not_compared_and_the_next_change_makes_them_anew(
    tmp_path: Path, build: Build, note: Note, ask: Ask, words: StaticEmbedder
) -> None:
    build(*(note(*each, title="x") for each in NOTES), embedder=words).close()
    engine = SearchEngine(tmp_path / "search", Counting(words, "another"))
    assert getattr(ask(engine, "release branch"), "degraded", None)
    assert not isinstance(ask(engine, "dough flour yeast"), Found)

    engine.apply(4, [note("new.md", "The boat is in the harbour."), note("private/n.md", "Wage.", tier="amber")])

    answer = ask(engine, "dough flour yeast")
    assert isinstance(answer, Found)
    assert not answer.degraded


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
@pytest.mark.parametrize("bytes_", [None, b"", b"{}", b"no"])
def test_a_model_with_a_bad_file_is_damaged_and_says_where(
    tmp_path: Path, words: StaticEmbedder, name: str, bytes_: bytes | None
) -> None:
    if name == "config.json" and bytes_ == b"{}":
        return
    folder = tmp_path / "model"
    shutil.copytree(words._folder, folder)
    (folder / name).unlink()
    if bytes_ is not None:
        (folder / name).write_bytes(bytes_)

    with pytest.raises(Damaged, match="model"):
        StaticEmbedder(folder).encode(["bread"])


def test_the_small_model_and_model2vec_agree(words: StaticEmbedder) -> None:
    texts = ["ship the release", "bread", "unknown words only", "", "the the the oven"]
    own = OwnEmbedder(words._folder)

    assert np.allclose(words.encode(texts), own.encode(texts), atol=1e-6)
    assert words.dims == own.dims


def test_a_model_of_ones_own_that_is_not_whole_is_named_and_never_looked_for_elsewhere(tmp_path: Path) -> None:
    with pytest.raises(Damaged, match=r"config\.json is missing"):
        OwnEmbedder(tmp_path).encode(["bread"])


def test_a_text_without_known_words_has_no_vector_and_is_never_near(words: StaticEmbedder) -> None:
    assert not words.encode(["zeppelin", "", "😀"]).any()


@pytest.mark.parametrize(("text", "known"), [
    ("We ship on Tuesday", True), ("火曜日に行う", True), ("по вторникам", True), ("화요일", True),
    ("كل ثلاثاء", False), ("ทุกวันอังคาร", False), ("κάθε Τρίτη", False), ("यह मंगलवार", False),
    ("Thai word ไทย in English text", True),
])
def test_scripts_the_model_lacks_get_no_vector(text: str, known: bool) -> None:
    assert covered(text) is known


def test_a_document_has_a_row_for_its_names_and_one_a_sentence(note: Note) -> None:
    document = note("deploy.md", "First one. Second one:\n- third\n- fourth 1.0.21 here", aliases=("rollout",))

    assert chunks(document) == [
        (0, "Deploy, rollout"), (1, "First one."), (2, "Second one:"), (3, "third"), (4, "fourth 1.0.21 here")]


@pytest.mark.parametrize("title", ["2026-08-12", "0000017", "12:30"])
def test_a_name_without_letters_has_no_row(note: Note, title: str) -> None:
    assert chunks(note("a.md", "We ship.", title=title)) == [(1, "We ship.")]


def test_a_call_of_a_tool_has_no_vector(note: Note) -> None:
    assert [] == chunks(msgspec.structs.replace(note("a.md", "Make the ship sail."), layer="history", role="call"))


def test_a_question_in_a_script_that_the_model_hardly_knows_is_answered_by_words_alone(
    build: Build, note: Note, ask: Ask
) -> None:
    notes = [note("key.md", "अतिरिक्त चाबी कार्यालय में लटकी है।"), note("spare.md", "The spare key hangs there.")]
    answer = ask(build(*notes, embedder=StaticEmbedder()), "अतिरिक्त चाबी कहाँ लटकी है")

    assert isinstance(answer, Found)
    assert [hit.ref for hit in answer.hits] == ["key.md:1"]
    assert not {"near", "sentence", "context"} & answer.hits[0].parts.keys()


@given(st.lists(st.lists(st.sampled_from(["ship", "boat", "bread", "wage", "zeppelin"]), max_size=4), max_size=12))
@settings(max_examples=settings().max_examples // 5)
def test_rows_come_back_as_they_went_in(
    tmp_path_factory: pytest.TempPathFactory, words: StaticEmbedder, documents: list[list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("g")
    texts = [[(place, text) for place, text in enumerate(some)] for some in documents]

    spans = Vectors(folder, "note", 8).append(list(enumerate(texts, 1)), words, NONE_KNOWN.get)

    again = Vectors(folder, "note", 8)
    assert [count for _, count in spans] == [sum(text != "zeppelin" for text in some) for some in documents]
    for word in ("ship", "boat"):
        near = again.scan(words.encode([word])[0])
        exact = [float(words.encode([word])[0] @ words.encode([text])[0])
                 for some in documents for text in some if text != "zeppelin"]
        assert np.allclose(near, exact, atol=0.02)


def test_forgotten_rows_are_wiped_and_never_near(tmp_path: Path, words: StaticEmbedder) -> None:
    spans = Vectors(tmp_path, "note", 8).append([(1, [(1, "bread")]), (2, [(1, "boat")])], words, NONE_KNOWN.get)

    Vectors(tmp_path, "note", 8).forget(spans[:1])

    again = Vectors(tmp_path, "note", 8)
    assert again.scan(words.encode(["bread"])[0])[0] == -1
    assert not again.table[0].any()
    assert again.table[1].any()


def test_the_built_in_model_answers_across_languages(build: Build, note: Note, refs: Refs) -> None:
    store = build(note("nas.md", "The NAS backs up every night at 02:00 to the attic."),
                  note("deploy.md", "We ship from the release branch on Tuesdays."),
                  note("pay.md", "Salaries are paid on the last day of the month."), embedder=StaticEmbedder())

    assert refs(store, "¿cuándo se pagan los salarios?")[:1] == ["pay.md:1"]
    assert refs(store, "office wifi password") == []
