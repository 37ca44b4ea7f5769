"""What the log holds of sessions and nobody understands yet: lines that are no record, records of an unknown type."""

import base64
from collections import Counter
from collections.abc import Iterable

from rhizome.log import importers
from rhizome.log.importers.records import Value, legible
from rhizome.model import Event, Part

TYPE_CHARS = 60

Unread = Counter[tuple[str, str | None]]
"""How many records by harness and type; None for a line that is no record of its harness."""


def unread(events: Iterable[Event]) -> Unread:
    """Count what is not understood among session records. They are kept whole, so a better reader reads them yet.

    Costs a decoding of every record.
    """
    found: Unread = Counter()
    for event in events:
        if event.kind != "session.record" or event.source is None:
            continue
        value = importers.value(event.source.harness, _line(event))
        if value is None:
            found[event.source.harness, None] += 1
        elif _unknown(event.source.harness, value):
            found[event.source.harness, _type(value)] += 1
    return found


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
