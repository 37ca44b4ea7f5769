"""One batch of a file's records into the log: what is new is decided first, then appended with where it belongs.

The batch's first event is the `source.seen` that names its members, so a crash never leaves records without their
session. It names the places its own records are about to get; should another process append first, the log refuses
the batch and it is decided again. Should the log itself put a line between (a tail it repaired), the places are named
once more: a member named twice is read once.
"""

import base64
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from rhizome.errors import Conflict
from rhizome.log.clean_names import called, headed
from rhizome.log.counting import Counts, Dates
from rhizome.log.discover import Found
from rhizome.log.door import Door
from rhizome.log.identity import identify
from rhizome.log.importers.port import Heading
from rhizome.log.importers.records import legible
from rhizome.log.lineage import Container, Lineage, Span, earlier, join
from rhizome.log.port import EventLog
from rhizome.log.project import project_root
from rhizome.model import Event, Source

_NONE: frozenset[str] = frozenset()
TRIES = 20
"""How often a batch is decided again because another process appended meanwhile."""


class Item(msgspec.Struct, frozen=True, gc=False):
    """A record's bytes with their place and name, waiting to be appended."""

    id: str
    rev: str
    at: str | None
    offset: int
    raw: bytes


@dataclass(slots=True)
class Target:
    """The file whose records are appended, and the ids its container already has (read when first asked for)."""

    found: Found
    heading: Heading
    session: str
    members: set[str] | None = None

    @property
    def name(self) -> tuple[str, str]:
        return self.found.harness or "", self.heading.container


@dataclass(frozen=True, slots=True)
class _Decided:
    """What a batch comes to: the events to append (records after their `source.seen`), the ids its container gains,
    and the counts."""

    events: list[Event]
    fresh: set[str]
    counts: Counts


class Appender:
    """Appends batches of records, and keeps the lineage in step with what it appended."""

    def __init__(self, log: EventLog, key: bytes, door: Door) -> None:
        self.log, self.key = log, key
        self._door = door

    @cached_property
    def lineage(self) -> Lineage:
        """What the log knows of session files; read once there is something to append."""
        return Lineage.of(self.log)

    def called(self, found: Found) -> Found:
        """A file by the name that the log keeps."""
        return called(found, self._door)

    def headed(self, heading: Heading) -> Heading:
        """A file's heading in the words that the log keeps."""
        return headed(heading, self._door)

    def append(self, target: Target, items: Sequence[Item]) -> Counts:
        """Append what is new among `items` and say what became of each. Raises what `EventLog.append` raises."""
        if not items:
            return Counts()
        counts: Counts | None = None
        for _ in range(TRIES):
            base = self.log.head.seq
            decided = self._decide(target, items, base)
            try:
                last = self.log.append(decided.events, expected_seq=base) if decided.events else base
            except Conflict:
                continue
            counts = counts or decided.counts
            if last != base + len(decided.events):
                continue
            if decided.events and decided.events[0].kind == "source.seen":
                self.lineage.take(msgspec.structs.replace(decided.events[0], home=self.log.home, seq=base + 1))
            if target.members is not None:
                target.members.update(decided.fresh)
            return counts
        raise Conflict(f"{target.found.path}: the log kept growing while this was appended", "import it again")

    def moved(self, target: Target) -> None:
        """Say that a container without an id inside was found under another name."""
        body = {"harness": target.found.harness, "path": target.found.name, "container": target.heading.container}
        name = identify(self.key, b"source.moved", msgspec.json.encode(body, order="sorted"))
        event = Event(kind="source.moved", id=name, actor="import", session=target.session, body=body)
        self.log.append([event])
        self.lineage.take(event)

    # ---------------------------------------------------------------- deciding

    def _decide(self, target: Target, items: Sequence[Item], base: int) -> _Decided:
        known: dict[str, Collection[str]] = dict(self.log.known([item.id for item in items]))
        container = self.lineage.containers.get(target.name)
        scope, project = self._scope(target, container)
        spans: list[Span] = []
        dated: dict[str, str] = {}
        events, here = list[Event](), set[str]()
        seen = revised = 0
        redacted: Counter[str] = Counter()
        dates, home = Dates(), self.log.home
        for item in items:
            revs = known.get(item.id, _NONE)
            at = dates.take(item.at)
            if item.rev in revs:
                seen += 1
                if item.id in here or self._is_member(target, container, item.id):
                    continue
                copied = self.log.get(item.id)
                join(spans, (copied.home, copied.seq, copied.seq))
                here.add(item.id)
                if item.at and earlier(copied.happened_at, item.at) != copied.happened_at:
                    dated[item.id] = item.at
                continue
            revised += bool(revs)
            event, replaced = self._event(target, item, scope, at)
            if replaced:
                redacted.update(replaced)
            events.append(event)
            seq = base + 1 + len(events)
            here.add(item.id)
            join(spans, (home, seq, seq))
            known[item.id] = (*revs, item.rev)
        counts = Counts(new=len(events) - revised, seen=seen, revised=revised, redacted=redacted.total(),
                        redacted_by=redacted, oldest=dates.oldest, newest=dates.newest)
        if seen_event := self._seen(target, container, scope, project, spans, dated):
            events.insert(0, seen_event)
        return _Decided(events, here, counts)

    def _event(self, target: Target, item: Item, scope: str | None,
               at: str | None) -> tuple[Event, Mapping[str, int]]:
        """The event of a record without its secrets, and how many there were of each rule."""
        kept, rules = self._door.washed(item.raw)
        body: str | None = None
        body64: str | None = None
        try:
            body = kept.decode()
        except UnicodeDecodeError:
            body64 = base64.b64encode(kept).decode()
        source = Source(target.found.harness or "", target.found.name, item.offset, len(item.raw))
        return Event(kind="session.record", id=item.id, rev=item.rev, happened_at=at,
                     actor="import", scope=scope, session=target.session, source=source, body=body,
                     body64=body64), rules

    def _seen(self, target: Target, container: Container | None, scope: str | None, project: str | None,
              spans: Sequence[Span], dated: Mapping[str, str]) -> Event | None:
        """The `source.seen` of a batch, or None where it would say nothing new."""
        heading = target.heading
        told = (heading.cwd and not (container and container.cwd)) or (
            heading.parent and not (container and container.parent))
        if not spans and not dated and not told:
            return None
        parent = f"{target.found.harness}:{heading.parent}" if heading.parent else None
        body: dict[str, Any] = {
            "harness": target.found.harness, "path": target.found.name, "root": legible(str(target.found.root)),
            "container": heading.container, "cwd": heading.cwd, "members": [list(span) for span in spans],
            "dated": dict(dated), "parent": parent}
        body |= {name: value for name, value in (("thread", heading.thread), ("project", project)) if value}
        if not heading.inside:
            body["inside"] = False
        name = identify(self.key, b"source.seen", msgspec.json.encode(body, order="sorted"))
        return Event(kind="source.seen", id=name, actor="import", scope=scope, session=target.session, body=body)

    def _scope(self, target: Target, container: Container | None) -> tuple[str | None, str | None]:
        """The scope of a file's records and the folder it stands for: what the session has, else by its cwd."""
        for known in [container, *self.lineage.sessions.get(target.session, ())]:
            if known is not None and known.scope is not None:
                return known.scope, known.project
        project = target.heading.project or (project_root(target.heading.cwd) if target.heading.cwd else None)
        if project is None:
            return None, None
        return self.lineage.scope(project), project

    def _is_member(self, target: Target, container: Container | None, id_: str) -> bool:
        if target.members is None:
            target.members = {event.id for event in container.events(self.log)} if container else set()
        return id_ in target.members
