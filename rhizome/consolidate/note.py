"""One derived note through time: its layout, every rendering it had, and what people saved under each.

`text` is what the file holds; None while there is none. A save is taken as it was read; only `render` asks the page.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from rhizome.consolidate.layout import NAME, Page, fill, keep, publish
from rhizome.consolidate.slots import MACHINE, OWN, STATEMENT, Slot, unpack
from rhizome.ledger.keys import statement_id


class Operation(msgspec.Struct, frozen=True):
    """What a save says about one fact: `assert` (with a person's words) or `retract`."""

    op: str
    scope: str
    fact_key: str
    statement: str = ""
    value: str = ""


class Saved(msgspec.Struct, frozen=True):
    """The body of a `note.saved` event.

    `base` is the rendering that the text names (None: none), `stale` that it is not the newest. `slots` are the text's
    places, `removed` those a person saw and took away, `moved` ids of statements that came from another note. `was` is
    the path the note had before the person renamed it.
    """

    path: str
    derived: bool = False
    blob: str = ""
    text: str = ""
    base: str | None = None
    stale: bool = False
    slots: list[list[str]] = []
    removed: list[list[str]] = []
    moved: list[str] = []
    was: str = ""
    ops: list[Operation] = []

    def __post_init__(self) -> None:
        if not all(2 <= len(parts) <= 5 and parts[0] in (STATEMENT, OWN, MACHINE)
                   for parts in (*self.slots, *self.removed)):
            raise ValueError("a slot is not [kind, key, ...]")


@dataclass(frozen=True, slots=True)
class Version:
    """A text of a note and what its places are."""

    slots: tuple[Slot, ...]
    text: str


@dataclass(slots=True)
class Rendering:
    """What is known under one name: the page behind it, and its text as rendered, then as saved by people."""

    page: Page
    versions: list[Version]

    @property
    def machine(self) -> list[tuple[str, str]]:
        """Its machine lines, as (id, line) in the order of the text, without the one that names it."""
        return [(slot.key, self.page.machine[slot.key]) for slot in self.versions[0].slots
                if slot.kind == MACHINE and slot.key != NAME]


@dataclass(slots=True)
class Note:
    """The state of one derived note.

    `bears` is the rendering that the file names, `last` the newest one; they differ after a stale save. `gone` are
    machine lines that a person removed, `now` the words of statements that stand, `typed` words that people gave or
    brought. `unwanted` is what the note said when a person deleted it whole.
    """

    path: str = ""
    text: str | None = None
    bears: str | None = None
    last: str | None = None
    layout: list[Slot] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    renderings: dict[str, Rendering] = field(default_factory=dict)
    now: dict[str, str] = field(default_factory=dict)
    typed: dict[str, set[str]] = field(default_factory=dict)
    unwanted: dict[str, str] | None = None

    @property
    def has_own_lines(self) -> bool:
        return any(slot.kind == OWN and slot.key.strip() for slot in self.layout)

    def save(self, saved: Saved) -> None:
        """Replay a person's save as it was read. Nothing is rendered."""
        slots, removed = unpack(saved.slots), unpack(saved.removed)
        self.layout = keep(self.layout, slots, removed)
        self.gone |= {slot.key for slot in removed if slot.kind == MACHINE}
        self.gone -= {slot.key for slot in slots if slot.kind == MACHINE}
        self.text, self.bears, self.unwanted = saved.text, saved.base, None
        if saved.base in self.renderings:
            self.renderings[saved.base].versions.append(Version(tuple(slots), saved.text))
        for operation in saved.ops:
            key = statement_id(operation.scope, operation.fact_key)
            if operation.op == "assert":
                self.now[key] = operation.statement
                self.typed.setdefault(key, set()).add(operation.statement)
            else:
                self.now.pop(key, None)

    def learn(self, id_: str, words: str) -> None:
        """A statement came here from another note; what this save itself says of it wins."""
        self.now.setdefault(id_, words)
        self.typed.setdefault(id_, set()).add(words)

    def remove(self, words: Mapping[str, str]) -> None:
        """A person deleted the file whole: it stays away until its subject says something else than `words`."""
        self.unwanted = dict(words)
        self._clear()

    def render(self, page: Page) -> None:
        """Fill the layout from `page` and publish it; a page without anything to say takes the file away."""
        if page.empty and not self.has_own_lines:
            self._clear()
            return
        self.layout = fill(self.layout, page, self.gone)
        self.gone = {key for key in self.gone if key in page.machine or not key.startswith("note:")}
        text, name = publish(self.layout, page)
        self.now = dict(page.statements)
        if text != self.text or name not in self.renderings:
            self.renderings.setdefault(name, Rendering(page, [])).versions.append(Version(tuple(self.layout), text))
        self.text, self.bears, self.last = text, name, name

    def _clear(self) -> None:
        self.text, self.bears, self.layout, self.gone, self.now = None, None, [], set(), {}

    @property
    def standing(self) -> Version:
        """What stands now, whatever it was made from."""
        return Version(tuple(self.layout), self.text or "")

    def ever(self) -> dict[str, set[str]]:
        """All words that each statement ever had here. Costs a pass over every rendering."""
        words: dict[str, set[str]] = defaultdict(set)
        for page in (rendering.page for rendering in self.renderings.values()):
            for id_, said in page.statements.items():
                words[id_].add(said)
        for id_, said_here in self.typed.items():
            words[id_] |= said_here
        return words

    def wrote(self) -> list[tuple[str, str]]:
        """Every machine line that ever stood here, the newest rendering's first and in its order."""
        newest_first = reversed(self.renderings.values())
        return list(dict.fromkeys(pair for rendering in newest_first for pair in rendering.machine))

    def statements(self) -> set[str]:
        return {slot.key for slot in self.layout if slot.kind == STATEMENT}
