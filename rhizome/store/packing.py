"""Looking after a repository that has grown: loose objects into a pack, and an index of its commits.

The one thing for which the git program is run: libgit2 packs worse and leaves the loose objects lying. Nothing of a
repository in which git would run something else is touched, and no configuration beside its own is read.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from rhizome.errors import Refused, RhizomeError
from rhizome.store.dangers import dangerous
from rhizome.store.faults import translated
from rhizome.store.state import open_repository

SECONDS = 600
"""3,000 commits take two; what takes longer than this is given up, and nothing is lost."""

_RUN_NOTHING = (
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.pager=cat", "gc.auto=0", "maintenance.auto=false",
    "protocol.allow=never",
)  # fmt: skip
_PACK = ("repack", "-d", "-n", "-q")
_COMMITS = ("commit-graph", "write", "--reachable", "--changed-paths", "--no-progress")


def loose(root: Path) -> int:
    """How many objects of the repository at `root` have a file of their own. Raises what opening it raises."""
    objects = _folder(root) / "objects"
    with translated(f"counting the objects of {root}"):
        return sum(len(list(one.iterdir())) for one in objects.iterdir() if len(one.name) == 2)


def pack(root: Path, environment: Mapping[str, str]) -> int:
    """Pack what is loose and reachable, delete no other object; how many files that saved.

    Costs 2 s for 15,000 objects. Readers and writers may go on meanwhile. Raises Refused where git would run anything
    or is not installed, RhizomeError with git's own words where it failed.
    """
    if runs := dangerous(root):
        raise Refused(f"{root}: not packed, because git would run {runs[0]}", "`rhizome doctor` lists what git runs.")
    path = environment.get("PATH", os.defpath)
    git = shutil.which("git", path=path)
    if git is None or not Path(git).is_absolute():
        raise Refused(f"{root}: not packed, because there is no git program", "Install git; the notes only take room.")
    before, folder = loose(root), _folder(root)
    plain = {"PATH": path, "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
             "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}  # fmt: skip
    options = [word for setting in _RUN_NOTHING for word in ("-c", setting)]
    for words in (_PACK, _COMMITS):
        _run([git, *options, f"--git-dir={folder}", *words], folder, plain)
    return before - loose(root)


def _folder(root: Path) -> Path:
    return Path(open_repository(root).path)


def _run(words: list[str], folder: Path, environment: Mapping[str, str]) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - the words are our own
            words, cwd=folder, env=dict(environment), stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RhizomeError(f"packing {folder}: {error}", "Nothing is lost; the next night tries again.") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise RhizomeError(f"packing {folder}: {said[-1] if said else done.returncode}", "Run `git fsck` there.")
