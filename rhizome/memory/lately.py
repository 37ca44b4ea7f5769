"""What is newer than the search index, and what in it no longer holds: looked at once, kept until something changes.

A look costs a stat of every note, and comparing it with four tables some times more. So what it came to is kept beside
the index under the state it was true in: log, notes and index as the disk tells of them. A reader that finds the same
state takes it over and opens no table. One file a clearance: a green reader opens none that tells of amber things.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import msgspec

from rhizome.log import segments
from rhizome.memory.home import looks, roots
from rhizome.memory.parts import Parts
from rhizome.model import PRIVATE, Tier
from rhizome.search.documents import Document
from rhizome.store.tree import Look, Sight, nothing, sight

if TYPE_CHECKING:
    from rhizome.memory.projections import Changes
    from rhizome.store.watch import Watch

FORMAT = 2
"""Raise it when the same state would come to something else."""

DIRECTLY = 300
"""So many documents newer than the index are looked at directly; with more, the reader brings the index up to date."""

RACY_NS = 50_000_000
"""A file this young may change again without a change of its stat; what a look at it came to is not kept."""

WATCHED_SECONDS = 60
"""A watch is believed so long: it does not see a write through a hard link from elsewhere."""

CHECKSUM_BYTES = 4


class Lately(msgspec.Struct, frozen=True):
    """For one reader: documents that the index does not hold yet, and ids in it that do not hold for this reader."""

    recent: list[Document]
    hidden: set[str]
    damaged: bool = False


class Looked(NamedTuple):
    """The last look of a process: when, at which log and index, at which state of all, and what it came to. `state` is
    empty where it could change without a sign; `watch` tells whether the notes have changed since, where it can."""

    at: datetime
    log: object
    stamps: object
    state: bytes
    found: Mapping[Tier, Lately]
    watch: "Watch | None" = None

    def holds(self, parts: Parts, log: object, now: datetime) -> bool:
        """Whether all is as it was; without a watch, whether the caller relies on that."""
        age = (now - self.at).total_seconds()
        if self.log != log or age < 0:
            return False
        if self.watch is None or age >= WATCHED_SECONDS:
            return age < parts.around.look_seconds
        return self.stamps == parts.engine.stamps() and self.watch.still(roots(parts.home).values())


def lately(parts: Parts, clearance: Tier) -> Lately:
    """What the index lacks for a reader. Waits for no lock.

    The notes are looked at again unless a watch says that nothing changed, or the caller relies on the last look.
    """
    now, log, looked = parts.around.clock(), _log(parts), parts.looked
    if looked is not None and clearance in looked.found and looked.holds(parts, log, now):
        return looked.found[clearance]
    if before := _early(parts, clearance, log):
        return before
    watch = _watch(parts)  # before the look, so that a change during it shows
    disk, seen = parts.disk_time(), looks(parts.home, watch.entered if watch else nothing)
    short = {prefix: sight(each) for prefix, each in seen.items()}
    stamps, settled = parts.engine.stamps(), _settled(short, disk)
    state, found = _state(parts, log, stamps, short), dict[Tier, Lately]()
    if parts.engine.reached(parts.tiers(clearance)) is None:
        watch = None
    else:
        if looked is not None and looked.state == state:
            found = dict(looked.found)
        if clearance not in found and (kept := _kept(_file(parts, clearance), state)):
            found[clearance] = kept
    if clearance not in found:
        found = newer(parts, seen, disk)
        if settled and not found[clearance].damaged:
            for tier, each in found.items():
                _keep(_file(parts, tier), state, each)
    unsure = found[clearance].damaged or not all(each.whole for each in short.values())
    if unsure or (watch and not watch.whole):
        watch = None
    parts.looked = Looked(now, log, stamps, state if settled else b"", found, watch)
    return found[clearance]


def _early(parts: Parts, clearance: Tier, log: object) -> Lately | None:
    """What is kept under the state that was seen by a look which the door began; None where it is another one."""
    early = parts.around.early
    if early is None or parts.looked is not None or parts.engine.reached(parts.tiers(clearance)) is None:
        return None
    seen = early.seen(roots(parts.home))  # last of all, for it waits
    if seen is None:
        return None
    return _kept(_file(parts, clearance), _state(parts, log, parts.engine.stamps(), seen))


def _watch(parts: Parts) -> "Watch | None":
    """A process that answers once has no use for one."""
    if not parts.around.look_seconds:
        return None
    from rhizome.store.watch import Watch

    return Watch()


def newer(parts: Parts, seen: Mapping[str, Look], disk: datetime | None) -> dict[Tier, Lately]:
    """What the index lacks, by reader, found by comparing everything.

    An index far behind is brought up to date, unless another process is doing so: then what it has must do. While the
    log is damaged, nothing is compared with it once there is an index.
    """
    from rhizome.memory import projections

    damaged = bool(parts.log.damage())
    if damaged and parts.indexed.reached:
        return {tier: Lately([], _hidden(parts.indexed.shadowed(), tier), damaged) for tier in Tier}
    projections.refresh_edges(parts, seen, disk)
    parts.notes_known()
    projections.refresh_ledgers(parts)
    found = projections.changes(parts)
    some = [] if found.whole else list(islice(projections.batches(parts, found, DIRECTLY + 1), 2))
    if found.whole or len(some) > 1 or any(len(upserts) > DIRECTLY for upserts, _ in some):
        projections.index_apart(parts, 0.0)
        return {tier: Lately([], _hidden(parts.indexed.shadowed(), tier), damaged) for tier in Tier}
    recent, gone = some[0] if some else ([], set[str]())
    return {tier: _for(tier, recent, gone, found, damaged) for tier in Tier}


def _for(tier: Tier, recent: list[Document], gone: set[str], found: "Changes", damaged: bool) -> Lately:
    if tier is Tier.AMBER:
        return Lately(recent, gone | found.shadowed, damaged)
    named = {id_ for id_ in gone if not id_.startswith(f"note:{PRIVATE}")}
    return Lately([each for each in recent if each.tier == Tier.GREEN], named, damaged)


def _hidden(shadowed: set[str], tier: Tier) -> set[str]:
    """What an amber value has replaced still holds for a green reader, who does not know of it."""
    return shadowed if tier is Tier.AMBER else set()


# ---------------------------------------------------------------- states


def _log(parts: Parts) -> dict[str, Any]:
    """What changes whenever any home's log does."""
    folder = parts.home.log
    return {home: (segments.read_head(folder / home), segments.stamps(folder / home)) for home in parts.homes()}


def _state(parts: Parts, log: object, stamps: object, seen: Mapping[str, Sight]) -> bytes:
    """Everything that a look depends on, the notes as a digest."""
    notes = {prefix: each.digest for prefix, each in seen.items()}
    tables = [_there(parts.home.index / name) for name in ("indexed.db", "ledger-green.db", "ledger-amber.db")]
    told = (FORMAT, parts.home.id, str(parts.home.notes), log, stamps, notes, tables)
    return msgspec.msgpack.encode(told)


def _there(file: Path) -> tuple[int, bool]:
    """Which file stands there: an answer reads these tables, too, and one that was deleted is begun anew, empty."""
    try:
        found = file.stat()
    except OSError:
        return 0, False
    return found.st_ino, found.st_size > 0


def _settled(seen: Mapping[str, Sight], disk: datetime | None) -> bool:
    """Whether a change of any note would change its stat, and every folder could be looked into."""
    if disk is None:
        return False
    young = int(disk.timestamp() * 1e9) - RACY_NS
    return all(each.whole and each.newest < young for each in seen.values())


# ---------------------------------------------------------------- keeping


def _file(parts: Parts, clearance: Tier) -> Path:
    return parts.home.index / f"newer-{clearance}"


def _kept(file: Path, state: bytes) -> Lately | None:
    """What was kept under this state; None for another one, and for a file that is not as it was written."""
    try:
        data = file.read_bytes()
    except OSError:
        return None
    checksum, told = data[:CHECKSUM_BYTES], data[CHECKSUM_BYTES:]
    if not told.startswith(state) or checksum != _checksum(told):
        return None
    return msgspec.msgpack.decode(told[len(state) :], type=Lately)


def _keep(file: Path, state: bytes, found: Lately) -> None:
    """A reader that may not write looks again next time."""
    told = state + msgspec.msgpack.encode(found)
    beside = file.with_name(f"{file.name}.new")
    with suppress(OSError):
        beside.touch(mode=0o600)
        beside.write_bytes(_checksum(told) + told)
        beside.replace(file)


def _checksum(told: bytes) -> bytes:
    return crc32(told).to_bytes(CHECKSUM_BYTES, "little")
