"""Text for a terminal. What comes out of notes and sessions is data: no control character of it reaches a terminal."""

import re
from typing import Any

from rhizome.patterns import late

Answer = dict[str, Any]

CONTROL = late("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
EVENT = late("[0-9a-f]{32}")
SHORT = 12
"""So many digits of an event id are shown; `read` takes them."""


def clean(text: object) -> str:
    """Text that cannot move a cursor, ring a bell or turn a line around."""
    return CONTROL.sub(escaped, str(text))


def escaped(found: re.Match[str]) -> str:
    point = ord(found[0])
    return f"\\x{point:02x}" if point < 256 else f"\\u{point:04x}"


def line(text: object) -> str:
    return clean(" ".join(str(text).split()))


def ref(name: str) -> str:
    """A ref as a person needs it: an event by its first digits."""
    return name[:SHORT] if EVENT.fullmatch(name) else clean(name)


def when(text: str) -> str:
    """A time to the second, its offset kept."""
    return clean(re.sub(r"(:\d\d)\.\d+", r"\1", text))


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
