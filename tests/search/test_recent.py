"""Read your writes: what is newer than the index counts like what is in it."""

from collections.abc import Callable
from typing import Any

import pytest

from rhizome.model import Answer, Found, InsufficientEvidence, Tier
from rhizome.search.documents import Document
from rhizome.search.embedder import StaticEmbedder
from rhizome.search.engine import SearchEngine

Ask = Callable[..., Answer]
Note = Callable[..., Document]
Build = Callable[..., SearchEngine]
Refs = Callable[..., list[str]]

NOTES = [("deploy.md", "We ship from the release branch."), ("limits.md", "The rate limit is 200 a minute."),
         ("nas.md", "The NAS backs up at night.")]


def test_a_new_note_is_found_before_it_is_indexed(build: Build, note: Note, refs: Refs) -> None:
    store = build(*(note(*each) for each in NOTES))

    assert refs(store, "zeppelin hangar", recent=[note("new.md", "The zeppelin is in the hangar.")]) == ["new.md:1"]


def test_an_edited_note_hides_what_the_index_still_says(build: Build, note: Note, refs: Refs) -> None:
    store = build(*(note(*each) for each in NOTES))
    edited = note("deploy.md", "We ship from the trunk.")

    assert refs(store, "release branch", recent=[edited]) == []
    assert refs(store, "ship from the trunk", recent=[edited]) == ["deploy.md:1"]


def test_a_hidden_id_is_not_served(build: Build, note: Note, refs: Refs, ask: Ask) -> None:
    store = build(*(note(*each) for each in NOTES))
    hidden = [f"note:{path}#0" for path, _ in NOTES]

    assert refs(store, "release branch", hidden=hidden[:1]) == []
    answer = ask(store, "release branch", hidden=hidden)
    assert isinstance(answer, InsufficientEvidence)
    assert answer.reason == "empty"


def test_recent_documents_obey_the_filter(build: Build, note: Note, refs: Refs) -> None:
    store = build(*(note(*each) for each in NOTES))
    new = note("new.md", "The zeppelin is in the hangar.", scope="a", date="2026-05-01")

    assert refs(store, "zeppelin", recent=[new], scope="b") == []
    assert refs(store, "zeppelin", recent=[new], layers=("history",)) == []
    assert refs(store, "zeppelin", recent=[new], until="2026-04-30") == []
    assert refs(store, "zeppelin", recent=[new], scope="a", until="2026-05-01") == ["new.md:1"]


def test_an_alias_that_is_new_works_at_once(build: Build, note: Note, refs: Refs) -> None:
    store = build(*(note(*each) for each in NOTES))

    assert refs(store, "shipping day", recent=[note("deploy.md", "On Tuesdays.", aliases=("shipping day",))])[:1] == [
        "deploy.md:1"]


@pytest.mark.parametrize("vectors", [False, True])
def test_it_does_not_matter_whether_a_document_is_indexed_or_recent(
    build: Build, note: Note, ask: Ask, words: StaticEmbedder, vectors: bool
) -> None:
    documents = [note(*each) for each in NOTES]
    embedder: Any = words if vectors else None
    indexed = build(*documents, embedder=embedder, folder="indexed")
    partly = build(documents[0], embedder=embedder, folder="partly")

    for question in ("release branch", "rate limit", "nas at night", "boat"):
        one, other = ask(indexed, question), ask(partly, question, recent=documents[1:])
        assert type(one) is type(other)
        if isinstance(one, Found) and isinstance(other, Found):
            assert [(hit.ref, round(hit.score, 2)) for hit in one.hits] == [
                (hit.ref, round(hit.score, 2)) for hit in other.hits]


def test_an_index_that_was_never_built_still_answers_from_recent_documents(
    tmp_path: Any, note: Note, refs: Refs, ask: Ask
) -> None:
    engine = SearchEngine(tmp_path / "none")
    recent = [note(*each) for each in NOTES]

    assert refs(engine, "release branch", recent=recent) == ["deploy.md:1"]
    assert getattr(ask(engine, "release branch", recent=recent), "degraded", None)
    assert getattr(ask(engine, "zeppelin", recent=recent), "reason", None) == "index_behind"


def test_a_second_reader_sees_a_change_of_the_first(build: Build, note: Note, refs: Refs, tmp_path: Any) -> None:
    writer = build(*(note(*each) for each in NOTES))
    reader = SearchEngine(tmp_path / "search")
    assert refs(reader, "zeppelin") == []

    writer.apply(4, [note("new.md", "The zeppelin is in the hangar.")])

    assert refs(reader, "zeppelin") == ["new.md:1"]
    assert reader.reached([Tier.GREEN]) == 4


def test_what_is_newer_is_as_near_as_in_a_store_without_an_empty_tier_beside_it(
    build: Build, note: Note, ask: Ask
) -> None:
    store = build(*(note(f"n{n}.md", f"The crate number {n} is in the harbour.") for n in range(400)),
                  embedder=StaticEmbedder())
    new = [note("new.md", "Salaries are paid on Friday.")]

    both, green = (ask(store, "when is the wage paid", tiers=tiers, recent=new) for tiers in (Tier, [Tier.GREEN]))

    assert both == green
