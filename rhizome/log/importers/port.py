"""What rhizome must know about one harness: where its sessions lie, what names a record, what a record says."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

import msgspec

from rhizome.log.importers.records import Record, Value, plain
from rhizome.model import Message, Part


@dataclass(frozen=True, slots=True)
class Heading:
    """What the first records of a file say about all of it.

    `container` is what occurrences are counted in; `inside` tells whether the file itself names it (else it is the
    file's stem). `session` is the native id of the root session, `thread` names a subagent's file in it, `parent` is
    the session this one was forked from. `project` is the project's folder where the harness says so itself (else it
    is looked for around `cwd`). `original` is our id of a session that this one only renders again. `named` is what
    records are named by where the log keeps `container` without something that stands in it.
    """

    container: str
    session: str
    inside: bool = True
    thread: str = ""
    cwd: str | None = None
    parent: str | None = None
    project: str | None = None
    original: str | None = None
    named: str = ""

    @property
    def naming(self) -> str:
        """The container as its records are named by it."""
        return self.named or self.container


@dataclass(frozen=True, slots=True)
class Chapter:
    """One session in a file that is read whole. `load` reads its records; where `stamp` is what it was the last time,
    they are the same and need not be read. With `open_end` the last record is text that may still grow."""

    heading: Heading
    load: Callable[[], Sequence[Record]]
    stamp: str | None = None
    open_end: bool = False


class Base(NamedTuple):
    """The file that a file goes on from: its container, and whether a record of it still counts here."""

    container: str
    holds: Callable[[Value], bool]


class Named(msgspec.Struct, frozen=True, gc=False):
    """What names a record: `parts`, and unless `by` an id of its own, its occurrence among those of the same parts.

    `parts` hold the record's call where it is named `by` one, its content where by that. `rev` is of the content.
    """

    parts: tuple[bytes, ...]
    by: Literal["id", "call", "content"]
    rev: str
    at: str | None


class Naming(Protocol):
    """Names the records of one file in order; what it must remember between two imports is its `state`."""

    state: str | None

    def name(self, value: Value | None, raw: bytes) -> Named: ...


class Piece(NamedTuple):
    """One thing a record says, before its place in the session is known."""

    part: Part
    origin: str
    text: str
    tool: str | None = None
    call: str | None = None
    arguments: Mapping[str, Any] = {}
    failed: bool = False
    flags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of a session as a transcript reads it. `value` is None for a line that is no object."""

    event: str
    value: Value | None
    text: str
    at: str | None
    thread: str = ""


class Transcript(Protocol):
    """Reads one session in two passes, both in file order: `survey` every entry, then `read` every entry."""

    def survey(self, entry: Entry) -> None: ...

    def read(self, entry: Entry) -> Iterator[Message]: ...

    def turn_of(self, thread: str) -> str | None:
        """After the survey: the id of the turn that a side thread belongs to."""
        ...

    @property
    def ended(self) -> bool:
        """After the survey: whether the session says that it ended."""
        ...


@dataclass(frozen=True, slots=True)
class Side:
    """A file beside a session: the native id of that session, what it is called within it, and a text by which the
    record it belongs to is found."""

    session: str
    name: str
    mark: str | None


class Period(NamedTuple):
    """A harness deletes sessions that stood still for so many days (0: it writes none), as this setting says."""

    days: int
    setting: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """One harness. `parser` grows when records are read otherwise than before; identities never change."""

    name: str
    parser: int
    roots: Callable[[Mapping[str, str], Path], list[Path]]
    """Where, by the environment and the person's home, this harness keeps its sessions; they need not exist."""
    root_of: Callable[[Path], Path | None]
    """The harness's home that a path lies in, told by the names of its folders."""
    sniffs: Callable[[Value], bool]
    """Whether only this harness writes such a record."""
    heading: Callable[[str, Iterable[Value]], Heading]
    """What a file's stem and first records say about all of it."""
    naming: Callable[[bytes, str, str | None], Naming]
    """The naming of a container's records under a person's key, from the state it had (None: from the start)."""
    pieces: Callable[[Value], Sequence[Piece] | None]
    """What a record says, in its own order; None for a record whose type this parser does not know."""
    transcript: Callable[[], Transcript]
    title: Callable[[Value], str | None] = lambda _: None
    """What the harness calls the session, where this record says so."""
    side: Callable[[Path], Side | None] = lambda _: None
    """For a file that stands beside a session and belongs to it."""
    owns: Callable[[str, str], bool] = lambda _line, _mark: False
    """Whether a side file with this mark belongs to the record in this line."""
    placed: Callable[[Path, Heading], Heading] = lambda _, heading: heading
    """The heading, with what only the place of the file tells."""
    within: Callable[[Record], Sequence[Record]] | None = None
    """Records that a line holds besides being one, where it may."""
    base: Callable[[Value], Base | None] | None = None
    """What a file goes on from, where its first record says that its history begins in another one."""
    claims: Callable[[Path, bytes], bool] = lambda _path, _start: False
    """Whether a file that is read whole is this harness's, by its path and its first bytes."""
    chapters: Callable[[Path], Iterator[Chapter]] | None = None
    """The sessions in such a file. Raises Unreadable and OSError."""
    beside: Callable[[Path], Iterable[Path]] = lambda _: ()
    """Files that are read together with such a file."""
    belongs: Callable[[Path], bool] = lambda _: False
    """Whether a path is read with another file and is none of its own."""
    keeps: Callable[[Path], Period | None] | None = None
    """How long the harness keeps its sessions, by the settings in its home; None where it deletes none."""
    decode: Callable[[str], Value | None] = plain
    """What a stored record holds; None for what is nothing of this harness."""
