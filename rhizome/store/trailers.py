"""The name of the call that wrote a commit, last in its message, where no text of anybody else can stand."""

import re
import unicodedata

from rhizome.errors import Refused
from rhizome.store.port import LogHead

ACTORS = ("human", "consolidate", "import", "init", "forget", "sync", "mv", "agent", "upgrade")
CALL_CHARS = 120
SUBJECT_CHARS = 160
"""A title longer than this is cut: a subject is for lists, the text itself is in the note."""

CALL = re.compile(rf"(?:{'|'.join(ACTORS)})/[A-Za-z0-9._-]+(?:/[0-9]+)?")
HEAD = re.compile(r"([0-9a-f]{8})/([0-9]{1,19})/([0-9a-f]{64})")
TRAILER = re.compile(r"[A-Za-z0-9-]+[ \t]*:|[ \t]|\(cherry picked from commit ")


def message(subject: str, call: str, head: LogHead | None = None) -> str:
    """A commit message: the subject on one line, then `Truth-Head:` if there is one, then `Truth-Call:`, last.

    Raises Refused for a call or head that does not keep its grammar.
    """
    if len(call) > CALL_CHARS or not CALL.fullmatch(call):
        raise Refused(f"{call[:CALL_CHARS]!r} is no call id", f"Write <actor>/<id>, actor in {', '.join(ACTORS)}.")
    lines = [f"Truth-Call: {call}"]
    if head is not None:
        text = "/".join(map(str, head))
        if not HEAD.fullmatch(text):
            raise Refused(f"log head {text!r} is not <home-id>/<seq>/<chain value>", "Give it as the log has it.")
        lines.insert(0, f"Truth-Head: {text}")
    return "\n".join([one_line(subject) or "notes", "", *lines, ""])


def one_line(subject: str) -> str:
    """`subject` as one bounded line without control, bidirectional or tag characters, and no divider of git's."""
    words = "".join(" " if char in "\t\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029" else char for char in subject)
    kept = "".join(char for char in words if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    line = " ".join(kept.split())[:SUBJECT_CHARS].strip()
    return line.lstrip("- ") if line.startswith("---") else line  # after a line of three dashes git reads no trailer


def calls(text: str) -> tuple[str, ...]:
    """Every `Truth-Call:` of a message's trailer block, in order; a value outside the grammar is no call."""
    return tuple(value for value in _values(text, "Truth-Call") if len(value) <= CALL_CHARS and CALL.fullmatch(value))


def head(text: str) -> LogHead | None:
    """What a message's last `Truth-Head:` says."""
    found = [match for value in _values(text, "Truth-Head") if (match := HEAD.fullmatch(value))]
    return (found[-1][1], int(found[-1][2]), found[-1][3]) if found else None


def _values(text: str, key: str) -> list[str]:
    """The values of `key` in the last paragraph, if that is a trailer block and not the subject."""
    paragraphs = re.split(r"\n(?:[ \t]*\n)+", text.replace("\r\n", "\n").strip("\n \t"))
    block = paragraphs[-1].split("\n") if len(paragraphs) > 1 else []
    if not all(TRAILER.match(line) for line in block):
        return []
    prefix = f"{key}:"
    return [line[len(prefix):].strip() for line in block if line.startswith(prefix)]
