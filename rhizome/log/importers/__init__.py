"""The harnesses rhizome reads, one file each."""

from collections.abc import Sequence

from rhizome.log.importers import claude_code, codex
from rhizome.log.importers.opaque import OpaqueTranscript
from rhizome.log.importers.port import Importer, Piece, Transcript
from rhizome.log.importers.records import Value

IMPORTERS: dict[str, Importer] = {module.IMPORTER.name: module.IMPORTER for module in (claude_code, codex)}
"""By the name that stands in a record's `source.harness`."""


def transcript(harness: str) -> Transcript:
    """A reader of one session; for a harness that only a newer rhizome knows, one that understands nothing of it."""
    return IMPORTERS[harness].transcript() if harness in IMPORTERS else OpaqueTranscript()


def pieces(harness: str, value: Value) -> Sequence[Piece] | None:
    """What a record says; None where that is not understood."""
    return IMPORTERS[harness].pieces(value) if harness in IMPORTERS else None
