"""Layout from the person, values from the ledger: what a save leaves standing, and filling slots from a page."""

import hashlib
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from rhizome.consolidate.lossless import encode
from rhizome.consolidate.slots import MACHINE, NEWLINE, OWN, STATEMENT, Slot, bare, continues, ending, name

FENCE = {"front again": "---", "front end again": "---"}
"""What encloses the name of a rendering in a note whose front matter a person took away."""

NAME = "derived"
FRONT = ("front", "title", "aliases", NAME, "front end")


@dataclass(frozen=True)
class Page:
    """A note as the ledger would have it: machine lines above and below, and the words of statements by id.

    All three are in the order of a first rendering. `head` holds `derived`; its line gets its name when published.
    `machine` is every machine line that can be filled in.
    """

    head: Mapping[str, str]
    statements: Mapping[str, str] = field(default_factory=dict)
    foot: Mapping[str, str] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        return not self.statements and not self.foot

    @cached_property
    def machine(self) -> dict[str, str]:
        return {**FENCE, **self.head, **self.foot}


# ---------------------------------------------------------------- after a save


def keep(layout: Sequence[Slot], saved: Sequence[Slot], removed: Iterable[Slot]) -> list[Slot]:
    """The layout after a save: its slots, and what stood before and the person could not see, after its predecessor."""
    taken = Counter(name(slot) for slot in removed)
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, slot in enumerate(saved):
        places[name(slot)].append(at)
    kept: dict[int, list[Slot]] = defaultdict(list)
    anchor = top = _front(saved) - 1
    for slot in layout:
        key = name(slot)
        if places[key]:
            anchor = max(places[key].pop(0), top if slot.kind != MACHINE else -1)
        elif taken[key]:
            taken[key] -= 1
        else:
            kept[anchor].append(slot)
    return _woven(saved, kept)


def _woven(slots: Sequence[Slot], after: Mapping[int, list[Slot]]) -> list[Slot]:
    """`slots` with others after the places they belong to; -1 is the top."""
    if not after:
        return list(slots)
    return [*after.get(-1, ()), *chain.from_iterable((slot, *after.get(at, ())) for at, slot in enumerate(slots))]


def _front(slots: Sequence[Slot]) -> int:
    """How many slots the front matter takes, fences included; 0 where there is none."""
    fences = (at for at, slot in enumerate(slots) if _fences(slot, first=at == 0))
    if next(fences, None) != 0:
        return 0
    return next(fences, -1) + 1


def _fences(slot: Slot, *, first: bool) -> bool:
    if slot.kind == OWN:
        line = bare(slot.key).rstrip(" \t")
        return line.removeprefix("\ufeff") == "---" if first else line in ("---", "...")
    return slot.kind == MACHINE and (slot.key in FENCE or slot.key in (FRONT[0], FRONT[-1]))


# ---------------------------------------------------------------- filling


def fill(layout: Sequence[Slot], page: Page, gone: frozenset[str] | set[str] = frozenset()) -> list[Slot]:
    """`layout` with a slot for everything the page has.

    Slots with nothing behind them go; machine lines in `gone`, which a person removed, stay away; a person's lines keep
    their order. A new statement goes after its nearest smaller neighbour that stands, else before its nearest larger
    one, else after the heading.
    """
    behind: dict[str, Container[str]] = {STATEMENT: page.statements, MACHINE: page.machine}
    standing = [slot for slot in layout if slot.kind == OWN or slot.key in behind[slot.kind]]
    filling = _Filling(
        standing, page, set(gone), style=_style(standing[:1]), after=defaultdict(list),
        statements={slot.key: at for at, slot in enumerate(standing) if slot.kind == STATEMENT},
        machine={slot.key: at for at, slot in enumerate(standing) if slot.kind == MACHINE},
    )
    _add_head(filling)
    _add_statements(filling)
    _add_foot(filling)
    return _named(_woven(standing, filling.after), filling.style)


@dataclass(frozen=True, slots=True)
class _Filling:
    """What stands, where, and what is to come after which place; new lines end in `style`."""

    standing: Sequence[Slot]
    page: Page
    gone: set[str]
    style: str
    statements: Mapping[str, int]
    machine: Mapping[str, int]
    after: dict[int, list[Slot]]


def _style(slots: Iterable[Slot]) -> str:
    """The line ending of the first slot that has one."""
    endings = (ending(slot.key if slot.kind == OWN else slot.end) for slot in slots)
    return next(filter(None, endings), NEWLINE)


def _add_head(filling: _Filling) -> None:
    """Machine lines above the statements: each after the one before it, the first at the top; in the front matter
    only while it stands."""
    anchor, absent = -1, filling.gone
    if filling.standing:
        absent = absent | ({NAME} if FRONT[0] in filling.machine else set(FRONT))
    for key in filling.page.head:
        if key in filling.machine:
            anchor = filling.machine[key]
        elif key not in absent:
            filling.after[anchor].append(Slot(MACHINE, key, filling.style))


def _add_statements(filling: _Filling) -> None:
    missing = [key for key in filling.page.statements if key not in filling.statements]
    if not missing:
        return
    standing, at = filling.standing, filling.statements
    heading = max([_front(standing) - 1, *(filling.machine.get(key, -1) for key in filling.page.head)])
    ids = sorted(at)
    for key in missing:
        larger = bisect_left(ids, key)
        if larger:
            anchor = _with_remarks(standing, at[ids[larger - 1]])
        else:
            anchor = max(heading, at[ids[0]] - 1) if ids else heading
        filling.after[anchor].append(Slot(STATEMENT, key, filling.style))


def _with_remarks(standing: Sequence[Slot], at: int) -> int:
    """The last of the lines that a person put right under the statement at `at`, so that they stay with it."""
    while at + 1 < len(standing) and standing[at + 1].kind == OWN and continues(standing[at + 1].key):
        at += 1
    return at


def _add_foot(filling: _Filling) -> None:
    """Machine lines below: each after the one before it, else before the next that stands, else at the end."""
    foot, at = filling.page.foot, filling.machine
    anchor = next((at[key] for key in foot if key in at), len(filling.standing)) - 1
    for key in foot:
        if key in at:
            anchor = at[key]
        elif key not in filling.gone:
            filling.after[anchor].append(Slot(MACHINE, key, filling.style))


def _named(slots: list[Slot], style: str) -> list[Slot]:
    """Every rendering names itself: a `derived:` line that is away comes back, if need be with fences of its own."""
    if any(slot.kind == MACHINE and slot.key == NAME for slot in slots):
        return slots
    front, line = _front(slots), Slot(MACHINE, NAME, style)
    if front:
        return [*slots[:front - 1], line, *slots[front - 1:]]
    opening, closing = (Slot(MACHINE, key, style) for key in FENCE)
    rest = [slot for slot in slots if slot.key not in FENCE or slot.kind != MACHINE]
    return [opening, line, closing, *rest]


# ---------------------------------------------------------------- publishing


def publish(layout: Sequence[Slot], page: Page) -> tuple[str, str]:
    """The text of a filled layout and its name: 12 hex digits of the SHA-256 of all its bytes but the naming line."""
    style = _style(layout)
    machine, statements, last = page.machine, page.statements, len(layout) - 1
    pieces, at = [], -1
    for place, (kind, key, end, before, gap) in enumerate(layout):
        if kind == MACHINE:
            piece = machine[key] + end
            at = place if key == NAME else at
        elif kind == STATEMENT:
            words = statements[key]
            words = words.replace("\n", ending(end) or style) if "\n" in words else words
            piece = f"{before}{words}{gap}[^{key}]{end}"
        else:
            piece = key
        pieces.append(piece if place == last or piece[-1:] == "\n" else piece + style)
    digest = hashlib.sha256(encode("".join(pieces[:at] + pieces[at + 1:]))).hexdigest()[:12]
    pieces[at] = f"{NAME}: {digest}{layout[at].end or style}"
    return "".join(pieces), digest

