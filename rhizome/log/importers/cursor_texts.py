"""Cursor: its agent's transcripts of before JSON Lines, `agent-transcripts/<id>.txt`.

Written from what readers of them found, not from files. A line `user:` or `assistant:` (or `A:`) begins a message;
within an answer a line begins with `[Thinking]`, `[Tool call] Name` or `[Tool result] Name`, and arguments are
indented. Guesses: that a thought is one line, and that everything up to the next sign belongs to a call or a result.
A transcript that stands beside one of the same session in JSON Lines is that one in other words, and not read.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rhizome.log.importers.port import Chapter, Heading, Piece
from rhizome.log.importers.records import Record, Value, plain
from rhizome.log.importers.texts import joined
from rhizome.model import Origin, Part

_SPEAKER = re.compile(r"(user|assistant|A):\s*$")
_SIGN = re.compile(r"^\[(Thinking|Tool call|Tool result)\][ \t]*(.*)$", re.MULTILINE)
_ARGUMENT = re.compile(r"^ {2}(\w+): ?(.*(?:\n(?! {2}\w+:).*)*)", re.MULTILINE)


def claims(path: Path, start: bytes) -> bool:
    first = start.decode("utf-8", "replace").lstrip("\ufeff \t\r\n").partition("\n")[0]
    return path.suffix == ".txt" and "agent-transcripts" in path.parts and _SPEAKER.match(first) is not None


def chapters(path: Path, placed: Callable[[Path, Heading], Heading]) -> Iterator[Chapter]:
    lines = path.with_suffix(".jsonl")
    if lines.exists() or (path.with_suffix("") / lines.name).exists():
        return
    heading = placed(path, Heading(path.stem, path.stem))
    yield Chapter(heading, lambda: list(_records(path.read_bytes())), open_end=True)


def _records(data: bytes) -> Iterator[Record]:
    """A message a record; what stands before the first belongs to it."""
    held: list[bytes] = []
    start = offset = 0
    for line in data.split(b"\n"):
        if _SPEAKER.match(line.decode("utf-8", "replace")) and any(each.strip() for each in held):
            yield _record(start, held)
            held, start = [], offset
        held.append(line)
        offset += len(line) + 1
    if any(each.strip() for each in held):
        yield _record(start, held)


def _record(offset: int, lines: Sequence[bytes]) -> Record:
    raw = b"\n".join(lines).rstrip()
    return Record(offset, raw, decode(raw.decode("utf-8", "replace")))


def decode(line: str) -> Value | None:
    """What a stored record holds: an object, or a message of a text."""
    first = line.lstrip("\ufeff \t\r\n").partition("\n")[0]
    return {"text": line} if _SPEAKER.match(first) else plain(line)


def pieces(text: str, prompt: Callable[[str], Sequence[Piece]]) -> Sequence[Piece]:
    """What a message of a text says. `prompt` tells what a person's is made of."""
    speaker, _, said = text.lstrip("\ufeff \t\r\n").replace("\r\n", "\n").partition("\n")
    if speaker.startswith("user"):
        return prompt(said.strip())
    before, *signed = _SIGN.split(said)  # three parts each: the sign, what stands in its line, and what follows
    found = _said(before)
    given: dict[str, dict[str, str]] = {}
    for kind, name, rest in zip(signed[::3], map(str.strip, signed[1::3]), map(_trimmed, signed[2::3]), strict=True):
        if kind == "Thinking":
            found += [Piece(Part.THOUGHT, Origin.MODEL, name), *_said(rest)]
        elif kind == "Tool call":
            given[name] = {told[1]: told[2].rstrip() for told in _ARGUMENT.finditer(rest)}
            found.append(Piece(Part.CALLED, Origin.MODEL, joined([name, rest]), name, arguments=given[name]))
        else:
            found.append(Piece(Part.RETURNED, Origin.TOOL, rest, name, arguments=given.get(name, {})))
    return found


def _trimmed(text: str) -> str:
    """Without the line breaks around it; the first line may be indented."""
    return text.strip("\n").rstrip()


def _said(text: str) -> list[Piece]:
    return [Piece(Part.SAID, Origin.MODEL, text.strip())] if text.strip() else []
