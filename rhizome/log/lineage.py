"""Which events each session file holds, as the log's `source.seen` and `source.moved` events tell it.

Copies are the same events, so a fork's file shares its first events with its parent's: what a session consists of is
written down by the imports, and only here it is read.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath, PureWindowsPath

from rhizome.log.port import EventLog
from rhizome.model import Event, moment

KINDS = frozenset({"source.seen", "source.moved"})
WITH_SIDES = KINDS | {"source.attached"}
Span = tuple[str, int, int]


@dataclass(slots=True)
class Container:
    """One file's worth of a session: its members are ranges of (home, first seq, last seq) in file order. `places` are
    the whole paths it was read from; `first` is the revision it begins with, once somebody asked for it."""

    name: str
    harness: str
    session: str
    thread: str = ""
    inside: bool = True
    scope: str | None = None
    cwd: str | None = None
    project: str | None = None
    parent: str | None = None
    paths: list[str] = field(default_factory=list)
    places: set[str] = field(default_factory=set)
    members: list[Span] = field(default_factory=list)
    first: str | None = None

    def events(self, log: EventLog) -> Iterator[Event]:
        """The records of this container in file order, read from the log."""
        for home, first, last in self.members:
            for event in log.span(home, first, last):
                if event.kind in {"session.record", "forgotten"}:
                    yield event


@dataclass(slots=True)
class Lineage:
    """Every container the log knows, in the order they were first seen."""

    containers: dict[tuple[str, str], Container] = field(default_factory=dict)
    sessions: dict[str, list[Container]] = field(default_factory=dict)
    dated: dict[str, str] = field(default_factory=dict)
    projects: dict[str, str] = field(default_factory=dict)
    attached: dict[str, dict[str, str]] = field(default_factory=dict)
    """By session: the ids of its side files, each with the event it belongs to."""

    @classmethod
    def of(cls, log: EventLog, *, sides: bool = False) -> "Lineage":
        """The lineage as the whole log tells it, with `sides` also what stands beside its sessions.

        Cost: one read of the events of these kinds; side files may be large.
        """
        lineage = cls()
        for event in log.history(WITH_SIDES if sides else KINDS):
            lineage.take(event)
        return lineage

    def take(self, event: Event) -> None:
        """Fold one more event."""
        if event.kind == "source.seen":
            self._seen(event)
        elif event.kind == "source.moved":
            self._moved(event)
        elif event.kind == "source.attached" and event.session and event.fields.get("owner"):
            self.attached.setdefault(event.session, {})[event.id] = event.fields["owner"]

    def _seen(self, event: Event) -> None:
        body = event.fields
        name = (str(body["harness"]), str(body["container"]))
        container = self.containers.get(name)
        if container is None:
            container = Container(name[1], name[0], event.session or "", thread=body.get("thread", ""),
                                  inside=body.get("inside", True))
            self.containers[name] = container
            self.sessions.setdefault(container.session, []).append(container)
            self.sessions[container.session].sort(key=lambda c: c.thread != "")
        container.scope = container.scope or event.scope
        container.cwd = container.cwd or body.get("cwd")
        container.project = container.project or body.get("project")
        container.parent = container.parent or body.get("parent")
        if body["path"] not in container.paths:
            container.paths.append(body["path"])
        container.places.add(placed(body.get("root", ""), body["path"]))
        container.members = joined([*container.members, *((h, int(a), int(b)) for h, a, b in body["members"])])
        if event.scope and container.project:
            self.projects.setdefault(event.scope, container.project)
        for id_, at in body.get("dated", {}).items():
            self.dated[id_] = earlier(self.dated.get(id_), at) or at

    def _moved(self, event: Event) -> None:
        body = event.fields
        container = self.containers.get((str(body.get("harness")), str(body["container"])))
        if container is not None and body["path"] not in container.paths:
            container.paths.append(body["path"])

    def scope(self, project: str) -> str:
        """The name of a project's folder: its last component, with as many parents' as no other project has taken."""
        parts = _components(project)
        for length in range(1, len(parts) + 1):
            name = "/".join(parts[-length:])
            if self.projects.get(name, project) == project:
                return name
        return project


def placed(root: str, path: str) -> str:
    """The one spelling of where a file lies, from whichever folder it was reached."""
    return f"{root}/{path}".replace("\\", "/")


def joined(spans: Iterable[Span]) -> list[Span]:
    """`spans` in their order, those that continue each other made one."""
    found: list[Span] = []
    for span in spans:
        join(found, span)
    return found


def join(spans: list[Span], more: Span) -> None:
    """Put `more` behind `spans`, as one with the last where it goes on from it."""
    home, first, last = more
    if spans and spans[-1][2] + 1 == first and spans[-1][0] == home:
        spans[-1] = (home, spans[-1][1], last)
    else:
        spans.append(more)


def earlier(one: str | None, other: str | None) -> str | None:
    """Whichever names the earlier instant; what names none loses."""
    a, b = moment(one), moment(other)
    if a is None or b is None:
        return one if b is None else other
    return other if b < a else one


def later(one: str | None, other: str | None) -> str | None:
    """Whichever names the later instant; what names none loses."""
    a, b = moment(one), moment(other)
    if a is None or b is None:
        return one if b is None else other
    return other if b > a else one


def _components(project: str) -> list[str]:
    windows = "\\" in project and "/" not in project
    path = PureWindowsPath(project) if windows else PurePosixPath(project)
    return [part for part in path.parts if part != path.anchor] or [project]
