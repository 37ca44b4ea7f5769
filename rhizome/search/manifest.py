"""What one tier's folder holds, checked when it is opened: `manifest.json` is replaced last in every change.

    <tier>/manifest.json     format, versions, seq reached, model, floor, and size and CRC of each file below
    <tier>/lock              held by the writer while it changes anything
    <tier>/g<N>/             one generation: text/, docs.db, <layer>.vectors, <layer>.rows
"""

import contextlib
import fcntl
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import tantivy

from rhizome.errors import Damaged
from rhizome.search.tokens import ANALYZER

FORMAT = 4
"""Raise it when a folder is laid out otherwise, or when other things of a session are searched."""

TEXT = "text/"
ENGINE = str(getattr(tantivy, "__version__", "tantivy"))


class IndexDamaged(Damaged):
    """Files of one tier's index are not as they were written; whoever asks goes on without that tier."""

    def __init__(self, tier: str, what: str) -> None:
        super().__init__(f"search index {tier}: {what}", hint="It is derived; `rhizome rebuild` makes it.")
        self.tier = tier


class Threshold(msgspec.Struct, frozen=True):
    """The evidence floor of one store: for words alone, for words and nearness together, and for the same `abroad`:
    where the question is not in a language of `home`, those that the store speaks.

    `digest` and `documents` tell what it was fitted on.
    """

    words: float
    together: float
    abroad: float
    home: tuple[str, ...] = ()
    digest: str = ""
    documents: int = 0


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a tier. `files` maps a path below the generation to (bytes, CRC-32); no CRC means size alone.

    `stamps` are what the disk told of text files when the manifest was written; one that still has its stamp is not
    read at every opening."""

    seq: int
    generation: int
    floor: Threshold
    documents: int = 0
    model: str = ""
    dims: int = 0
    files: dict[str, tuple[int, int | None]] = {}
    format: int = FORMAT
    analyzer: int = ANALYZER
    engine: str = ENGINE
    stamps: dict[str, tuple[int, int, int]] = {}


class Unready(msgspec.Struct, frozen=True):
    """A tier that cannot be asked: it is absent, outdated or damaged, and has to be built again."""

    state: str
    detail: str


def read(folder: Path) -> Manifest | Unready:
    """The manifest of a tier whose versions are ours; says why not otherwise. Looks at no other file."""
    path = folder / "manifest.json"
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except FileNotFoundError:
        return Unready("absent", "there is none yet")
    except (OSError, msgspec.DecodeError) as error:
        return Unready("damaged", f"manifest.json: {error}")
    if (found.format, found.analyzer, found.engine) != (FORMAT, ANALYZER, ENGINE):
        return Unready("outdated", "made by another version of rhizome")
    return found


def write(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest, with stamps of now; whoever reads sees the old one or the new one."""
    generation = folder / f"g{manifest.generation}"
    texts = [name for name in manifest.files if name.startswith(TEXT)]
    stamps = {name: _stamp((generation / name).stat()) for name in texts}
    manifest = msgspec.structs.replace(manifest, stamps=stamps)
    beside = folder / "manifest.json.new"
    with beside.open("wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    beside.replace(folder / "manifest.json")


def set_aside(folder: Path) -> None:
    """Take the manifest of a damaged tier away, so that every process sees that it has to be built."""
    with contextlib.suppress(OSError):
        (folder / "manifest.json").replace(folder / "manifest.json.damaged")


def measure(generation: Path, known: dict[str, tuple[int, int | None]]) -> dict[str, tuple[int, int | None]]:
    """Size and CRC of every file of a generation; segment files never change, so `known` ones are not read again.

    A database has no CRC here: its rows carry their own.
    """
    found: dict[str, tuple[int, int | None]] = {}
    for path in sorted(generation.rglob("*")):
        name = path.relative_to(generation).as_posix()
        if not path.is_file() or path.name.startswith(".") or path.suffix in (".db", ".db-journal"):
            continue
        size = path.stat().st_size
        frozen = path.parent.name == "text" and path.name != "meta.json" and known.get(name, (-1, None))[0] == size
        found[name] = known[name] if frozen else (size, crc(path))
    return found


def mismatch(generation: Path, manifest: Manifest) -> str | None:
    """The first file that is not as the manifest says, or None. A text file that anybody touched since is read whole,
    the others are measured; `Tier.faults` reads everything."""
    for name, (size, checksum) in manifest.files.items():
        path = generation / name
        try:
            found = path.stat()
        except FileNotFoundError:
            return f"{name} is missing"
        if found.st_size != size:
            return f"{name} has {found.st_size} bytes instead of {size}"
        if name.startswith(TEXT) and _stamp(found) != manifest.stamps.get(name) and crc(path) != checksum:
            return f"{name} has changed"
    return None if (generation / "docs.db").is_file() else "docs.db is missing"


def _stamp(found: os.stat_result) -> tuple[int, int, int]:
    """Changes with every write, even one that sets the time back."""
    return found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def crc(path: Path) -> int:
    """CRC-32 of a file, read in blocks."""
    value = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            value = zlib.crc32(block, value)
    return value


@contextmanager
def locked(folder: Path, *, exclusive: bool) -> Iterator[None]:
    """Hold a tier's lock: alone to change it, shared to look at files that no writer is changing meanwhile."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH)
        yield
