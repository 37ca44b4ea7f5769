"""Which files are sessions: told by what is in them, not by how they are called or where they lie."""

import io
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from rhizome.errors import NotFound, RhizomeError
from rhizome.log.importers import IMPORTERS, text
from rhizome.log.importers.port import Importer
from rhizome.log.importers.records import Value, exact, legible
from rhizome.log.lines import READING_ERRORS, why
from rhizome.log.sources import Told

HEAD_RECORDS = 64
"""How far into a file its harness, session and folder are looked for. Resumed sessions begin with a few rows that
name nothing; sixty-four is far beyond those seen."""

LONGEST_LINE = 4 * 1024 * 1024
"""A file without a session's suffix is not searched for one in longer lines: it may be any large file."""

START_BYTES = 16 * 1024
"""How much of a file its harness is told by."""

_BUFFER = 1 << 20


@dataclass(frozen=True, slots=True)
class Found:
    """A file to import: a session's (`harness` None: nothing in it yet that tells) or one that stands beside it."""

    path: Path
    root: Path
    harness: str | None
    name: str
    """The path as the log keeps it: relative to the harness's home, with forward slashes."""
    whole: bool = False
    """Read whole, not line by line."""
    side: bool = False
    """It stands beside a session."""
    likely: str | None = None
    """Whose a file without anything in it probably is, by its place."""
    told: Told | None = None
    """What is known of it, where it is as it was."""


@dataclass(slots=True)
class Discovery:
    """What was found, sessions before what stands beside them; how many other files; and what could not be read."""

    sessions: list[Found] = field(default_factory=list)
    sides: list[Found] = field(default_factory=list)
    skipped: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)


def detected(environment: Mapping[str, str], user_home: Path) -> list[Path]:
    """The session folders and files of every harness that exist on this machine."""
    roots = [root for importer in IMPORTERS.values() for root in importer.roots(environment, user_home)]
    return [root for root in dict.fromkeys(roots) if root.exists()]


def discover(paths: Sequence[Path], told: Callable[[Path], Told | None] = lambda _: None,
             only: Iterable[Path] | None = None, *, named: bool = True) -> Discovery:
    """Every session file at or below `paths`, each once; of them, `only` these, where given.

    What `told` says of a file is believed; only other files are looked into. Where a person `named` the paths, raises
    NotFound for one that does not exist and RhizomeError for a file that is no session.
    """
    discovery = Discovery()
    known: set[Path] = set()
    wanted = None if only is None else sorted(only)
    for path in (each.absolute() for each in paths):
        try:
            files = list(_below(path, discovery, wanted)) if stat.S_ISDIR(path.stat().st_mode) else None
        except FileNotFoundError:
            if not named:
                continue
            hint = "give a session file, or a folder that holds some"
            raise NotFound(f"{path}: no such file or folder", hint) from None
        except OSError as error:
            discovery.problems.append((str(path), why(error)))
            continue
        alone = [path] if wanted is None or path in wanted else []
        for file in alone if files is None else files:
            if file in known:
                continue
            known.add(file)
            if (same := told(file)) is not None:
                kind = discovery.sides if same.side else discovery.sessions
                kind.append(Found(file, path, same.harness, same.name, same.whole, same.side, told=same))
                continue
            _sort(discovery, file, path.parent if files is None else path, named=named and files is None)
    return discovery


def opened(path: Path) -> BinaryIO:
    """A session file for reading; a compressed one reads as what it holds."""
    file = path.open("rb", buffering=_BUFFER)
    if path.suffix != ".zst":
        return file
    reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True, closefd=True)
    return io.BufferedReader(cast(io.RawIOBase, reader), _BUFFER)


def head(path: Path) -> list[Value]:
    """The objects among a file's first lines."""
    with opened(path) as file:
        return [value for line in islice(file, HEAD_RECORDS) if (value := exact(line.strip(b"\xef\xbb\xbf\r\n")))]


def _below(folder: Path, discovery: Discovery, wanted: Iterable[Path] | None) -> Iterator[Path]:
    if wanted is not None:
        yield from (path for path in wanted if path.is_relative_to(folder) and path.is_file())
        return

    def failed(error: OSError) -> None:
        discovery.problems.append((str(error.filename), why(error)))

    for place, folders, files in os.walk(folder, onerror=failed):
        folders.sort()
        yield from (Path(place, name) for name in sorted(files))


def _sort(discovery: Discovery, path: Path, root: Path, *, named: bool) -> None:
    """Put one file where it belongs."""
    try:
        for harness in IMPORTERS.values():
            if harness.side(path) is not None:
                discovery.sides.append(replace(_found(path, root, harness), side=True))
                return
        if any(harness.belongs(path) for harness in IMPORTERS.values()):
            return
        claimed = _claimed(path)
        likely, importer = (True, claimed) if claimed else _sniffed(path)
        if importer is None and named and not likely and text.legible_text(path):
            claimed = importer = IMPORTERS[text.NAME]
    except READING_ERRORS as error:
        discovery.problems.append((str(path), why(error)))
        return
    if importer is not None:
        discovery.sessions.append(_found(path, root, importer, whole=claimed is not None))
    elif likely:
        discovery.sessions.append(Found(path, root, None, legible(path.name), likely=_likely(path)))
    elif named:
        raise RhizomeError(f"{path}: not a session rhizome knows", f"it reads {', '.join(IMPORTERS)} session files")
    else:
        discovery.skipped += 1


def _found(path: Path, root: Path, importer: Importer, *, whole: bool = False) -> Found:
    root = importer.root_of(path) or root
    return Found(path, root, importer.name, legible(path.relative_to(root).as_posix()), whole)


def _likely(path: Path) -> str | None:
    """Whose a file is by the folder it lies in, where that is called like a harness."""
    homes = ((each.name, home) for each in IMPORTERS.values() if (home := each.root_of(path)))
    return next((name for name, home in homes if name.partition("-")[0] in "".join(home.parts[-2:])), None)


def _claimed(path: Path) -> Importer | None:
    """The importer that reads this file whole."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        start = file.read(START_BYTES)
    return next((importer for importer in IMPORTERS.values() if importer.claims(path, start)), None)


def _sniffed(path: Path) -> tuple[bool, Importer | None]:
    """The importer of a file; without one, whether it may become a session (empty, or its first line unfinished)."""
    if not path.is_file():
        return False, None
    with opened(path) as file:
        start = file.peek(1)[:64] if isinstance(file, io.BufferedReader) else b""
        jsonl = ".jsonl" in path.suffixes[-2:]
        if not jsonl and not start.lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith(b"{"):
            return False, None
        lines = 0
        longest = -1 if jsonl else LONGEST_LINE
        for line in islice(iter(lambda: file.readline(longest), b""), HEAD_RECORDS):
            lines += 1
            value = exact(line.strip(b"\xef\xbb\xbf\r\n"))
            for importer in IMPORTERS.values() if value else ():
                if importer.sniffs(value or {}):
                    return True, importer
        unfinished = lines == 1 and not line.endswith(b"\n") and value is None and line.lstrip().startswith(b"{")
        return jsonl and (lines == 0 or unfinished), None

