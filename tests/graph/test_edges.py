"""The index of notes and edges: a projection that says what the files say, and nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhizome.errors import Damaged, Locked
from rhizome.graph.edges import EdgeIndex, blob_id
from rhizome.model import Tier

STAT = (1, 2, 3)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[EdgeIndex]:
    with EdgeIndex(tmp_path) as opened:
        yield opened


def put(index: EdgeIndex, **notes: str) -> None:
    index.update([(f"{name}.md", text.encode(), STAT) for name, text in notes.items()])


def test_the_blob_id_is_gits() -> None:
    assert blob_id(b"hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a"


def test_the_stat_values_come_back_for_the_next_sweep(index: EdgeIndex) -> None:
    index.update([("a.md", b"x", (5, 2**60, 2**64 - 1))])

    assert index.known() == {"a.md": (5, 2**60, 2**64 - 1)}


def test_a_note_taken_in_again_replaces_what_it_said(index: EdgeIndex) -> None:
    put(index, a="---\ntitle: Old\n---\n[x](x.md)")
    put(index, a="---\ntitle: New\naliases: [n]\n---\n[y](y.md)")

    assert [(each.title, each.aliases) for each in index.notes(Tier.AMBER)] == [("New", ("n",))]
    assert [edge.path for _, edge in index.edges(Tier.AMBER)] == ["y.md"]


def test_a_removed_note_leaves_nothing(index: EdgeIndex, tmp_path: Path) -> None:
    put(index, keep="[k](k.md)")
    before = index.digest()
    put(index, gone="secretword [x](secretword.md)")
    index.update([], ["gone.md", "never-there.md"])

    assert before == index.digest()
    index.close()
    assert b"secretword" not in (tmp_path / "notes.db").read_bytes()


def test_two_notes_of_the_same_bytes_each_have_their_edges(index: EdgeIndex) -> None:
    put(index, a="[x](x.md)", b="[x](x.md)")
    index.update([], ["a.md"])

    assert [(source, edge.path) for source, edge in index.edges(Tier.AMBER)] == [("b.md", "x.md")]


def test_a_moved_note_without_a_title_is_called_by_its_new_name(index: EdgeIndex) -> None:
    put(index, old="text")
    index.update([("new.md", b"text", STAT)], ["old.md"])

    assert [each.title for each in index.notes(Tier.AMBER)] == ["new"]


@pytest.mark.parametrize(
    ("path", "text", "tier"),
    [
        ("a.md", "text", "green"),
        ("a.md", "---\ntier: green\n---\n", "green"),
        ("a.md", "---\ntier: amber\n---\n", "amber"),
        ("a.md", "---\ntier: secret\n---\n", "amber"),
        ("private/a.md", "text", "amber"),
        ("private/a.md", "---\ntier: green\n---\n", "amber"),
    ],
)
def test_a_note_in_the_private_folder_or_of_another_tier_is_amber(
    index: EdgeIndex, path: str, text: str, tier: str
) -> None:
    index.update([(path, text.encode(), STAT)])

    assert [each.tier for each in index.notes(Tier.AMBER)] == [tier]
    assert [each.path for each in index.notes(Tier.GREEN)] == ([path] if tier == "green" else [])


def test_findings_are_kept_with_the_note(index: EdgeIndex) -> None:
    put(index, a="---\ntitle: a: b\n---\n")

    assert [(f.path, f.line, f.code) for f in index.findings(Tier.GREEN)] == [("a.md", 2, "front-matter-invalid")]


def test_an_update_that_fails_changes_nothing(index: EdgeIndex) -> None:
    put(index, a="text")
    before = index.digest()

    def failing() -> Iterator[tuple[str, bytes, tuple[int, ...]]]:
        yield "b.md", b"text", STAT
        raise InterruptedError

    with pytest.raises(InterruptedError):
        index.update(failing(), ["a.md"])
    assert before == index.digest()


names = st.sampled_from(["a.md", "b.md", "x/a.md", "private/p.md"])
texts = st.sampled_from(["", "[a](a.md): w", "[[b]]", "---\ntitle: T\n---\n[a](x/a.md)", "---\ntier: amber\n---\n"])
history = st.lists(st.tuples(names, texts | st.none()), max_size=12)


@settings(max_examples=settings().max_examples // 5)  # each example makes two databases
@given(history)
def test_an_index_kept_up_is_equal_to_one_built_anew(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[str, str | None]]
) -> None:
    files: dict[str, bytes] = {}
    with EdgeIndex(tmp_path_factory.mktemp("kept")) as kept, EdgeIndex(tmp_path_factory.mktemp("anew")) as anew:
        for path, text in history:
            if text is None:
                files.pop(path, None)
                kept.update([], [path])
            else:
                files[path] = text.encode()
                kept.update([(path, files[path], STAT)])
        anew.update((path, data, (9, 9)) for path, data in sorted(files.items(), reverse=True))

        assert anew.digest() == kept.digest()


@pytest.mark.parametrize("damage", [b"", b"no database at all, but long enough to be one" * 50])
def test_a_file_that_is_cut_or_no_database_is_begun_anew(tmp_path: Path, damage: bytes) -> None:
    with EdgeIndex(tmp_path) as index:
        index.update([(f"{number}.md", b"[a](b.md)" * number, STAT) for number in range(200)])
    whole = (tmp_path / "notes.db").read_bytes()
    (tmp_path / "notes.db").write_bytes(damage or whole[: len(whole) // 2])

    with EdgeIndex(tmp_path) as index:
        assert index.known() == {}


def test_a_page_that_is_damaged_is_named(tmp_path: Path) -> None:
    with EdgeIndex(tmp_path) as index:
        index.update([(f"{number}.md", b"[a](b.md)" * number, STAT) for number in range(200)])
    whole = (tmp_path / "notes.db").read_bytes()
    (tmp_path / "notes.db").write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))

    with pytest.raises(Damaged, match=r"notes\.db"), EdgeIndex(tmp_path) as index:
        list(index.notes(Tier.AMBER))


def test_an_index_of_another_format_starts_empty(tmp_path: Path) -> None:
    with EdgeIndex(tmp_path) as index:
        put(index, a="text")
        index._db.execute("PRAGMA user_version = 999")

    with EdgeIndex(tmp_path) as index:
        assert index.known() == {}


def test_the_file_is_for_its_owner_only(index: EdgeIndex) -> None:
    put(index, a="text")

    assert [file.stat().st_mode & 0o777 for file in index.file.parent.iterdir()] == [0o600] * 3


def test_a_reader_reads_while_a_writer_writes(index: EdgeIndex, tmp_path: Path) -> None:
    put(index, a="text")
    with EdgeIndex(tmp_path) as writer:
        writer._db.execute("BEGIN IMMEDIATE")

        assert [each.path for each in index.notes(Tier.AMBER)] == ["a.md"]


def test_a_second_writer_says_that_another_one_is_writing(index: EdgeIndex, tmp_path: Path) -> None:
    with EdgeIndex(tmp_path, wait=0.01) as second:
        index._db.execute("BEGIN IMMEDIATE")

        with pytest.raises(Locked):
            put(second, a="text")
