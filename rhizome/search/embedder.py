"""Sentences as vectors, by a static model from a folder in model2vec's format.

The model is a table: a sentence's vector is the weighted mean of its pieces' rows, normalised. The one that ships is
mapped from a file of our own, which opens in a millisecond; a person's own goes through model2vec, in a second.
"""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rhizome.search.model_file import FILES, Model, broken, model

if TYPE_CHECKING:
    import numpy as np
    from model2vec import StaticModel
    from numpy.typing import NDArray

BUILTIN = Path(__file__).parent / "static_model"
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

    def common(self, word: str) -> float | None:
        """The logarithm of how common a word is among all words of all languages; None for one that people hardly
        write so, and where the model cannot tell. Raises Damaged."""


class StaticEmbedder:
    """The model in `folder`, opened when first needed; `Damaged` when a file is missing or is not what it should be.

    It reads some 9,000 sentences a second.
    """

    def __init__(self, folder: Path = BUILTIN, kept: Path | None = None) -> None:
        self._folder, self._kept = folder, kept
        self._lock = threading.Lock()
        self._model: Model | None = None

    def keep(self, file: Path) -> None:
        """Have the mapped form in this file from the next opening on. What is open already stays as it is."""
        self._kept = file

    @property
    def dims(self) -> int:
        return self._open().header.dims

    @property
    def fingerprint(self) -> str:
        """A hash of the model's files and of how they are read."""
        return self._open().header.fingerprint

    def encode(self, sentences: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        from rhizome.search.pieces import normal

        opened = self._open()
        header, weights = opened.header, np.frombuffer(opened.weights, dtype=np.float32)
        rows = np.frombuffer(opened.rows, dtype=np.int8).reshape(len(weights), header.dims)
        found = np.zeros((len(sentences), header.dims), dtype=np.float32)
        for at, sentence in enumerate(sentences):
            ids = opened.pieces.ids(normal(sentence, header.letters), header.limit)
            if ids:
                found[at] = weights[ids] @ rows[ids].astype(np.float32)
        return _normalised(found)

    def common(self, word: str) -> float | None:
        return self._open().pieces.common(word)

    def _open(self) -> Model:
        with self._lock:
            if self._model is None:
                self._model = model(self._folder, self._kept)
            return self._model


class OwnEmbedder:
    """A person's own model folder, read by model2vec, which knows every form it ever wrote. Nothing is downloaded."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._model: StaticModel | None = None
        self._fingerprint = ""

    @property
    def dims(self) -> int:
        return int(self._loaded().dim)

    @property
    def fingerprint(self) -> str:
        if not self._fingerprint:
            from rhizome.search.model_making import fingerprint

            _complete(self._folder)
            self._fingerprint = fingerprint(self._folder)
        return self._fingerprint

    def encode(self, sentences: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        found = np.asarray(self._loaded().encode(list(sentences), max_length=MAX_PIECES), dtype=np.float32)
        return _normalised(found.reshape(len(sentences), self.dims))

    def common(self, word: str) -> float | None:  # noqa: ARG002 - most models of this kind do not tell
        return None

    def _loaded(self) -> "StaticModel":
        if self._model is None:
            _complete(self._folder)
            from model2vec import StaticModel

            try:
                self._model = StaticModel.from_pretrained(self._folder)
            except Exception as error:  # the library raises nothing narrower for a folder that it cannot read
                raise broken(self._folder, str(error)) from error
        return self._model


def _normalised(vectors: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Each at length one, in place; those of zeros stay."""
    import numpy as np

    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    np.divide(vectors, length, out=vectors, where=length > 0)
    return vectors


def _complete(folder: Path) -> None:
    """Raises Damaged for a missing file: model2vec would take the folder's name for one on a hub."""
    for name in FILES:
        if not (folder / name).is_file():
            raise broken(folder, f"{name} is missing")
