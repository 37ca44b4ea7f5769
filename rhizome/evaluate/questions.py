"""Questions whose answers are known, and what a run answered: the two kinds of lines that an evaluation reads."""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

from rhizome.errors import NotFound, Refused

Line = TypeVar("Line")


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question. `relevant` are ids of documents that answer it, `grades` how well each does (else all the same),
    `stale` those that a relevant one has replaced. Without any, and unless `unanswerable`, nothing is known of it."""

    id: str
    text: str
    relevant: tuple[str, ...] = ()
    category: str = "-"
    scope: str | None = None
    unanswerable: bool = False
    grades: dict[str, float] = {}
    stale: tuple[str, ...] = ()


class Answered(msgspec.Struct, frozen=True):
    """What a run gave for a question: ids of documents, the best first, also when it `abstained`; `score` says how sure
    it was that there is an answer."""

    id: str
    ranked: tuple[str, ...] = ()
    abstained: bool = False
    score: float | None = None


def read(file: Path, kind: type[Line]) -> list[Line]:
    """The lines of a file of JSON Lines. Raises NotFound, and Refused with the line that is no such thing."""
    try:
        lines = file.read_bytes().splitlines()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise NotFound(f"{file}: no such file", "Name a file of JSON Lines.") from None
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found += [msgspec.json.decode(line, type=kind)] if line.strip() else []
        except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
            raise Refused(f"{file.name}:{number}: {wrong}", "Mend the line, or leave it out.") from None
    return found


def write(file: Path, lines: Iterable[object]) -> None:
    encoder = msgspec.json.Encoder()
    file.write_bytes(b"".join(encoder.encode(line) + b"\n" for line in lines))
