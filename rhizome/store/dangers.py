"""What a repository makes the git program run: keys of its configuration and hooks. We run none of it, and say so.

libgit2 runs no hook, no filter and no monitor; the person's own git does, in a vault that may be a stranger's.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pygit2

from rhizome.store.faults import translated
from rhizome.store.state import open_repository

_RUNS = re.compile(
    r"core\.(?:fsmonitor|hookspath|sshcommand|editor|pager|gitproxy|askpass|alternaterefscommand)"
    r"|sequence\.editor|interactive\.difffilter|pager\..+|filter\..+\.(?:clean|smudge|process)"
    r"|diff\.external|diff\..+\.(?:command|textconv)|merge\..+\.driver|(?:merge|diff)tool\..+\.cmd"
    r"|credential(?:\..+)?\.helper|gpg(?:\..+)?\.program|uploadpack\.packobjectshook"
    r"|remote\..+\.(?:uploadpack|receivepack|vcs)|init\.templatedir|include\.path|includeif\..+\.path", re.DOTALL)
"""Keys whose value is a program, or a file with more keys."""

_MAY_RUN = re.compile(r"alias\..+|submodule\..+\.update", re.DOTALL)
"""Keys whose value is a program where it begins with `!`."""

_SWITCH = frozenset({"true", "false", "yes", "no", "on", "off", "1", "0", ""})


def dangerous(root: Path) -> list[str]:
    """What git would run in the repository at `root`, each with where it stands. Raises what opening it raises."""
    repo = open_repository(root)
    with translated(f"reading the configuration of {root}"):
        folder = Path(repo.path)
        return [*_keys(folder), *_hooks(folder)]


def remotes(root: Path) -> list[str]:
    """The names of the repository's remotes."""
    repo = open_repository(root)
    with translated(f"reading the remotes of {root}"):
        return sorted(name for name in repo.remotes.names() if name)


def _keys(folder: Path) -> Iterator[str]:
    for name in ("config", "config.worktree"):
        if (folder / name).is_file():
            told = {(entry.name, entry.value or "") for entry in pygit2.Config(str(folder / name))}
            yield from (f"{name}: {key}" for key, value in sorted(told) if _runs(key, value))


def _runs(key: str, value: str) -> bool:
    if _RUNS.fullmatch(key.lower()):
        return value.lower() not in _SWITCH
    return _MAY_RUN.fullmatch(key.lower()) is not None and value.startswith("!")


def _hooks(folder: Path) -> Iterator[str]:
    hooks = folder / "hooks"
    for hook in sorted(hooks.iterdir()) if hooks.is_dir() else ():
        if hook.suffix != ".sample" and hook.is_file() and hook.stat().st_mode & 0o111:
            yield f"hooks/{hook.name}"
