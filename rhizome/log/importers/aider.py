"""Aider: its chat history, a Markdown file to which every run in a repository is added.

Written from files of 0.90 (`.aider.chat.history.md`; `AIDER_CHAT_HISTORY_FILE` names another). A run begins with `#
aider chat started at <local time>`; lines with `#### ` before and two spaces behind are a person's, with `> ` the
program's, everything else the model's, headings too. Inside a code fence none of that counts, except that a heading as
only the program writes it (a time, a blank line, then a `> ` line) closes a fence that was left open. A block of one
voice is a record. Only runs have times, and those name no zone. A run is named by its folder and its time. Guesses:
that `/ask`, `/code` and the like carry a person's words, and which lines of the program are mere notices.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rhizome.log.importers import fences
from rhizome.log.importers.native import NativeNaming
from rhizome.log.importers.port import Chapter, Heading, Importer, Naming, Piece
from rhizome.log.importers.records import Record, Value, instant
from rhizome.log.importers.telling import ToldTranscript
from rhizome.model import Origin, Part

NAME = "aider"
_FILE = ".aider.chat.history.md"
_STARTED = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$")
_NOTICE = re.compile(
    r"> (?:Aider v|Main model|Model:|Editor model|Weak model|Git repo|Repo-map|Tokens:|Cost:|Applied edit|Commit "
    r"|Added |Dropping |Use /help|Restored |Warning:|https?://|Add \S+ to the chat|Create new file|Allow edits)"
)
_COMMAND = re.compile(r"([/!][\w-]*)[ \t]*(.*)", re.DOTALL)
_ASKS = {"/ask", "/code", "/architect", "/context", "/help"}
_META = frozenset({"meta"})


def roots(environment: Mapping[str, str], user_home: Path) -> list[Path]:
    named = environment.get("AIDER_CHAT_HISTORY_FILE")
    return [Path(named) if named else user_home / _FILE]


def root_of(path: Path) -> Path | None:
    """The folder of repositories, so that a record names its own."""
    return path.parents[1] if len(path.parents) > 1 else None


def claims(path: Path, start: bytes) -> bool:
    return path.name == _FILE or (path.suffix == ".md" and start.lstrip().startswith(b"# aider chat started at "))


def chapters(path: Path) -> Iterator[Chapter]:
    data = path.read_bytes()
    runs = list(_runs(data))
    seen: dict[str, int] = {}
    for started, records in runs:
        again = seen[started] = seen.get(started, 0) + 1
        name = f"{path.parent.name}/{started or 'before'}" + (f"#{again}" if again > 1 else "")
        heading = Heading(name, name, cwd=str(path.parent), project=str(path.parent))
        last = records is runs[-1][1]
        yield Chapter(heading, records.copy, open_end=last and _may_grow(records))


def _may_grow(records: Sequence[Record]) -> bool:
    """An answer goes on until somebody else speaks; a prompt is written whole."""
    return bool(records) and not records[-1].raw.startswith((b"#### ", b"> ", b"# "))


def _runs(data: bytes) -> Iterator[tuple[str, list[Record]]]:
    """The runs of a file by the time they started ("" before the first), as blocks of one voice; a prompt ends at a
    blank line."""
    lines = data.split(b"\n")
    texts = [line.decode("utf-8", "replace").rstrip("\r") for line in lines]
    started, records, held = "", list[Record](), list[bytes]()
    voice, offset, start, fence = "", 0, 0, None
    for n, (line, text) in enumerate(zip(lines, texts, strict=True)):
        begins = _STARTED.match(text) and (fence is None or _is_programs(texts[n + 1 : n + 3]))
        speaks = "# " if begins else _voice(text) if fence is None else voice
        if held and (begins or (speaks and speaks != voice) or (voice == "####" and not speaks)):
            records.append(_record(start, held))
            held = []
        if begins:
            if records:
                yield started, records
            started, records, fence = text[24:].strip(), [], None
        if speaks and not held:
            voice, start = speaks, offset
            if speaks == "model" and text.startswith("####") and offset:
                held, start = [b""], offset - 1  # the end of the line before: no record of the model begins as a prompt
        if held or speaks:
            held.append(line)
        fence = fences.inside(text, fence) if voice == "model" else None
        offset += len(line) + 1
    if held:
        records.append(_record(start, held))
    if records:
        yield started, records


def _voice(text: str) -> str:
    """Whose line this is; a blank one is nobody's."""
    if text.startswith("####") and text.endswith("  "):
        return "####"
    return "> " if text.startswith(">") else "model" if text.strip() else ""


def _is_programs(following: Sequence[str]) -> bool:
    return len(following) == 2 and not following[0].strip() and following[1].startswith("> ")


def _record(offset: int, lines: Sequence[bytes]) -> Record:
    raw = b"\n".join(lines).rstrip()
    return Record(offset, raw, decode(raw.decode("utf-8", "replace")))


def decode(line: str) -> Value:
    return {"text": line}


def pieces(value: Value) -> Sequence[Piece]:
    text = str(value["text"])
    if text.startswith("####"):
        return _prompt("\n".join(line.removeprefix("####").strip() for line in text.split("\n") if line.strip()))
    if text.startswith(">"):
        said = "\n".join(line.removeprefix(">").strip() for line in text.split("\n"))
        if all(_NOTICE.match(line) for line in text.split("\n") if line.strip()):
            return [Piece(Part.NOTED, Origin.HARNESS, said)]
        return [Piece(Part.RETURNED, Origin.TOOL, said)]
    if _STARTED.match(text):
        return [Piece(Part.NOTED, Origin.HARNESS, text)]
    return [Piece(Part.SAID, Origin.MODEL, text)]


def _prompt(text: str) -> list[Piece]:
    if text in {"", "<blank>"}:
        return [Piece(Part.NOTED, Origin.HARNESS, "")]
    command = _COMMAND.fullmatch(text)
    if command is None:
        return [Piece(Part.SAID, Origin.HUMAN, text)]
    name, words = command.groups()
    if name in _ASKS and words:
        return [Piece(Part.SAID, Origin.HARNESS, name, flags=_META), Piece(Part.SAID, Origin.HUMAN, words)]
    return [Piece(Part.SAID, Origin.HARNESS, text, flags=_META)]


def told(value: Value) -> tuple[None, str | None]:
    match = _STARTED.match(str(value["text"]))
    return None, instant(match.group(1)) if match else None


def naming(key: bytes, container: str, _state: str | None) -> Naming:
    return NativeNaming(key, NAME, container, told)


IMPORTER = Importer(
    name=NAME, parser=1, roots=roots, root_of=root_of, sniffs=lambda _: False, naming=naming, pieces=pieces,
    heading=lambda stem, _: Heading(stem, stem, inside=False), transcript=lambda: ToldTranscript(pieces),
    claims=claims, chapters=chapters, decode=decode)
