"""What people's saves say, read once: the bodies of `note.saved` events. Pure; the log and the disk are elsewhere.

A save edits only what its editor surely showed: the text it was made from, which the note names itself. What nobody
can have seen is kept, what was only moved is not retracted, and a line that is not understood is the person's.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import reduce
from typing import Any

from rhizome.consolidate.addresses import Place
from rhizome.consolidate.derive import Derived
from rhizome.consolidate.lossless import decode
from rhizome.consolidate.note import Note, Rendering, Version
from rhizome.consolidate.slots import MACHINE, OWN, STATEMENT, Reading, Slot, bare, base, lines, name, pack, read
from rhizome.consolidate.slots import statements as statements_in
from rhizome.consolidate.spans import value_after
from rhizome.consolidate.stating import stating
from rhizome.model import PRIVATE


@dataclass(frozen=True, slots=True)
class Save:
    """A note as it was found after a person saved it; `blob` is its git id."""

    path: str
    data: bytes
    blob: str


def readings(saves: Sequence[Save], derived: Derived, removed: Iterable[str] = ()) -> list[dict[str, Any]]:
    """The bodies of the `note.saved` events for all saves of one sweep, in their order.

    Together, because a statement that left one note and stands in another was moved, not deleted. `removed` are paths
    of notes that went in the same sweep: what stood there may have been moved, too.
    """
    was = _renamed(saves, derived, removed)
    found = [_Found.of(save, was.get(save.path, save.path), derived) for save in saves]
    gone = [_Found.of(Save(path, b"", ""), path, derived) for path in removed]
    batch = {each.place: each for each in (*gone, *found) if each}
    return [{"path": save.path, "blob": save.blob, "derived": False} if each is None
            else _body(each, batch, derived) | ({"was": was[save.path]} if save.path in was else {})
            for save, each in zip(saves, found, strict=True)]


def _renamed(saves: Sequence[Save], derived: Derived, removed: Iterable[str]) -> dict[str, str]:
    """New path -> old path of the derived notes that a person renamed: one went, and one came that names a rendering
    of it, in the same world. Of several that may be it, the one with the note's own text, else the first.
    """
    was: dict[str, str] = {}
    for path in removed:
        place = derived.place(path, "")
        if place is None:
            continue
        note = derived.note(place)
        came = [save for save in saves if save.path not in was and base(text := decode(save.data)) in note.renderings
                and derived.place(save.path, text) is None and save.path.startswith(PRIVATE) == place.private]
        if came:
            same = (save for save in came if decode(save.data) == note.text)
            was[next(same, came[0]).path] = path
    return was


# ---------------------------------------------------------------- what a save was made from


@dataclass(frozen=True, slots=True)
class _Found:
    """A save of a derived note: its text, the texts it may have been made from, the lines a person had there (`own`),
    and the ids of the statements that stand in it.

    `direct` tells that the file on disk bore the same name, so that its text is what the person had before them.
    """

    save: Save
    place: Place
    note: Note
    text: str
    base: str | None
    direct: bool
    versions: tuple[Version, ...]
    own: Set[str]
    present: frozenset[str]

    @classmethod
    def of(cls, save: Save, path: str, derived: Derived) -> "_Found | None":
        """How a save reads against the derived note that stood at `path`; None for a person's own note."""
        text = decode(save.data)
        place = derived.place(path, text)
        if place is None:
            return None
        note, named = derived.note(place), base(text)
        known = note.renderings.get(named) if named else None
        direct = known is not None and note.text is not None and named == note.bears
        versions = () if known is None else tuple(known.versions[-1:]) if direct else tuple(known.versions)
        own = set[str]().union(*map(_own, versions or [note.standing]))
        cut = lines(text)
        present = frozenset(each.id for each in statements_in(cut)
                            if each.first < each.last or bare(cut[each.first]) not in own)
        return cls(save, place, note, text, named, direct, versions, own, present)

    @property
    def known(self) -> Rendering | None:
        return self.note.renderings.get(self.base) if self.base else None

    @property
    def ids(self) -> set[str]:
        """Statements that stood under the name the save bears, and those that stand now; all ever, without a name."""
        if not self.known:
            return set(self.note.ever())
        stood = {slot.key for each in self.known.versions for slot in each.slots if slot.kind == STATEMENT}
        return stood | self.note.now.keys()

    def machine(self) -> list[tuple[str, str]]:
        """The machine lines to recognise; all that were ever written here where the save names no rendering."""
        return self.known.machine if self.known else self.note.wrote()


def _own(version: Version) -> set[str]:
    """Lines of a version that were a person's; not those whose bytes a statement had too."""
    had = Counter(bare(slot.key) for slot in version.slots if slot.kind == OWN)
    everywhere = Counter(bare(line) for line in lines(version.text))
    return {line for line, count in had.items() if everywhere[line] <= count}


def _words(version: Version) -> Mapping[str, str]:
    """The words of each statement as they stood in a version."""
    ids = {slot.key for slot in version.slots if slot.kind == STATEMENT}
    return read(version.text, (), ids, _own(version)).words


# ---------------------------------------------------------------- what it says


def _body(found: _Found, batch: Mapping[Place, _Found], derived: Derived) -> dict[str, Any]:
    moved = {id_: source for id_ in found.present if (source := _source(id_, found, batch, derived))}
    now = read(found.text, found.machine(), found.ids | moved.keys(), found.own)
    before = [_words(version) for version in found.versions]
    kept = now.mentioned | _elsewhere(found, batch) | _renewed(found, now, before)
    missing = _seen(found.versions, now.slots) if found.versions else _always_seen(found.note, now.slots)
    removed = [slot for slot in missing if slot.kind != STATEMENT or slot.key not in kept]
    return {
        "path": found.save.path, "blob": found.save.blob, "derived": True, "text": found.text, "base": found.base,
        "stale": found.base != found.note.last, "slots": pack(now.slots), "removed": pack(removed),
        "moved": sorted(moved.keys() & now.words.keys()),
        "ops": [*_asserted(found, now, before, moved, derived), *_retracted(found, removed, batch, derived)],
    }


def _source(id_: str, found: _Found, batch: Mapping[Place, _Found], derived: Derived) -> Place | None:
    """The note that a statement was moved from: it held it, was saved in the same sweep, and has it no more."""
    holder = derived.statements.holder(found.place.world, id_)
    source = batch.get(holder) if holder and holder != found.place else None
    return holder if source and id_ in source.ids and id_ not in source.present else None


def _elsewhere(found: _Found, batch: Mapping[Place, _Found]) -> set[str]:
    """Statements of this note that turned up in a note of the other world: nothing crosses over, so they stay."""
    return {id_ for other in batch.values() if other.place.world != found.place.world
            for id_ in other.present - other.ids if id_ in found.note.now}


def _renewed(found: _Found, now: Reading, before: Sequence[Mapping[str, str]]) -> set[str]:
    """Statements that say something else by now than the person saw: taking away the old words says nothing of them."""
    seen = {id_ for words in before for id_ in words} - now.words.keys()
    return {id_ for id_ in seen
            if id_ in found.note.now and all(words.get(id_) != found.note.now[id_] for words in before)}


def _seen(versions: Sequence[Version], now: Sequence[Slot]) -> list[Slot]:
    """The places that stood in every text the save may have been made from, and stand no more."""
    if not versions:
        return []
    seen = reduce(lambda left, right: left & right, (Counter(map(name, version.slots)) for version in versions))
    missing, slots = seen - Counter(map(name, now)), []
    for slot in versions[-1].slots:
        if missing[name(slot)]:
            missing[name(slot)] -= 1
            slots.append(slot)
    return slots


def _always_seen(note: Note, now: Sequence[Slot]) -> list[Slot]:
    """Without a name only machine lines can be known to have been seen: those that stood in every text of the note."""
    texts = (version.slots for rendering in note.renderings.values() for version in rendering.versions)
    always = set(map(name, note.layout)).intersection(*({name(slot) for slot in slots} for slots in texts))
    always -= set(map(name, now))
    return [slot for slot in note.layout if slot.kind == MACHINE and name(slot) in always]


def _asserted(found: _Found, now: Reading, before: Sequence[Mapping[str, str]], moved: Mapping[str, Place],
              derived: Derived) -> Iterator[dict[str, str]]:
    """A statement whose words no text it may come from had is what the person says now."""
    for id_, words in now.words.items():
        key = derived.statements.key(id_)
        seen = _seen_words(id_, found, before, moved, derived)
        if key is None or seen is None or words in seen or found.note.now.get(id_) == words:
            continue
        old = found.note.now.get(id_) or min(seen, default="")
        before_that = derived.value(found.place, key)
        value = value_after(before_that, old, words, stating(key, before_that, old))
        yield {"op": "assert", "scope": key[0], "fact_key": key[1], "statement": words, "value": value}


def _seen_words(id_: str, found: _Found, before: Sequence[Mapping[str, str]], moved: Mapping[str, Place],
                derived: Derived) -> Set[str] | None:
    """Words of a statement that are no edit; None where the save cannot edit it at all."""
    if id_ in moved:
        return derived.note(moved[id_]).ever()[id_]
    if not found.versions:
        return found.note.ever()[id_]
    seen = {words[id_] for words in before if id_ in words}
    if seen:
        return seen
    return set() if found.direct and _stood(id_, found) else None


def _stood(id_: str, found: _Found) -> bool:
    """Whether a statement stood in an earlier text of the same name, so that a person can have put it back."""
    return any(slot.kind == STATEMENT and slot.key == id_
               for version in (found.known.versions if found.known else []) for slot in version.slots)


def _retracted(found: _Found, removed: Iterable[Slot], batch: Mapping[Place, _Found],
               derived: Derived) -> Iterator[dict[str, str]]:
    """A statement that was seen, still holds, and was neither kept nor moved."""
    for slot in removed:
        key = derived.statements.key(slot.key) if slot.kind == STATEMENT else None
        if key is None or slot.key not in found.note.now or _arrived(slot.key, found, batch, derived):
            continue
        yield {"op": "retract", "scope": key[0], "fact_key": key[1], "statement": "", "value": ""}


def _arrived(id_: str, found: _Found, batch: Mapping[Place, _Found], derived: Derived) -> bool:
    """Whether another note of the sweep took a statement in."""
    return any(id_ in other.present and _source(id_, other, batch, derived) == found.place
               for other in batch.values() if other is not found)
