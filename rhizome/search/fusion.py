"""Reciprocal rank fusion, for who wants to compare: the place by words and the place by nearness, nothing else.

It forgets how sure each arm is: the first of a list of stop word matches votes like a real first. Sums of scores are
the default; docs/search.md has the figures of both.
"""

from collections.abc import Callable, Sequence

import msgspec

from rhizome.search.rescore import Scored

K = 10
"""Softens the first places. The usual 60 made the weaker arm count nearly as much as the stronger one."""


def by_places(scored: Sequence[Scored]) -> list[Scored]:
    """The same candidates with reciprocal places for scores, the best first; what neither arm found comes last."""
    words = _places(scored, lambda each: each.parts["words"])
    nearness = _places(scored, lambda each: each.cosine)
    found = []
    for each in scored:
        parts = {name: 1 / (K + places[each.order]) for name, places in (("by_words", words), ("by_nearness", nearness))
                 if each.order in places}
        found.append(msgspec.structs.replace(each, score=round(sum(parts.values()), 6), parts=parts))
    return sorted(found, key=lambda each: each.order)


def _places(scored: Sequence[Scored], value: Callable[[Scored], float]) -> dict[tuple[float, str], int]:
    found = sorted((each for each in scored if value(each) > 0), key=lambda each: (-value(each), each.order))
    return {each.order: place for place, each in enumerate(found, 1)}
