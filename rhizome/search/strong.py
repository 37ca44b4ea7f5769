"""Sentences as vectors by a transformer that a person has in a folder, run by onnxruntime (`rhizome[strong]`).

    tokenizer.json               read by `tokenizers`
    model.onnx                   or onnx/model.onnx: takes `input_ids`, gives a vector a piece, or one a sentence
    1_Pooling/config.json        may say that the first piece stands for the sentence; else their mean does

Better on paraphrases, and some hundred times as slow as the model that ships. Nothing is downloaded.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rhizome.errors import Damaged

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NETWORKS = ("model.onnx", "onnx/model.onnx")
POOLING = "1_Pooling/config.json"
MAX_PIECES = 512
INSTALL = "`pip install 'rhizome[strong]'` has it; or take `model` out of [search] in rhizome.toml."


def is_transformer(folder: Path) -> bool:
    """Whether a folder holds a transformer, in a form that can be run or not."""
    return _network(folder) is not None or _told(folder / "config.json", "model_type") not in (None, "model2vec")


def _network(folder: Path) -> Path | None:
    return next((folder / name for name in NETWORKS if (folder / name).is_file()), None)


def _told(config: Path, name: str) -> Any:
    """What a model's own settings say; None where they do not."""
    try:
        return json.loads(config.read_bytes()).get(name)
    except (OSError, ValueError, AttributeError):
        return None


class StrongEmbedder:
    """The transformer in `folder`, opened when first needed; Damaged where it, or what runs it, cannot be had.

    One sentence at a time: in a batch its neighbours would change its last digits, and a rebuild would differ.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: tuple[Any, Any] | None = None
        self._fingerprint = ""
        self._dims = 0
        self._first_stands = False

    @property
    def dims(self) -> int:
        if not self._dims:
            self._dims = len(self._vector("a word"))
        return self._dims

    @property
    def fingerprint(self) -> str:
        """A hash of the model's files and of how they are read."""
        if not self._fingerprint:
            digest = hashlib.sha256(b"rhizome/strong/1")
            for file in (self._network(), *sorted(self._network().parent.glob("*.onnx_data")),
                         self._folder / "tokenizer.json", self._folder / POOLING):
                digest.update(_hash(file))
            self._fingerprint = digest.hexdigest()[:32]
        return self._fingerprint

    def encode(self, sentences: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        found = np.zeros((len(sentences), self.dims), dtype=np.float32)
        for at, sentence in enumerate(sentences):
            if sentence.strip():
                found[at] = self._vector(sentence)
        return found

    def common(self, word: str) -> float | None:  # noqa: ARG002 - a transformer does not tell
        return None

    def _vector(self, sentence: str) -> "NDArray[np.float32]":
        import numpy as np

        tokenizer, session = self._open()
        pieces = tokenizer.encode(sentence)
        given = {"input_ids": pieces.ids, "attention_mask": pieces.attention_mask, "token_type_ids": pieces.type_ids}
        wanted = {each.name: np.array([given[each.name]], dtype=np.int64) for each in session.get_inputs()
                  if each.name in given}
        try:
            out = np.asarray(session.run(None, wanted)[0], dtype=np.float32)[0]
        except Exception as error:  # the library has a class of its own for each thing that can be wrong
            raise self._broken(str(error)) from error
        if out.ndim == 2:
            out = out[0] if self._first_stands else out.mean(axis=0)
        length = float(np.linalg.norm(out))
        found: NDArray[np.float32] = out / length if length else out
        return found

    def _open(self) -> tuple[Any, Any]:
        if self._opened is None:
            try:
                import onnxruntime
            except ImportError as error:
                raise Damaged(f"model {self._folder}: onnxruntime is not installed", INSTALL) from error
            from tokenizers import Tokenizer

            try:
                tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
                session = onnxruntime.InferenceSession(str(self._network()), providers=["CPUExecutionProvider"])
            except Exception as error:  # neither library raises anything narrower
                raise self._broken(str(error)) from error
            tokenizer.no_padding()
            tokenizer.enable_truncation(MAX_PIECES)
            self._first_stands = bool(_told(self._folder / POOLING, "pooling_mode_cls_token"))
            self._opened = tokenizer, session
        return self._opened

    def _network(self) -> Path:
        if (found := _network(self._folder)) is None:
            raise Damaged(f"model {self._folder}: a transformer without model.onnx",
                          "Export it to ONNX, for example with `optimum-cli export onnx`, or name a model2vec folder.")
        return found

    def _broken(self, what: str) -> Damaged:
        return Damaged(f"model {self._folder}: {what}",
                       "Search goes on without vectors; export the model again, or take it out of rhizome.toml.")


def _hash(file: Path) -> bytes:
    """Of a file that may be large; of one that is not there, that it is not."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").digest()
    except FileNotFoundError:
        return b"none"
