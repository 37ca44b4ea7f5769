"""Sessions come in: found, appended, counted by harness."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from rhizome.log.importing import detected, import_paths
from rhizome.memory import projections, saves
from rhizome.memory.parts import Parts


def sessions(parts: Parts, paths: Sequence[Path]) -> dict[str, Any]:
    """Append the sessions of the files and folders named, else of every harness on this machine."""
    taken = saves.take_saves(parts)
    around = parts.around
    where = [Path(path) for path in paths] or detected(around.environment, around.user_home)
    progress = around.progress
    report = import_paths(
        parts.log, where, index=parts.home.index, key=parts.home.key, door=parts.door,
        on_file=(lambda path, done, total: progress(str(path), done, total)) if progress else None,
        now=around.clock(),
    )  # fmt: skip
    projections.refresh(parts)
    total: dict[str, Any] = msgspec.to_builtins(report.total)
    return total | {
        "skipped": report.skipped,
        "sources": {name: msgspec.to_builtins(counts) for name, counts in sorted(report.sources.items())},
        "problems": [f"{path}: {why}" for path, why in report.problems] + [taken.put_off] * bool(taken.put_off),
    }
