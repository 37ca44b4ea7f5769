"""The reading half of a store in git: takes no lock, changes nothing, and is enough for an answer."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pygit2
from pygit2.enums import FileMode

from rhizome.errors import Damaged, NotFound
from rhizome.store import blame, history, trees
from rhizome.store.faults import translated
from rhizome.store.paths import contained
from rhizome.store.port import Commit
from rhizome.store.state import branch_of, open_repository, why_busy


class GitReader:
    """Notes as the store's branch has them; the branch is the one HEAD names unless another is given."""

    def __init__(self, root: Path, *, branch: str | None = None) -> None:
        self.root = Path(root).resolve()
        self._repo = open_repository(self.root)
        self._rooted: tuple[str, pygit2.Tree] | None = None
        self._listed: tuple[str, list[tuple[str, str, int]]] = ("", [])
        self.branch = branch or branch_of(self._repo) or "main"

    @property
    def tip(self) -> str | None:
        with translated(f"reading branch {self.branch}"):
            try:
                return str(self._repo.lookup_reference(f"refs/heads/{self.branch}").target)
            except KeyError:
                return None

    def read(self, path: str, at: str | None = None) -> bytes:
        tree = self._tree(at)
        with translated(f"reading {path}"):
            entry = trees.find(tree, contained(path))
            if entry is None or entry[1] not in trees.REGULAR:
                raise NotFound(f"{path} is not in {at or 'the notes'}", "`rhizome list` names the notes there are.")
            return trees.blob(self._repo, entry[0])

    def blobs(self, at: str | None = None) -> dict[str, str]:
        return {path: oid for path, oid, mode in self._entries(at) if mode in trees.REGULAR}

    def strange(self, at: str | None = None) -> dict[str, str]:
        """What a commit holds that is no note: path -> why."""
        kinds: dict[int, str] = {FileMode.LINK: "a symbolic link", FileMode.COMMIT: "another repository"}
        return {path: kinds.get(mode, f"mode {mode:o}") for path, _, mode in self._entries(at)
                if mode not in trees.REGULAR}

    def history(self, path: str) -> Iterator[Commit]:
        tip, path = self.tip, contained(path)
        return history.changing(self._repo, tip, path) if tip else iter(())

    def blame(self, path: str) -> tuple[Commit, ...]:
        """The commit that set each line of a file as it is at the tip; none for a file that is not there."""
        tip, path = self.tip, contained(path)
        return blame.blame(self._repo, tip, path) if tip else ()

    def commits(self, since: str | None = None) -> Iterator[Commit]:
        tip, known = self.tip, self._resolve(since) if since else None
        return history.commits(self._repo, tip, known) if tip else iter(())

    def newest(self) -> Iterator[Commit]:
        """The commits of the branch, newest first."""
        tip = self.tip
        return history.newest(self._repo, tip) if tip else iter(())

    def at(self, instant: datetime) -> str | None:
        tip = self.tip
        return history.before(self._repo, tip, instant) if tip else None

    def descends(self, commit: str, ancestor: str) -> bool:
        """Whether `commit` is `ancestor` or has it in its history; False when a rewritten history left it behind."""
        try:
            return commit == ancestor or self._repo.descendant_of(commit, ancestor)
        except (KeyError, pygit2.GitError):
            return False

    def busy(self) -> str | None:
        """Why nothing may be committed now; None when something may."""
        with translated(f"reading the state of {self.root}"):
            return why_busy(self._repo, self.branch)

    def _tree(self, at: str | None) -> pygit2.Tree | None:
        """The tree of a commit, or of the tip; the last one is kept, as most ask for the tip's."""
        commit = self._resolve(at) if at else self.tip
        if commit is None:
            return None
        if self._rooted is None or self._rooted[0] != commit:
            with translated(f"reading commit {commit}"):
                try:
                    self._rooted = commit, self._repo[commit].peel(pygit2.Tree)
                except KeyError:
                    raise Damaged(f"commit {commit} is missing", "Run `git fsck` in the notes folder.") from None
        return self._rooted[1]

    def _entries(self, at: str | None) -> list[tuple[str, str, int]]:
        """Path, id and mode of everything in a commit; the last listing is kept, as most ask for the tip's."""
        tree = self._tree(at)
        if tree is None:
            return []
        if self._listed[0] != str(tree.id):
            with translated(f"listing {at or self.branch}"):
                self._listed = (str(tree.id), list(trees.walk(tree)))
        return self._listed[1]

    def _resolve(self, at: str) -> str:
        """The full id of a commit, from 4 hex digits up. Nothing else is looked up: no ref, no date, no expression."""
        found = None
        if 4 <= len(at) <= 40 and not set(at) - set("0123456789abcdef"):
            try:
                found = self._repo[at]
            except (KeyError, ValueError):
                found = None
        if not isinstance(found, pygit2.Commit):
            raise NotFound(f"there is no commit {at}", "`git log` in the notes folder names the commits there are.")
        return str(found.id)
