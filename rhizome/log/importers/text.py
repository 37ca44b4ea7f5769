"""Plain text: a chat as people paste it (`2026-11-05 09:00 ana: ...`), or any text that was named.

There is no format; this is a reading of what was seen. A line with a time and a speaker, or with the name of a role,
begins a record, and lines without one continue it. Text without speakers is cut at blank lines, and as nobody says
whose it is, it counts as something a tool returned. A folder's files are taken only where they look like a chat of two
or more. Times are kept as they are written; most name no zone. A file is named by its stem.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from rhizome.log.importers.chat import ROLES
from rhizome.log.importers.native import NativeNaming
from rhizome.log.importers.port import Chapter, Heading, Importer, Naming, Piece
from rhizome.log.importers.records import Record, Value, instant
from rhizome.log.importers.telling import ToldTranscript
from rhizome.model import Origin, Part

NAME = "text"
SUFFIXES = {".txt", ".text", ".log", ".chat", ".transcript"}
_NAMED_SUFFIXES = SUFFIXES | {".md", ".markdown"}

_TIME = r"\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)\]?[ \t]+(?:- )?"
_SPOKEN = re.compile(rf"(?:{_TIME})<?@?([^\W\d_][\w .'-]{{0,39}}?)>?:(?:[ \t]|$)")
_ROLE = re.compile(rf"(?:{_TIME})?({'|'.join(ROLES)}):(?:[ \t]|$)", re.IGNORECASE)
_LEVELS = {"trace", "debug", "info", "notice", "warn", "warning", "error", "critical", "fatal", "alert"}
_CHAT_LINES = 50


def roots(_environment: Mapping[str, str], _user_home: Path) -> list[Path]:
    """Texts lie anywhere."""
    return []


def legible_text(path: Path) -> bool:
    """Whether a file that was named is text that can be read."""
    if path.suffix.lower() not in _NAMED_SUFFIXES or not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(4096)
    return bool(start.strip()) and b"\0" not in start


def claims(path: Path, start: bytes) -> bool:
    """Whether most lines are spoken, by two people or more."""
    if path.suffix.lower() not in SUFFIXES or b"\0" in start:
        return False
    lines = [line for line in start.decode("utf-8", "replace").split("\n")[:_CHAT_LINES] if line.strip()]
    speakers = [found for line in lines if (found := _speaker(line))]
    return len(set(speakers)) > 1 and len(speakers) * 2 > len(lines)


def chapters(path: Path) -> Iterator[Chapter]:
    data = path.read_bytes()
    lines = data.split(b"\n")
    chat = any(_speaker(line.decode("utf-8", "replace")) for line in lines)
    records = list(_records(lines, chat=chat))
    heading = Heading(path.stem, path.stem, inside=False, project=str(path.absolute().parent))
    yield Chapter(heading, lambda: records, open_end=bool(records) and not data.endswith(b"\n"))


def _records(lines: Iterable[bytes], *, chat: bool) -> Iterator[Record]:
    """The lines as records: with speakers, one each time somebody speaks; else one a paragraph."""
    held: list[bytes] = []
    start = offset = 0
    for line in lines:
        begins = bool(_speaker(line.decode("utf-8", "replace"))) if chat else not line.strip()
        if begins and held:
            yield _record(start, held)
            held = []
        if held or line.strip():
            start = start if held else offset
            held.append(line)
        offset += len(line) + 1
    if held:
        yield _record(start, held)


def _record(offset: int, lines: Sequence[bytes]) -> Record:
    raw = b"\n".join(lines).rstrip()
    return Record(offset, raw, decode(raw.decode("utf-8", "replace")))


def decode(line: str) -> Value:
    return {"text": line}


def _speaker(line: str) -> str | None:
    """Who speaks in a line: a role's name, or a name behind a time."""
    match = _ROLE.match(line) or _SPOKEN.match(line)
    name = match.group(2).casefold() if match else None
    return None if name in _LEVELS else name


def pieces(value: Value) -> Sequence[Piece]:
    text = str(value["text"])
    speaker = _speaker(text)
    if speaker is None:
        return [Piece(Part.RETURNED, Origin.TOOL, text)]
    match = _ROLE.match(text) or _SPOKEN.match(text)
    said = text[match.end() :] if match else text
    origin = ROLES.get(speaker, Origin.HUMAN)
    if origin == Origin.TOOL:
        return [Piece(Part.RETURNED, Origin.TOOL, said)]
    return [Piece(Part.SAID, origin, said, flags=frozenset({"meta"}) if origin == Origin.HARNESS else frozenset())]


def told(value: Value) -> tuple[None, str | None]:
    match = re.match(_TIME, str(value["text"]))
    return None, instant(match.group(1).replace(",", ".")) if match else None


def naming(key: bytes, container: str, _state: str | None) -> Naming:
    return NativeNaming(key, NAME, container, told)


IMPORTER = Importer(
    name=NAME, parser=1, roots=roots, root_of=lambda _: None, sniffs=lambda _: False, naming=naming, pieces=pieces,
    heading=lambda stem, _: Heading(stem, stem, inside=False), transcript=lambda: ToldTranscript(pieces), claims=claims,
    chapters=chapters, decode=decode)
