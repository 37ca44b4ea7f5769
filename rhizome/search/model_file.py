"""A static model of one kind as one file that is mapped, not read: a Unigram tokenizer and rows of int8 with weights.

    rhizome-model/1 <crc32>\\n{header}, 4,096 bytes     what the parts are, and of which sources they were made
    table u64 · scores f64 · ends u32 · weights f32 · letters · rows int8, each at a multiple of 64 bytes

A projection of `tokenizer.json` and `model.safetensors`: made where it is missing, cut, foreign or of other sources.
Numbers are in this machine's order; a file of the other order is foreign. A file is replaced, never changed: a process
may have it mapped.
"""

import sys
from collections.abc import Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path
from zlib import crc32

import msgspec

from rhizome.errors import Damaged
from rhizome.search.manifest import locked
from rhizome.search.pieces import Pieces

FILES = ("config.json", "tokenizer.json", "model.safetensors")

MAGIC = b"rhizome-model/1"
HEADER_BYTES = 4_096

Stat = tuple[int, int, int]


class Header(msgspec.Struct, frozen=True):
    """`parts` are (offset, bytes) by name; a text counts up to so many `letters`, and so many pieces of it.

    `sources` are size, mtime and ctime of the files it was made of, `fingerprint` a hash of their bytes.
    """

    fingerprint: str
    sources: list[Stat]
    bytes: int
    order: str
    dims: int
    unknown: int
    least: float
    longest: int
    letters: int
    limit: int
    parts: dict[str, tuple[int, int]]


class Model(msgspec.Struct, frozen=True):
    """An open model: views of one buffer, which stays mapped for as long as any of them lives."""

    header: Header
    pieces: Pieces
    weights: memoryview
    rows: memoryview


def model(folder: Path, kept: Path | None) -> Model:
    """The model in `folder`, mapped from the file `kept`, which is made first where it is no good: half a second.

    Without `kept`, or where that cannot be written, it is in memory. Damaged where the sources are not whole.
    """
    sources = _sources(folder)
    if kept is None:
        return _model(_made(folder, sources))
    if found := _opened(kept, sources):
        return found
    try:
        with locked(kept.parent, exclusive=True):
            if found := _opened(kept, sources):
                return found  # another process was faster
            data = _made(folder, sources)
            beside = kept.with_name(f"{kept.name}.new")
            beside.touch(mode=0o600)
            beside.write_bytes(data)
            beside.replace(kept)
    except OSError:
        return _model(_made(folder, sources))
    return _opened(kept, sources) or _model(data)


def _made(folder: Path, sources: Sequence[Stat]) -> memoryview:
    from rhizome.search.model_making import made  # half a second's work, once a home

    return memoryview(made(folder, sources))


def _opened(path: Path, sources: Sequence[Stat]) -> Model | None:
    """The model in a file; None for one that is missing, not whole, or not of these sources."""
    try:
        with path.open("rb") as file:
            header = _header(file.read(HEADER_BYTES))
            if header is None or header.bytes != file.seek(0, 2):
                return None
            if header.sources != list(sources) or header.order != sys.byteorder:
                return None
            return _model(memoryview(mmap(file.fileno(), 0, access=ACCESS_READ)))
    except OSError:
        return None


def _header(data: bytes) -> Header | None:
    first, _, rest = data.partition(b"\n")
    text = rest.rstrip(b" ")
    if first != MAGIC + b" %08x" % crc32(text):
        return None
    return msgspec.json.decode(text, type=Header)


def _model(data: memoryview) -> Model:
    header = _header(bytes(data[:HEADER_BYTES]))
    assert header is not None
    part = {name: data[at : at + size] for name, (at, size) in header.parts.items()}
    pieces = Pieces(
        part["table"].cast("Q"), part["letters"], part["ends"].cast("I"), part["scores"].cast("d"),
        unknown=header.unknown, longest=header.longest, least=header.least,
    )  # fmt: skip
    return Model(header, pieces, part["weights"], part["rows"])


def _sources(folder: Path) -> list[Stat]:
    found = []
    for name in FILES:
        try:
            status = (folder / name).stat()
        except OSError as error:
            raise broken(folder, f"{name} is missing") from error
        found.append((status.st_size, status.st_mtime_ns, status.st_ctime_ns))
    return found


def broken(folder: Path, what: str) -> Damaged:
    return Damaged(f"model {folder}: {what}", hint="Search goes on without vectors; reinstall rhizome to have them.")
