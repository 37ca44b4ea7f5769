"""Sessions come in: found, appended, counted by harness."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from rhizome.consolidate.distill import OPENING
from rhizome.log.importing import ImportReport, detected, import_paths
from rhizome.memory import projections, saves
from rhizome.memory.parts import Parts


def sessions(parts: Parts, paths: Sequence[Path], *, only: Iterable[Path] | None = None,
             dry: bool = False) -> dict[str, Any]:
    """Append the sessions of the files and folders named, else of every harness on this machine; `only` these
    files, where given. With `dry`, say what would come and change nothing.

    What people saved meanwhile is `put_off` to the next verb while another process commits notes: that is no problem
    of an import. That part of the log is damaged is one.
    """
    put_off = None if dry else saves.take_saves(parts).put_off
    around = parts.around
    progress = around.progress
    report = import_paths(
        parts.log, paths or roots(parts), index=parts.home.index, key=parts.home.key, door=parts.door,
        on_file=(lambda path, done, total: progress(str(path), done, total)) if progress else None,
        now=around.clock(), own=lambda cwd, words: is_own(parts, cwd, words), only=only,
        named=bool(paths), dry=dry,
    )  # fmt: skip
    if not dry:
        projections.refresh(parts)
    problems = [f"{path}: {why}" for path, why in report.problems]
    if put_off and parts.log.damage():
        problems.append(put_off)
    return answer(report) | {"dry_run": dry, "put_off": put_off, "problems": problems}


def roots(parts: Parts) -> list[Path]:
    """Where harnesses keep sessions on this machine."""
    return detected(parts.around.environment, parts.around.user_home)


def is_own(parts: Parts, cwd: str | None, words: str) -> bool:
    """Whether an agent's session is one of our own questions: where they are asked, or as they begin."""
    place = parts.home.index / "distill"
    return words.startswith(OPENING) or (cwd is not None and Path(cwd) in (place, place.resolve()))


def answer(report: ImportReport) -> dict[str, Any]:
    total: dict[str, Any] = msgspec.to_builtins(report.total)
    counted = {name: {"sessions": report.sessions[name]} | msgspec.to_builtins(counts)
               for name, counts in sorted(report.sources.items())}
    return {"sessions": sum(report.sessions.values())} | total | {
        "skipped": report.skipped, "own": report.own, "sources": counted, "going": msgspec.to_builtins(report.going)}
