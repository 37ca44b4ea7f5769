"""What a link's destination asks for, before anyone knows whether it is there."""

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import unquote

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?=\S)|//(?=[^/])")
DRIVE = re.compile(r"[A-Za-z]:[\\/]")
REFUSED = {"javascript", "vbscript", "file", "data"}
TEMPLATE = re.compile(r"\{\{|<%|^\(\(")
FILE = re.compile(
    r"\.(?:avif|bmp|css|csv|docx?|eml|epub|excalidraw|canvas|gif|gz|html?|ico|ini|ipynb|jpe?g|js|jsonl?|log|m4a|mov|mp3|mp4|odt|"
    r"pdf|png|pptx?|py|rs|sh|sql|svg|tar|toml|ts|tsv|txt|wav|webm|webp|xlsx?|xml|ya?ml|zip)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Target:
    """A destination read: `kind` is note, file, anchor, external, template, refused or drive.

    `path` is percent-decoded once and ends before the anchor; an external one keeps its whole text.
    """

    kind: str
    path: str
    anchor: str = ""


def target(raw: str, *, wiki: bool = False) -> Target:
    """The target that a destination names; a wikilink's name is taken as it stands, without percent-decoding."""
    raw = raw.strip()
    if TEMPLATE.search(raw):
        return Target("template", raw)
    if DRIVE.match(raw):
        return Target("drive", raw)
    if scheme := SCHEME.match(raw):
        return Target("refused" if (scheme[1] or "").lower() in REFUSED else "external", raw)
    path, _, anchor = raw.partition("#")
    if not wiki:
        path, anchor = unquote(path), unquote(anchor)
    if not path.strip():
        return Target("anchor", "", anchor)
    return Target("file" if FILE.search(path.partition("?")[0]) else "note", path.strip(), anchor)


def fold(text: str) -> str:
    """The form in which names are compared: composed (NFC), without case, white space as one space."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return " ".join(folded.split())


def key(text: str) -> str:
    """The last component of a path or name, folded, without `.md` and what follows a `?`.

    Every rung of the resolution ladder finds a note only under a name with the target's key, so that the notes a
    link may mean can be fetched by it.
    """
    last = fold(text).partition("?")[0].rstrip("/").rpartition("/")[2]
    while last.endswith(".md"):
        last = last[:-3]
    return "" if last in (".", "..") else last


def keys(path: str, title: str, aliases: tuple[str, ...]) -> set[str]:
    """Every key under which a note is found: its name, title, aliases, and its folder's name if it is a folder note."""
    own = key(path)
    folder = {key(path.rpartition("/")[0]), ""} if own in ("index", "readme") else set()
    return {own, key(title), *map(key, aliases), *folder}
