"""Documents with known answers as what a home takes in: session files for what was said, note files for the rest.

Names of files say nothing of what is in them, so that no question is answered by one.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec

from rhizome.log.importers.chat import ROLES
from rhizome.model import Origin, moment

IN_SESSIONS = ("parent", "date", "speaker", "role", "scope")
"""Any of these in a document's `meta` makes it a turn: notes have no time, no speaker and no project."""

DATES = ("%I:%M %p on %d %B, %Y", "%B-%d-%Y", "%d %B, %Y", "%d %B %Y", "%B %d, %Y", "%Y/%m/%d")
"""How times are written besides ISO 8601. One in another form is left out."""

FOLDER = 1_000
"""So many notes lie in a folder. Sessions lie by project: where a chat lies says what it is about."""


class Text(msgspec.Struct, frozen=True):
    """One document of a set."""

    id: str
    text: str
    meta: dict[str, Any] = {}


@dataclass(slots=True)
class Corpus:
    """Files by path, and how to find the documents again: `ids` by their number in session records, `of_note` by the
    path of the note, `scopes` what a scope is called in the log."""

    sessions: dict[str, list[str]] = field(default_factory=dict)
    notes: dict[str, bytes] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    of_note: dict[str, str] = field(default_factory=dict)
    scopes: dict[str, str] = field(default_factory=dict)


def corpus(texts: Iterable[Text], vault: Mapping[str, bytes]) -> Corpus:
    """The files that `texts` come to beside the notes of a vault; a document that is a file there is not made again."""
    found = Corpus(notes=dict(vault), of_note={path: path for path in vault})
    files: dict[tuple[str, str], str] = {}
    for nth, text in enumerate(texts):
        found.ids.append(text.id)
        if text.id in vault:
            continue
        if not any(text.meta.get(name) for name in IN_SESSIONS):
            path = f"{nth // FOLDER:03d}/{nth:07d}.md"
            found.notes[path], found.of_note[path] = text.text.encode("utf-8", "replace"), text.id
            continue
        scope = str(text.meta.get("scope") or "")
        folder = found.scopes.setdefault(scope, f"project-{len(found.scopes):04d}")
        session = scope, str(text.meta.get("parent") or (text.id if alone(text) else ""))
        file = files.setdefault(session, f"{folder}/session-{len(files):07d}.jsonl")
        found.sessions.setdefault(file, []).append(record(nth, text))
    return found


def alone(text: Text) -> bool:
    """Whether nothing says that a document was said beside others."""
    return not any(text.meta.get(name) for name in ("date", "speaker", "role"))


def record(nth: int, text: Text) -> str:
    """A turn as the message of a chat, with its number in the set."""
    role = str(text.meta.get("role") or "").lower()
    told = {"role": role if ROLES.get(role, Origin.HARNESS) != Origin.HARNESS else "user", "content": text.text}
    if at := when(text.meta.get("date")):
        told["timestamp"] = at
    if text.meta.get("speaker"):
        told["name"] = str(text.meta["speaker"])
    return json.dumps(told | {"number": nth}, ensure_ascii=False)


def when(written: object) -> str | None:
    """A time as ISO 8601 has it; None for what is none, or is written in a form of its own."""
    text = " ".join(str(written or "").split())
    if moment(text) is not None:
        return text
    for form in DATES:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC).isoformat()
        except ValueError:
            continue
    return None


def number(line: str) -> int | None:
    """The number of a turn by its line in the log; None for a line that is no turn of a set."""
    told = json.loads(line)
    found = told.get("number") if isinstance(told, dict) else None
    return found if isinstance(found, int) else None
