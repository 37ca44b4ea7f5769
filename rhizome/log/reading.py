"""Reading events off the disk by way of the catalog: single ones by their places, many by going through segments."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from heapq import merge
from itertools import chain, groupby
from pathlib import Path

from rhizome.log import envelope, segments, verify
from rhizome.log.catalog import RECORD, Catalog, Known, Where
from rhizome.log.chain import NO_LIMIT, Place
from rhizome.log.lost import RANGE_LOST, still_damaged
from rhizome.log.port import DamagedRange
from rhizome.model import Event


def events(folder: Path, catalog: Catalog, home: str, since: int = 0, until: int = NO_LIMIT,
           kinds: Collection[str] | None = None) -> Iterator[Event]:
    """The readable events of a home with since < seq <= until, in order; what is appended meanwhile is left out.

    Other kinds' payloads are left alone as long as `kinds` does not ask for session records.
    """
    read = catalog.segments(home)
    until = min(until, read[-1].end.seq) if read else 0
    if kinds is not None and RECORD not in kinds:
        yield from at(folder, catalog.of_kinds(home, kinds, since, until))
        return
    first = catalog.at(home, since + 1)
    if first is None:
        return
    bad = {(each.segment, each.offset) for each in catalog.damage() if each.length}
    for known in read:
        if known.end.seq <= since or known.start.seq >= until:
            continue
        offset = first.offset if known.name == first.segment else 0
        for event in envelope.events(_lines(folder, home, known, offset, bad), home):
            if event.seq > until:
                return
            if kinds is None or event.kind in kinds:
                yield event


def at(folder: Path, places: Iterable[Where]) -> Iterator[Event]:
    """The events at these places; a file stays open for as long as they stand in it."""
    for (home, segment), group in groupby(places, key=lambda where: (where.home, where.segment)):
        with segments.opened(folder / home / segment) as lines:
            yield from envelope.events((lines.read(each.offset, each.length) for each in group), home)


def session(folder: Path, catalog: Catalog, name: str) -> Iterator[Event]:
    """The events of one session in every home."""
    places = catalog.of_session(name)
    return _merged([at(folder, list(group)) for _, group in groupby(places, key=lambda where: where.home)])


def history(folder: Path, catalog: Catalog, kinds: Collection[str] | None = None) -> Iterator[Event]:
    """The events of every home, in the order of (recorded_at, home, seq)."""
    return _merged([events(folder, catalog, home, kinds=kinds) for home in catalog.homes()])


def damage(folder: Path, catalog: Catalog) -> list[DamagedRange]:
    """What is wrong with the homes, as far as the catalog has read them, and nobody gave up as lost."""
    return still_damaged(_found(folder, catalog), history(folder, catalog, {RANGE_LOST}))


def _found(folder: Path, catalog: Catalog) -> Iterator[DamagedRange]:
    yield from catalog.damage()
    for home in segments.homes(folder):
        head, known = segments.read_head(folder / home), catalog.segments(home)
        last, end = Place(), (f"{home}/HEAD", 0)
        if known:
            last, end = known[-1].end, (f"{home}/{known[-1].name}", known[-1].offset)
        yield from verify.headless(folder / home, head)
        if head is not None:
            seen = {last.seq: last.h.hex()} if last.h is not None else {}
            yield from verify.unanchored([(head.seq, head.h)], seen, last, end)
        yield from _unnamed(folder, catalog, home)


def _unnamed(folder: Path, catalog: Catalog, home: str) -> Iterator[DamagedRange]:
    """Payloads that are gone although no forget.done of any home names their events."""
    places = list(catalog.of_kinds(home, {envelope.FORGOTTEN}, 0, NO_LIMIT))
    if places:
        done = history(folder, catalog, {verify.FORGET_DONE})
        named = set[str]().union(*(verify.forgets(event.fields) for event in done))
        for where, event in zip(places, at(folder, places), strict=True):
            if event.id not in named:
                yield DamagedRange(f"{home}/{where.segment}", where.offset, where.length, verify.UNNAMED,
                                   where.seq, where.seq)


def _lines(folder: Path, home: str, known: Known, offset: int, bad: set[tuple[str, int]]) -> Iterator[bytes]:
    """The lines of a segment from `offset` on, without those that begin at a place in `bad`."""
    path, segment = folder / home / known.name, f"{home}/{known.name}"
    if any(segment == each for each, _ in bad):
        return (raw for place, raw in segments.lines(path, offset, known.offset) if (segment, place) not in bad)
    return chain.from_iterable(segments.chunks(path, offset, known.offset))


def _merged(homes: Sequence[Iterator[Event]]) -> Iterator[Event]:
    """The events of several homes in the order of (recorded_at, home, seq), each (id, rev) once."""
    if len(homes) == 1:
        yield from homes[0]
        return
    met: set[tuple[str, str]] = set()
    for _, event in merge(*map(_timed, homes), key=lambda timed: (timed[0], timed[1].home, timed[1].seq)):
        if (event.id, event.rev) not in met:
            met.add((event.id, event.rev))
            yield event


def _timed(events_: Iterable[Event]) -> Iterator[tuple[str, Event]]:
    """Each event with its place in time; a forgotten one stands with the one before it."""
    recorded_at = ""
    for event in events_:
        recorded_at = event.recorded_at or recorded_at
        yield recorded_at, event
