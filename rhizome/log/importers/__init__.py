"""The harnesses rhizome reads, one file each."""

from collections.abc import Sequence

from rhizome.log.importers import (
    aider,
    chatgpt,
    claude_ai,
    claude_code,
    cline,
    codex,
    copilot,
    cursor,
    gemini,
    generic,
    goose,
    opencode,
    pi,
    specstory,
    text,
    vscode,
)
from rhizome.log.importers.opaque import OpaqueTranscript
from rhizome.log.importers.port import Importer, Piece, Transcript
from rhizome.log.importers.records import Value, plain

IMPORTERS: dict[str, Importer] = {each.name: each for each in (
    claude_code.IMPORTER, codex.IMPORTER, gemini.IMPORTER, opencode.IMPORTER, pi.IMPORTER, aider.IMPORTER,
    copilot.IMPORTER, cursor.IMPORTER, goose.IMPORTER, vscode.IMPORTER, *cline.IMPORTERS,
    specstory.IMPORTER, chatgpt.IMPORTER, claude_ai.IMPORTER, generic.IMPORTER, text.IMPORTER)}
"""By the name that stands in a record's `source.harness`; a file is the first one's that knows it."""


def transcript(harness: str) -> Transcript:
    """A reader of one session; for a harness that only a newer rhizome knows, one that understands nothing of it."""
    return IMPORTERS[harness].transcript() if harness in IMPORTERS else OpaqueTranscript()


def value(harness: str, line: str) -> Value | None:
    """What a stored record holds; None for what is no record of its harness."""
    return (IMPORTERS[harness].decode if harness in IMPORTERS else plain)(line)


def pieces(harness: str, value: Value) -> Sequence[Piece] | None:
    """What a record says; None where that is not understood."""
    return IMPORTERS[harness].pieces(value) if harness in IMPORTERS else None
