"""Folders that stand empty where notes were: a disk that is not mounted, and no removal of everything on it.

A folder that a person emptied is still the same folder. What shows where a disk was mounted is another one; so it is
remembered which folder each was, by its inode, when its notes were last seen there.
"""

import stat
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath

from rhizome.memory.parts import Parts

WHY = "its folder stands empty and is not the one it was: a disk that is not mounted?"


def emptied(parts: Parts, refs: Iterable[str], *, unknown: bool) -> list[str]:
    """The folders above `refs` that are there, hold nothing at all, and are not the ones in which notes were seen.

    `unknown`: whether a folder counts that nobody remembers, as all are after the index was lost.
    """
    known, found = parts.known.folders(), list[str]()
    for folder, path in sorted(dict(_above(parts, refs)).items()):
        before = known.get(folder)
        if (before is None and not unknown) or under(folder, found):
            continue
        now = _inode(path)
        if now is not None and now != before and not any(path.iterdir()):
            found.append(folder)
    return found


def remember(parts: Parts, refs: Iterable[str]) -> None:
    """The folders in which these notes stand now."""
    now = {folder: inode for folder, path in dict(_above(parts, refs)).items() if (inode := _inode(path)) is not None}
    parts.known.remember(now)


def under(path: str, folders: Collection[str]) -> bool:
    """Whether a path is one of some folders or stands below it."""
    return any(folder == path or path.startswith(folder + "/") for folder in folders)


def _above(parts: Parts, refs: Iterable[str]) -> Iterator[tuple[str, Path]]:
    """Every folder above some notes, inside their repository."""
    for ref in refs:
        place = parts.vault.place(ref)
        prefix = ref.removesuffix(place.path)
        for folder in list(PurePosixPath(place.path).parents)[:-1]:
            yield f"{prefix}{folder}", place.root / folder


def _inode(path: Path) -> int | None:
    """Which folder stands at a path; None for no folder, or one that cannot be looked at."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_ino if stat.S_ISDIR(found.st_mode) else None
