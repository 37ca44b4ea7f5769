"""Bringing the catalog up to date: reads what segments have gained, and again what changed otherwise than by growing.

Only what HEAD acknowledges is read. What stands behind it is a batch that is being written, or one that was cut short,
and the next append decides about that.
"""

from dataclasses import dataclass
from pathlib import Path

from rhizome.log import envelope, segments, verify
from rhizome.log.catalog import Catalog, Known, Row
from rhizome.log.chain import NO_LIMIT, Line, Place, Step, parse, walk
from rhizome.log.port import DamagedRange


def limit(home: Path) -> int:
    """The last seq that a home's HEAD acknowledges; without a readable HEAD every line counts."""
    head = segments.read_head(home)
    return NO_LIMIT if head is None else head.seq


def sync(catalog: Catalog, folder: Path) -> None:
    """Read what is new or different in every home under `folder`. Without news: one `stat` per segment."""
    homes = segments.homes(folder)
    seen = {home: (limit(folder / home), segments.stamps(folder / home)) for home in homes}, catalog.version
    if catalog.settled == seen:
        return
    for home in sorted({*homes, *catalog.homes()}):
        while _stale(catalog, folder, home) is not None:
            with catalog.changing():  # another process may have done it meanwhile: look again
                found = _stale(catalog, folder, home)
                if found is not None:
                    catch_up(catalog, folder, home, found)
    catalog.settled = seen


@dataclass(frozen=True, slots=True)
class Stale:
    """A segment to read: on from `known`, or whole from `start` on, or to be dropped where its lines are gone."""

    name: str
    start: Place
    recorded_at: str
    until: int
    known: Known | None = None
    gone: bool = False


def _stale(catalog: Catalog, folder: Path, home: str) -> Stale | None:
    """The first segment of a home whose file is not as the catalog has it."""
    own = folder / home
    until, known, stamps = limit(own), {each.name: each for each in catalog.segments(home)}, segments.stamps(own)
    for name in known.keys() - stamps.keys():
        return Stale(name, Place(), "", until, gone=True)
    place, recorded_at = Place(), ""
    for name, stamp in stamps.items():
        seen = known.get(name)
        if seen is None and place.seq >= until:
            return None
        if seen is None or seen.start != place:
            return Stale(name, place, recorded_at, until, gone=place.seq >= until)
        grown = (not stamp.sealed and stamp.inode == seen.stamp.inode and stamp.size > seen.stamp.size
                 and _ends_as_before(catalog, own, home, seen))
        if (stamp != seen.stamp and not grown) or seen.end.seq > until:
            return Stale(name, place, recorded_at, until)
        more = grown or (seen.end.seq >= seen.until if stamp.sealed else until != seen.until)
        if more and seen.end.seq < until and seen.offset < _size(own / name, stamp):
            return Stale(name, place, recorded_at, until, known=seen)
        place, recorded_at = seen.end, seen.recorded_at
    return None


def _ends_as_before(catalog: Catalog, own: Path, home: str, seen: Known) -> bool:
    """Whether the last line that was read stands where it stood: else the segment grew elsewhere than at its end."""
    where = catalog.at(home, seen.end.seq)
    if where is None or where.segment != seen.name or seen.end.h is None:
        return True
    line = parse(segments.line(own / seen.name, where.offset, where.length)[:-1])
    return line is not None and line.h == seen.end.h


def _size(segment: Path, stamp: segments.Stamp) -> int:
    """How many bytes a segment has, as its offsets count them."""
    if not stamp.sealed:
        return stamp.size
    with segments.opened(segment) as lines:
        return lines.size


def catch_up(catalog: Catalog, folder: Path, home: str, stale: Stale) -> None:
    """Read one segment into the catalog, within a change of it."""
    if stale.known is None:
        catalog.forget_segment(home, stale.name)
    if stale.gone:
        return
    path = folder / home / stale.name
    stamp = segments.stamp(path)
    begin = stale.known.end if stale.known else stale.start
    offset = stale.known.offset if stale.known else 0
    recorded_at = stale.known.recorded_at if stale.known else stale.recorded_at
    v = stale.known.v if stale.known else 0
    rows: list[Row] = []
    damage: list[DamagedRange] = []
    place = begin
    with segments.opened(path) as source:
        lines = source.lines(offset)
        for step in verify.acknowledged(walk(lines, begin, until=stale.until), begin, stale.until):
            damage += verify.damaged(step, stale.name)
            if step.line is not None and not step.why:
                row, at = _row(step, step.line)
                rows.append(row)
                recorded_at, v = max(recorded_at, at), max(v, step.line.v)
            place, offset = step.place, step.offset + step.length
        damage += verify.footed(source, place, stale.name)
    catalog.add(home, Known(stale.name, stale.start, place, offset, recorded_at, v, stale.until, stamp), rows, damage)


def _row(step: Step, line: Line) -> tuple[Row, str]:
    """What the catalog keeps of a believable line, and when it was recorded ("" where that is forgotten)."""
    gist = envelope.Gist(envelope.FORGOTTEN) if line.payload is None else envelope.gist(line.payload)
    return Row(line.seq, line.id, line.rev, gist.kind, gist.session, step.offset, step.length), gist.recorded_at
