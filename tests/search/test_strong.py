"""A transformer of a person's own: run where `rhizome[strong]` is installed, named with what is missing where not."""

import importlib.util
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from rhizome.errors import Damaged, Refused
from rhizome.model import Found
from rhizome.search.embedder import OwnEmbedder
from rhizome.search.settings import settings
from rhizome.search.strong import StrongEmbedder

RUNS = importlib.util.find_spec("onnxruntime") is not None
with_it = pytest.mark.skipif(not RUNS, reason="onnxruntime is not installed: `pip install 'rhizome[strong]'`")
without_it = pytest.mark.skipif(RUNS, reason="onnxruntime is installed")

WORDS = {"[UNK]": (0, 0, 1), "lorry": (1, 0, 0), "truck": (1, 0, 0), "ferry": (0, 1, 0), "late": (0, 0.5, 1)}


def field(number: int, value: int | str | bytes) -> bytes:
    """One field of a protobuf message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    encoded = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(encoded)) + encoded


def varint(value: int) -> bytes:
    return bytes([value & 0x7F | 0x80]) + varint(value >> 7) if value > 0x7F else bytes([value])


def tensor_type(name: str, kind: int, *dims: str) -> bytes:
    shape = b"".join(field(1, field(2, dim)) for dim in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def lookup_network() -> bytes:
    """The smallest network there is: each piece's row of a table (ONNX: `Gather`)."""
    rows = b"".join(struct.pack("<3f", *row) for row in WORDS.values())
    table = field(1, len(WORDS)) + field(1, 3) + field(2, 1) + field(8, "table") + field(9, rows)
    gather = field(1, "table") + field(1, "input_ids") + field(2, "rows") + field(4, "Gather")
    graph = (field(1, gather) + field(2, "lookup") + field(5, table) + field(11, tensor_type("input_ids", 7, "b", "s"))
             + field(12, tensor_type("rows", 1, "b", "s", "d")))
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))


@pytest.fixture
def transformer(tmp_path: Path) -> Path:
    folder = tmp_path / "transformer"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(lookup_network())
    (folder / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    tokenizer = Tokenizer(WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@with_it
def test_a_sentence_is_the_mean_of_its_pieces_at_length_one(transformer: Path) -> None:
    found = StrongEmbedder(transformer).encode(["lorry ferry", "", "truck"])

    assert np.allclose(found, [[0.5**0.5, 0.5**0.5, 0], [0, 0, 0], [1, 0, 0]])


@with_it
def test_the_first_piece_stands_for_the_sentence_where_the_model_says_so(transformer: Path) -> None:
    before = StrongEmbedder(transformer).fingerprint
    (transformer / "1_Pooling").mkdir()
    (transformer / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}', encoding="utf-8")
    embedder = StrongEmbedder(transformer)

    assert np.allclose(embedder.encode(["ferry lorry"]), [[0, 1, 0]])
    assert embedder.fingerprint != before


@with_it
def test_what_words_miss_is_found_by_it(
    transformer: Path, note: Callable[..., Any], build: Callable[..., Any], ask: Callable[..., Any]
) -> None:
    notes = [note("a.md", "truck late"), *(note(f"{n}.md", f"ferry late {n}") for n in range(5))]
    engine = build(*notes, embedder=StrongEmbedder(transformer))
    found = ask(engine, "lorry")
    best = (found.hits if isinstance(found, Found) else found.nearest)[0]

    assert (best.ref, round(best.parts["cosine"], 1)) == ("a.md:1", 0.7)


@with_it
def test_a_network_that_cannot_be_read_is_named(transformer: Path) -> None:
    (transformer / "model.onnx").write_bytes(b"\x00" * 100)

    with pytest.raises(Damaged, match="transformer"):
        StrongEmbedder(transformer).encode(["lorry"])


@without_it
def test_without_onnxruntime_it_says_how_to_get_it(transformer: Path) -> None:
    with pytest.raises(Damaged, match="onnxruntime is not installed") as wrong:
        StrongEmbedder(transformer).encode(["lorry"])

    assert "rhizome[strong]" in wrong.value.hint


def test_a_transformer_in_another_form_is_refused_with_what_to_do(transformer: Path) -> None:
    (transformer / "model.onnx").rename(transformer / "model.safetensors")
    embedder = settings({"search": {"model": str(transformer)}}).own_model()

    assert isinstance(embedder, StrongEmbedder)
    with pytest.raises(Damaged, match=r"without model\.onnx") as wrong:
        _ = embedder.fingerprint
    assert "optimum-cli export onnx" in wrong.value.hint


def test_words_alone_answer_where_the_model_cannot_be_had(
    tmp_path: Path, note: Callable[..., Any], build: Callable[..., Any], ask: Callable[..., Any]
) -> None:
    engine = build(note("a.md", "the truck was late"), embedder=StrongEmbedder(tmp_path / "nowhere"))
    found = ask(engine, "truck")

    assert isinstance(found, Found)
    assert found.degraded


def test_a_folder_tells_what_kind_of_model_it_holds(tmp_path: Path, transformer: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "model2vec"}), encoding="utf-8")

    def own(folder: Path) -> object:
        return settings({"search": {"model": str(folder)}}).own_model()

    assert isinstance(own(tmp_path), OwnEmbedder)
    assert isinstance(own(transformer), StrongEmbedder)
    assert settings({}).own_model() is None


@pytest.mark.parametrize(("table", "wrong"), [
    ({"fusion": "mean"}, "fusion: 'mean' is none of sum, rrf"), ({"fusions": "rrf"}, "unknown field `fusions`"),
    ({"model": 7}, "model")])
def test_a_setting_of_search_that_means_nothing_is_refused(table: dict[str, Any], wrong: str) -> None:
    with pytest.raises(Refused, match=wrong) as refused:
        settings({"search": table})

    assert "docs/search.md" in refused.value.hint
