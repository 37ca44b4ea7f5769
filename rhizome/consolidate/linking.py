"""Links between derived notes: to those that stand, and from those that wait for one to stand."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from rhizome.consolidate.addresses import AMBER, GREEN, Place, between
from rhizome.consolidate.render import Entry
from rhizome.ledger.keys import canonical


class Linking:
    """Remembers who links where. `path_of` is the path of a note that stands, None for any other."""

    def __init__(self, path_of: Callable[[Place], str | None]) -> None:
        self._path_of = path_of
        self._linking: dict[Place, set[Place]] = defaultdict(set)

    def to(self, target: Place) -> set[Place]:
        """The notes that link to a note, or would if it stood."""
        return self._linking[target]

    def link(self, place: Place, path: str, target: Place) -> str | None:
        """The path of a link from the note of `place`, at `path`, to another note; None while that does not stand."""
        if target == place:
            return None
        self._linking[target].add(place)
        there = self._path_of(target)
        return between(path, there) if there is not None else None

    def links(self, place: Place, path: str, entries: Iterable[Entry]) -> Iterator[tuple[str, str, str]]:
        """The links of a note's facts whose targets stand, as (label, path, why); those that do not are waited for."""
        for link in (link for each in entries for link in each.links):
            paths = (self.link(place, path, target) for target in _targets(place, link.target))
            if found := next(filter(None, paths), None):
                yield link.label or link.target, found, link.why


def _targets(place: Place, name: str) -> Iterator[Place]:
    """Where a link's target may have its note, nearest first; never from green to amber."""
    subject = canonical(name.removesuffix(".md")).partition("|")[0]
    for world in (AMBER, GREEN) if place.private else (GREEN,):
        for scope in dict.fromkeys((place.scope, name)):
            yield Place(world, scope, subject)
