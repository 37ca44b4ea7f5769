"""What an error of a projection's file means."""

import sqlite3

from rhizome.errors import RhizomeError
from rhizome.graph.edges import IndexBroken
from rhizome.search.manifest import IndexDamaged


def is_broken(wrong: sqlite3.DatabaseError | RhizomeError) -> bool:
    """Whether an error means that a projection's file is no good, so that building it again will help."""
    if isinstance(wrong, RhizomeError):
        return isinstance(wrong, IndexBroken | IndexDamaged)
    return not is_busy(wrong)


def is_busy(wrong: sqlite3.DatabaseError) -> bool:
    """Whether an error means no more than that another process is writing."""
    return getattr(wrong, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
