"""Vectors seen from the middle of their store: minus their language's mean, without the store's strongest directions.

Raw vectors of one language, and of one house's style, all point the same way, which hides what they differ in. The
rows on disk stay raw; beside each stands what turns a product with a question into the centred cosine, so that a scan
costs the same. A store of few sentences has no middle, and its vectors count as they are.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rhizome.search.language import LANGUAGES
from rhizome.search.manifest import IndexDamaged
from rhizome.search.vectors import Vectors

COMPONENTS = 4
"""Directions taken out. Eight helped paragraphs a little and took two points from conversations."""

SAMPLE = 6_000
"""Sentences a store's middle is fitted on, chosen by their hash."""

FEW = 300
"""A store of fewer sentences is not centred."""

FEW_OF_A_LANGUAGE = 30
"""A language of fewer sentences shares the mean of all."""

SMALL = 1e-3
"""A vector that is shorter than this once centred says nothing."""

BESIDE = np.dtype([("inverse", "<f4"), ("share", "<f4"), ("language", "<u4")])
BLOCK = 4_096
NAME = "middle"


class Middle:
    """Mean by language and the strongest directions, as they were fitted at a full build."""

    def __init__(self, table: NDArray[np.float32]) -> None:
        """`table` has a row a language of `LANGUAGES`, then the directions; all zeros where nothing was fitted."""
        self.means, self.directions = table[: len(LANGUAGES)], table[len(LANGUAGES) :]

    @classmethod
    def fit(cls, vectors: Sequence[Vectors], languages: NDArray[np.intp], dims: int) -> "Middle":
        """From a sample over all layers; `languages` has the language of every document's number."""
        table = np.zeros((len(LANGUAGES) + COMPONENTS, dims), dtype=np.float32)
        keys = [(key, layer, row) for layer, each in enumerate(vectors)
                for row, key in enumerate(each.rows["hash"].tolist()) if key]
        if len(keys) < FEW or dims <= 2 * COMPONENTS:
            return cls(table)
        sample = sorted(keys)[:SAMPLE]
        rows = np.stack([_raw(vectors[layer], slice(row, row + 1))[0] for _, layer, row in sample])
        whose = languages[[vectors[layer].rows["number"][row] for _, layer, row in sample]]
        table[: len(LANGUAGES)] = rows.mean(axis=0)
        for at in range(1, len(LANGUAGES)):
            if np.count_nonzero(whose == at) >= FEW_OF_A_LANGUAGE:
                table[at] = rows[whose == at].mean(axis=0)
        rows = rows - table[whose]
        _, directions = np.linalg.eigh((rows.T @ rows).astype(np.float64))
        table[len(LANGUAGES) :] = directions[:, ::-1][:, :COMPONENTS].T
        return cls(table)

    @classmethod
    def read(cls, generation: Path, dims: int) -> "Middle":
        path = generation / NAME
        wanted = (len(LANGUAGES) + COMPONENTS) * dims * 4
        if not path.exists():
            return cls(np.zeros((len(LANGUAGES) + COMPONENTS, dims), dtype=np.float32))
        if path.stat().st_size != wanted:
            raise IndexDamaged(generation.parent.name, f"{NAME} has {path.stat().st_size} bytes instead of {wanted}")
        return cls(np.fromfile(path, dtype="<f4").reshape(-1, dims))

    def write(self, generation: Path) -> None:
        (generation / NAME).write_bytes(np.vstack([self.means, self.directions]).astype("<f4").tobytes())

    def centred(self, rows: NDArray[np.float32], languages: NDArray[np.intp]) -> NDArray[np.float32]:
        """The rows centred, at length one."""
        found = rows - self.means[languages]
        found -= (found @ self.directions.T) @ self.directions
        length = np.linalg.norm(found, axis=1, keepdims=True)
        np.divide(found, length, out=found, where=length > SMALL)
        return found

    def question(self, vector: NDArray[np.float32], language: str) -> NDArray[np.float32]:
        found: NDArray[np.float32] = self.centred(vector[None], np.array([LANGUAGES.index(language)]))[0]
        return found

    def beside(self, vectors: Vectors, spans: Sequence[tuple[int, int]], languages: Sequence[int]) -> NDArray[Any]:
        """What stands beside the rows of these spans of one layer, one span a document, in order and without gaps."""
        found = np.zeros(sum(count for _, count in spans), dtype=BESIDE)
        at = 0
        for (first, count), language in zip(spans, languages, strict=True):
            if not count:
                continue
            raw = _raw(vectors, slice(first, first + count)) - self.means[language]
            raw -= (raw @ self.directions.T) @ self.directions
            length = np.linalg.norm(raw, axis=1)
            inverse = np.divide(1.0, length, out=np.zeros_like(length), where=length > SMALL)
            total = float(np.linalg.norm(inverse @ raw))
            found[at : at + count] = [(each, 1.0 / total if total > SMALL else 0.0, language) for each in inverse]
            at += count
        return found


class Centred:
    """The cosines of one layer's rows with a question, both seen from the store's middle."""

    def __init__(self, generation: Path, layer: str, vectors: Vectors, middle: Middle) -> None:
        path = generation / f"{layer}.beside"
        size = path.stat().st_size if path.exists() else 0
        if size < len(vectors.rows) * BESIDE.itemsize:
            raise IndexDamaged(generation.parent.name, f"{layer}.beside is shorter than its rows")
        self._beside = (np.memmap(path, dtype=BESIDE, mode="r").view(np.ndarray)[: len(vectors.rows)]
                        if size else np.empty(0, dtype=BESIDE))
        if len(self._beside) and int(self._beside["language"].max()) >= len(middle.means):
            raise IndexDamaged(generation.parent.name, f"{layer}.beside names languages that there are not")
        self._vectors, self._middle = vectors, middle

    def scan(self, question: NDArray[np.float32]) -> NDArray[np.float32]:
        """The centred cosine of every row with a question that is centred itself; -1 for rows of nobody."""
        found = self._vectors.scan(question)
        found -= (self._middle.means @ question)[self._beside["language"]]
        found *= self._beside["inverse"]
        found[self._vectors.rows["number"] == 0] = -1.0
        return found

    @property
    def share(self) -> NDArray[np.float32]:
        """By row, one over the length of the sum of its document's rows."""
        return self._beside["share"]


def write_all(generation: Path, layers: Sequence[str], dims: int, languages: Mapping[int, str]) -> None:
    """Fit the middle of a new generation and write what stands beside its rows."""
    vectors = [Vectors(generation, layer, dims) for layer in layers]
    by_number = np.zeros(1 + max(languages, default=0), dtype=np.intp)
    for number, name in languages.items():
        by_number[number] = LANGUAGES.index(name)
    middle = Middle.fit(vectors, by_number, dims)
    middle.write(generation)
    for layer, each in zip(layers, vectors, strict=True):
        if len(each.rows):
            numbers = each.rows["number"]
            starts = np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1]])
            spans = [(int(a), int(b - a)) for a, b in zip(starts, [*starts[1:], len(numbers)], strict=True)]
            add(generation, layer, middle.beside(each, spans, [int(by_number[numbers[a]]) for a in starts]))


def add(generation: Path, layer: str, rows: NDArray[Any]) -> None:
    with (generation / f"{layer}.beside").open("ab") as file:
        file.write(rows.tobytes())


def _raw(vectors: Vectors, rows: slice) -> NDArray[np.float32]:
    found: NDArray[np.float32] = vectors.table[rows].astype(np.float32) * vectors.rows["scale"][rows, None]
    return found
