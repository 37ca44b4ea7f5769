"""Records into the log, batch by batch: named in their order, appended when there is enough for a sync to disk."""

from collections.abc import Iterable

from rhizome.log.appending import Appender, Item, Target
from rhizome.log.counting import Counts
from rhizome.log.importers.port import Importer, Naming
from rhizome.log.importers.records import Record
from rhizome.log.naming import Namer

BATCH_RECORDS = 4_000
BATCH_BYTES = 8 * 1024 * 1024
"""One append holds about this much: enough that a sync to disk is cheap, little enough to hold in memory."""


def append_all(appender: Appender, target: Target, records: Iterable[Record], naming: Naming, namer: Namer) -> Counts:
    """Append what is new among `records` of one container. Raises what `EventLog.append` raises."""
    counts, batch, size, unparsed = Counts(), list[Item](), 0, 0
    for record in records:
        named = naming.name(record.value, record.raw)
        batch.append(Item(namer.id(named), named.rev, named.at or record.at, record.offset, record.raw))
        size += len(record.raw)
        unparsed += record.value is None
        if len(batch) >= BATCH_RECORDS or size >= BATCH_BYTES:
            counts += appender.append(target, batch)
            batch, size = [], 0
    return counts + appender.append(target, batch) + Counts(unparsed=unparsed)


def unfolded(records: Iterable[Record], importer: Importer) -> Iterable[Record]:
    """Each record and, behind it, the records it holds."""
    within = importer.within
    return records if within is None else (each for record in records for each in (record, *within(record)))
