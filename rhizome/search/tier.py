"""One tier's index as a reader opens it: the manifest, the text index, the table and the vectors of a generation."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rhizome.search import manifest as manifests
from rhizome.search.manifest import IndexDamaged, Manifest, Unready
from rhizome.search.table import Table
from rhizome.search.text_index import TextIndex

if TYPE_CHECKING:
    from rhizome.search.centring import Centred, Middle
    from rhizome.search.synonyms import Words
    from rhizome.search.vectors import Vectors


class Tier(msgspec.Struct, eq=False):
    """An open index. Vectors are mapped when they are first asked for; numpy is not imported before."""

    folder: Path
    manifest: Manifest
    text: TextIndex
    table: Table
    stamp: tuple[int, int, int] = (0, 0, 0)
    _vectors: "dict[str, Vectors]" = msgspec.field(default_factory=dict)
    _middle: "Middle | None" = None
    _centred: "dict[str, Centred]" = msgspec.field(default_factory=dict)
    _words: "Words | None" = None

    @property
    def generation(self) -> Path:
        return self.folder / f"g{self.manifest.generation}"

    def vectors(self, layer: str) -> "Vectors":
        """The sentence vectors of a layer; empty where no model has made any."""
        if layer not in self._vectors:
            from rhizome.search.vectors import Vectors

            self._vectors[layer] = Vectors(self.generation, layer, self.manifest.dims)
        return self._vectors[layer]

    @property
    def middle(self) -> "Middle":
        """The point that this store's vectors are seen from."""
        if self._middle is None:
            from rhizome.search.centring import Middle

            self._middle = Middle.read(self.generation, self.manifest.dims)
        return self._middle

    def centred(self, layer: str) -> "Centred":
        """A layer's vectors seen from the middle."""
        if layer not in self._centred:
            from rhizome.search.centring import Centred

            self._centred[layer] = Centred(self.generation, layer, self.vectors(layer), self.middle)
        return self._centred[layer]

    @property
    def words(self) -> "Words":
        """The vectors of this store's words."""
        if self._words is None:
            from rhizome.search.synonyms import Words

            self._words = Words(self.generation, self.manifest.dims, self.table)
        return self._words

    def close(self) -> None:
        self._vectors.clear()
        self._centred.clear()
        self._words = None
        self.table.close()

    def faults(self) -> Iterator[str]:
        """Everything in this tier that is not as it was written; reads every byte."""
        for name, (_, checksum) in self.manifest.files.items():
            if manifests.crc(self.generation / name) != checksum:
                yield f"{name} has changed"
        try:
            yield from self.table.faults()
        except IndexDamaged as error:
            yield error.message
        if self.text.documents != self.manifest.documents:
            yield f"text: {self.text.documents} documents instead of {self.manifest.documents}"


def open_tier(folder: Path) -> Tier | Unready:
    """A tier ready to be asked, or why it is not. Files are looked at again under the lock before they are blamed."""
    found = open_locked(folder)
    if isinstance(found, Unready) and found.state == "damaged":
        with manifests.locked(folder, exclusive=False):
            found = open_locked(folder)
    return found


def stamp(folder: Path) -> tuple[int, int, int]:
    """What changes whenever a tier's manifest is replaced."""
    try:
        stat = (folder / "manifest.json").stat()
    except OSError:
        return 0, 0, 0
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def open_locked(folder: Path) -> Tier | Unready:
    """The same for whoever holds the lock, or does not mind that a writer may be at work."""
    when = stamp(folder)
    manifest = manifests.read(folder)
    if isinstance(manifest, Unready):
        return manifest
    generation = folder / f"g{manifest.generation}"
    if wrong := manifests.mismatch(generation, manifest):
        return Unready("damaged", wrong)
    try:
        return Tier(folder, manifest, TextIndex.open(generation / "text"), Table.open(generation / "docs.db"), when)
    except IndexDamaged as error:
        return Unready("damaged", error.message)
