"""Making a model's file out of its sources, as model2vec wrote them: a Unigram tokenizer, and a row a piece.

Anything else than what the shipped model has is refused: model2vec reads it, and `pieces` would read it wrong.
"""

import hashlib
import sys
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

import msgspec

from rhizome.search.model_file import FILES, HEADER_BYTES, MAGIC, Header, Stat, broken
from rhizome.search.pieces import hashed

MAX_PIECES = 512
ALIGNED = 64

NORMALIZER = {"type": "Sequence", "normalizers": [
    {"type": "NFKC"}, {"type": "Lowercase"}, {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "},
    {"type": "Strip", "strip_left": True, "strip_right": True}]}  # fmt: skip
SPLITTER = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}
"""What `pieces` knows how to do; a model that wants anything else is read by model2vec."""


class _Unigram(msgspec.Struct, frozen=True, tag="Unigram", tag_field="type"):
    vocab: list[tuple[str, float]]
    unk_id: int
    byte_fallback: bool = False


class _Tokenizer(msgspec.Struct, frozen=True):
    model: _Unigram
    normalizer: object = None
    pre_tokenizer: object = None
    added_tokens: list[object] = []


class _Config(msgspec.Struct, frozen=True):
    max_length: int | None = MAX_PIECES


class _Tensor(msgspec.Struct, frozen=True):
    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


def made(folder: Path, sources: Sequence[Stat]) -> bytes:
    """The file, as it is made of its sources."""
    config, tokenizer, tensors = ((folder / name).read_bytes() for name in FILES)
    try:
        settings = msgspec.json.decode(config, type=_Config)
        told = msgspec.json.decode(tokenizer, type=_Tokenizer)
        rows, weights, dims = _tensors(tensors, len(told.model.vocab))
    except (msgspec.DecodeError, KeyError, IndexError, ValueError) as error:
        raise broken(folder, str(error)) from error
    known = told.normalizer == NORMALIZER and told.pre_tokenizer == SPLITTER and not told.added_tokens
    if not known or told.model.byte_fallback:
        raise broken(folder, "its tokenizer is of a kind that only model2vec reads")
    texts = [text for text, _ in told.model.vocab]
    spelled = [text.encode() for text in texts]
    scores = array("d", (score for _, score in told.model.vocab))
    ends = array("I", [0])
    for piece in spelled:
        ends.append(ends[-1] + len(piece))
    lengths = sorted(map(len, texts))
    middle = (lengths[(len(lengths) - 1) // 2] + lengths[len(lengths) // 2]) // 2
    limit = settings.max_length or MAX_PIECES
    parts = {
        "table": array("Q", hashed(spelled)).tobytes(), "scores": scores.tobytes(), "ends": ends.tobytes(),
        "weights": weights.tobytes(), "letters": b"".join(spelled), "rows": rows,
    }  # fmt: skip
    places = dict(_placed(parts))
    header = Header(
        fingerprint=fingerprint(folder), sources=list(sources), bytes=sum(places["rows"]), order=sys.byteorder,
        dims=dims, unknown=told.model.unk_id, least=min(scores), longest=lengths[-1],
        letters=limit * middle, limit=limit, parts=places,
    )  # fmt: skip
    return _joined(header, parts)


def _placed(parts: dict[str, bytes]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Where each part begins, and its length."""
    at = HEADER_BYTES
    for name, data in parts.items():
        yield name, (at, len(data))
        at += -(-len(data) // ALIGNED) * ALIGNED


def _joined(header: Header, parts: dict[str, bytes]) -> bytes:
    text = msgspec.json.encode(header)
    found = bytearray(header.bytes)
    first = MAGIC + b" %08x\n" % crc32(text) + text
    found[:HEADER_BYTES] = first.ljust(HEADER_BYTES)
    for name, data in parts.items():
        at, size = header.parts[name]
        found[at : at + size] = data
    return bytes(found)


def _tensors(data: bytes, pieces: int) -> tuple[bytes, "array[float]", int]:
    """Rows and weights out of a safetensors file. ValueError where they are not what this kind of model has."""
    length = int.from_bytes(data[:8], "little")
    told = msgspec.json.decode(data[8 : 8 + length], type=dict[str, _Tensor])
    rows, weights = told["embeddings"], told["weights"]
    if (rows.dtype, weights.dtype, weights.shape) != ("I8", "F32", [pieces]) or len(told) != 2:
        raise ValueError("its tensors are of a kind that only model2vec reads")
    if len(rows.shape) != 2 or rows.shape[0] != pieces or not pieces or not rows.shape[1]:
        raise ValueError("its embeddings are no table of a row a piece")
    inside = [data[8 + length + begin : 8 + length + end] for begin, end in (rows.data_offsets, weights.data_offsets)]
    if [len(each) for each in inside] != [pieces * rows.shape[1], pieces * 4]:
        raise ValueError("model.safetensors is cut")
    numbers = array("f", inside[1])
    if sys.byteorder == "big":
        numbers.byteswap()
    return inside[0], numbers, rows.shape[1]


def fingerprint(folder: Path) -> str:
    """A hash of a model's files and of how they are read."""
    digest = hashlib.sha256(b"rhizome/static/1")
    for name in FILES:
        digest.update(hashlib.sha256((folder / name).read_bytes()).digest())
    return digest.hexdigest()[:32]
