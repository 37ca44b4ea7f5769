"""A person's own questions, as a note that a person reads and edits:

    - which branch do we release from?
      - [deploy.md](tidepool/deploy.md): answers it
      - `3f9ac02b11aa`: said then
    - where is the spare key?
      - nothing

What is written in any other form is left alone and asked about by nobody.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

NOTE = "rhizome-questions.md"
"""At the root of the notes, and of the private ones for answers that are private. It is not searched: it would answer
every question that it asks."""

HEAD = """# Questions with known answers

`rhizome eval run` asks each of these and tells how many were answered. Below a question stand the notes and events that
answer it, or that nothing does.

"""

NOTHING = "nothing"

_QUESTION = re.compile(r"[-*+] +(?P<text>\S.*?)\s*$")
_EXPECTED = re.compile(r"[ \t]+[-*+] +(?:\[[^\]]*\]\((?P<path>[^)\s]+)\)|`(?P<ref>[^`]+)`|(?P<nothing>nothing)\b)")


@dataclass(frozen=True, slots=True)
class Golden:
    """A question, and the refs that answer it: paths of notes and ids of events; none when nothing should."""

    text: str
    expected: tuple[str, ...]


def parse(text: str) -> list[Golden]:
    """The questions of a note. One without any answer below it, not even `nothing`, is not asked."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if question := _QUESTION.match(line):
            found.append((question["text"], []))
        elif found and (expected := _EXPECTED.match(line)):
            found[-1][1].append(NOTHING if expected["nothing"] else unquote(expected["path"] or expected["ref"]))
    return [Golden(question, tuple(ref for ref in refs if ref != NOTHING)) for question, refs in found if refs]


def render(question: Golden) -> str:
    """The lines of one question."""
    return "\n".join([f"- {' '.join(question.text.split())}", *map(_answer, question.expected or (NOTHING,)), ""])


def added(note: str | None, question: Golden) -> str:
    """The note with one more question at its end; nothing that stands in it changes."""
    text = HEAD if note is None else note
    return text + ("" if not text or text.endswith("\n") else "\n") + render(question)


def answers(expected: str, ref: str) -> bool:
    """Whether a hit's ref is what was expected: the note, wherever in it, or the event, by its first digits."""
    return place(ref) == place(expected) or (_is_event(expected) and ref.startswith(expected))


def place(ref: str) -> str:
    """A ref without its line."""
    path, _, line = ref.rpartition(":")
    return path if path and line.isdecimal() else ref


def _is_event(ref: str) -> bool:
    return re.fullmatch("[0-9a-f]{8,32}", ref) is not None


def _answer(ref: str) -> str:
    if ref == NOTHING or not place(ref).endswith(".md"):
        return f"  - {ref}" if ref == NOTHING else f"  - `{ref}`"
    path = place(ref)
    return f"  - [{path.rpartition('/')[2]}]({quote(path)}): answers it"


def ranked(found: Sequence[str], expected: Sequence[str]) -> Iterator[str]:
    """The refs found, in order, each under the name by which it was expected, where it was."""
    for ref in found:
        yield next((name for name in expected if answers(name, ref)), place(ref))
