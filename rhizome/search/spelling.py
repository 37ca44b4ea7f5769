"""The known words nearest to one that nobody wrote: same first letter, one or two slips of the fingers."""

from collections.abc import Callable, Sequence

SHORTEST = 4
TWO_SLIPS_FROM = 7
"""From this length on two slips are forgiven; in a shorter word they make another word."""

NEAREST = 3


def nearest(term: str, terms_like: Callable[[str, int, int], Sequence[str]]) -> tuple[list[str], int]:
    """At most three known terms at the smallest distance, and that distance; none for short words and numbers."""
    if len(term) < SHORTEST or not term.isalpha():
        return [], 0
    allowed = 2 if len(term) >= TWO_SLIPS_FROM else 1
    found: dict[int, list[str]] = {}
    for known in terms_like(term[0], len(term) - allowed, len(term) + allowed):
        if _may_be_near(term, known, allowed) and (slips := distance(term, known, allowed)) <= allowed:
            found.setdefault(slips, []).append(known)
    if not found:
        return [], 0
    smallest = min(found)
    return sorted(found[smallest])[:NEAREST], smallest


def distance(a: str, b: str, allowed: int) -> int:
    """Edits and swaps of neighbours between two words; more than `allowed` is said as `allowed + 1`."""
    before, last = list[int](), list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        if min(row) > allowed:
            return allowed + 1
        before, last = last, row
    return min(last[-1], allowed + 1)


def _may_be_near(a: str, b: str, allowed: int) -> bool:
    """Each slip changes at most one letter of the set on either side; spares the long way for most words."""
    return len(set(a) - set(b)) <= allowed and len(set(b) - set(a)) <= allowed
