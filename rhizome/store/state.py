"""Opening the repository that is a vault, and what may keep it from being committed to."""

from pathlib import Path

import pygit2
from pygit2.enums import RepositoryOpenFlag, RepositoryState

from rhizome.errors import NotFound, Refused
from rhizome.store.faults import translated

UNDERWAY = {
    RepositoryState.MERGE: "a merge",
    RepositoryState.REVERT: "a revert",
    RepositoryState.REVERT_SEQUENCE: "a revert",
    RepositoryState.CHERRYPICK: "a cherry-pick",
    RepositoryState.CHERRYPICK_SEQUENCE: "a cherry-pick",
    RepositoryState.BISECT: "a bisect",
    RepositoryState.REBASE: "a rebase",
    RepositoryState.REBASE_INTERACTIVE: "a rebase",
    RepositoryState.REBASE_MERGE: "a rebase",
    RepositoryState.APPLY_MAILBOX: "a patch series",
    RepositoryState.APPLY_MAILBOX_OR_REBASE: "a rebase",
}


def open_repository(root: Path) -> pygit2.Repository:
    """The repository whose work tree is exactly `root`. Raises NotFound, or Refused for a bare one or a part of one."""
    with translated(f"opening {root}"):
        try:
            repo = pygit2.Repository(str(root), RepositoryOpenFlag.NO_SEARCH)
        except pygit2.GitError as error:
            around = pygit2.discover_repository(str(root)) if root.is_dir() else None
            if "not found" not in str(error).casefold():
                raise
            if around is not None:
                raise Refused(
                    f"{root} is a folder inside the repository {Path(around).parent}",
                    "Give the top of the repository, or make the notes a repository of their own.",
                ) from None
            raise NotFound(f"{root} is no git repository", "Run `rhizome init` first.") from None
    if repo.is_bare or repo.workdir is None or not Path(repo.workdir).samefile(root):
        raise Refused(f"{root} has no work tree of its own", "Notes need files: give a repository with a work tree.")
    return repo


def branch_of(repo: pygit2.Repository) -> str | None:
    """The branch HEAD names, even before its first commit; None when HEAD is detached."""
    target = repo.lookup_reference("HEAD").target
    return target.removeprefix("refs/heads/") if isinstance(target, str) else None


def why_busy(repo: pygit2.Repository, branch: str | None) -> str | None:
    """Why nothing may be committed now: something half done, a detached HEAD, another branch. None: free."""
    state = RepositoryState(repo.state())
    if state is not RepositoryState.NONE:
        return f"{UNDERWAY[state]} is in progress"
    current = branch_of(repo)
    if current is None:
        return "HEAD is detached"
    if branch is not None and current != branch:
        return f"branch {current} is checked out, not {branch}"
    return None
