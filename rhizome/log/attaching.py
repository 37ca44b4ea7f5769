"""Files beside a session (a full output, a subagent's description): one event each, with the record it belongs to."""

import base64
from datetime import datetime

from rhizome.log.appending import Appender
from rhizome.log.counting import Counts
from rhizome.log.discover import Found
from rhizome.log.door import Door
from rhizome.log.identity import identify
from rhizome.log.importers import IMPORTERS
from rhizome.log.importers.records import legible
from rhizome.log.lines import READING_ERRORS, why
from rhizome.log.sources import Cursor, Cursors, Taken, Told, stat_of
from rhizome.model import Event


class Attaching:
    """Attaches side files. Their sessions are imported first, so that their owners can be found."""

    def __init__(self, appender: Appender, door: Door, cursors: Cursors, now: datetime | None) -> None:
        self._appender, self._door, self._cursors, self._now = appender, door, cursors, now

    def take(self, found: Found) -> Taken:
        """Attach one file if the log does not have it as it is now; a changed one becomes another revision."""
        try:
            stat, raw = stat_of(found.path), found.path.read_bytes()
        except READING_ERRORS as error:
            return Taken(Counts(), problem=why(error))
        harness, key = found.harness or "", self._appender.key
        side = IMPORTERS[harness].side(found.path)
        if side is None:
            return Taken(Counts())
        session = f"{harness}:{legible(side.session)}"
        id_ = identify(key, b"source.attached", session.encode(), side.name.encode("utf-8", "surrogateescape"))
        found, session = self._appender.called(found), self._door.clean(session).text
        counts, rev = Counts(), identify(key, b"attached", raw)
        if rev not in self._appender.log.knows(id_):
            counts = self._attach(found, session, side.mark, id_, rev, raw)
        told = Told(harness=harness, name=found.name, side=True)
        self._cursors.put(found.path, Cursor(stat, told), self._now)
        return Taken(counts)

    def _attach(self, found: Found, session: str, mark: str | None, id_: str, rev: str, raw: bytes) -> Counts:
        cleaned = self._door.clean(raw.decode("utf-8", "surrogateescape"))
        kept = cleaned.text.encode("utf-8", "surrogateescape")
        text = kept.decode("utf-8", "replace")
        name = self._door.clean(legible(found.path.name)).text
        body = {"owner": self._owner(found, session, mark), "owner_session": session, "name": name,
                "path": found.name, "text": text}
        if text.encode() != kept:
            body["text64"] = base64.b64encode(kept).decode()
        known = self._appender.lineage.sessions.get(session)
        event = Event(kind="source.attached", id=id_, rev=rev, actor="import", scope=known[0].scope if known else None,
                      session=session, body=body)
        self._appender.log.append([event])
        return Counts(attached=1, redacted=cleaned.redacted, redacted_by=cleaned.rules)

    def _owner(self, found: Found, session: str, mark: str | None) -> str | None:
        """The event that a side file belongs to. Cost: one reading of its session."""
        importer = IMPORTERS[found.harness or ""]
        for container in self._appender.lineage.sessions.get(session, ()) if mark else ():
            for event in container.events(self._appender.log):
                if isinstance(event.body, str) and importer.owns(event.body, mark or ""):
                    return event.id
        return None
