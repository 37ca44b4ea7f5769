"""Which texts are paths inside a vault, and which of them every computer can keep.

Two questions, because people's own files may have any name their disk took: `contained` says that a path stays inside,
`safe_path` says besides that a new note may have it everywhere. Whether the disk itself leads outside is asked where
a file is opened (`files.py`).
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from urllib.parse import unquote

from rhizome.errors import OutsidePath, Refused

COMPONENT_BYTES = 255
PATH_BYTES = 1024

RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?", re.DOTALL)
FORBIDDEN = frozenset('<>:"|?*\\')
DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
IGNORED = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
"""Characters one file system drops when it compares names: with them `.g\u200cit` is `.git`."""

GIT = re.compile(r"\.git|git~[0-9]+", re.IGNORECASE)


def contained(path: str) -> str:
    """`path`, if it is relative and stays inside without touching `.git`. Raises OutsidePath."""
    if not path:
        raise OutsidePath("the path is empty", "Give a path relative to the notes folder, like deploy.md.")
    if "\0" in path or any(0xD800 <= ord(char) <= 0xDFFF for char in path):
        raise OutsidePath(f"{path!r} is not a text a file can be named", "Remove NUL and unpaired surrogates.")
    if path.startswith(("/", "\\", "~/")) or re.match(r"[A-Za-z]:[/\\]", path):
        raise OutsidePath(f"{path!r} is absolute", "Give it relative to the notes folder.")
    for part in path.replace("\\", "/").split("/"):
        if part in ("", ".", ".."):
            raise OutsidePath(f"{path!r} has a component {part!r}", "Write it without `.`, `..` and double slashes.")
        if GIT.fullmatch(IGNORED.sub("", part).partition(":")[0].rstrip(". ")):
            raise OutsidePath(f"{path!r} names git's own folder", "Choose another name.")
    return path


def safe_path(path: str) -> str:
    """`path` in NFC, if a note of this name can exist on every system. Raises OutsidePath or Refused."""
    contained(path)
    path = unicodedata.normalize("NFC", path)
    if len(path.encode()) > PATH_BYTES:
        raise Refused(f"{path[:40]!r}... is longer than {PATH_BYTES} bytes", "Shorten it.")
    for part in path.split("/"):
        if why := _unportable(part):
            raise Refused(f"{path!r}: {part[:60]!r} {why}", "Choose a name that every system can keep.")
    return path


def _unportable(part: str) -> str:
    """Why not every system keeps a file of this name; empty if all do."""
    if len(part.encode()) > COMPONENT_BYTES:
        return f"is longer than {COMPONENT_BYTES} bytes"
    if part.startswith(("-", "~", " ")):
        return f"starts with {part[0]!r}"
    if part.endswith((".", " ")):
        return "ends with a dot or a space"
    if bad := FORBIDDEN.intersection(part):
        return f"contains {min(bad)!r}"
    if any(char in DIRECTION or unicodedata.category(char) in ("Cc", "Zl", "Zp") or 0xE0000 <= ord(char) <= 0xE007F
           for char in part):
        return "contains a control or direction character"
    if RESERVED.fullmatch(part.casefold()):
        return "is a device name on Windows"
    decoded = unquote(part)
    if decoded in (".", "..") or "/" in decoded or "\\" in decoded:
        return "is a disguised path"
    return ""


def folded(name: str) -> str:
    """What a file system that ignores case and normal form sees; equal texts are one file there."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


class Names:
    """The names in each folder, so that a new note takes none that a file system could mistake for another.

    `listing(folder)` gives a folder's names ("" is the root), each with whether it is a folder itself.
    """

    def __init__(self, listing: Callable[[str], Mapping[str, bool]]) -> None:
        self._listing = listing
        self._folders: dict[str, dict[str, dict[str, bool]]] = {}

    def claim(self, path: str) -> None:
        """Takes a name. Raises Refused for a case or normal-form twin, for a folder, or below a note."""
        parts = path.split("/")
        for depth, part in enumerate(parts):
            folder, is_folder = "/".join(parts[:depth]), depth < len(parts) - 1
            alike = self._in(folder).setdefault(folded(part), {})
            if other := next((name for name in alike if part not in alike), None):
                raise Refused(f"{path} and {'/'.join([*parts[:depth], other])} are one file on some systems",
                              "Use the existing name or another one.")
            if alike.setdefault(part, is_folder) != is_folder:
                what = "a note" if is_folder else "a folder"
                raise Refused(f"{path}: {'/'.join(parts[:depth + 1])} is {what}", "Choose another path.")

    def _in(self, folder: str) -> dict[str, dict[str, bool]]:
        if folder not in self._folders:
            known: dict[str, dict[str, bool]] = {}
            for name, is_folder in self._listing(folder).items():
                known.setdefault(folded(name), {})[name] = is_folder
            self._folders[folder] = known
        return self._folders[folder]
