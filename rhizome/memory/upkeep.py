"""Looking after the log: is it what was written, giving up what is lost, carrying the key to another machine."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from rhizome.errors import Damaged, NotFound, Refused
from rhizome.log.identity import read_key, replace_key, write_key
from rhizome.log.lost import RANGE_LOST
from rhizome.log.port import DamagedRange
from rhizome.log.verify import FORGET_DONE, verify
from rhizome.memory.parts import Parts

Answer = dict[str, Any]
NAMELESS = frozenset({"home.configured", "note.saved", "note.removed", "tail.repaired", RANGE_LOST})
"""Kinds of events that say the same under another key: nothing is imported twice for their sake."""


ANCHORS = 20
"""So many commits are asked for the head they were written at, before anything is derived."""


def verified(parts: Parts, *, quick: bool, full: bool) -> Answer:
    """What is damaged: by reading every line of every home, or (`quick`) only what changed since it was last read."""
    if quick and full:
        raise Refused("log verify: --quick and --full say opposite things", "give one of them")
    found = list(parts.log.damage())
    if not quick:
        read = everywhere(parts, full=full)
        found = read + [bad for bad in found if bad not in read]
    return {"ok": not found, "damaged": msgspec.to_builtins(found), "head": msgspec.to_builtins(parts.log.head),
            "events": sum(parts.heads().values())}


def everywhere(parts: Parts, *, full: bool) -> list[DamagedRange]:
    """What reading every line finds, also against the heads that the notes' commits name (`full`: of all commits)."""
    told = list(parts.log.history((FORGET_DONE, RANGE_LOST)))
    return [bad for name, noted in anchors(parts, None if full else ANCHORS).items()
            for bad in verify(parts.home.log, name, full=full, anchors=noted, told=told)]


def anchors(parts: Parts, limit: int | None) -> dict[str, Sequence[tuple[int, str]]]:
    return {name: parts.vault.anchors(name, limit) for name in parts.homes()}


def anchored(parts: Parts) -> None:
    """Raises Damaged where the newest commits name a head that this log does not reach: its end was cut off.

    What is derived from such a log would take back what is newer than it.
    """
    head, home = parts.log.head, parts.home.id
    ahead = [seq for seq, _ in parts.vault.anchors(home, limit=ANCHORS) if seq > head.seq]
    if ahead:
        raise Damaged(
            f"log/{home}: ends at seq {head.seq}, but the notes were written at seq {max(ahead)}",
            "Restore the newer log from a copy; nothing was changed.",
        )


def repaired(parts: Parts, *, yes: bool) -> Answer:
    """Give up what is damaged, once a person said so. Nothing is destroyed; the index is made anew."""
    found = everywhere(parts, full=True)
    found += [bad for bad in parts.log.damage() if bad not in found]
    if not found:
        return {"ok": True, "given_up": [], "aside": [], "damaged": []}
    if not yes and not (parts.around.confirm and parts.around.confirm(question(found))):
        raise Refused(f"log repair: {summary(found)}; nothing was changed",
                      "look at `rhizome log verify`, restore what you can from a copy, then say --yes")
    done = parts.log.repair(anchors(parts, None))
    parts.forget_index()
    left = everywhere(parts, full=True)
    return {"ok": not left, "given_up": msgspec.to_builtins(done.lost),
            "aside": [f"log/{parts.home.id}/{name}" for name in done.aside], "damaged": msgspec.to_builtins(left)}


def summary(found: Sequence[DamagedRange]) -> str:
    first = found[0]
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return f"log/{first.segment}: damaged at byte {first.offset} ({first.why}){more}"


def question(found: Sequence[DamagedRange]) -> str:
    return f"{summary(found)}. Set the damaged bytes aside and give up what they said?"


# ---------------------------------------------------------------- the key


def key_exported(parts: Parts, to: Path | None) -> Answer:
    """The person's key, or a new file with it that only its owner reads. Refused where a file stands already."""
    if to is None:
        return {"key": parts.home.key.hex(), "path": None}
    write_key(to, parts.home.key)
    return {"key": None, "path": str(to.absolute())}


def key_imported(parts: Parts, source: Path) -> Answer:
    """Take another machine's key in place of this home's, which is kept beside it. Refused once it named events."""
    path = parts.home.log / "key"
    try:
        key = read_key(Path("/dev/stdin") if source == Path("-") else source)
    except NotFound:
        raise NotFound(f"{source}: no such file", "`rhizome home export-key FILE` makes one, over there") from None
    if key == parts.home.key:
        return {"changed": False, "kept": None}
    named = sum(event.kind not in NAMELESS for event in parts.log.read())
    if named:
        raise Refused(f"{path}: {named} events of this home are named by its own key",
                      "import a key right after `rhizome init`, before the first import; or make a fresh home")
    kept = replace_key(path, key)
    parts.close()
    for name in ("home", "door"):
        parts.__dict__.pop(name, None)
    return {"changed": True, "kept": os.path.relpath(kept, parts.home.root)}
