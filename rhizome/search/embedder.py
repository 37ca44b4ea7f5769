"""Sentences as vectors, by a static model from a folder in model2vec's format.

The model is a table: a sentence's vector is the weighted mean of its pieces' rows, normalised. The one that ships is
read here, in half a second at the first sentence and without any hub code; a person's own goes through model2vec.
"""

import hashlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from rhizome.errors import Damaged

if TYPE_CHECKING:
    import numpy as np
    from model2vec import StaticModel
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

BUILTIN = Path(__file__).parent / "static_model"
FILES = ("config.json", "tokenizer.json", "model.safetensors")
BATCH = 256
MAX_PIECES = 512


class Embedder(Protocol):
    """Gives a sentence a vector of length one, or of zeros when it holds nothing the model knows."""

    @property
    def dims(self) -> int: ...

    @property
    def fingerprint(self) -> str:
        """Changes when the same sentence would get another vector."""

    def encode(self, sentences: Sequence[str]) -> "NDArray[np.float32]":
        """One row a sentence. The same sentence has the same row in every call."""


class StaticEmbedder:
    """A model2vec folder, read when first needed; `Damaged` when a file is missing or is not what it should be."""

    def __init__(self, folder: Path = BUILTIN) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._model: _Model | None = None

    @property
    def dims(self) -> int:
        return self._loaded().dims

    @property
    def fingerprint(self) -> str:
        """A hash of the model's files and of how they are read."""
        return self._loaded().fingerprint

    def encode(self, sentences: Sequence[str]) -> "NDArray[np.float32]":
        return self._loaded().encode(sentences)

    def _loaded(self) -> "_Model":
        with self._lock:
            if self._model is None:
                self._model = _Model(self._folder)
            return self._model


class OwnEmbedder:
    """A person's own model folder, read by model2vec, which knows every form it ever wrote. Nothing is downloaded."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._model: StaticModel | None = None

    @property
    def dims(self) -> int:
        return int(self._loaded().dim)

    @property
    def fingerprint(self) -> str:
        return _fingerprint(self._folder)

    def encode(self, sentences: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        found = np.asarray(self._loaded().encode(list(sentences), max_length=MAX_PIECES), dtype=np.float32)
        found = found.reshape(len(sentences), self.dims)
        length = np.linalg.norm(found, axis=1, keepdims=True)
        np.divide(found, length, out=found, where=length > 0)
        return found

    def _loaded(self) -> "StaticModel":
        if self._model is None:
            _complete(self._folder)
            from model2vec import StaticModel

            try:
                self._model = StaticModel.from_pretrained(self._folder)
            except Exception as error:  # the library raises nothing narrower for a folder that it cannot read
                raise _broken(self._folder, str(error)) from error
        return self._model


def _complete(folder: Path) -> None:
    """Raises Damaged for a missing file: model2vec would take the folder's name for one on a hub."""
    for name in FILES:
        if not (folder / name).is_file():
            raise _broken(folder, f"{name} is missing")


class _Config(msgspec.Struct, frozen=True):
    max_length: int | None = MAX_PIECES


class _Pieces(msgspec.Struct, frozen=True):
    """What `tokenizer.json` says of the piece for unknown text: by place (Unigram) or by name (the others)."""

    unk_id: int | None = None
    unk_token: str | None = None


class _Tokenizer(msgspec.Struct, frozen=True):
    model: _Pieces


class _Model:
    def __init__(self, folder: Path) -> None:
        _complete(folder)
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            tensors = load_file(folder / "model.safetensors")
            config = msgspec.json.decode((folder / "config.json").read_bytes(), type=_Config)
            pieces = msgspec.json.decode((folder / "tokenizer.json").read_bytes(), type=_Tokenizer).model
            self._rows = tensors["embeddings"]
        except (SafetensorError, KeyError, msgspec.DecodeError) as error:
            raise _broken(folder, str(error)) from error
        if self._rows.ndim != 2 or not len(self._rows):
            raise _broken(folder, "its embeddings are no table")
        self._weights, self._mapping = tensors.get("weights"), tensors.get("mapping")
        self._tokenizer = _tokenizer(folder, config.max_length or MAX_PIECES)
        self._unknown = pieces.unk_id if pieces.unk_token is None else self._tokenizer.token_to_id(pieces.unk_token)
        self.dims = int(self._rows.shape[1])
        self.fingerprint = _fingerprint(folder)

    def encode(self, sentences: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        found = np.zeros((len(sentences), self.dims), dtype=np.float32)
        for start in range(0, len(sentences), BATCH):
            batch = list(sentences[start : start + BATCH])
            for at, pieces in enumerate(self._tokenizer.encode_batch_fast(batch, add_special_tokens=False), start):
                ids = np.array([piece for piece in pieces.ids if piece != self._unknown], dtype=np.int64)
                if len(ids):
                    found[at] = self._sum(ids)
        length = np.linalg.norm(found, axis=1, keepdims=True)
        np.divide(found, length, out=found, where=length > 0)
        return found

    def _sum(self, ids: "NDArray[np.int64]") -> "NDArray[np.float32]":
        rows = self._rows[ids if self._mapping is None else self._mapping[ids]].astype("float32")
        total: NDArray[np.float32] = rows.sum(axis=0) if self._weights is None else self._weights[ids] @ rows
        return total


def _tokenizer(folder: Path, longest: int) -> "Tokenizer":
    from tokenizers import Tokenizer

    try:
        tokenizer: Tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # the library raises nothing narrower for a file that it cannot read
        raise _broken(folder, f"tokenizer.json: {error}") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)
    return tokenizer


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256(b"rhizome/static/1")
    for name in FILES:
        digest.update(hashlib.sha256((folder / name).read_bytes()).digest())
    return digest.hexdigest()[:32]


def _broken(folder: Path, what: str) -> Damaged:
    return Damaged(f"model {folder}: {what}", hint="Search goes on without vectors; reinstall rhizome to have them.")
