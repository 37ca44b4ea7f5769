"""A rebuild: everything derived made again from the log and the notes, or only compared with it."""

from rhizome.consolidate.derive import KINDS, derive
from rhizome.memory import projections, proof
from rhizome.memory.applying import restore
from rhizome.memory.parts import Parts


def compared(parts: Parts) -> list[proof.Difference]:
    """What the log does not explain, after the projections were brought up to date. Takes no snapshot of the notes."""
    projections.refresh(parts)
    return proof.notes(parts, derive(parts.log.history(KINDS))) + proof.indexes(parts)


def rebuilt(parts: Parts) -> tuple[list[proof.Difference], list[str]]:
    """Build the index from nothing and restore derived notes that are missing: what still differs, what was restored.

    A note that is there and differs is never overwritten.
    """
    folders = parts.known.folders()
    parts.forget_index()
    parts.known.remember(folders)
    parts.vault.mend()
    derived = parts.known.replay(parts.log, parts.heads())
    missing = {each.path: each.what for each in proof.notes(parts, derived) if each.what == proof.MISSING}
    restored = restore(parts, derived, missing)
    projections.refresh(parts)
    return proof.notes(parts, derived) + proof.indexes(parts), restored
