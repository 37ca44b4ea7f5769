"""Which path a derived note has: foldered by scope, never a path that a person's note has, once given kept."""

import hashlib
import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from rhizome.ledger.keys import folded as canonical
from rhizome.ledger.keys import slug
from rhizome.store.paths import RESERVED, folded

FOLDER_ENTRIES = 1_900
"""Beyond this a folder's new notes go one level deeper: file managers and git both slow down on huge folders."""

GREEN, AMBER, DAY = "green", "amber", "day"


class Place(NamedTuple):
    """What a derived note is about: a subject in a scope, in the green or the amber world; or a day."""

    world: str
    scope: str
    subject: str

    @property
    def private(self) -> bool:
        return self.world != GREEN


class Addresses:
    """Gives paths to derived notes. What it gives depends only on the order of what it heard."""

    def __init__(self) -> None:
        self.folder = ""
        self.person = ""
        self._given: dict[Place, str] = {}
        self._owner: dict[str, Place] = {}
        self._people: dict[str, set[str]] = defaultdict(set)
        self._spelling: dict[str, Counter[str]] = defaultdict(Counter)
        self._entries: Counter[str] = Counter()

    # ------------------------------------------------------------ people's notes

    def take(self, path: str) -> None:
        """A person's note stands at `path`."""
        if path in self._people[folded(path)]:
            return
        self._people[folded(path)].add(path)
        self._count(path, 1)

    def release(self, path: str) -> None:
        """A person's note at `path` is gone."""
        if path in self._people[folded(path)]:
            self._people[folded(path)].remove(path)
            self._count(path, -1)

    def taken(self, path: str) -> bool:
        """Whether a person's note has this path, or one that some systems cannot tell from it."""
        return bool(self._people[folded(path)])

    def _count(self, path: str, by: int) -> None:
        parent = str(PurePosixPath(path).parent)
        self._entries[folded(parent)] += by
        while parent != ".":
            self._spelling[folded(parent)][parent] += by
            parent = str(PurePosixPath(parent).parent)

    # ------------------------------------------------------------ derived notes

    def owner(self, path: str) -> Place | None:
        """The derived note a path was last given to."""
        return self._owner.get(path)

    def path(self, place: Place) -> str | None:
        """The path a note was given."""
        return self._given.get(place)

    def give(self, place: Place) -> str:
        """The path of a note, a new one if it has none or a person took it."""
        given = self._given.get(place)
        if given and not self.taken(given):
            return given
        path = next(path for path in self._candidates(place) if self._free(path, place))
        self._given[place] = path
        self._owner[folded(path)] = self._owner[path] = place
        self._entries[folded(str(PurePosixPath(path).parent))] += 1
        return path

    def move(self, place: Place, path: str) -> None:
        """A person gave a derived note another path; what they had there themselves is that note now."""
        self.release(path)
        self._given[place] = path
        self._owner[folded(path)] = self._owner[path] = place
        self._entries[folded(str(PurePosixPath(path).parent))] += 1

    def _free(self, path: str, place: Place) -> bool:
        return not self.taken(path) and self._owner.get(folded(path), place) == place

    def _candidates(self, place: Place) -> Iterator[str]:
        """Paths from the plainest to one nobody else can have."""
        folder, stem = self._plain(place)
        digest = hashlib.sha256(f"{place.scope}\n{place.subject}".encode()).hexdigest()
        folder = self._spelled(folder)
        if self._entries[folded(folder or ".")] >= FOLDER_ENTRIES and place.world != DAY:
            folder = f"{folder}/{digest[:2]}".lstrip("/")
        prefix = f"{folder}/" if folder else ""
        if not RESERVED.fullmatch(stem):
            yield f"{prefix}{stem}.md"
        for digits in (4, 8, 16, 64):
            yield f"{prefix}{stem}-{digest[:digits]}.md"

    def _plain(self, place: Place) -> tuple[str, str]:
        """Folder and stem by the rules: `tidepool.md`, `tidepool/deploy.md`, `private/me/tea.md`."""
        world, scope, subject = place
        if world == DAY:
            return f"private/days/{subject[:4]}", subject
        top = "private" if world == AMBER else self.folder
        if scope.startswith("user:"):
            who = scope.removeprefix("user:")
            scoped = "me" if canonical(who) == canonical(self.person) else f"people/{_part(who)}"
        elif slug(subject) == slug(scope):
            return top, self._part(scope, top)
        else:
            scoped = self._part(scope, top)
        return f"{top}/{scoped}".lstrip("/"), slug(subject)

    def _part(self, scope: str, top: str) -> str:
        """A scope's folder. At the top of the notes none is called `private`: those paths mean another repository."""
        return _part(scope, taken=("private",) if not top else ())

    def _spelled(self, folder: str) -> str:
        """`folder` as a person already spells it: `Tidepool` and `tidepool` are one folder on some systems."""
        built = ""
        for part in folder.split("/"):
            path = f"{built}/{part}".lstrip("/")
            known = [spelling for spelling, count in self._spelling[folded(path)].items() if count > 0]
            built = path if not known or path in known else min(known)
        return built


def _part(text: str, taken: tuple[str, ...] = ()) -> str:
    part = slug(text)
    if part in taken or RESERVED.fullmatch(part):
        return f"{part}-{hashlib.sha256(text.encode()).hexdigest()[:4]}"
    return part


def between(source: str, target: str) -> str:
    """The path of a link from one note to another: relative, or from the root where it leads out of `private/`."""
    if source.startswith("private/") and not target.startswith("private/"):
        return f"/{target}"
    return posixpath.relpath(target, posixpath.dirname(source) or ".")
