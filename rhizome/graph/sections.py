"""Where a note's sections begin: its headings, found line by line, past code, comments and raw HTML.

A scanner and not the Markdown parser, so that ten thousand notes take a second; a test holds the two together.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*")
SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*")
FENCE = re.compile(r"(`{3,})[^`]*|(~{3,}).*")
MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
BREAK = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})")
RAW = re.compile(r"<(script|pre|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
BLOCK_TAG = re.compile(
    r"</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    r"fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|"
    r"menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)"
    r"(?=[\s>]|/>|$)",
    re.IGNORECASE,
)
ANY_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>[ \t]*")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the text below it: `heading` is the path of headings down to it, empty before the first.

    `line` is the heading's line (the text's own before the first), `text_line` the first line of `text`;
    `level` is 0 before the first heading.
    """

    heading: tuple[str, ...]
    line: int
    text_line: int
    text: str
    level: int = 0


@dataclass(frozen=True, slots=True)
class Heading:
    """Its level, its words as written, the index of its first line and of the first line after it."""

    level: int
    text: str
    start: int
    end: int


def sections(lines: Sequence[str], first: int, plain: Callable[[str], str]) -> tuple[Section, ...]:
    """The sections of `lines[first:]`, in order; blank text before the first heading makes none."""
    found = []
    headings = list(outline(lines, first))
    ends = [*(heading.start for heading in headings[1:]), len(lines)][: len(headings)]
    lead = "\n".join(lines[first : headings[0].start if headings else len(lines)])
    if lead.strip():
        found.append(Section((), first + 1, first + 1, lead))
    above: list[tuple[int, str]] = []
    for heading, end in zip(headings, ends, strict=True):
        above = [*(each for each in above if each[0] < heading.level), (heading.level, plain(heading.text))]
        path = tuple(words for _, words in above)
        text = "\n".join(lines[heading.end : end])
        found.append(Section(path, heading.start + 1, heading.end + 1, text, heading.level))
    return tuple(found)


def outline(lines: Sequence[str], first: int = 0) -> Iterator[Heading]:
    """The headings that stand in no list, quote, code or HTML."""
    scan = Scan()
    for index in range(first, len(lines)):
        if heading := scan.heading(lines[index], index, lines):
            yield heading


class Scan:
    """What a line is, given the lines before it. `prose` says whether the last line may hold links."""

    def __init__(self) -> None:
        self.prose = False
        self._fence = ""
        self._until = ""  # what closes the raw HTML we are in; a blank line where it is "\n"
        self._items: list[int] = []  # columns at which the contents of the open list items start
        self._paragraph: int | None = None  # first line of the paragraph we are in, outside lists and quotes
        self._lazy = False  # whether plain text goes on a paragraph of a list item or quote

    def heading(self, line: str, index: int, lines: Sequence[str]) -> Heading | None:
        """The heading that ends in this line, if one does."""
        text = line.lstrip(" \t")
        indent = len(line[: len(line) - len(text)].expandtabs(4))
        self.prose = False
        if self._fence and self._in_fence(text, indent):
            return None
        if self._until:
            if self._until in line.lower() or (self._until == "\n" and not text):
                self._until = ""
            return None
        if not text:
            self._paragraph, self._lazy = None, False
            return None
        items = [column for column in self._items if column <= indent]
        depth = indent - (items[-1] if items else 0)
        if depth >= 4 and self._paragraph is None and not self._lazy:
            return None
        self.prose = True
        if depth < 4:
            if heading := self._heading_of(line, text, bool(items), index, lines):
                self._items, self._paragraph, self._lazy = [], None, False
                return heading
            if self._opens(line, text, indent):
                self._items, self._paragraph = items, None
                self._inside(text, indent)
                return None
        if not self._lazy and self._paragraph is None:
            self._items, self._paragraph = items, None if items else index
            self._lazy = bool(items)
        return None

    def _heading_of(self, line: str, text: str, nested: bool, index: int, lines: Sequence[str]) -> Heading | None:
        if nested:
            return None
        if (start := self._paragraph) is not None and text[0] in "=-" and SETEXT.fullmatch(line):
            words = " ".join(each.strip() for each in lines[start:index])
            return Heading(1 if text[0] == "=" else 2, words, start, index + 1)
        if text[0] == "#" and (match := ATX.fullmatch(line)):
            return Heading(len(match[1]), (match[2] or "").strip(), index, index + 1)
        return None

    def _opens(self, line: str, text: str, indent: int) -> bool:
        """Whether a block other than a paragraph starts in this line."""
        if text[0] in "`~":
            return FENCE.fullmatch(text) is not None
        if text[0] == "<":
            return self._html(text)
        if text[0] in ">#":
            return text[0] == ">" or ATX.fullmatch(text) is not None
        if BREAK.fullmatch(line[indent:] if indent else line):
            return True
        marker = MARKER.match(text)
        if not marker or self._paragraph is None:
            return marker is not None
        return marker.end() < len(text) and (not text[0].isdigit() or marker[0].rstrip(" \t)." ) == "1")

    def _inside(self, text: str, indent: int) -> None:
        """Go on with what stands in the line behind list markers and quote signs."""
        self._lazy = False
        while marker := MARKER.match(text):
            if BREAK.fullmatch(text):
                return
            sign = len(marker[0].rstrip())
            space = len(marker[0].expandtabs(4)) - sign
            indent += sign + (space if 1 <= space <= 4 else 1)
            self._items.append(indent)
            text = text[marker.end() :]
        if text[:1] in ("`", "~") and FENCE.fullmatch(text):
            self._fence, self.prose = text[: len(text) - len(text.lstrip(text[0]))], False
        elif text[:1] not in ("<", "#"):
            goes_on = bool(text.strip("> \t")) and not BREAK.fullmatch(text)
            self._lazy = goes_on and (text[0] == ">" or bool(self._items))

    def _in_fence(self, text: str, indent: int) -> bool:
        if text and self._items and indent < self._items[-1]:
            self._fence, self._items = "", []  # the list item that held the fence is over
            return False
        if text.startswith(self._fence) and not text.strip(self._fence[0] + " \t"):
            self._fence = ""
        return True

    def _html(self, text: str) -> bool:
        """Whether raw HTML opens here; notes what closes it."""
        if raw := RAW.match(text):
            closer = f"</{raw[1].lower()}>"
        elif text.startswith("<!--"):
            closer = "-->"
        elif BLOCK_TAG.match(text) or (self._paragraph is None and not self._lazy and ANY_TAG.fullmatch(text)):
            self._until = "\n"
            return True
        else:
            return False
        self._until = "" if closer in text.lower() else closer
        self.prose = not self._until
        return True
