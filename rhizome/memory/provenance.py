"""Where words come from: line → commit → call → fact → event → the turns around it.

A green reader follows the chain as far as it may: of an event above its clearance it learns the id and no word.
"""

from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from rhizome.consolidate.render import plain
from rhizome.consolidate.slots import bare, lines, statements
from rhizome.errors import NotFound
from rhizome.ledger.keys import statement_id
from rhizome.log.port import is_name
from rhizome.log.sessions import says
from rhizome.memory import projections
from rhizome.memory.parts import Parts
from rhizome.memory.reading import has_line, read_event, read_note
from rhizome.memory.scenes import scene
from rhizome.model import Event, Fact, Status, Tier, visible
from rhizome.store.port import Commit

Answer = dict[str, Any]


def why(parts: Parts, ref: str, *, clearance: Tier) -> Answer:
    """The chain behind a line of a note, a whole note, or an event: `line, text, commit, call, facts`.

    `facts` are those that the line states, the note shows or the event speaks for; with `evidence` for a line. Raises
    NotFound, also for what the reader may not see, and Refused for a line that is not there.
    """
    projections.refresh_ledgers(parts)
    path, _, number = ref.rpartition(":")
    named = bool(path) and number.isdecimal()
    name = path if named else ref
    if is_name(name):
        return _of_event(parts, name, clearance)
    note = _Note(parts, name, clearance)
    if named:
        has_line(ref, int(number), "".join(note.text))
    if not named or not note.text:
        shown = {fact.id: fact for at in range(len(note.text)) if (fact := note.fact(at))}
        facts = [_told(fact, [], clearance) for fact in shown.values()]
        return _chain(parts, note.ref, None, "", note.newest()) | {"facts": facts}
    at = int(number) - 1
    fact = note.fact(at)
    evidence = [scene(parts, each.event, each.quote, clearance) for each in fact.evidence] if fact else []
    facts = [_told(fact, evidence, clearance)] if fact else []
    return _chain(parts, note.ref, at + 1, bare(note.text[at]), note.commits[at]) | {"facts": facts}


def blame(parts: Parts, ref: str, *, clearance: Tier) -> Answer:
    """Every line of a note with the commit and call that set it, and the fact and event behind a statement."""
    projections.refresh_ledgers(parts)
    note = _Note(parts, ref, clearance)
    return {"ref": note.ref, "lines": [_blamed(note, at) for at in range(len(note.text))]}


def _blamed(note: "_Note", at: int) -> Answer:
    commit, fact = note.commits[at], note.fact(at)
    return {
        "line": at + 1, "text": bare(note.text[at]), "commit": commit.id if commit else None,
        "time": commit.time if commit else None, "author": commit.author if commit else None,
        "call": commit.calls[-1] if commit and commit.calls else None,
        "scope": fact.scope if fact else None, "fact_key": fact.fact_key if fact else None,
        "fact": fact.id if fact else None, "event": fact.evidence[0].event if fact and fact.evidence else None,
    }  # fmt: skip


# ---------------------------------------------------------------- notes


@dataclass
class _Note:
    """A note as it stands on the disk, with the commit of each line and the fact that it states."""

    parts: Parts
    name: str
    clearance: Tier

    def __post_init__(self) -> None:
        read = read_note(self.parts, self.name, None, self.clearance)
        self.ref: str = read["ref"]
        self.text: list[str] = lines(read["text"])
        known = self.parts.known.get(self.ref)
        self.derived = bool(known and known.derived)

    @cached_property
    def commits(self) -> list[Commit | None]:
        """The commit that set each line; None for one that no commit has yet."""
        place = self.parts.vault.place(self.ref)
        reader = self.parts.vault.reader(private=place.private)
        blamed = reader.blame(place.path) if reader else ()
        if not blamed:
            return [None] * len(self.text)
        committed = lines(self.parts.vault.committed(self.ref).decode("utf-8", "surrogateescape"))
        found: list[Commit | None] = [None] * len(self.text)
        for block in SequenceMatcher(None, committed, self.text, autojunk=False).get_matching_blocks():
            found[block.b : block.b + block.size] = blamed[block.a : block.a + block.size]
        return found

    def newest(self) -> Commit | None:
        """The last commit that changed the note."""
        place = self.parts.vault.place(self.ref)
        reader = self.parts.vault.reader(private=place.private)
        return next(reader.history(place.path), None) if reader else None

    def fact(self, at: int) -> Fact | None:
        """The fact that line `at` states or whose receipt it is; None for any other line."""
        found = self._stated.get(at)
        if found is None:
            return None
        id_, words = found
        versions = self._versions.get(id_, [])
        said = [each for each in versions if words in (None, each.statement, plain(each.statement))]
        candidates = said or versions
        active = (each for each in candidates if each.status is Status.ACTIVE)
        stated = next(active, candidates[-1] if candidates else None)
        return self._quoted(stated) if stated is not None and self.clearance is Tier.AMBER else stated

    def _quoted(self, fact: Fact) -> Fact:
        """What a green note states, with the words that an amber reader may hear."""
        versions = self.parts.ledger(Tier.AMBER).history(fact.scope, fact.fact_key)
        same = (each for each in versions if each.id == fact.id)
        return replace(fact, evidence=next((each.evidence for each in same), fact.evidence))

    @cached_property
    def _stated(self) -> dict[int, tuple[str, str | None]]:
        """Line -> the id of the statement that it belongs to, and its words; a footnote has none of its own."""
        if not self.derived:
            return {}
        stated: dict[int, tuple[str, str | None]] = {}
        for found in statements(self.text):
            stated |= dict.fromkeys(range(found.first, found.last + 1), (found.id, found.words))
        for at, line in enumerate(self.text):
            if line.startswith("[^") and "]:" in line:
                stated[at] = (line[2 : line.index("]:")], None)
        return stated

    @cached_property
    def _versions(self) -> dict[str, list[Fact]]:
        """The versions of each fact that the note names, oldest first, as its readers may see them."""
        reader = Tier.AMBER if self.parts.vault.tier(self.ref) is Tier.AMBER else Tier.GREEN
        named, found = {id_ for id_, _ in self._stated.values()}, dict[str, list[Fact]]()
        for fact in self.parts.ledger(reader).facts() if named else ():
            id_ = statement_id(fact.scope, fact.fact_key)
            if id_ in named and fact.status is not Status.PROPOSED:
                found.setdefault(id_, []).append(fact)
        return found


def _chain(parts: Parts, ref: str, line: int | None, text: str, commit: Commit | None) -> Answer:
    told = None
    if commit is not None:
        told = {"id": commit.id, "time": commit.time, "author": commit.author, "subject": commit.subject}
    call = commit.calls[-1] if commit and commit.calls else None
    return {"ref": ref, "line": line, "text": text, "commit": told, "call": _call(parts, call), "event": None}


def _told(fact: Fact, evidence: list[Answer], clearance: Tier) -> Answer:
    told: Answer = msgspec.to_builtins(fact)
    if clearance is not Tier.AMBER:
        told["evidence"] = [{"event": each.event, "quote": ""} for each in fact.evidence]
    return {"fact": told, "evidence": evidence}


# ---------------------------------------------------------------- calls and events


def _call(parts: Parts, call: str | None) -> Answer | None:
    """A call as a commit or an event names it, and the event that stands for it in the log."""
    if call is None:
        return None
    event = _called(parts, call)
    return {
        "id": call, "event": event.id if event else None, "kind": event.kind if event else None,
        "actor": event.actor if event else None, "recorded_at": event.recorded_at if event else None,
    }  # fmt: skip


def _called(parts: Parts, call: str) -> Event | None:
    actor, _, rest = call.partition("/")
    name = rest.partition("/")[0]
    if actor == "consolidate":
        runs = parts.log.history(("consolidated",))
        return next((event for event in runs if event.fields.get("run") == name), None)
    if actor == "init":
        return next((event for event in parts.log.history(("home.configured",)) if event.call == call), None)
    try:
        return parts.log.get(name) if is_name(name) else None
    except NotFound:
        return None


def _of_event(parts: Parts, name: str, clearance: Tier) -> Answer:
    """An event where it happened, the call it came with, and the facts that rest on it."""
    read = read_event(parts, name, raw=False, clearance=clearance)
    event = parts.log.get(read["ref"])
    facts = {fact.id: fact for fact in parts.ledger(clearance).quoting(event.id)}
    body = event.fields
    if event.kind.startswith("fact.") and visible(body.get("tier", event.tier), clearance):
        versions = parts.ledger(clearance).history(str(body.get("scope")), str(body.get("fact_key")))
        facts |= {fact.id: fact for fact in versions if fact.id == event.id}
    told = [
        _told(fact, [scene(parts, each.event, each.quote, clearance) for each in fact.evidence
                     if each.event != event.id], clearance)
        for fact in facts.values()
    ]  # fmt: skip
    found = _chain(parts, event.id, None, says(event), None)
    return found | {"call": _call(parts, event.call), "facts": told, "event": scene(parts, event.id, "", clearance)}
