"""Which statements each derived note shows: its subject's current facts, and those a person moved to it."""

from collections import defaultdict

from rhizome.consolidate.addresses import AMBER, GREEN, Place
from rhizome.consolidate.render import Entry, entry
from rhizome.ledger.fold import Key
from rhizome.ledger.keys import canonical, statement_id
from rhizome.model import Fact, Tier


class Statements:
    """Entries by the note they belong to, where people moved them, and which words people typed.

    A green note shows what a green reader may see; an amber note what only an amber reader may.
    """

    def __init__(self) -> None:
        self._entries: dict[Place, dict[str, Entry]] = defaultdict(dict)
        self._keys: dict[str, Key] = {}
        self._typed: dict[Key, set[str]] = defaultdict(set)
        self._moved: dict[tuple[str, str], Place] = {}

    def key(self, id_: str) -> Key | None:
        """The address of a statement."""
        return self._keys.get(id_)

    def home(self, world: str, id_: str) -> Place:
        """The note of the statement's own subject."""
        scope, fact_key = self._keys[id_]
        return Place(world, scope, fact_key.partition("|")[0])

    def holder(self, world: str, id_: str) -> Place | None:
        """The note that shows a statement while it is current; None for one never heard of."""
        return self._moved.get((world, id_)) or (self.home(world, id_) if id_ in self._keys else None)

    def typed(self, scope: str, fact_key: str, statement: str) -> None:
        """A person typed these words in a note: they are rendered to the byte."""
        self._typed[scope, canonical(fact_key)].add(statement)

    # ------------------------------------------------------------ changes

    def touch(self, key: Key, current: dict[Tier, Fact | None], date: str) -> set[Place]:
        """Take in the current facts of a key, by clearance; the notes that have something else to show now."""
        green, amber = current[Tier.GREEN], current[Tier.AMBER]
        if key[0].startswith("user:"):
            green = None
        elif amber is not None and amber.tier == Tier.GREEN:
            amber = None
        self._keys[statement_id(*key)] = key
        return self._enter(GREEN, key, green, date) | self._enter(AMBER, key, amber, date)

    def _enter(self, world: str, key: Key, fact: Fact | None, date: str) -> set[Place]:
        id_ = statement_id(*key)
        home = self.home(world, id_)
        old = self._entries[home].pop(id_, None)
        new = None
        if fact is not None:
            typed = fact.statement in self._typed.get(key, ())
            new = self._entries[home][id_] = entry(fact, date, private=world == AMBER, typed=typed)
        return set() if new == old else {home, self._moved.get((world, id_), home)}

    def move(self, id_: str, to: Place) -> set[Place]:
        """A person moved a statement to another note; the notes concerned."""
        if id_ not in self._keys:
            return set()
        home = self.home(to.world, id_)
        before = self._moved.pop((to.world, id_), home)
        if to != home:
            self._moved[to.world, id_] = to
        return {home, before, to}

    def leave(self, place: Place) -> set[Place]:
        """A note is gone: statements that were moved to it go home. The notes concerned."""
        gone = [(world, id_) for (world, id_), at in self._moved.items() if at == place]
        for moved in gone:
            del self._moved[moved]
        return {self.home(*moved) for moved in gone}

    # ------------------------------------------------------------ answers

    def shown(self, place: Place) -> dict[str, Entry]:
        """The entries that a note shows, by id."""
        own = self._entries.get(place, {})
        if not self._moved:
            return own
        shown = {id_: each for id_, each in own.items() if self._moved.get((place.world, id_), place) == place}
        for (world, id_), at in self._moved.items():
            there = self._entries.get(self.home(world, id_), {}).get(id_) if at == place else None
            if there is not None:
                shown[id_] = there
        return shown

    def words(self, place: Place) -> dict[str, str]:
        return {id_: each.words for id_, each in self.shown(place).items()}
