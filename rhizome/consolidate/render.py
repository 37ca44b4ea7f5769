"""A subject's note as the ledger would have it: a page of statements, links with reasons, and receipts as footnotes.

An unchanged fact never changes a byte: wording and order are fixed, and confirmations are not told here.
"""

import json
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rhizome.consolidate.evidence import SAID
from rhizome.consolidate.layout import Page
from rhizome.consolidate.lossless import decode
from rhizome.ledger.keys import statement_id
from rhizome.model import Fact, FactLink

QUOTE_CHARS = 300
"""How much of a quote a private note repeats; the event named beside it holds all."""

VALUE_CHARS = 120
"""How much of what a statement replaced is named in its footnote."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What one current fact gives to its note."""

    id: str
    words: str
    note: str
    aliases: tuple[str, ...]
    links: tuple[FactLink, ...]


def entry(fact: Fact, date: str, *, private: bool, typed: bool) -> Entry:
    """A fact as a statement and its footnote. What a person typed in a note is kept to the byte.

    A green footnote tells type, who said it, when, which event and what it replaced; a private one also the words.
    """
    key = statement_id(fact.scope, fact.fact_key)
    words = fact.statement if typed and fact.statement else plain(fact.statement) or plain(_named(fact))
    note = f"[^{key}]: {flat(fact.type)}, {_voice(fact)} on {date}"
    if fact.evidence:
        note += f" (event {fact.evidence[0].event[:8]}…)"
    if fact.supersedes:
        note += f"; before: {cut(fact.supersedes, VALUE_CHARS)}"
    if private:
        note += _private(fact)
    return Entry(key, words, note, tuple(sorted({flat(alias) for alias in fact.aliases} - {""})), fact.links)


def _named(fact: Fact) -> str:
    """A fact without a statement says its attribute and value."""
    return f"{fact.attribute or fact.subject}: {fact.value}" if fact.value else fact.fact_key


def _voice(fact: Fact) -> str:
    """The kind of actor behind a fact, never a name."""
    if fact.origin == "human" or (not fact.origin and fact.actor == "human"):
        return "said by a person"
    if fact.origin.startswith("peer:"):
        return "said by a peer"
    if fact.origin == "tool":
        return "told by a tool"
    return "said by an agent" if fact.confidence >= SAID else "inferred by an agent"


def _private(fact: Fact) -> str:
    quote = cut(fact.evidence[0].quote, QUOTE_CHARS) if fact.evidence else ""
    words = f"; words: “{quote}”" if quote else ""
    return words + (f"; more: {cut(fact.detail, QUOTE_CHARS)}" if fact.detail.strip() else "")


# ---------------------------------------------------------------- the page


def page(title: str, entries: Mapping[str, Entry], links: Iterable[tuple[str, str, str]]) -> Page:
    """The page of a subject: entries by id, links as (label, path, why)."""
    ordered = [entries[key] for key in sorted(entries)]
    aliases = sorted({alias for each in ordered for alias in each.aliases} - {title})
    return Page(
        head=head(title, aliases),
        statements={each.id: each.words for each in ordered},
        foot=_links(links) | _notes(ordered),
    )


def head(title: str, aliases: Iterable[str] = ()) -> dict[str, str]:
    """Front matter and heading. `derived` gets its name when the page is published."""
    shown = flat(title) or "untitled"
    named = ", ".join(scalar(alias) for alias in aliases)
    return {
        "front": "---", "title": f"title: {scalar(shown)}",
        **({"aliases": f"aliases: [{named}]"} if named else {}),
        "derived": "derived: ", "front end": "---", "heading": f"# {shown}", "after heading": "",
    }


def _links(links: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    made = {}
    for label, path, why in sorted(set(links)):
        line = f"- {link(label, path)}" + (f": {flat(why)}" if flat(why) else "")
        made[f"link:{fingerprint(line)}"] = line
    return {"before links": "", "links": "## Related", "after links": "", **made} if made else {}


def _notes(entries: Iterable[Entry]) -> dict[str, str]:
    notes = {f"note:{each.id}": each.note for each in entries}
    return {"before note": "", **notes} if notes else {}


# ---------------------------------------------------------------- safe words

_INVISIBLE = re.compile("[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+")
_STARTS_BLOCK = re.compile(r"(?:[-*+](?= )|#{1,6}(?= |$)|>|`{3}|~{3}|\||<|\[[ xX]\](?= )|(?:[-*_=] ?){3,}$)")
_NUMBERED = re.compile(r"\d{1,9}[.)](?= )")
_PLAIN_SCALAR = re.compile(r"[^\W\d_](?:[\w ./+-]*[\w.+])?")
_YAML_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})


def flat(text: str) -> str:
    """`text` as one line of visible characters without a footnote reference of its own."""
    line = " ".join(_INVISIBLE.sub(" ", text).split()).replace("[^", r"[\^")
    return line if line.isascii() else decode(line.encode())


def plain(text: str) -> str:
    """`text` as one line that begins no Markdown block."""
    line = flat(text)
    if _STARTS_BLOCK.match(line):
        return "\\" + line
    if numbered := _NUMBERED.match(line):
        return f"{line[:numbered.end() - 1]}\\{line[numbered.end() - 1:]}"
    return line


def cut(text: str, chars: int) -> str:
    """`text` as one line of at most `chars` characters, with an ellipsis where it was longer."""
    line = flat(text)
    return line if len(line) <= chars else line[:chars - 1].rstrip().removesuffix("\\") + "…"


def scalar(text: str) -> str:
    """`text` as a YAML scalar, quoted where a reader could take it for something else."""
    if _PLAIN_SCALAR.fullmatch(text) and text.casefold() not in _YAML_WORDS:
        return text
    return json.dumps(text, ensure_ascii=False)


def link(label: str, path: str) -> str:
    """A Markdown link; brackets in the label and odd characters in the path cannot end it."""
    shown = re.sub(r"([\[\]\\])", r"\\\1", flat(label)) or "note"
    target = f"<{path}>" if re.search(r"[\s()<>]", path) else path
    return f"[{shown}]({target})"


def fingerprint(line: str) -> str:
    """Eight hex digits that tell a machine line from the others of its section."""
    return f"{zlib.crc32(line.encode('utf-8', 'replace')):08x}"
