"""The places inside a note that a link's anchor may name: headings, explicit ids and blocks."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rhizome.graph.sections import Section

HEADING_ID = re.compile(r"[ \t]*\{#([^\s{}]{1,200})\}[ \t]*$")
HTML_ID = re.compile(r"<[A-Za-z][^<>]{0,500}?\s(?:id|name)\s*=\s*[\"']?([^\s\"'<>]{1,200})")
BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]{1,100})[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A name for a line of a note; `text` is a heading's words, empty for other places."""

    name: str
    line: int
    text: str = ""


def slug(text: str) -> str:
    """A heading's anchor as GitHub makes it: lower case, letters, digits, `-` and `_`, spaces as `-`."""
    kept = (letter for letter in text.strip().lower() if letter in "-_ " or unicodedata.category(letter)[0] in "LNM")
    return "".join(kept).replace(" ", "-")


def anchors(sections: Iterable[Section]) -> Iterator[Anchor]:
    """Every anchor of a note, headings first where both stand in a line; a repeated slug gets `-1`, `-2`."""
    seen: dict[str, int] = {}
    for section in sections:
        heading = section.heading[-1] if section.level else ""
        if explicit := HEADING_ID.search(heading):
            yield Anchor(explicit[1], section.line)
            heading = heading[: explicit.start()]
        if section.level:
            yield Anchor(_free(slug(heading), seen), section.line, heading)
        for name, pattern in (("", HTML_ID), ("^", BLOCK_ID)):
            for match in pattern.finditer(section.text):
                yield Anchor(name + match[1], section.text_line + section.text.count("\n", 0, match.start(1)))


def find(anchor: str, places: Iterable[Anchor]) -> int | None:
    """The line an anchor means: by slug or id, a heading's exact words, either in another case, then letters alone.

    `A#B` means the heading B (below A): its last part is looked for.
    """
    wanted = anchor.rpartition("#")[2].strip()
    known = list(places)
    rungs: tuple[Callable[[Anchor], bool], ...] = (
        lambda place: place.name == wanted,
        lambda place: bool(place.text) and place.text == wanted,
        lambda place: place.name.casefold() == wanted.casefold() or place.name == slug(wanted),
        lambda place: bool(_letters(wanted)) and _letters(place.text or place.name) == _letters(wanted),
    )
    return next((place.line for fits in rungs for place in known if fits(place)), None)


def _free(wanted: str, seen: dict[str, int]) -> str:
    name = wanted
    while name in seen:
        seen[wanted] += 1
        name = f"{wanted}-{seen[wanted]}"
    seen[name] = 0
    return name


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFC", text).casefold()))
