"""Sessions as they read today: their messages and turns, taken from the records each time anybody asks.

Nothing here is stored. A better reader changes what is read, never what was imported.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from rhizome import config
from rhizome.errors import NotFound
from rhizome.log import continuing, importers
from rhizome.log.importers.port import Entry, Transcript
from rhizome.log.importers.records import legible
from rhizome.log.importers.texts import joined
from rhizome.log.lineage import Container, Lineage, earlier
from rhizome.log.port import EventLog
from rhizome.model import Event, Message, Origin, Part, Turn, moment

TITLE_RECORDS = 200
"""How far into a session its title is looked for; a title further in is not worth reading everything for."""

TITLE_CHARS = 80

_LOOK_UP = 500


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One session: `id` is ours, `native` the harness's; `parent` is the session it was forked from."""

    id: str
    native: str
    harness: str
    scope: str | None
    cwd: str | None
    parent: str | None
    title: str
    started_at: str | None
    path: str


def sessions(log: EventLog, lineage: Lineage | None = None) -> Iterator[SessionInfo]:
    """Every session in the log, in the order they were first imported. Reads at most TITLE_RECORDS records of each."""
    lineage = lineage or Lineage.of(log)
    for session in lineage.sessions:
        yield info(log, session, lineage)


def info(log: EventLog, session: str, lineage: Lineage | None = None) -> SessionInfo:
    """One session by our id or the harness's own. Raises NotFound."""
    lineage = lineage or Lineage.of(log)
    containers = lineage.sessions[resolved(lineage, session)]
    main = containers[0]
    title, started_at = _title(log, main, lineage)
    return SessionInfo(main.session, main.session.partition(":")[2], main.harness, main.scope, main.cwd, main.parent,
                       title, started_at, main.paths[-1] if main.paths else "")


def resolved(lineage: Lineage, session: str) -> str:
    """Our id of a session named by our id or by the harness's. Raises NotFound."""
    if session in lineage.sessions:
        return session
    for name in lineage.sessions:
        if name.partition(":")[2] == session:
            return name
    raise NotFound(
        f"session {session}: not in this log",
        "import it; `rhizome log show --kind source` lists the sessions there are",
    )


def messages(log: EventLog, session: str, lineage: Lineage | None = None) -> Iterator[Message]:
    """What a session says, in file order: a fork begins with its parent's messages, a subagent's follow their turn.

    Two readings of the records, one line at a time; only ids and hashes are kept between them. An event that stands in
    several files comes once, with its longest revision and the earliest time any copy gives.
    """
    lineage = lineage or Lineage.of(log, sides=True)
    containers = lineage.sessions[resolved(lineage, session)]
    transcript = importers.transcript(containers[0].harness)
    for entry in _entries(log, containers, lineage):
        transcript.survey(entry)
    yield from _read(log, containers, lineage, transcript)


def turns(log: EventLog, session: str, now: datetime, lineage: Lineage | None = None) -> Iterator[Turn]:
    """The turns of a session, each from one prompt of a person to the next; what stands before the first is left out.

    `at` is its prompt's time, else that of what stands before it. A turn is closed when the next one exists, the
    session says that it ended, or nothing was added for config.TURN_IDLE_HOURS before `now`. One turn is held in memory
    at a time.
    """
    lineage = lineage or Lineage.of(log, sides=True)
    containers = lineage.sessions[resolved(lineage, session)]
    main = containers[0]
    transcript = importers.transcript(main.harness)
    newest: datetime | None = None
    recorded = ""
    for entry, event in _events(log, containers, lineage):
        transcript.survey(entry)
        newest = _later(newest, entry.at)
        recorded = max(recorded, event.recorded_at)
    idle = now - (newest or moment(recorded) or now) > timedelta(hours=config.TURN_IDLE_HOURS)
    held: list[Message] = []
    at: str | None = None
    dated: str | None = None

    def turn(closed: bool) -> Turn:
        opening = next(message for message in held if message.event == held[0].turn)
        return Turn(opening.event, main.session, main.scope or "", tuple(held), closed, opening.at or at, main.harness)

    for message in _read(log, containers, lineage, transcript):
        dated, before = message.at or dated, dated
        if message.turn is None:
            continue
        if held and message.turn != held[0].turn:
            yield turn(closed=True)
            held = []
        at = at if held else before
        held.append(message)
    if held:
        yield turn(closed=transcript.ended or idle)


def says(event: Event) -> str:
    """Exactly the text an event says: what `read` prints and what quotes are checked against."""
    if event.kind != "session.record":
        return str(next(filter(None, map(event.fields.get, ("text", "statement", "question"))), ""))
    line = continuing.line(event)
    value = importers.value(_harness(event), line)
    pieces = importers.pieces(_harness(event), value) if value is not None else None
    if pieces is None:
        return legible(line)
    return legible(joined(piece.text for piece in pieces))


def origins(event: Event) -> tuple[str, ...]:
    """Who produced the texts of an event, each once; a record's are read from it alone, without its session."""
    if event.kind != "session.record":
        return (event.origin,) if event.origin else ()
    value = importers.value(_harness(event), continuing.line(event))
    pieces = importers.pieces(_harness(event), value) if value is not None else None
    return tuple(dict.fromkeys(piece.origin for piece in pieces or ()))


# ---------------------------------------------------------------- reading


def _read(log: EventLog, containers: list[Container], lineage: Lineage, transcript: Transcript) -> Iterator[Message]:
    """The main thread's messages, and at the end of each turn those of the subagents it sent."""
    main = [each for each in containers if each.thread == ""]
    waiting: dict[str | None, list[Container]] = {}
    for each in containers:
        if each.thread:
            waiting.setdefault(transcript.turn_of(each.thread), []).append(each)
    attached = _attached(containers[0].session, lineage)
    emitted: set[str] = set()
    turn: str | None = None

    def told(group: list[Container]) -> Iterator[Message]:
        for entry in _entries(log, group, lineage, emitted):
            for message in transcript.read(entry):
                yield message
                yield from _beside(log, message, attached)

    for message in told(main):
        if message.turn != turn:
            yield from told(waiting.pop(turn, []))
            turn = message.turn
        yield message
    for rest in [waiting.pop(turn, []), *waiting.values()]:
        yield from told(rest)


def _entries(log: EventLog, containers: list[Container], lineage: Lineage,
             emitted: set[str] | None = None) -> Iterator[Entry]:
    return (entry for entry, _ in _events(log, containers, lineage, emitted))


def _events(log: EventLog, containers: list[Container], lineage: Lineage,
            emitted: set[str] | None = None) -> Iterator[tuple[Entry, Event]]:
    """Each record of these files once, in file order, as its longest revision."""
    emitted = set() if emitted is None else emitted
    for container in containers:
        records = continuing.records(log, container, lineage)
        while batch := list(islice(records, _LOOK_UP)):
            revs = log.known([event.id for event in batch])
            for event in batch:
                if event.id in emitted or event.kind != "session.record":
                    continue
                emitted.add(event.id)
                longest = log.get(event.id) if len(revs.get(event.id, ())) > 1 else event
                yield _entry(longest, container, lineage), longest


def _entry(event: Event, container: Container, lineage: Lineage) -> Entry:
    line = continuing.line(event)
    at = event.happened_at
    if event.id in lineage.dated:
        at = earlier(at, lineage.dated[event.id])
    return Entry(event.id, importers.value(container.harness, line), legible(line), at, container.thread)


def _harness(event: Event) -> str:
    return event.source.harness if event.source else ""


def _attached(session: str, lineage: Lineage) -> dict[str, list[str]]:
    """Ids of the session's side files by the event they belong to."""
    found: dict[str, list[str]] = {}
    for id_, owner in lineage.attached.get(session, {}).items():
        found.setdefault(owner, []).append(id_)
    return found


def _beside(log: EventLog, message: Message, attached: dict[str, list[str]]) -> Iterator[Message]:
    """The full text of an output that its record only shows the beginning of."""
    if message.part is Part.RETURNED:
        for id_ in attached.pop(message.event, ()):
            yield Message(id_, Part.RETURNED, message.origin, says(log.get(id_)), message.at, message.turn,
                          message.unit, message.thread, message.tool, message.call, failed=message.failed,
                          flags=message.flags)


def _title(log: EventLog, main: Container, lineage: Lineage) -> tuple[str, str | None]:
    """What the harness calls a session, else the first line a person typed in it; and when it began."""
    importer = importers.IMPORTERS.get(main.harness)
    named, typed, started_at = None, "", None
    for entry in islice(_entries(log, [main], lineage), TITLE_RECORDS):
        started_at = started_at or entry.at
        if entry.value is None or importer is None:
            continue
        named = importer.title(entry.value) or named
        typed = typed or next((p.text for p in importer.pieces(entry.value) or ()
                               if p.origin == Origin.HUMAN and p.text.strip()), "")
    return (named or typed.strip().partition("\n")[0])[:TITLE_CHARS], started_at


def _later(newest: datetime | None, at: str | None) -> datetime | None:
    instant = moment(at)
    return newest if instant is None or (newest is not None and instant <= newest) else instant
