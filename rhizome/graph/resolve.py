"""The ladder from what a link says to the note it means: a pure function over the names a reader may see."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rhizome.graph.targets import fold
from rhizome.model import PRIVATE

FORMS = ("", ".md", "/index.md", "/README.md")
"""How a target may leave out the end of a path; one that ends in `/`, `.` or `..` means a folder."""


@dataclass(frozen=True, slots=True)
class Name:
    """A note as others may call it; `path` is relative to the notes root, a `derived` note is no person's."""

    path: str
    title: str = ""
    aliases: tuple[str, ...] = ()
    derived: bool = False


@dataclass(frozen=True, slots=True)
class Resolution:
    """`path` of the note, or None; `by` is the rung in the graph command's words; `finding` a code where one is due."""

    path: str | None
    by: str
    candidates: tuple[str, ...] = ()
    finding: str | None = None


@dataclass(frozen=True, slots=True)
class Names:
    """All notes of one clearance by every name they have. Build it with `names`.

    `spelled` are the titles and aliases as each note has them; `own` are the notes of people where others stand beside.
    """

    paths: frozenset[str]
    composed: Mapping[str, tuple[str, ...]] = field(repr=False)
    folded: Mapping[str, tuple[str, ...]] = field(repr=False)
    last: Mapping[str, tuple[str, ...]] = field(repr=False)
    called: Mapping[str, tuple[str, ...]] = field(repr=False)
    spelled: frozenset[tuple[str, str]] = field(repr=False)
    own: "Names | None" = field(default=None, repr=False)


def names(notes: Iterable[Name]) -> Names:
    """The names of `notes`, ready to resolve links against."""
    every = [*notes]
    own = [note for note in every if not note.derived]
    return _named(every, _named(own) if 0 < len(own) < len(every) else None)


def _named(notes: Iterable[Name], own: Names | None = None) -> Names:
    composed: dict[str, set[str]] = {}
    folded: dict[str, set[str]] = {}
    last: dict[str, set[str]] = {}
    called: dict[str, set[str]] = {}
    paths, spelled = set(), set()
    for note in notes:
        paths.add(note.path)
        composed.setdefault(_nfc(note.path), set()).add(note.path)
        whole = fold(note.path)
        folded.setdefault(whole, set()).add(note.path)
        last.setdefault(whole.rpartition("/")[2], set()).add(note.path)
        for text in (note.title, *note.aliases):
            called.setdefault(fold(text), set()).add(note.path)
            spelled.add((note.path, _nfc(text)))
    called.pop("", None)
    tables = tuple(map(_sorted, (composed, folded, last, called)))
    return Names(frozenset(paths), tables[0], tables[1], tables[2], tables[3], frozenset(spelled), own)


def resolve(source: str, target: str, names: Names) -> Resolution:
    """The note that `target` (a decoded path or name, without anchor) means in the note `source`.

    Tried in order: the note's own folder, the notes root, a unique path suffix, a unique alias or title. More than one
    note on a rung is `ambiguous`, never guessed. A path that leaves the root is `outside` and is not looked for.
    Where a name, and no path, is asked for, people's notes are tried on every rung before derived ones.
    """
    found = _meant(source, target, names)
    cut = target.partition("?")[0]
    if found.by == "broken" and cut and cut != target:
        found = _meant(source, cut, names)
    finding = found.finding
    if finding == "case-mismatch" and (found.path, _nfc(target)) in names.spelled:
        finding = None
    return Resolution(found.path, "self" if found.path == source else found.by, found.candidates, finding)


def _meant(source: str, target: str, names: Names) -> Resolution:
    if names.own is not None and "/" not in target and not target.endswith(".md"):
        found = _climb(source, target, names.own)
        if found.by not in ("broken", "outside"):
            return found
    return _climb(source, target, names)


def _climb(source: str, target: str, names: Names) -> Resolution:
    folder = source.rpartition("/")[0]
    forms = FORMS[2:] if target.rpartition("/")[2] in ("", ".", "..") else FORMS
    if target.startswith("/"):
        path = joined("", target[1:])
        return OUTSIDE if path is None else _at(path, "root", names, forms) or BROKEN
    near = joined(folder, target)
    if near is None:
        return OUTSIDE
    if found := _at(near, "relative" if folder else "exact", names, forms):
        return found
    if target.startswith(("./", "../")) or target in (".", ".."):
        return _beside(source, near, names, forms) or BROKEN
    path = joined("", target)
    if path is None:
        return OUTSIDE
    if found := _at(path, "exact", names, forms):
        return found
    known = (names.own, names) if names.own is not None else (names,)
    return next(filter(None, (_suffix(path, each, forms) or _alias(target, each) for each in known)), BROKEN)


def joined(folder: str, target: str) -> str | None:
    """`target` seen from `folder`, without `.` and `..`; None where it leaves the root."""
    parts = [part for part in folder.split("/") if part]
    for part in target.split("/"):
        if part == ".." and not parts:
            return None
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _at(path: str, by: str, names: Names, forms: Sequence[str] = FORMS) -> Resolution | None:
    """The note that stands at a path: as written, else composed (NFC), else in another case."""
    for form in forms:
        full = (path + form).lstrip("/")
        if full in names.paths:
            return Resolution(full, by)
        spellings = ((names.composed.get(_nfc(full)), None), (names.folded.get(fold(full)), "case-mismatch"))
        for stands, finding in spellings:
            if stands:
                return Resolution(stands[0], by, finding=finding) if len(stands) == 1 else _ambiguous(stands)
    return None


def _beside(source: str, path: str, names: Names, forms: Sequence[str]) -> Resolution | None:
    """On disk private notes stand beside the folder `notes`, so that `../notes/x.md` leads from one to the other."""
    if source.startswith(PRIVATE) and path.startswith("notes/"):
        return _at(path.removeprefix("notes/"), "relative", names, forms)
    return None


def _suffix(path: str, names: Names, forms: Sequence[str]) -> Resolution | None:
    for form in forms:
        wanted = fold(path + form)
        stands = [each for each in names.last.get(wanted.rpartition("/")[2], ()) if _ends(fold(each), wanted)]
        if not stands:
            continue
        same = [each for each in stands if _ends(_nfc(each), _nfc(path + form))]
        if len(same or stands) > 1:
            return _ambiguous(tuple(stands))
        return Resolution((same or stands)[0], "suffix", finding=None if same else "case-mismatch")
    return None


def _alias(text: str, names: Names) -> Resolution | None:
    stands = names.called.get(fold(text), ())
    if len(stands) > 1:
        return _ambiguous(stands)
    return Resolution(stands[0], "alias", finding="alias-link") if stands else None


def _ambiguous(candidates: tuple[str, ...]) -> Resolution:
    return Resolution(None, "ambiguous", candidates=tuple(sorted(candidates)))


def _ends(path: str, suffix: str) -> bool:
    return path == suffix or path.endswith(f"/{suffix}")


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _sorted(table: Mapping[str, set[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(sorted(paths)) for name, paths in table.items()}


BROKEN = Resolution(None, "broken")
OUTSIDE = Resolution(None, "outside")
