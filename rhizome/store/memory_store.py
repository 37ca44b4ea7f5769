"""The store's twin: the same promises, kept in dictionaries."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from rhizome.errors import Conflict, NotFound, Refused
from rhizome.store import trailers
from rhizome.store.paths import Names, contained, safe_path
from rhizome.store.port import Commit, LogHead


class MemoryStore:
    """A linear history of {path: bytes} with git's blob ids; nothing outlives the process."""

    def __init__(self, *, clock: Callable[[], datetime], name: str = "rhizome") -> None:
        self._clock, self._name = clock, name
        self._commits: dict[str, Commit] = {}
        self._trees: dict[str, dict[str, bytes]] = {}

    @property
    def tip(self) -> str | None:
        return next(reversed(self._commits), None)

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
        tip = self.tip
        if expected_tip is not None and expected_tip != tip:
            raise Conflict(f"the tip is {tip}, not {expected_tip}", "Read again and retry.")
        before = self._trees[tip] if tip else {}
        after = {path: data for path, data in before.items() if changes.get(path, data) is not None}
        names = Names(_folders(after))
        for path, data in sorted(changes.items(), key=lambda change: change[0]):
            contained(path)
            if data is None:
                continue
            if path not in before and safe_path(path) != path:
                raise Refused(f"{path!r} is not in NFC", f"Write it as {safe_path(path)!r}.")
            if path not in after:
                names.claim(path)
            after[path] = data
        paths = tuple(sorted(path for path in changes if before.get(path) != after.get(path)))
        if tip and not paths:
            return tip
        if not paths:
            raise Refused("there is nothing to commit", "Give at least one file.")
        return self._add(text, tip, after, paths)

    def _add(self, text: str, tip: str | None, tree: dict[str, bytes], paths: tuple[str, ...]) -> str:
        now = self._clock()
        made = _digest(b"commit", repr((text, tip, sorted(tree.items()), now.isoformat())).encode())
        self._commits[made] = Commit(
            made, (tip,) if tip else (), now.isoformat(timespec="seconds"), self._name,
            text.partition("\n")[0], trailers.calls(text), trailers.head(text), paths,
        )
        self._trees[made] = tree
        return made

    @contextmanager
    def batch(self) -> Iterator[None]:
        yield

    def read(self, path: str, at: str | None = None) -> bytes:
        tree = self._tree(at)
        if contained(path) not in tree:
            raise NotFound(f"{path} is not in {at or 'the notes'}", "Name one that `blobs` gives.")
        return tree[path]

    def blobs(self, at: str | None = None) -> dict[str, str]:
        return {path: _digest(b"blob", data) for path, data in sorted(self._tree(at).items())}

    def history(self, path: str) -> Iterator[Commit]:
        path = contained(path)
        return (commit for commit in reversed(self._commits.values()) if path in commit.paths)

    def commits(self, since: str | None = None) -> Iterator[Commit]:
        known = list(self._commits)
        start = known.index(self._resolve(since)) + 1 if since else 0
        return iter([self._commits[commit] for commit in known[start:]])

    def at(self, instant: datetime) -> str | None:
        past = (c.id for c in reversed(self._commits.values()) if datetime.fromisoformat(c.time) <= instant)
        return next(past, None)

    def _tree(self, at: str | None) -> dict[str, bytes]:
        commit = self._resolve(at) if at else self.tip
        return self._trees[commit] if commit else {}

    def _resolve(self, at: str) -> str:
        found = [commit for commit in self._commits if commit.startswith(at)] if len(at) >= 4 else []
        if len(found) != 1:
            raise NotFound(f"there is no commit {at}", "Name one that `commits` gives.")
        return found[0]


def _folders(paths: Iterable[str]) -> Callable[[str], dict[str, bool]]:
    """What `place` asks for, from the paths of a whole tree."""
    entries: dict[str, dict[str, bool]] = {"": {}}
    for path in paths:
        parts = path.split("/")
        for depth, part in enumerate(parts):
            entries.setdefault("/".join(parts[:depth]), {})[part] = depth < len(parts) - 1
    return lambda folder: entries.get(folder, {})


def _digest(kind: bytes, data: bytes) -> str:
    return hashlib.sha1(b"%s %d\0%s" % (kind, len(data), data), usedforsecurity=False).hexdigest()
