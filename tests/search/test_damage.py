"""Whatever happens to the index's files, a question gets an answer or a reason, and a build makes it whole again."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.errors import Damaged
from rhizome.model import Answer, Found, InsufficientEvidence, Tier
from rhizome.search.documents import Document
from rhizome.search.embedder import StaticEmbedder
from rhizome.search.engine import SearchEngine
from rhizome.search.port import Query

Ask = Callable[..., Answer]
Note = Callable[..., Document]
Build = Callable[..., SearchEngine]

GREEN = [Tier.GREEN]


def files(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "green").rglob("*")
                  if path.is_file() and path.stat().st_size and path.name != "lock" and not path.name.startswith("."))


@pytest.fixture
def documents(note: Note) -> list[Document]:
    return [note(f"n{n}.md", f"We ship crate {n} from the release branch. It is {n} metres long.") for n in range(40)]


def test_every_file_may_be_missing(
    tmp_path: Path, build: Build, documents: list[Document], words: StaticEmbedder
) -> None:
    build(*documents, embedder=words).close()
    whole = {path: path.read_bytes() for path in files(tmp_path / "search")}
    assert len(whole) >= 10

    for path, data in whole.items():
        path.unlink()
        assert isinstance(_answer(tmp_path / "search", words), InsufficientEvidence), path
        _replace(path, data)
        _mend(tmp_path / "search", whole)
    assert isinstance(_answer(tmp_path / "search", words), Found)


def test_every_file_may_be_cut(
    tmp_path: Path, build: Build, documents: list[Document], words: StaticEmbedder
) -> None:
    build(*documents, embedder=words).close()
    whole = {path: path.read_bytes() for path in files(tmp_path / "search")}
    assert len(whole) >= 10

    for path, data in whole.items():
        _replace(path, data[: len(data) // 2])
        assert isinstance(_answer(tmp_path / "search", words), InsufficientEvidence), path
        _replace(path, data)
        _mend(tmp_path / "search", whole)
    assert isinstance(_answer(tmp_path / "search", words), Found)


@given(place=st.floats(0, 1, exclude_max=True), which=st.integers(0, 100), bit=st.integers(0, 7))
def test_a_flipped_bit_never_raises_and_a_check_finds_it(
    flipped: tuple[Path, dict[Path, bytes]], place: float, which: int, bit: int
) -> None:
    folder, whole = flipped
    path, data = sorted(whole.items())[which % len(whole)]
    at = int(place * len(data))
    _replace(path, data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])

    answer = _answer(folder, None)

    assert isinstance(answer, Found | InsufficientEvidence)
    if isinstance(answer, InsufficientEvidence):
        assert answer.reason == "index_behind"
        assert SearchEngine(folder).reached(GREEN) is None
    _replace(path, data)
    _mend(folder, whole)


@pytest.fixture(scope="module")
def flipped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[Path, bytes]]:
    from rhizome.search.documents import note_documents

    folder = tmp_path_factory.mktemp("flipped")
    engine = SearchEngine(folder)
    engine.build(1, [each for n in range(30) for each in note_documents(
        f"n{n}.md", f"Crate {n}", [("", 1, f"We ship crate {n} from the release branch.")], tier="green")])
    engine.close()
    return folder, {path: path.read_bytes() for path in files(folder)}


def test_a_silently_changed_row_is_found_when_it_is_read(tmp_path: Path, build: Build, note: Note, ask: Ask) -> None:
    build(note("deploy.md", "We ship from the release branch.")).close()
    table = next((tmp_path / "search" / "green").glob("g*/docs.db"))
    table.write_bytes(table.read_bytes().replace(b"ship from the release", b"ship from the trunks!"))

    answer = ask(SearchEngine(tmp_path / "search"), "release branch", tiers=GREEN)

    assert isinstance(answer, InsufficientEvidence)
    assert answer.reason == "index_behind"


def test_a_text_file_changed_in_place_with_its_time_set_back_is_found_at_opening(
    tmp_path: Path, build: Build, documents: list[Document]
) -> None:
    build(*documents).close()
    segment = max((tmp_path / "search/green").glob("g*/text/*"), key=lambda path: path.stat().st_size)
    when, data = segment.stat(), segment.read_bytes()

    with segment.open("r+b") as file:
        file.seek(len(data) // 2)
        file.write(bytes([data[len(data) // 2] ^ 1]))
    os.utime(segment, ns=(when.st_atime_ns, when.st_mtime_ns))

    assert "has changed" in str(_answer(tmp_path / "search", None))


def test_a_copied_index_is_as_good_as_the_first(tmp_path: Path, build: Build, documents: list[Document]) -> None:
    build(*documents).close()

    shutil.copytree(tmp_path / "search", tmp_path / "copy", copy_function=shutil.copyfile)

    assert isinstance(_answer(tmp_path / "copy", None), Found)


def test_a_full_check_names_what_is_wrong(tmp_path: Path, build: Build, documents: list[Document]) -> None:
    engine = build(*documents)
    assert engine.faults(GREEN) == []
    engine.close()
    victim = next((tmp_path / "search" / "green").glob("g*/docs.db"))
    victim.write_bytes(victim.read_bytes().replace(b"crate 7 from", b"crate 8 from"))

    assert any("docs.db" in fault for fault in SearchEngine(tmp_path / "search").faults(GREEN))


def test_amber_damage_leaves_green_answers_and_says_degraded(
    tmp_path: Path, build: Build, note: Note, ask: Ask
) -> None:
    store = build(note("deploy.md", "We ship from the release branch."), note("private/x.md", "salary", tier="amber"))
    store.close()
    (tmp_path / "search" / "amber" / "manifest.json").write_text("{}")

    answer = ask(SearchEngine(tmp_path / "search"), "release branch")

    assert isinstance(answer, Found)
    assert answer.degraded
    assert [hit.ref for hit in answer.hits] == ["deploy.md:1"]


def test_a_change_to_a_damaged_index_asks_for_a_build_and_a_build_heals(
    tmp_path: Path, build: Build, note: Note, ask: Ask
) -> None:
    document = note("deploy.md", "We ship from the release branch.")
    build(document).close()
    next((tmp_path / "search" / "green").glob("g*/text/meta.json")).write_text("no")
    engine = SearchEngine(tmp_path / "search")

    with pytest.raises(Damaged, match="search index green"):
        engine.apply(2, [document])
    engine.build(2, [document])

    assert isinstance(ask(engine, "release branch"), Found)
    assert engine.reached(list(Tier)) == 2


def test_a_change_that_was_killed_before_its_last_step_is_seen(
    tmp_path: Path, build: Build, note: Note, ask: Ask
) -> None:
    engine = build(note("deploy.md", "We ship from the release branch."))
    manifest = tmp_path / "search" / "green" / "manifest.json"
    before = manifest.read_bytes()
    engine.apply(2, [note("deploy.md", "We ship from the trunk.")])
    engine.close()

    _replace(manifest, before)

    answer = ask(SearchEngine(tmp_path / "search"), "ship from the trunk", tiers=GREEN)
    assert isinstance(answer, InsufficientEvidence)
    assert answer.reason == "index_behind"


def test_a_build_that_was_killed_leaves_the_old_index(
    tmp_path: Path, build: Build, note: Note, refs: Callable[..., Any]
) -> None:
    build(note("deploy.md", "We ship from the release branch.")).close()

    (tmp_path / "search" / "green" / "g2" / "text").mkdir(parents=True)

    engine = SearchEngine(tmp_path / "search")
    assert refs(engine, "release branch", tiers=GREEN) == ["deploy.md:1"]
    engine.build(2, [note("other.md", "We ship from the trunk.")])
    assert refs(engine, "trunk", tiers=GREEN) == ["other.md:1"]
    assert [path.name for path in (tmp_path / "search" / "green").glob("g*")] == ["g3"]


def test_a_build_leaves_one_generation_and_a_reader_moves_to_it(
    tmp_path: Path, build: Build, note: Note, refs: Callable[..., Any]
) -> None:
    reader = build(note("deploy.md", "We ship from the release branch."))
    assert refs(reader, "release branch") == ["deploy.md:1"]

    SearchEngine(tmp_path / "search").build(7, [note("other.md", "The release branch is gone.")])

    assert refs(reader, "release branch") == ["other.md:1"]
    assert len(list((tmp_path / "search" / "green").glob("g*"))) == 1


def _answer(folder: Path, embedder: StaticEmbedder | None) -> Answer:
    engine = SearchEngine(folder, embedder)
    try:
        return engine.query(Query(text="release branch"), GREEN)
    finally:
        engine.close()


def _replace(path: Path, data: bytes) -> None:
    """Other bytes in another file of the same name: cutting a file that is mapped kills whoever maps it."""
    beside = path.with_name("beside")
    beside.write_bytes(data)
    beside.replace(path)


def _mend(folder: Path, whole: dict[Path, bytes]) -> None:
    """Bring back the manifest that a question set aside."""
    (folder / "green" / "manifest.json.damaged").unlink(missing_ok=True)
    _replace(folder / "green" / "manifest.json", whole[folder / "green" / "manifest.json"])
