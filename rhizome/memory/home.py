"""A home: the folder that holds one person's memory, how it is found, made and read."""

import json
import os
import re
import zlib
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rhizome.errors import NoHome, Refused, RhizomeError
from rhizome.log.identity import identify, make_key, read_key
from rhizome.log.segments import homes, names
from rhizome.memory.marker import MARKER, settings
from rhizome.model import PRIVATE
from rhizome.store.tree import Look, look, nothing

if TYPE_CHECKING:
    from rhizome.store.tree import Entering

TEMPLATES = (Path(__file__).parents[1] / "notes-template", Path(__file__).parents[2] / "notes-template")
"""Where `notes-template/` stands: inside an installed package, or beside it in a checkout."""

TABLES = ("notes", "search", "distill", "ledger", "red", "redaction", "doctor")

Clock = Callable[[], datetime]
Dice = Callable[[int], bytes]


class Home(msgspec.Struct, frozen=True):
    """Where the parts of one memory stand. `id` names the log folder that this machine writes."""

    root: Path
    id: str
    notes: Path
    index: Path
    key: bytes
    settings: Mapping[str, Any]

    @property
    def adopted(self) -> bool:
        """Whether the notes are a vault that was there before."""
        return "notes" in self.settings

    @property
    def log(self) -> Path:
        return self.root / "log"

    @property
    def private(self) -> Path:
        return self.root / "private"

    @property
    def index_lock(self) -> Path:
        """What whoever changes the search index holds; it outlives the index."""
        own = self.index.parent == self.root
        return self.log / self.id / "index.lock" if own else self.index.with_suffix(".lock")


def red(home: Home) -> tuple[re.Pattern[str], ...]:
    """Patterns of what must never be kept. Raises Refused for one that is no pattern."""
    try:
        return tuple(map(re.compile, texts(home, "red", "patterns")))
    except re.error as wrong:
        raise Refused(f"{MARKER}: [red] patterns: {wrong}", "Mend the pattern.") from wrong


def texts(home: Home, table: str, name: str) -> tuple[str, ...]:
    """A list that a home sets. Raises Refused for anything else: a lone text would count letter by letter."""
    found = home.settings.get(table, {}).get(name, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise Refused(f"{MARKER}: [{table}] {name} is not a list of texts", f'Write `{name} = ["..."]`.')
    return tuple(found)


def roots(home: Home) -> dict[str, Path]:
    """The work trees by the prefix of their refs; the amber one once it is there."""
    return {"": home.notes} | ({PRIVATE: home.private} if (home.private / ".git").exists() else {})


def looks(home: Home, entering: "Entering" = nothing) -> dict[str, Look]:
    """What stands in each work tree, by the prefix of its refs; `entering` is told of each folder before."""
    return {prefix: look(root, entering) for prefix, root in roots(home).items()}


def open_home(root: Path, spare: Path | None = None) -> Home:
    """The home at `root`; where nothing may be written in it, its index stands in a folder below `spare`.

    Raises NoHome where there is none, RhizomeError where its settings cannot be read.
    """
    root = root.absolute()
    marker = root / MARKER
    if not marker.is_file():
        raise NoHome(f"{root}: no rhizome home here", "Make one with `rhizome init`, or name it with --home.")
    try:
        found = settings(marker.read_text(encoding="utf-8"))
        home_id = str(found["home"]["id"])
    except ValueError as wrong:  # TOMLDecodeError, UnicodeDecodeError
        raise RhizomeError(
            f"{marker}: not valid TOML ({wrong})", "Mend the named line; nothing else was touched."
        ) from wrong
    except (KeyError, TypeError) as wrong:
        raise RhizomeError(
            f"{marker}: no `id` under [home]", "Put back the id: the name of the folder under log/."
        ) from wrong
    for name in TABLES:
        if not isinstance(found.get(name, {}), dict):
            raise RhizomeError(f"{marker}: {name}: not a table", f"Write `[{name}]` on a line of its own.")
    notes = found.get("notes", {}).get("path", "notes")
    if not isinstance(notes, str) or not notes or "\0" in notes:
        raise RhizomeError(f"{marker}: [notes] path: not a folder's path", 'Write `path = "notes"`, or your vault\'s.')
    index = root / "index"
    if spare is not None and not os.access(index if index.is_dir() else root, os.W_OK):
        index = borrowed(index, spare / f"{home_id}-{zlib.crc32(os.fsencode(root)):08x}")
    return Home(root, home_id, root / notes, index, read_key(root / "log" / "key"), found)


def borrowed(index: Path, place: Path) -> Path:
    """A folder for the index of a home that may only be read, begun with what the home has."""
    if not place.is_dir():
        place.mkdir(mode=0o700, parents=True)
        if index.is_dir():
            import shutil

            shutil.copytree(index, place, dirs_exist_ok=True)
    return place


def lay_out(root: Path, *, vault: Path | None, dice: Dice) -> Home:
    """Make the folders, the key and `rhizome.toml` of a new home at `root`; the marker goes last.

    Raises Refused where `root` is a file, holds notes or a log that are no home's, or lies inside the vault.
    """
    root = root.absolute()
    if root.exists() and not root.is_dir():
        raise Refused(f"{root}: is a file", "Name a folder that may hold the memory.")
    if vault is not None and not vault.is_dir():
        raise Refused(f"{vault}: no such folder", "Name the folder of the vault that rhizome should adopt.")
    if vault is not None and root.resolve().is_relative_to(vault.resolve()):
        raise Refused(f"{root}: lies inside the vault {vault}", "Name a folder outside it: nothing of a vault changes.")
    begun = homes(root / "log")
    if (root / "notes").exists() or any(names(root / "log" / home) for home in begun):
        raise Refused(
            f"{root}: holds a log/ or notes/ folder but no {MARKER}", f"Put {MARKER} back, or name an empty folder."
        )
    home_id = begun[0] if begun else dice(4).hex()
    for folder in (root, root / "log", root / "log" / home_id):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (root / "log" / "key").exists():
        make_key(root / "log" / "key", dice)
    lines = ["[home]", f'id = "{home_id}"']
    if vault is not None:
        lines += ["", "[notes]", f"path = {json.dumps(str(vault.absolute()), ensure_ascii=False)}"]
    beside = root / f"{MARKER}.new"
    beside.write_text("\n".join(lines) + "\n", encoding="utf-8")
    beside.replace(root / MARKER)
    return open_home(root)


def template() -> dict[str, bytes]:
    """The notes that a fresh home starts with, by path."""
    folder = next((place for place in TEMPLATES if place.is_dir()), None)
    if folder is None:
        raise RhizomeError("notes-template: not found beside the package", "Install rhizome again.")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.md"))}


def event_id(home: Home, *parts: str) -> str:
    """The id of one of rhizome's own events, keyed with the person's secret."""
    return identify(home.key, *(part.encode("utf-8", "surrogatepass") for part in parts))
