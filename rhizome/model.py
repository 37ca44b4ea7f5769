"""The nouns every room shares. Values only: nothing here opens a file, asks a clock or draws a number.

Times are ISO 8601 text, kept as they were written (offset included); `moment` turns one into an instant for comparing.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import msgspec


class Tier(StrEnum):
    """Who may see it. Green may be shared, amber never leaves this machine, red is refused at the door."""

    GREEN = "green"
    AMBER = "amber"


PRIVATE = "private/"
"""How the refs of the amber notes begin."""


def visible(tier: str, clearance: Tier) -> bool:
    """Whether a reader cleared to `clearance` may see something of `tier`; an unknown tier counts as amber."""
    return tier == Tier.GREEN or clearance == Tier.AMBER


class Origin(StrEnum):
    """Who produced a text; it caps what may be believed. A peer's is `peer:<person>` and no member."""

    HUMAN = "human"
    MODEL = "model"
    TOOL = "tool"
    HARNESS = "harness"
    MEMORY = "memory"


def moment(text: str | None) -> datetime | None:
    """The instant an ISO 8601 time names, in UTC (a time without offset is taken as UTC); None for what is no time."""
    if not text:
        return None
    try:
        parsed = datetime.fromisoformat(text)
        return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def timestamp(at: datetime) -> str:
    """`at` as UTC text with microseconds, so that text order is time order."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


# ---------------------------------------------------------------- events


class Source(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a record was first seen: harness, path relative to the harness's root, byte offset and length."""

    harness: str
    path: str
    offset: int = 0
    length: int = 0


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One immutable line of the log.

    `id` and `rev` are 32 lower-case hex digits. `seq`, `home` and `recorded_at` are given by the log at append.
    `body` is text for a `session.record` (the harness's own line) and an object for rhizome's own kinds; a line that
    is not UTF-8 stands in `body64` instead. A forgotten event keeps header fields only and has the kind `forgotten`.
    """

    kind: str
    id: str = ""
    rev: str = ""
    seq: int = 0
    home: str = ""
    recorded_at: str = ""
    happened_at: str | None = None
    actor: str = ""
    origin: str | None = None
    scope: str | None = None
    session: str | None = None
    call: str | None = None
    tier: str = Tier.AMBER
    source: Source | None = None
    body: str | dict[str, Any] | None = None
    body64: str | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """The body of one of rhizome's own events; empty where there is none."""
        return self.body if isinstance(self.body, dict) else {}


class Head(msgspec.Struct, frozen=True):
    """How far a log reaches: the last seq (0 when empty) and the chain value after it, in hex."""

    seq: int
    h: str


# ---------------------------------------------------------------- sessions, as read from their records


class Part(StrEnum):
    """What a record does in its session."""

    SAID = "said"
    THOUGHT = "thought"
    CALLED = "called"
    RETURNED = "returned"
    COMPACTED = "compacted"
    NOTED = "noted"
    UNKNOWN = "unknown"


UNDONE = frozenset({"aborted", "rolled_back", "rewound", "abandoned"})
"""Flags of messages that nobody stands by any more."""


class Message(msgspec.Struct, frozen=True):
    """What one record of a session says, read from its event each time.

    `turn` is the id of the event whose human prompt opened the turn (None before the first). `flags` are among
    mirror, queued, meta, summary, sidechain, aborted, rolled_back, rewound, abandoned, replay.
    """

    event: str
    part: Part
    origin: str
    text: str
    at: str | None = None
    turn: str | None = None
    unit: str | None = None
    thread: str = ""
    tool: str | None = None
    call: str | None = None
    arguments: Mapping[str, Any] = msgspec.field(default_factory=dict)
    failed: bool = False
    flags: frozenset[str] = frozenset()

    @property
    def standing(self) -> str:
        """`said`, or in which way its turn was undone."""
        return min(self.flags & UNDONE, default="said")


class Turn(msgspec.Struct, frozen=True):
    """From one human prompt to the next: `id` is the prompt's event id, `messages` are in the session's order."""

    id: str
    session: str
    scope: str
    messages: tuple[Message, ...]
    closed: bool
    at: str | None = None
    harness: str = ""


# ---------------------------------------------------------------- ledger


class Status(StrEnum):
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    RETRACTED = "retracted"
    PROPOSED = "proposed"


FACT_TYPES = ("fact", "preference", "decision", "lesson", "norm", "profile")


class Evidence(msgspec.Struct, frozen=True):
    """The words that set a fact: an event id and a verbatim quote of what that event says."""

    event: str
    quote: str


class FactLink(msgspec.Struct, frozen=True):
    """A relation of a fact's subject to another subject, with its reason."""

    target: str
    label: str
    why: str


class Fact(msgspec.Struct, frozen=True):
    """One typed statement with an address (`scope`, `fact_key` = "subject|attribute"), as the fold sees it.

    `supersedes`, `superseded_by` and, for a proposal, `contradicts` are the other version's value (or statement).
    """

    id: str
    type: str
    scope: str
    fact_key: str
    value: str
    statement: str
    status: Status
    confidence: float
    tier: str
    observed_at: str
    recorded_at: str
    last_confirmed_at: str
    version: int = 1
    detail: str = ""
    origin: str = ""
    actor: str = ""
    supersedes: str | None = None
    superseded_by: str | None = None
    contradicts: str | None = None
    evidence: tuple[Evidence, ...] = ()
    aliases: tuple[str, ...] = ()
    links: tuple[FactLink, ...] = ()

    @property
    def subject(self) -> str:
        return self.fact_key.partition("|")[0]

    @property
    def attribute(self) -> str:
        return self.fact_key.partition("|")[2]


class Draft(msgspec.Struct, frozen=True):
    """What a distiller believes a turn says, before anything is checked against the log.

    `retract`: that what is known of subject and attribute holds no more; then there is no value.
    """

    type: str
    subject: str
    attribute: str
    value: str
    scope: str
    statement: str
    event: str
    quote: str
    detail: str = ""
    inferred: bool = False
    aliases: tuple[str, ...] = ()
    links: tuple[FactLink, ...] = ()
    tier: str | None = None
    retract: bool = False


# ---------------------------------------------------------------- notes and links


class Link(msgspec.Struct, frozen=True):
    """One edge from a note, with the words that justify it. Lines count from 1 in the file."""

    source: str
    target: str
    anchor: str
    label: str
    why: str | None
    line: int
    heading: str = ""
    rel: str | None = None
    resolved_by: str = "broken"


class Finding(msgspec.Struct, frozen=True):
    """Something a note's author may want to know: `code` in kebab-case, lines and columns from 1."""

    path: str
    line: int
    col: int
    code: str
    message: str


# ---------------------------------------------------------------- answers


class Receipt(msgspec.Struct, frozen=True):
    """Why a hit may be believed. Every field is always there; None where it is not known.

    `subject` warns that somebody else said it than the one the question asks about.
    """

    source: str | None
    status: str | None
    origin: str | None
    actor: str | None
    recorded_at: str | None
    confirmed_at: str | None = None
    superseded_by: str | None = None
    subject: str | None = None


class Hit(msgspec.Struct, frozen=True):
    """One answer. `layer` is fact, note or history; `ref` is `path:line` or an event id."""

    layer: str
    ref: str
    title: str
    snippet: str
    score: float
    receipt: Receipt
    parts: Mapping[str, float] = msgspec.field(default_factory=dict)


class Found(msgspec.Struct, frozen=True):
    hits: tuple[Hit, ...]
    degraded: bool = False


class InsufficientEvidence(msgspec.Struct, frozen=True):
    """There is no answer worth giving. `reason` is empty, off_topic, near_miss, index_behind or damaged."""

    reason: str
    detail: str = ""
    nearest: tuple[Hit, ...] = ()


Answer = Found | InsufficientEvidence
