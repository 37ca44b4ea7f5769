"""Which container a file is that is read from its start, and which ids its records had before.

The log is asked, not a cursor: a copy elsewhere, a rewritten file and a lost index all come this way.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rhizome import config
from rhizome.log.discover import Found, opened
from rhizome.log.importers import IMPORTERS
from rhizome.log.importers.port import Heading, Named
from rhizome.log.lineage import Container, Lineage
from rhizome.log.lines import Lines
from rhizome.log.naming import Namer, aligned, continues
from rhizome.log.port import EventLog


@dataclass(frozen=True, slots=True)
class Recognised:
    """The file's heading (its container may be another's that was renamed: `moved`), and who gives the ids."""

    heading: Heading
    namer: Namer
    aligned: bool = False
    moved: bool = False


def recognise(found: Found, heading: Heading, log: EventLog, lineage: Lineage,
              key: bytes) -> Recognised:
    """Reads the file once where the log knows something like it, else not at all."""
    harness = found.harness or ""
    container = lineage.containers.get((harness, heading.container))
    if container is None:
        strangers = _strangers(found, heading, lineage)
        now = _named(found, heading, key) if strangers else []
        container = next((each for each in strangers if _same(each, now, found, log)), None)
        if container is None:
            return Recognised(heading, Namer(key, {}))
        renamed = replace(heading, container=container.name, session=_native(container), inside=container.inside,
                          thread=container.thread)
        return replace(_known(found, renamed, container, log, key), moved=found.name not in container.paths)
    return _known(found, heading, container, log, key)


def _known(found: Found, heading: Heading, container: Container, log: EventLog, key: bytes) -> Recognised:
    """Plain counting where the file and the container go on from each other, else an alignment.

    Compared are ids where a record has one without being counted among its like, else revisions.
    """
    known = [(event.id, event.rev) for event in container.events(log)]
    namer = Namer(key, {})
    now = [(namer.id(named), named) for named in _named(found, heading, key)]
    fixed = {id_ for id_, named in now if named.by != "content"}
    before = _once([(id_, id_ if id_ in fixed else rev) for id_, rev in known], fixed)
    after = _once([(id_, id_ if id_ in fixed else named.rev) for id_, named in now], fixed)
    tokens = [token for _, token in after]
    if continues([token for _, token in before], tokens):
        return Recognised(heading, Namer(key, {}))
    given = [id_ for id_, token in zip(aligned(before, tokens), tokens, strict=True) if token not in fixed]
    taken = frozenset(id_ for id_, _ in known)
    return Recognised(heading, Namer(key, {}, taken=taken, given=given), aligned=True)


def _once(records: Iterable[tuple[str, str]], fixed: set[str]) -> list[tuple[str, str]]:
    """The records without later copies and revisions of those whose id is fixed."""
    seen: set[str] = set()
    found = []
    for id_, token in records:
        if token in fixed and token in seen:
            continue
        seen.add(token)
        found.append((id_, token))
    return found


def _strangers(found: Found, heading: Heading, lineage: Lineage) -> list[Container]:
    """Containers that this file may be under another name: those whose files do not say who they are."""
    nameless = (each for each in lineage.containers.values() if each.harness == found.harness and not each.inside)
    return [each for each in nameless if not heading.inside or found.name in each.paths]


def _same(container: Container, now: Iterable[Named], found: Found, log: EventLog) -> bool:
    """Whether one sequence begins the other and they share enough; a file in its old place need not share as much."""
    known = [event.rev for event in container.events(log)]
    revs = [named.rev for named in now]
    shared = min(len(known), len(revs))
    enough = 1 if found.name in container.paths else config.ADOPT_RECORDS
    return shared >= enough and continues(known, revs)


def _named(found: Found, heading: Heading, key: bytes) -> list[Named]:
    """What names each record of the file, from its start as far as it can be read."""
    naming = IMPORTERS[found.harness or ""].naming(key, heading.container, None)
    with opened(found.path) as file:
        return [naming.name(record.value, record.raw) for record in Lines(file, 0, hashlib.blake2b())]


def _native(container: Container) -> str:
    return container.session.partition(":")[2]
