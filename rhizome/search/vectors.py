"""The sentence vectors of one layer in two files: rows of int8, and beside each its scale and whose it is.

Whole numbers have the same product on every processor, take half the room of float16 and are scanned faster. Rows are
only added; a row whose document is gone has the number 0. A file is never cut: a reader may have it mapped.
"""

import math
from _blake2 import blake2b  # as `store/tree.py` has it
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rhizome.search.embedder import Embedder
from rhizome.search.manifest import IndexDamaged

ROW = np.dtype([("number", "<u4"), ("place", "<u4"), ("scale", "<f4"), ("hash", "<u8")])
BLOCK = 512
"""Rows turned into float32 at a time: half a megabyte, which stays in the processor's nearest caches."""


def content_hash(text: str) -> int:
    """What an unchanged sentence is recognised by; never 0."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little") or 1


class Vectors:
    """The vectors of a layer as they stood when opened, mapped into memory."""

    def __init__(self, generation: Path, layer: str, dims: int) -> None:
        self._paths = generation / f"{layer}.vectors", generation / f"{layer}.rows"
        self._dims = dims
        self.rows: NDArray[Any] = _mapped(self._paths[1], ROW)
        table = _mapped(self._paths[0], np.dtype(np.int8))
        if len(table) < len(self.rows) * dims:
            raise IndexDamaged(generation.parent.name, f"{layer}.vectors is shorter than its rows")
        self.table = table[: len(self.rows) * dims].reshape(-1, dims)
        self._order: NDArray[np.intp] | None = None

    def scan(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of every row with a vector of length one; rows of documents that are gone get -1.

        `vecdot` and not a matrix product: that one wakes a pool of threads which spin, and took ten times as long
        beside another busy process.
        """
        found = np.empty(len(self.rows), dtype=np.float32)
        block = np.empty((BLOCK, self._dims), dtype=np.float32)
        for at in range(0, len(found), BLOCK):
            part = self.table[at : at + BLOCK]
            block[: len(part)] = part
            np.vecdot(block[: len(part)], query, out=found[at : at + BLOCK])
        found *= self.rows["scale"]
        found[self.rows["number"] == 0] = -1.0
        return found

    def sum(self, first: int, count: int) -> NDArray[np.float32]:
        """The sum of some rows, at length one."""
        rows = self.table[first : first + count].astype(np.float32)
        total: NDArray[np.float32] = np.einsum("i,ij->j", self.rows["scale"][first : first + count], rows)
        length = math.sqrt(float(np.vecdot(total, total)))
        return total / np.float32(length) if length else total

    def find(self, key: int) -> tuple[float, NDArray[np.int8]] | None:
        """Scale and row of a sentence by its content hash; None where it has none here."""
        if self._order is None:
            self._order = np.argsort(self.rows["hash"], kind="stable")
        at = int(np.searchsorted(self.rows["hash"], np.uint64(key), sorter=self._order))
        row = int(self._order[at]) if at < len(self._order) else -1
        if row < 0 or int(self.rows["hash"][row]) != key:
            return None
        return float(self.rows["scale"][row]), self.table[row].copy()

    def append(
        self,
        documents: Sequence[tuple[int, Sequence[tuple[int, str]]]],
        embedder: Embedder,
        known: Callable[[int], tuple[float, NDArray[np.int8]] | None],
    ) -> list[tuple[int, int]]:
        """Add the sentences (place, text) of documents by number; gives the first row and the count of each.

        A sentence whose hash is known is not encoded again. One without a vector gets no row.
        """
        hashes = {text: content_hash(text) for _, parts in documents for _, text in parts}
        vectors = {text: found for text, key in hashes.items() if (found := known(key))}
        new = [text for text in hashes if text not in vectors]
        vectors |= dict(zip(new, _rounded(embedder.encode(new)), strict=True)) if new else {}
        rows: list[tuple[int, int, float, int]] = []
        table: list[NDArray[np.int8]] = []
        spans = []
        for number, parts in documents:
            first = len(self.rows) + len(rows)
            for place, text in parts:
                scale, row = vectors[text]
                if scale > 0:
                    rows.append((number, place, scale, hashes[text]))
                    table.append(row)
            spans.append((first, len(self.rows) + len(rows) - first))
        if rows:
            self._write(np.array(rows, dtype=ROW), np.stack(table))
        return spans

    def forget(self, spans: Sequence[tuple[int, int]]) -> None:
        """Mark rows as nobody's and wipe them."""
        if not len(self.rows):
            return
        rows = np.memmap(self._paths[1], dtype=ROW, mode="r+")
        table = np.memmap(self._paths[0], dtype=np.int8, mode="r+")
        for first, count in spans:
            rows[first : first + count] = 0
            table[first * self._dims : (first + count) * self._dims] = 0
        rows.flush()
        table.flush()

    @property
    def dead(self) -> int:
        return int(np.count_nonzero(self.rows["number"] == 0))

    def _write(self, rows: NDArray[Any], table: NDArray[np.int8]) -> None:
        """Vectors first, then the rows that say they are there."""
        for path, at, part in ((self._paths[0], len(self.rows) * self._dims, table),
                               (self._paths[1], len(self.rows) * ROW.itemsize, rows)):
            path.touch(mode=0o600)
            with path.open("r+b") as file:
                file.seek(at)
                file.write(part.tobytes())


def _mapped(path: Path, kind: "np.dtype[Any]") -> NDArray[Any]:
    if not path.exists() or path.stat().st_size < kind.itemsize:
        return np.empty(0, dtype=kind)
    mapped = np.memmap(path, dtype=kind, mode="r", shape=(path.stat().st_size // kind.itemsize,))
    return mapped.view(np.ndarray)  # the same bytes without memmap's cost a slice


def _rounded(vectors: NDArray[np.float32]) -> list[tuple[float, NDArray[np.int8]]]:
    """Each row as int8 with the scale that gives it back; a row of zeros has the scale 0."""
    scales = np.abs(vectors).max(axis=1) / 127.0
    safe = np.where(scales > 0, scales, 1.0)
    table = np.rint(vectors / safe[:, None]).astype(np.int8)
    return [(float(scale), row) for scale, row in zip(scales, table, strict=True)]
