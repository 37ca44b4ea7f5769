"""What the log holds of sessions and nobody understands yet: lines that are no record, records of an unknown type."""

import base64
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from rhizome.log import importers
from rhizome.log.importers.records import Value, legible
from rhizome.log.port import EventLog
from rhizome.model import Event, Part

TYPE_CHARS = 60

Unread = Counter[tuple[str, str | None]]
"""How many records by harness and type; None for a line that is no record of its harness."""


class Looked(msgspec.Struct):
    """How far the records of each home were looked through, by which parsers, and which were not understood: by
    harness and type, the id and the rev of each."""

    parsers: dict[str, int]
    reached: dict[str, int] = {}
    found: list[tuple[str, str | None, set[bytes]]] = []


def unread(log: EventLog, heads: Mapping[str, int], path: Path) -> Unread:
    """Count what is not understood among session records. They are kept whole, so a better reader reads them yet.

    What was looked through is remembered in `path`, so that only new records are decoded; another parser looks through
    all of them again.
    """
    looked = _remembered(path, heads)
    found = {(harness, kind): names for harness, kind, names in looked.found}
    for home, head in heads.items():
        for event in log.span(home, looked.reached.get(home, 0) + 1, head):
            if (what := _not_understood(event)) is not None:
                found.setdefault(what, set()).add(bytes.fromhex(event.id + event.rev))
    if looked.reached != heads:
        _remember(path, Looked(looked.parsers, dict(heads), [(*what, names) for what, names in found.items()]))
    return Counter({what: len(names) for what, names in found.items()})


def _remembered(path: Path, heads: Mapping[str, int]) -> Looked:
    """What was looked through before; nothing where the parsers are others or a home does not reach so far any more."""
    anew = Looked({name: each.parser for name, each in importers.IMPORTERS.items()})
    try:
        looked = msgspec.msgpack.decode(path.read_bytes(), type=Looked)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return anew
    grown = all(seq <= heads.get(home, 0) for home, seq in looked.reached.items())
    return looked if grown and looked.parsers == anew.parsers else anew


def _remember(path: Path, looked: Looked) -> None:
    """Nothing is lost where this cannot be written."""
    aside = path.with_name(f"{path.name}.new")
    with suppress(OSError):
        aside.write_bytes(msgspec.msgpack.encode(looked))
        aside.chmod(0o600)
        aside.replace(path)


def _not_understood(event: Event) -> tuple[str, str | None] | None:
    """The harness and the type of a record that nobody understands."""
    if event.kind != "session.record" or event.source is None:
        return None
    harness = event.source.harness
    value = importers.value(harness, _line(event))
    if value is None:
        return harness, None
    return (harness, _type(value)) if _unknown(harness, value) else None


def _unknown(harness: str, value: Value) -> bool:
    pieces = importers.pieces(harness, value)
    return pieces is None or any(piece.part is Part.UNKNOWN for piece in pieces)


def _type(value: Value) -> str:
    """What a record calls itself, with what its payload calls itself, where there is one."""
    payload = value.get("payload")
    names = [value.get("type"), payload.get("type") if isinstance(payload, dict) else None]
    told = "/".join(name for name in names if isinstance(name, str) and name)
    return legible(told[:TYPE_CHARS]) or "without a type"


def _line(event: Event) -> str:
    if event.body64 is not None:
        return base64.b64decode(event.body64).decode("utf-8", "replace")
    return event.body if isinstance(event.body, str) else ""
