"""Whether a home's log is what was written: every line, every payload, every head that somebody noted. Never writes.

A chain alone cannot see that its end was cut off; a head that was noted elsewhere can. So detection reaches as far as
the last anchor: HEAD, and the heads in the notes' commits. A cut of both is out of reach.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from rhizome.log import envelope, segments
from rhizome.log.chain import NO_LIMIT, Place, Step, walk
from rhizome.log.lost import RANGE_LOST, still_damaged
from rhizome.log.plain import Plain
from rhizome.log.port import DamagedRange
from rhizome.log.sealed import Sealed
from rhizome.model import Event, Head

FORGET_DONE = "forget.done"
UNNAMED = "the payload is gone and no forget.done names the event"


def verify(folder: Path, home: str, *, full: bool = True, anchors: Sequence[tuple[int, str]] = (),
           told: Iterable[Event] = ()) -> list[DamagedRange]:
    """Everything wrong with the log of `home` in `folder`, in the order of its bytes.

    `anchors` are (seq, chain value in hex) as noted elsewhere; `told` are what other homes say of forgotten and lost
    events. Without `full`, payloads are not compared with their commitments; what stands in the way of reading them is
    found all the same. About 100 MB/s, one line in memory.
    """
    return survey(folder, home, full=full, anchors=anchors, told=told)[0]


def survey(folder: Path, home: str, *, full: bool = True, anchors: Sequence[tuple[int, str]] = (),
           told: Iterable[Event] = ()) -> tuple[list[DamagedRange], Place]:
    """What `verify` finds, and where the chain ends."""
    head = segments.read_head(folder / home)
    heads = [*anchors, *([(head.seq, head.h)] if head else [])]
    wanted, until = {seq for seq, _ in heads}, head.seq if head else NO_LIMIT
    found: list[DamagedRange] = []
    forgotten: list[tuple[str, DamagedRange]] = []
    heard = list(told)
    place, seen, end = Place(), dict[int, str](), (f"{home}/HEAD", 0)
    for name in segments.names(folder / home):
        segment = f"{home}/{name}"
        with segments.opened(folder / home / name) as source:
            for step in acknowledged(walk(source.lines(), place, until=until, payloads=full), place, until):
                found += damaged(step, segment)
                place, end = step.place, (segment, step.offset + step.length)
                if step.line is None or step.why:
                    continue
                if place.seq in wanted:
                    seen[place.seq] = step.line.h.hex()
                if step.line.payload is None:
                    forgotten.append((step.line.id.hex(), unnamed(segment, step)))
                elif envelope.gist(step.line.payload).kind in (FORGET_DONE, RANGE_LOST):
                    heard.append(envelope.event(source.read(step.offset, step.length), home))
            found += footed(source, place, segment)
    named = set[str]().union(*(forgets(event.fields) for event in heard if event.kind == FORGET_DONE))
    found += (where for id_, where in forgotten if id_ not in named)
    found += [*unanchored(heads, seen, place, end), *headless(folder / home, head)]
    return still_damaged(found, heard), place


def unnamed(segment: str, step: Step) -> DamagedRange:
    """A line whose payload is gone without a word."""
    return DamagedRange(segment, step.offset, step.length, UNNAMED, step.place.seq, step.place.seq)


def damaged(step: Step, segment: str) -> Iterator[DamagedRange]:
    """What one line of a walk says about damage."""
    if step.missing and step.line is not None:
        first, last = step.line.seq - step.missing, step.line.seq - 1
        yield DamagedRange(segment, step.offset, 0, f"seq {first} to {last} should stand here", first, last)
    if step.why:
        yield DamagedRange(segment, step.offset, step.length, step.why)


def footed(lines: Plain | Sealed, place: Place, segment: str) -> Iterator[DamagedRange]:
    """What a sealed segment's table says against its lines, which end at `place`."""
    if lines.flaw:
        yield DamagedRange(segment, 0, 0, lines.flaw)
    elif isinstance(lines, Sealed) and place.seq == lines.table.last and place.h not in (None, lines.table.end):
        yield DamagedRange(segment, lines.size, 0, "its lines do not end as its table says")


def acknowledged(steps: Iterable[Step], place: Place, until: int) -> Iterator[Step]:
    """The steps up to seq `until`. A last line without an end counts only where HEAD says that there was more."""
    for step in steps:
        if place.seq >= until or (step.unfinished and until == NO_LIMIT):
            return
        yield step
        place = step.place


def unanchored(heads: Iterable[tuple[int, str]], seen: Mapping[int, str], last: Place,
               end: tuple[str, int]) -> Iterator[DamagedRange]:
    """What noted heads say against a log that was read up to `last`, with these chain values, and ends at `end`."""
    for seq, h in sorted(set(heads)):
        if seq > last.seq and last.h is not None:
            yield DamagedRange(*end, 0, f"seq {last.seq + 1} to {seq} should stand here", last.seq + 1, seq)
        elif seq in seen and seen[seq] != h:
            yield DamagedRange(*end, 0, f"seq {seq} is not the line that was there when its head was noted", seq, seq)


def headless(home: Path, head: Head | None) -> Iterator[DamagedRange]:
    """A home with lines and without a readable HEAD."""
    if head is None and segments.names(home):
        yield DamagedRange(f"{home.name}/HEAD", 0, 0, "missing or unreadable: who knows whether lines were cut off")


def forgets(fields: Mapping[str, object]) -> set[str]:
    """The ids that the body of a forget.done names."""
    events = fields.get("events")
    return {each for each in events if isinstance(each, str)} if isinstance(events, Collection) else set()
