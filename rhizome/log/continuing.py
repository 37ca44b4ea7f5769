"""The records of a session file behind those of the file that it goes on from."""

import base64
from collections.abc import Iterator

from rhizome.log import importers
from rhizome.log.lineage import Container, Lineage
from rhizome.log.port import EventLog
from rhizome.model import Event


def records(log: EventLog, container: Container, lineage: Lineage) -> Iterator[Event]:
    """A container's records in file order, first those it goes on from: of a file of the same session all, as what was
    given up is still told; of another session's what it had when it was left."""
    return _records(log, container, lineage, container.session, frozenset())


def line(event: Event) -> str:
    """The line that a record is, as text."""
    if event.body64 is not None:
        return base64.b64decode(event.body64).decode("utf-8", "replace")
    return event.body if isinstance(event.body, str) else ""


def _records(log: EventLog, container: Container, lineage: Lineage, session: str,
             met: frozenset[str]) -> Iterator[Event]:
    own = container.events(log)
    importer = importers.IMPORTERS.get(container.harness)
    if importer is None or importer.base is None or container.thread or (first := next(own, None)) is None:
        yield from own
        return
    base = importer.base(importer.decode(line(first)) or {})
    before = lineage.containers.get((container.harness, base.container)) if base else None
    met |= {container.name}
    if base and before and before.name not in met:
        for event in _records(log, before, lineage, session, met):
            if before.session != session and not base.holds(importer.decode(line(event)) or {}):
                break
            yield event
    yield first
    yield from own
