"""From what names a record to its event id: occurrences are counted, and a rewritten file is aligned with the log.

Most records without an id of their own repeat somewhere ("ok", a mode row). The n-th of the same in its container has
the n-th id. When a file no longer begins as the log knows its container (its head was dropped, or something stands
between), counting would take a new record for an old one: then the two sequences are aligned, what stands in both
keeps its id, and what was put in gets the next free one.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

from rhizome.log.identity import identifier, identify
from rhizome.log.importers.port import Named

ALIGN_PAIRS = 20_000_000
"""Two sequences with more pairs of equal records than this are not aligned (it would take minutes): all of it counts
as new, because a duplicate is better than a loss."""


class Namer:
    """Gives records their ids in file order. `counters` go on where an earlier import stopped; ids in `taken` are
    never given again to a content; `given` is an alignment: for each record the id it had, None where it had none."""

    def __init__(self, key: bytes, counters: dict[bytes, int], *, taken: frozenset[str] = frozenset(),
                 given: Sequence[str | None] = ()) -> None:
        self._key = key
        self.counters = counters
        self._taken = taken
        self._given: Iterator[str | None] = iter(given)
        self._alike: dict[tuple[bytes, ...], Callable[[bytes], str]] = {}

    def id(self, named: Named) -> str:
        if (given := next(self._given, None)) is not None:
            return given
        if named.by == "id":
            return self._own(*named.parts)
        name = bytes.fromhex(identify(self._key, *named.parts))
        count = self.counters.get(name, 0)
        while True:
            count += 1
            found = identify(self._key, name, str(count).encode())
            if named.by == "call" or found not in self._taken:
                self.counters[name] = count
                return found

    def _own(self, *parts: bytes) -> str:
        """The id of a record that has one of its own; those of a file differ in the last part alone."""
        first = parts[:-1]
        if first not in self._alike:
            self._alike[first] = identifier(self._key, *first)
        return self._alike[first](parts[-1])


def continues(known: Sequence[str], now: Sequence[str]) -> bool:
    """Whether one of two sequences of revisions is the beginning of the other."""
    shared = min(len(known), len(now))
    return list(known[:shared]) == list(now[:shared])


def aligned(known: Sequence[tuple[str, str]], now: Sequence[str]) -> list[str | None]:
    """For each revision in `now` the id it has in `known` ((id, rev) pairs), or None for one that was put in."""
    found: list[str | None] = [None] * len(now)
    there = Counter(rev for _, rev in known)
    if sum(there[rev] for rev in now) > ALIGN_PAIRS:
        return found
    matcher = SequenceMatcher(None, [rev for _, rev in known], now, autojunk=False)
    for a, b, size in matcher.get_matching_blocks():
        found[b : b + size] = [id_ for id_, _ in known[a : a + size]]
    return found
