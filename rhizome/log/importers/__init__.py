"""The harnesses rhizome reads, one file each."""

from rhizome.log.importers import claude_code, codex
from rhizome.log.importers.port import Importer

IMPORTERS: dict[str, Importer] = {module.IMPORTER.name: module.IMPORTER for module in (claude_code, codex)}
"""By the name that stands in a record's `source.harness`."""
