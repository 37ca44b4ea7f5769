"""A derived note as slots: statements by id, a person's lines verbatim, machine lines by id; and how a save is read.

Reading is line by line and happens once, when a save is seen; its outcome is the event. It must never be repeated, so
it may grow better without changing old nights.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

STATEMENT, OWN, MACHINE = "s", "h", "m"
BULLET, GAP, NEWLINE = "- ", " ", "\n"


class Slot(NamedTuple):
    """One place in a note: `key` is a statement's id, a person's line with its ending, or a machine line's id.

    What stands around a statement is the person's too: `before` (bullet, indent), `gap` (up to the reference) and
    `end` (trailing spaces, line ending). A machine line has an `end` only.
    """

    kind: str
    key: str
    end: str = NEWLINE
    before: str = BULLET
    gap: str = GAP


def pack(slots: Iterable[Slot]) -> list[list[str]]:
    """Slots as they stand in an event: `["s", id]`, `["h", line]`, `["m", id]`, longer only where a person set it."""
    packed = []
    for slot in slots:
        parts = list(slot)
        while len(parts) > 2 and parts[-1] == (None, None, NEWLINE, BULLET, GAP)[len(parts) - 1]:
            parts.pop()
        packed.append(parts)
    return packed


def unpack(packed: Iterable[list[str]]) -> list[Slot]:
    return [Slot(*parts) for parts in packed]


def ending(line: str) -> str:
    """The line ending of `line`: empty, LF or CRLF."""
    return "\r\n" if line.endswith("\r\n") else "\n" if line.endswith("\n") else ""


def bare(line: str) -> str:
    """`line` without its ending."""
    return line.removesuffix(ending(line))


def name(slot: Slot) -> tuple[str, str]:
    """What makes two slots the same one: a person's line counts without its ending."""
    return (OWN, bare(slot.key)) if slot.kind == OWN else (slot.kind, slot.key)


# ---------------------------------------------------------------- lines and statements

_REFERENCE = re.compile(r"\[\^([^\]\[\s]+)\]")
_DEFINITION = re.compile(r"[ \t>]*\[\^[^\]\[\s]+\]:")
_BEFORE = re.compile(r"(?:[ \t]*>[ \t]?)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_BLOCK = re.compile(r"[ \t]*(?:#{1,6}(?:[ \t]|$)|```|~~~|[|<])")
_APART = re.compile(r"[ \t]*(?:$|#{1,6}(?:[ \t]|$)|```|~~~|[|<>]|(?:[-*_=][ \t]*){3,}$)")
_DERIVED = re.compile(r"derived: ([0-9a-f]{12})[ \t]*")


@dataclass(frozen=True, slots=True)
class Found:
    """A statement as it stands in a text: lines `first` to `last`, its words with LF inside, and its frame."""

    first: int
    last: int
    id: str
    words: str
    before: str
    gap: str
    end: str


def continues(line: str) -> bool:
    """Whether a line under a list item belongs to it: indented, or text that begins no block of its own."""
    return bool(line.strip()) and (line[0] in " \t" or not (_ITEM.match(line) or _APART.match(bare(line))))


def lines(text: str) -> list[str]:
    """The lines of `text` with their endings; only LF ends a line, so that nothing else is ever cut."""
    cut = text.split("\n")
    return [line + "\n" for line in cut[:-1]] + ([cut[-1]] if cut[-1] else [])


def base(text: str) -> str | None:
    """The rendering a text names, by its first `derived:` line."""
    return next((found[1] for line in lines(text) if (found := _DERIVED.fullmatch(bare(line)))), None)


def statements(text: list[str], known: Container[str] = ()) -> list[Found]:
    """List items and paragraphs whose last token is their only reference. Lines in `known` never join one."""
    found, free = [], 0
    for last, line in enumerate(text):
        content = bare(line)
        if not (at := _reference(content)):
            continue
        first = _first_line(text, last, free, known)
        free = last + 1
        if _BLOCK.match(text[first]) or _DEFINITION.match(text[first]):
            continue
        words = "".join(text[first:last]) + content[:at]
        frame = _BEFORE.match(words)
        before = frame[0] if frame else ""
        words, reference = words[len(before):], content[at:].rstrip(" \t")
        kept = words.rstrip(" \t")
        if not kept or _REFERENCE.search(kept):
            continue
        found.append(Found(first, last, reference[2:-1], kept.replace("\r\n", "\n"), before, words[len(kept):],
                           content[at + len(reference):] + ending(line)))
    return found


def _reference(content: str) -> int:
    """Where the reference that ends `content` begins; 0 where it does not end with one."""
    at = content.rfind("[^")
    return at if at > 0 and _REFERENCE.fullmatch(content[at:].rstrip(" \t")) else 0


def _first_line(text: list[str], last: int, free: int, known: Container[str]) -> int:
    """Where the list item or paragraph that ends in line `last` begins."""
    first = last
    while first > free and not _ITEM.match(text[first]) and not _APART.match(bare(text[first])):
        above = bare(text[first - 1])
        if above in known or bare(text[first]) in known or _APART.match(above) or _REFERENCE.search(above):
            break
        first -= 1
    return first


# ---------------------------------------------------------------- reading a save


@dataclass(frozen=True, slots=True)
class Reading:
    """What a save says: its slots, the words of its statements, and ids that only new lines of a person mention."""

    slots: tuple[Slot, ...]
    words: Mapping[str, str]
    mentioned: frozenset[str]


def read(text: str, machine: Iterable[tuple[str, str]], ids: Container[str], own: Set[str] = frozenset()) -> Reading:
    """Read a save against the rendering it was made from.

    `machine` are that rendering's machine lines (id, line), recognised one by one by exact bytes in their order; `ids`
    may be statements here; `own` are lines, without ending, that a person had there before. Of an id that stands twice
    the first is the statement, the rest are a person's lines.
    """
    cut, waiting = lines(text), _waiting(machine)
    chosen = _chosen(cut, ids, own, waiting)
    slots: list[Slot] = []
    fresh: set[str] = set()
    at = 0
    while at < len(cut):
        if found := chosen.get(at):
            slots.append(Slot(STATEMENT, found.id, found.end, found.before, found.gap))
            at = found.last + 1
            continue
        slots.append(_line(cut, at, waiting, slots))
        if slots[-1].kind == OWN and bare(cut[at]) not in own and not _DEFINITION.match(cut[at]):
            fresh |= set(_REFERENCE.findall(cut[at]))
        at += 1
    words = {found.id: found.words for found in chosen.values()}
    return Reading(tuple(slots), words, frozenset(fresh - words.keys()))


def _waiting(machine: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Machine lines that have not been met yet: line -> ids, in the rendering's order."""
    waiting: dict[str, list[str]] = defaultdict(list)
    for key, line in machine:
        waiting[line].append(key)
    return waiting


def _chosen(cut: list[str], ids: Container[str], own: Set[str], machine: Mapping[str, object]) -> dict[int, Found]:
    """The statements of a text by their first line: the first of each id that is no line a person had before."""
    chosen: dict[str, Found] = {}
    for found in statements(cut, own | machine.keys()):
        old = found.first == found.last and bare(cut[found.first]) in own
        if found.id in ids and found.id not in chosen and not old:
            chosen[found.id] = found
    return {found.first: found for found in chosen.values()}


def _line(cut: list[str], at: int, waiting: dict[str, list[str]], slots: list[Slot]) -> Slot:
    """The slot of one line: a machine line not met yet, or a person's."""
    content, end = bare(cut[at]), ending(cut[at])
    if _DERIVED.fullmatch(content) and (MACHINE, "derived") not in map(name, slots):
        return Slot(MACHINE, "derived", content[len("derived: ") + 12:] + end)
    for key in waiting.get(content, ()):
        if content or _beside(key, cut, at, waiting, slots):
            waiting[content].remove(key)
            return Slot(MACHINE, key, end)
    return Slot(OWN, cut[at])


def _beside(key: str, cut: list[str], at: int, waiting: dict[str, list[str]], slots: list[Slot]) -> bool:
    """Whether a blank machine line stands beside the line it belongs to: `after heading`, `before note`.

    Blank lines all have the same bytes; without this a person's own blank line would shift all that follow.
    """
    side, _, neighbour = key.partition(" ")
    if side == "after":
        return bool(slots) and name(slots[-1]) == (MACHINE, neighbour)
    below = bare(cut[at + 1]) if at + 1 < len(cut) else ""
    return any(other.partition(":")[0] == neighbour for other in waiting.get(below, ()))
