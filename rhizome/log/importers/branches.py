"""Sessions that are trees: what the tip descends from still stands, the rest was abandoned."""

from collections.abc import Callable
from typing import NamedTuple

from rhizome.log.importers.port import Entry
from rhizome.log.importers.records import Value


class Place(NamedTuple):
    """Where a record stands in its tree: its name, its parent's, and the tree's tip where this record tells."""

    own: str | None
    parent: str | None
    tip: str | None


class Branches:
    """Flags what no longer leads to the last tip that was told. Without a tip, or with one nobody has, all stands."""

    def __init__(self, place: Callable[[Value], Place]) -> None:
        self._place = place
        self._parents: dict[str, str | None] = {}
        self._events: dict[str, str] = {}
        self._tip: str | None = None
        self._standing: set[str] | None = None

    def take(self, entry: Entry) -> None:
        if entry.value is None or entry.thread:
            return
        place = self._place(entry.value)
        if place.own is not None:
            self._parents[place.own], self._events[entry.event] = place.parent, place.own
        self._tip = place.tip or self._tip

    def flags(self, event: str) -> frozenset[str]:
        if self._standing is None:
            self._standing = self._walk()
        own = self._events.get(event)
        return frozenset() if own is None or own in self._standing else frozenset({"abandoned"})

    def _walk(self) -> set[str]:
        if self._tip not in self._parents:
            return set(self._parents)
        found: set[str] = set()
        at: str | None = self._tip
        while at is not None and at not in found:
            found.add(at)
            at = self._parents.get(at)
        return found
