"""A rule: where to look, and which bytes there are the secret.

Every rule names the literal marks that no match of it can do without. One pass over a text finds all marks of all
rules, and a rule is tried only where one of its marks stands, so that a text costs its length and a bounded number of
steps for each mark in it. Rules read bytes: the patterns are about ASCII, and offsets then mean one thing.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Finds = Callable[[bytes, int, int], Iterable[tuple[int, int]]]
"""From a text and where a mark stands in it (start, end) to the places of secrets."""

_ESCAPED = (rb"(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-F]{2})"
            rb"|(?<=\[K)|(?<=[;\[][0-9]m)|(?<=[;\[][0-9]{2}m)")
"""Letters that are none: the ends of escapes of JSON, of a URL, of a terminal's colours."""

START = rb"(?:(?<![A-Za-z0-9])|" + _ESCAPED + rb")"
"""Where a token may begin."""

ALONE = rb"(?:(?<![A-Za-z0-9_+/.-])|" + _ESCAPED + rb")"
"""Where a token without any separator in it may begin: never inside base64, a path or a name."""

END = rb"(?![A-Za-z0-9])"
URL_END = rb"(?![A-Za-z0-9_-])"
ALONE_END = rb"(?![A-Za-z0-9_+/=-])"


@dataclass(frozen=True, slots=True)
class Rule:
    """`finds` is tried where any of `marks` stands."""

    name: str
    marks: tuple[bytes, ...]
    finds: Finds


def at_mark(pattern: bytes, *, holds: bytes = b"") -> Finds:
    """Finds `pattern` beginning at the mark: its group 1, or all of it where it has no group. `holds` stands in it."""
    compiled, held = re.compile(pattern), re.compile(holds)

    def finds(text: bytes, start: int, end: int) -> Iterable[tuple[int, int]]:
        match = compiled.match(text, start)
        if match is None or not held.search(text, end, match.end()):
            return ()
        return (match.span(match.lastindex or 0),)

    return finds


def around_mark(pattern: bytes, ahead: range) -> Finds:
    """Finds `pattern` beginning so many bytes ahead of the mark, the most first."""
    compiled = re.compile(pattern)

    def finds(text: bytes, start: int, end: int) -> Iterable[tuple[int, int]]:  # noqa: ARG001
        for before in reversed(ahead):
            if before <= start and (match := compiled.match(text, start - before)):
                return (match.span(),)
        return ()

    return finds


def word_start(text: bytes, at: int, alphabet: bytes, before: int) -> int:
    """Where the run of `alphabet` that ends at `at` begins, `before` bytes back at most."""
    ahead = text[max(0, at - before) : at]
    return at - len(ahead) + len(ahead.rstrip(alphabet))


def unslashed(value: bytes) -> bytes:
    """A value whose slashes are no longer escaped, as some write them in JSON."""
    return _SLASH.sub(b"/", value)


_SLASH = re.compile(rb"\\{1,7}/")
