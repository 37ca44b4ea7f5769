"""What needs a person's attention, with what to do about it. Looks at everything and changes nothing.

A person who knows of a finding and lives with it names its code under `[doctor] accept` in `rhizome.toml`; it is then
counted and no longer listed.
"""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rhizome.errors import RhizomeError
from rhizome.log.unread import unread
from rhizome.memory import saves, standing
from rhizome.memory.home import texts
from rhizome.memory.known_notes import REMOVED
from rhizome.memory.parts import Parts, embedder
from rhizome.memory.upkeep import anchored
from rhizome.model import Tier
from rhizome.store.dangers import dangerous, remotes

OWNER_ONLY = 0o077
"""Bits of a file's mode that let others read or write it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that needs attention: a code to name it by, what it is, and what to do next."""

    code: str
    message: str
    hint: str


def examined(parts: Parts) -> dict[str, Any]:
    """Every finding, in the order in which to see to them. Reads the records of sessions that came since last time."""
    found = [finding for check in CHECKS for finding in check(parts)]
    accepted = texts(parts.home, "doctor", "accept")
    return {
        "findings": [{"code": each.code, "message": each.message, "hint": each.hint}
                     for each in found if each.code not in accepted],
        "accepted": sum(each.code in accepted for each in found),
    }  # fmt: skip


# ---------------------------------------------------------------- the log


def damage(parts: Parts) -> Iterator[Finding]:
    hint = "`rhizome log verify` lists what is damaged; restore the segment from a copy."
    for bad in parts.log.damage():
        yield Finding("log-damaged", f"log/{bad.segment}: damaged at byte {bad.offset} ({bad.why})", hint)
    try:
        anchored(parts)
    except RhizomeError as wrong:
        yield Finding("log-damaged", wrong.message, wrong.hint)


def key(parts: Parts) -> Iterator[Finding]:
    path = parts.home.log / "key"
    yield Finding(
        "key-not-backed-up", f"{path}: without this key a new import duplicates everything, and nothing can restore it",
        "Keep a copy elsewhere (`rhizome home export-key FILE`), then accept this in rhizome.toml: "
        '`[doctor] accept = ["key-not-backed-up"]`.',
    )  # fmt: skip
    if path.stat().st_mode & OWNER_ONLY:
        yield Finding("key-readable", f"{path}: others on this machine may read the key", f"`chmod 600 {path}`.")


def records(parts: Parts) -> Iterator[Finding]:
    """What nobody understands yet of each harness; it is kept whole."""
    hint = "Kept whole; a newer rhizome may read it. `[doctor] accept` in rhizome.toml silences this."
    found = unread(parts.log, parts.heads(), parts.home.index / "unread.msgpack")
    for (harness, kind), number in sorted(found.items(), key=str):
        lines = f"{number} record{'s' * (number != 1)}"
        if kind is None:
            yield Finding("unparsed-lines", f"{harness}: {lines} could not be parsed", hint)
        else:
            yield Finding("unknown-records", f"{harness}: {lines} of an unknown type, {kind}", hint)


# ---------------------------------------------------------------- notes


def notes(parts: Parts) -> Iterator[Finding]:
    """What keeps notes from being taken in or committed."""
    for prefix, why in parts.vault.busy().items():
        yield Finding("notes-busy", f"{prefix or 'notes/'}: {why}", "Finish or abort it with git; saves wait.")
    if parts.log.damage():
        return
    parts.notes_known()
    taken, news, removed, _ = saves.look(parts)
    for ref, why in sorted(taken.held.items()):
        yield Finding("note-held", f"{ref}: {why}", "It is not taken in before that; nothing of it is lost.")
    for place in taken.outages:
        yield Finding("notes-unreadable", f"{place}: cannot be looked at", "Mount it, or give back the right to read.")
    for ref, why in sorted(taken.skipped.items()):
        yield Finding("note-skipped", f"{ref}: {why}", "It is no note; put a file there to have one.")
    there = {note.ref for note in parts.known.all() if note.blob != REMOVED} | {seen.ref for seen in news}
    for cleaned in map(parts.door.clean, sorted(there - set(removed))):
        if cleaned.redacted:
            yield Finding("secret-in-name", f"{cleaned.text}: a secret stands in the name of a note, and from there in "
                          "commits and in the log", "Rename the file, and have the secret replaced by another one.")


def repositories(parts: Parts) -> Iterator[Finding]:
    """What git would run in the repositories of notes, and where private notes could leave this machine."""
    home = parts.home
    hint = "rhizome runs none of it. Be sure that it is yours before you run git there, or remove it."
    for name, root in (("notes", home.notes), ("private", home.private)):
        if not (root / ".git").exists():
            continue
        try:
            for what in dangerous(root):
                yield Finding("git-runs-programs", f"{name}/.git/{what}: git runs a program", hint)
            for remote in remotes(root) if name == "private" else ():
                told = f"`git -C {root} remote remove {remote}`."
                yield Finding("private-remote", f"private/: has a remote, {remote}", told)
        except RhizomeError as wrong:
            yield Finding("repository-unreadable", wrong.message, wrong.hint)


# ---------------------------------------------------------------- what can be built anew, and where all stands


def index(parts: Parts) -> Iterator[Finding]:
    """Files of the index that are no good. The next verb builds what is missing, so that alone is no fault."""
    hint = "`rhizome rebuild` builds it anew; nothing is lost with it."
    for path in sorted(parts.home.index.glob("*.db")):
        wrong = _broken(path)
        if wrong:
            yield Finding("index-broken", f"index/{path.name}: {wrong}", hint)
    if (parts.home.index / "search").is_dir():
        for fault in parts.engine.faults(tuple(Tier)):
            yield Finding("index-broken", fault, hint)


def _broken(path: Path) -> str:
    try:
        database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            told = [str(row[0]) for row in database.execute("PRAGMA quick_check(1)")]
        finally:
            database.close()
    except sqlite3.DatabaseError as wrong:
        return str(wrong)
    return "" if told == ["ok"] else "; ".join(told)


def model(parts: Parts) -> Iterator[Finding]:
    try:
        (parts.search.own_model() or embedder()).encode(["a word"])
    except RhizomeError as wrong:
        hint = wrong.hint or "Install rhizome again."
        yield Finding("model-missing", f"{wrong.message}; search knows words only", hint)


def place(parts: Parts) -> Iterator[Finding]:
    """Where home and notes stand."""
    mounted = standing.mounts()
    hint = "Locks and syncs may not hold there. Move it to a disk of this machine, and copy from there."
    for name, folder in (("home", parts.home.root), ("notes", parts.home.notes)):
        wrong = standing.kind(folder.resolve(), mounted)
        if wrong and (name == "home" or parts.home.adopted):
            yield Finding("shared-folder", f"{folder}: {wrong}", hint)


CHECKS: tuple[Callable[[Parts], Iterator[Finding]], ...] = (
    index, damage, key, place, notes, repositories, model, records,
)  # fmt: skip
"""The files of the index first: whatever opens them afterwards may mend them."""
