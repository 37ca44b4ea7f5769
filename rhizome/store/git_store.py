"""Notes in a git repository, written through libgit2 alone: no hook, filter or monitor of anybody's is ever run."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Self

import pygit2
from pygit2.enums import Option, RepositoryInitFlag

from rhizome.config import LOCK_SECONDS
from rhizome.errors import Conflict, Locked, NotDurable, Refused, RhizomeError
from rhizome.store import git_index, plain_index, settle, trailers, trees
from rhizome.store.decide import decide
from rhizome.store.faults import meaning, translated
from rhizome.store.git_index import GitIndex
from rhizome.store.git_reader import GitReader
from rhizome.store.intent import Change, Due, due, record, recorded
from rhizome.store.locks import clear, exclusive, pauses
from rhizome.store.port import LogHead


class GitStore(GitReader):
    """A `NoteStore` over the repository whose work tree is `root`. A store belongs to one thread; opening costs 0.2 ms.

    A commit rewrites the trees on its paths, moves the branch (compare and swap), reads everything back, then brings
    the work tree and git's index along, all under one lock in `.git`. Nothing in an adopted repository is configured.
    `sync` makes git's objects and the files durable before a commit returns; it is libgit2's switch for the process.
    `repaired` says in words what was found broken and put right since the store was opened.
    """

    def __init__(
        self,
        root: Path,
        *,
        clock: Callable[[], datetime],
        name: str = "rhizome",
        email: str = "rhizome@localhost",
        branch: str | None = None,
        private: bool = False,
        sync: bool = False,
        lock_seconds: float = LOCK_SECONDS,
    ) -> None:
        super().__init__(root, branch=branch)
        self._clock, self._name, self._email = clock, name, email
        self._private, self._sync, self._lock_seconds = private, sync, lock_seconds
        self.repaired: list[str] = []
        self._git = Path(self._repo.path)
        self._stage = self._git / "rhizome"
        self._intent = self._stage / "intent"
        self._pending: list[Change] | None = None
        self._index: GitIndex | None = None
        if sync:
            pygit2.option(Option.ENABLE_FSYNC_GITDIR, 1)
        if self._intent.exists():
            self._mend()

    @classmethod
    def create(
        cls,
        root: Path,
        *,
        clock: Callable[[], datetime],
        name: str = "rhizome",
        email: str = "rhizome@localhost",
        branch: str = "main",
        private: bool = False,
        sync: bool = False,
    ) -> Self:
        """Makes the repository (the folder, too, for its owner only) and opens it. Raises Refused if there is one."""
        if (root / ".git").exists():
            raise Refused(f"{root} is a git repository already", "Open it, or choose another folder.")
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        with translated(f"making {root}"):
            repo = pygit2.init_repository(str(root), flags=RepositoryInitFlag.NO_REINIT, initial_head=branch)
            repo.config["core.autocrlf"] = False
            repo.config["core.splitIndex"] = False
        return cls(root, clock=clock, name=name, email=email, branch=branch, private=private, sync=sync)

    def commit(
        self,
        changes: Mapping[str, bytes | None],
        *,
        call: str,
        subject: str,
        head: LogHead | None = None,
        expected_tip: str | None = None,
    ) -> str:
        text = trailers.message(subject, call, head)
        with self._writing() as pending, translated(f"committing to {self.root}"):
            for _ in pauses(self._lock_seconds):
                tip = self.tip
                if expected_tip is not None and expected_tip != tip:
                    raise Conflict(f"the tip is {tip}, not {expected_tip}", "Read again and retry.")
                tree = self._tree(tip) if tip else None
                wanted = decide(self._repo, self.root, tree, changes)
                made = self._advance(tip, tree, text, wanted, changes)
                if made is not None:
                    settle.bring(self._repo, self.root, self._due(wanted), stage=self._stage, sync=self._sync)
                    pending.extend(wanted)
                    return made
            raise Locked(f"branch {self.branch} does not stand still", "Retry when the other program is done.")

    @contextmanager
    def batch(self) -> Iterator[None]:
        with self._writing():
            yield

    def keep(self, commit: str) -> None:
        """Holds on to a commit that no branch reaches any more, under a ref of ours that no push takes along."""
        with translated(f"keeping {commit}"):
            self._repo.references.create(f"refs/rhizome/kept/{commit}", self._resolve(commit), force=True)

    @contextmanager
    def _writing(self, seconds: float | None = None) -> Iterator[list[Change]]:
        """The one critical section: lock, finish what a dead writer began, write, then enter all in git's index."""
        seconds = self._lock_seconds if seconds is None else seconds
        if self._pending is not None:
            yield self._pending
            return
        with translated(f"locking {self.root}"):
            self._stage.mkdir(mode=0o700, exist_ok=True)
        lock = self._stage / "lock"
        with exclusive(lock, seconds):
            self._ready(lock, seconds)
            done: list[Change] = []
            self._pending, whole = done, False
            try:
                yield done
                whole = True
            finally:
                self._pending = None
                self._enter(self._due(done))
            if whole:
                self._intent.unlink(missing_ok=True)

    def _ready(self, lock: Path, seconds: float) -> None:
        """Refuses while something stands in the way, clears dead locks, and finishes an unfinished commit."""
        if why := self.busy():
            raise Locked(f"{self.root}: {why}", "Finish or abort it, then retry; nothing was committed.")
        if self._private and len(self._repo.remotes):
            raise Refused(f"{self.root} has a remote, and private notes never leave this machine",
                          "Remove it with `git remote remove`.")
        plain_index.unlock(self._git)
        for name in ("index.lock", "HEAD.lock", f"refs/heads/{self.branch}.lock"):
            self.repaired += clear(self._git / name, root=self.root, ours=lock, seconds=seconds)
        self._load_index()
        if unfinished := recorded(self._intent):
            dues = self._due(unfinished)
            with translated(f"finishing a commit in {self.root}"):
                brought = settle.bring(self._repo, self.root, dues, stage=self._stage, sync=self._sync)
            entered = self._enter(dues)
            if touched := sorted({*brought, *entered}):
                self.repaired.append(f"finished an interrupted commit of {', '.join(touched)}")
        self._intent.unlink(missing_ok=True)

    def _advance(
        self,
        tip: str | None,
        base: pygit2.Tree | None,
        text: str,
        wanted: list[Change],
        changes: Mapping[str, bytes | None],
    ) -> str | None:
        """Makes the commit and moves the branch; the tip itself when no entry changes, None when it moved meanwhile."""
        new = {change.path: change.new for change in wanted if change.new != change.old}
        if not new and tip is None:
            raise Refused("there is nothing to commit", "Give at least one file.")
        if wanted:
            record(self._intent, wanted)
        if not new:
            return tip
        for path in new:
            if (data := changes[path]) is not None:
                self._repo.create_blob(data)
        tree = trees.rewrite(self._repo, base, new)
        who = self._signature()
        try:
            made = self._repo.create_commit(f"refs/heads/{self.branch}", who, who, text, tree, [tip] if tip else [])
        except (pygit2.GitError, OSError) as error:
            if meaning(error)[0] in (Conflict, Locked):
                return None
            raise
        self._read_back(str(made), new, changes)
        return str(made)

    def _signature(self) -> pygit2.Signature:
        now = self._clock()
        offset = now.utcoffset()
        minutes = int(offset.total_seconds()) // 60 if offset else 0
        return pygit2.Signature(self._name, self._email, int(now.timestamp()), minutes)

    def _read_back(self, made: str, new: Mapping[str, trees.Entry | None], changes: Mapping[str, bytes | None]) -> None:
        """Raises NotDurable unless the commit, its blobs and the branch are really there: a full disk can be silent."""
        try:
            tree = self._repo[made].peel(pygit2.Tree)
            whole = self.tip == made and all(
                trees.find(tree, path) == entry and (entry is None or trees.blob(self._repo, entry[0]) == changes[path])
                for path, entry in new.items()
            )
        except (KeyError, pygit2.GitError):
            whole = False
        if not whole:
            raise NotDurable(f"commit {made} was reported as written and is not there",
                             "Check the disk for space and errors, then retry.")
        self._rooted = made, tree

    def _due(self, changes: list[Change]) -> list[Due]:
        if not changes:
            return []
        tree = self._tree(self.tip)
        with translated(f"reading the tip of {self.root}"):
            return due(changes, {change.path: trees.find(tree, change.path) for change in changes})

    def _load_index(self) -> GitIndex:
        """Git's index, read if it changed; asked before a commit, so that one nobody can keep up is refused in time."""
        if self._index is None or not self._index.current():
            with translated(f"reading git's index of {self.root}"):
                self._index = git_index.load(self._repo, self.root, sync=self._sync)
        return self._index

    def _enter(self, dues: list[Due]) -> list[str]:
        """Enters what is due in git's index, waiting for its lock a while, and says which paths that changed."""
        if not dues:
            return []
        with translated(f"writing git's index of {self.root}"):
            for _ in pauses(self._lock_seconds):
                index = self._load_index()
                entered = settle.enter(index, dues)
                if index.write():
                    return entered
        raise Locked(f"git's index of {self.root} stays locked", "The commit is made; the next one enters it.")

    def _mend(self) -> None:
        """Finishes an interrupted commit without waiting; where that is not possible, the next writer does."""
        try:
            with self._writing(seconds=0):
                pass
        except RhizomeError:
            return
