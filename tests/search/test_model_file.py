"""The mapped form of a model: the same vectors as model2vec's, and made anew whenever it is no good."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rhizome.errors import Damaged
from rhizome.search.embedder import BUILTIN, OwnEmbedder, StaticEmbedder
from rhizome.search.model_file import HEADER_BYTES, Model, model
from rhizome.search.pieces import normal

TEXTS = [
    "We ship from the release branch on Tuesdays.", "¿cuándo se pagan los salarios?", "Straße, İstanbul, ΟΔΥΣΣΕΥΣ",
    "赤ワインの染みの抜き方", "고양이가 연어를 먹어도 되나요", "Где лежат резервные копии?",
    "deploy_branch v1.0.21 /etc/hosts", "ｆｕｌｌ　ｗｉｄｔｈ ﬁne", "<unk> and \u2581 \u2581\u2581x",
    "a\x1c\x1db\tc\u00a0d\u2003e", "", " ", "😀", "\0", "x" * 5_000, "no ยินดี known", "word " * 2_000, "ไทย " * 900,
]  # fmt: skip


@pytest.fixture(scope="module")
def built_in() -> Model:
    return model(BUILTIN, None)


@pytest.fixture(scope="module")
def library() -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(BUILTIN / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(512)
    return tokenizer


def test_vectors_are_those_of_model2vec() -> None:
    assert np.allclose(StaticEmbedder().encode(TEXTS), OwnEmbedder(BUILTIN).encode(TEXTS), atol=2e-6)


@given(st.text(st.characters(max_codepoint=0x30FF, exclude_categories=["Cs", "Cn"]), max_size=60))
@example("ΣΑΣ\u0345ς")
@example("\x1f \x1e")
def test_pieces_are_those_of_the_library(built_in: Model, library: Any, text: str) -> None:
    header = built_in.header

    found = built_in.pieces.ids(normal(text, header.letters), header.limit)

    assert [id_ for id_ in library.encode(text, add_special_tokens=False).ids if id_ != header.unknown] == found


def test_a_long_text_is_cut_before_unknown_pieces_are_dropped(built_in: Model, library: Any) -> None:
    header, text = built_in.header, "ท port " * 500

    found = built_in.pieces.ids(normal(text, header.letters), header.limit)

    ids = library.encode(text[: header.letters], add_special_tokens=False).ids
    assert len(ids) == header.limit
    assert [id_ for id_ in ids if id_ != header.unknown] == found


def test_the_file_is_made_once_and_opened_after_that(tmp_path: Path, words: StaticEmbedder) -> None:
    first = StaticEmbedder(words._folder, tmp_path / "model.bin").encode(["bread"])
    when = (tmp_path / "model.bin").stat()

    again = StaticEmbedder(words._folder, tmp_path / "model.bin").encode(["bread"])

    assert (tmp_path / "model.bin").stat().st_ino == when.st_ino
    assert np.array_equal(first, again)
    assert np.array_equal(first, words.encode(["bread"]))


@pytest.mark.parametrize("harm", ["empty", "half a header", "half", "one byte less", "one byte more", "another header"])
def test_a_file_that_is_not_whole_is_made_anew(tmp_path: Path, words: StaticEmbedder, harm: str) -> None:
    kept = tmp_path / "model.bin"
    StaticEmbedder(words._folder, kept).encode(["bread"])
    data = kept.read_bytes()
    harmed = {
        "empty": b"", "half a header": data[: HEADER_BYTES // 2], "half": data[: len(data) // 2],
        "one byte less": data[:-1], "one byte more": data + b"x",
        "another header": data.replace(b'"dims":8', b'"dims":4'),
    }[harm]  # fmt: skip
    kept.unlink()
    kept.write_bytes(harmed)

    found = StaticEmbedder(words._folder, kept).encode(["bread"])

    assert np.array_equal(words.encode(["bread"]), found)
    assert data == kept.read_bytes()


def test_a_model_that_was_replaced_is_read_anew(tmp_path: Path, words: StaticEmbedder) -> None:
    folder, kept = tmp_path / "model", tmp_path / "model.bin"
    shutil.copytree(words._folder, folder)
    before = StaticEmbedder(folder, kept).fingerprint
    (folder / "config.json").write_text('{"max_length": 7}')

    after = StaticEmbedder(folder, kept).fingerprint

    assert before != after
    assert OwnEmbedder(folder).fingerprint == after


def test_where_nothing_can_be_written_the_model_is_in_memory(tmp_path: Path, words: StaticEmbedder) -> None:
    (tmp_path / "a file").write_text("")

    found = StaticEmbedder(words._folder, tmp_path / "a file" / "model.bin").encode(["bread"])

    assert np.array_equal(words.encode(["bread"]), found)


@pytest.mark.parametrize(("part", "value"), [("pre_tokenizer", None), ("normalizer", None), ("added_tokens", [{}])])
def test_a_tokenizer_of_another_kind_is_refused(tmp_path: Path, words: StaticEmbedder, part: str, value: Any) -> None:
    folder = tmp_path / "model"
    shutil.copytree(words._folder, folder)
    told = json.loads((folder / "tokenizer.json").read_text())
    (folder / "tokenizer.json").write_text(json.dumps(told | {part: value}))

    with pytest.raises(Damaged, match="only model2vec reads"):
        StaticEmbedder(folder).encode(["bread"])
