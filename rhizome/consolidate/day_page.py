"""A day's note: sessions, what was done, what was learned, replaced and ended, and what awaits review."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import chain

from rhizome.consolidate.addresses import Place
from rhizome.consolidate.chronicle import ENDED, LEARNED, REPLACED, REVIEW, Day
from rhizome.consolidate.layout import Page
from rhizome.consolidate.render import cut, fingerprint, flat, head, link

HEADINGS = ((LEARNED, "Learned"), (REPLACED, "Replaced"), (ENDED, "No longer holds"), (REVIEW, "Awaits review"))


def day_page(date: str, day: Day, path: Callable[[Place], str | None]) -> Page:
    """The page of a day. `path` gives the link to a subject's note, None while it does not stand."""
    foot = _section("sessions", "Sessions", [_session(each) for each in day.sessions.values()])
    foot |= _section("done", "Done", _done(day))
    told = _told(day, path)
    for section, heading in HEADINGS:
        foot |= _section(section, heading, sorted(told[section]))
    return Page({key: line for key, line in head(date).items() if key != "after heading"}, foot=foot)


def _section(key: str, heading: str, lines: Iterable[str]) -> dict[str, str]:
    """A heading and its list as machine lines; nothing for an empty list."""
    made = {f"line:{key}:{fingerprint(line)}": line for line in lines}
    return {f"before {key}": "", key: f"## {heading}", f"after {key}": "", **made} if made else {}


def _session(session: dict[str, object]) -> str:
    title, scope, harness = (flat(str(session.get(key) or "")) for key in ("title", "scope", "harness"))
    turns = session.get("turns")
    words = f"“{title}”" if title else "without words"
    where = "".join(f", {each}" for each in (scope, harness) if each)
    return f"- {words}{where} ({turns} {'turn' if turns == 1 else 'turns'}, session {_short(session)}…)"


def _short(session: dict[str, object]) -> str:
    """The start of a session's own id, without the harness that may stand before it."""
    return flat(str(session["session"]).rpartition(":")[2])[:8]


def _done(day: Day) -> list[str]:
    scopes = {key: flat(str(each.get("scope") or "")) for key, each in day.sessions.items()}
    lines = []
    for session in dict.fromkeys(each for each, _ in day.changed):
        paths = ", ".join(_code(path) for each, path in day.changed if each == session)
        lines.append(f"- changed{f' in {scopes[session]}' if scopes.get(session) else ''}: {paths}")
    return lines + [f"- failed, then passed: {_code(command)}" for _, command in day.fixed]


def _told(day: Day, path: Callable[[Place], str | None]) -> dict[str, set[str]]:
    """The lines of each section, every one with a link to the note it is about."""
    lines: dict[str, set[str]] = defaultdict(set)
    names: dict[Place, str] = {}
    for told in chain(day.facts.values(), day.notices):
        if told.place not in names:
            name, target = told.place.subject or told.place.scope, path(told.place)
            names[told.place] = link(name, target) if target else cut(name, 80)
        lines[told.section].add(f"- {names[told.place]}: {told.words}")
    return lines


def _code(text: str) -> str:
    """`text` as a code span, with enough backticks around."""
    text = flat(text)
    ticks = "`"
    while ticks in text:
        ticks += "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"
