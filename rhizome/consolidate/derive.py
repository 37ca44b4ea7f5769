"""Derived notes as a pure function of the log: `derive(events).files` is every derived file, to the byte.

Events come in fold order. A `consolidated` event is the only thing that renders; a save replays the reading it carries
and is never parsed again. Only what was touched since the last boundary is rendered.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from rhizome.consolidate.addresses import DAY, Addresses, Place
from rhizome.consolidate.chronicle import Chronicle
from rhizome.consolidate.day_page import day_page
from rhizome.consolidate.layout import Page
from rhizome.consolidate.linking import Linking
from rhizome.consolidate.lossless import encode
from rhizome.consolidate.note import Note, Saved
from rhizome.consolidate.render import Entry, page
from rhizome.consolidate.slots import base
from rhizome.consolidate.statements import Statements
from rhizome.consolidate.zones import Zones
from rhizome.ledger.fold import Fold, Key
from rhizome.ledger.keys import slug
from rhizome.model import Event, Status, Tier

DERIVE_VERSION = 2
"""Grows whenever something is worded otherwise. `consolidated` events record it, and each renders as its version did:
the same log always gives the same bytes. 2: no full stop before a semicolon in a day's note."""

KINDS = ("home.configured", "source.seen", "note.saved", "note.removed", "fact.asserted", "fact.confirmed",
         "fact.retracted", "fact.expired", "key.merged", "review.rejected", "consolidated")
"""The kinds of events that derived notes depend on."""

Render = Callable[[str, Mapping[str, Entry], Iterable[tuple[str, str, str]]], Page]
"""How a subject's title, entries and links become a page."""


class Derived:
    """What the log says the derived notes are. `apply` events in fold order; `files` is path -> bytes.

    A rebuild and a live run are the same calls, so they cannot differ. `unreadable` holds ids of saves whose body is
    not what it should be; they change nothing. `absent` has, by the save that did not name its rendering, the note and
    the words of the statements it left out.
    """

    def __init__(self, render: Render = page) -> None:
        self._page_of = render
        self.files: dict[str, bytes] = {}
        self.unreadable: set[str] = set()
        self.absent: dict[str, tuple[Place, dict[str, str]]] = {}
        self.ledger = Fold()
        self.addresses = Addresses()
        self.statements = Statements()
        self._notes: dict[Place, Note] = {}
        self._standing: set[Place] = set()
        self._dirty: set[Place] = set()
        self._linking = Linking(self._path_of)
        self._zones = Zones()
        self._chronicle = Chronicle(self._zones)

    def apply(self, event: Event) -> None:
        """Take in one event; kinds that derived notes do not depend on change nothing."""
        match event.kind:
            case "home.configured":
                self._configure(event)
            case "note.saved":
                self._save(event)
            case "note.removed":
                self._remove(event)
        self.ledger.apply(event)
        self._chronicle.hear(event)
        if event.kind == "consolidated":
            self._consolidate(event)

    def _configure(self, event: Event) -> None:
        fields = event.fields
        self.addresses.person = fields.get("person") or self.addresses.person
        self.addresses.folder = (fields.get("derive_folder") or "").strip("/")
        self._zones.configure(event.recorded_at, fields.get("zone"))

    # ------------------------------------------------------------ people

    def _save(self, event: Event) -> None:
        try:
            saved = msgspec.convert(event.fields, Saved)
        except msgspec.ValidationError:
            self.unreadable.add(event.id)
            return
        for operation in saved.ops:
            if operation.op == "assert":
                self.statements.typed(operation.scope, operation.fact_key, operation.statement)
        if saved.was:
            self._rename(saved.was, saved.path)
        place = self.addresses.owner(saved.path) if saved.derived else None
        if place is None or self._notes[place].path != saved.path:
            self._take(saved.path)
            return
        note = self._notes[place]
        note.save(saved)
        self.files[note.path] = encode(saved.text)
        self._standing.add(place)
        self._dirty.add(place)
        for id_ in saved.moved:
            self._move(id_, place)
        self._missed(event, saved, place)

    def _rename(self, old: str, new: str) -> None:
        """A person gave a derived note another path: it is the same note, and stays where they put it."""
        place = self.addresses.owner(old)
        if place is None or self.files.pop(old, None) is None:
            return
        self.addresses.move(place, new)
        self._notes[place].path = new
        self._dirty |= self._linking.to(place) | {place}

    def _move(self, id_: str, to: Place) -> None:
        """A person moved a statement into the note of `to`; its words go with it."""
        holder = self.statements.holder(to.world, id_)
        words = self._notes[holder].now.pop(id_, None) if holder in self._notes and holder != to else None
        if words is not None:
            self._notes[to].learn(id_, words)
        self._dirty |= self.statements.move(id_, to)

    def _missed(self, event: Event, saved: Saved, place: Place) -> None:
        """Without a name nothing is retracted: what is absent from such a save is left to the person to look at."""
        note = self._notes[place]
        absent = note.statements() - {slot[1] for slot in saved.slots}
        if saved.base is None and absent:
            self.absent[event.id] = place, {id_: note.now[id_] for id_ in sorted(absent & note.now.keys())}
            words = f"{len(absent)} of its statements were absent from a save that did not name its rendering"
            self._chronicle.notice(event, place, words)

    def _take(self, path: str) -> None:
        """A person's note stands at `path`; a derived one there gives way and is written elsewhere next time."""
        self.addresses.take(path)
        owner = self.addresses.owner(path)
        if owner is not None and self.files.pop(path, None) is not None:
            self._dirty.add(owner)

    def _remove(self, event: Event) -> None:
        """A derived note that a person deleted stays away until its subject changes, and retracts nothing."""
        path = event.fields.get("path", "")
        place = self.addresses.owner(path)
        if place is None or path not in self.files:
            self.addresses.release(path)
            return
        note = self._notes[place]
        note.remove(self._page(place, note).foot if place.world == DAY else note.now)
        del self.files[path]
        self._standing.discard(place)
        self._dirty |= self._linking.to(place) | self.statements.leave(place)
        self._chronicle.notice(event, place, "its note was deleted, its facts hold")

    # ------------------------------------------------------------ a boundary

    def _consolidate(self, event: Event) -> None:
        self._chronicle.version = int(event.fields.get("derive") or 1)
        for key in sorted(self.ledger.touched()):
            self._touch(key)
        for date in self._chronicle.consolidate(event):
            self._dirty.add(Place(DAY, "", date))
        due = self._addressed()
        self._dirty = set()
        for place in sorted(due):
            self._render(place)

    def _touch(self, key: Key) -> None:
        """Read a key's facts again; a note whose statements and receipts stay as they were is not rendered."""
        current = {}
        for tier in Tier:
            fact = self.ledger.story(key, tier).current
            current[tier] = fact if fact is not None and fact.fact_key == key[1] else None
        fact = current[Tier.AMBER] or current[Tier.GREEN]
        date = self._zones.date(fact.observed_at, fact.recorded_at) if fact else ""
        self._dirty |= self.statements.touch(key, current, date)
        self._chronicle.touch(key, self.ledger.story(key, Tier.AMBER))

    def _addressed(self) -> set[Place]:
        """What to render. Every note that will stand gets its path first, so that links can name it."""
        due = set()
        for place in sorted(self._dirty):
            note = self._notes.setdefault(place, Note())
            if note.unwanted is not None and note.unwanted == self._says(place, note):
                continue
            due.add(place)
            note.unwanted = None
            before = note.path if place in self._standing else None
            after = self.addresses.give(place) if self._stands(place, note) else None
            if after == before:
                continue
            if before is not None and self.addresses.owner(before) == place:
                self.files.pop(before, None)
            note.path = after or note.path
            (self._standing.add if after else self._standing.discard)(place)
            due |= self._linking.to(place) & self._standing
        return due

    def _says(self, place: Place, note: Note) -> dict[str, str]:
        return dict(self._page(place, note).foot) if place.world == DAY else self.statements.words(place)

    def _stands(self, place: Place, note: Note) -> bool:
        return place.world == DAY or note.has_own_lines or bool(self.statements.shown(place))

    def _render(self, place: Place) -> None:
        """Render one note; a file that stays as it was keeps its very object."""
        note = self._notes[place]
        note.render(self._page(place, note))
        if note.text is None:
            self.files.pop(note.path, None)
        elif self.files.get(note.path) != (data := encode(note.text)):
            self.files[note.path] = data

    # ------------------------------------------------------------ pages

    def _page(self, place: Place, note: Note) -> Page:
        if place.world == DAY:
            return day_page(place.subject, self._chronicle.day(place.subject),
                            lambda to: self._linking.link(place, note.path, to))
        shown = self.statements.shown(place)
        title = place.scope if slug(place.subject) == slug(place.scope) else place.subject
        return self._page_of(title, shown, self._linking.links(place, note.path, shown.values()))

    def _path_of(self, place: Place) -> str | None:
        return self._notes[place].path if place in self._standing else None

    # ------------------------------------------------------------ for review

    def unwanted(self) -> Iterator[tuple[Place, Note]]:
        """Subjects' notes that a person deleted whole and that stay away: their facts hold, and nothing shows them."""
        for place in sorted(self._notes):
            note = self._notes[place]
            if place.world != DAY and note.unwanted and place not in self._standing:
                yield place, note

    # ------------------------------------------------------------ for readings

    def place(self, path: str, text: str) -> Place | None:
        """Which derived note a file is: one that stands there, or stood there under a name that `text` bears."""
        place = self.addresses.owner(path)
        if place is None or self._notes[place].path != path or self.addresses.taken(path):
            return None
        return place if path in self.files or base(text) in self._notes[place].renderings else None

    def note(self, place: Place) -> Note:
        return self._notes[place]

    def value(self, place: Place, key: Key) -> str:
        """The newest value that a key had, as the world of a note sees it; empty for none."""
        story = self.ledger.story(key, Tier.AMBER if place.private else Tier.GREEN)
        believed = [fact for fact in story.facts if fact.status is not Status.PROPOSED]
        return (story.current or believed[-1]).value if believed else ""


def derive(events: Iterable[Event], render: Render = page) -> Derived:
    """The derived notes of a log, from its events in fold order. Pure: no clock, model, file or network."""
    derived = Derived(render)
    for event in events:
        derived.apply(event)
    return derived
