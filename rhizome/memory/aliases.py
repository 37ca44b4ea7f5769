"""The names that notes and subjects have besides their own, and names that people use for them and they do not have.

A question without an answer, after which the same caller soon found a note, tells what somebody calls it. That is a
suggestion with both questions as its receipts; a person writes the alias into the note, or leaves it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from rhizome.memory import asking, projections, served
from rhizome.memory.parts import Parts
from rhizome.memory.served import Served
from rhizome.model import Found, Status, Tier, moment
from rhizome.search.tokens import terms, words

if TYPE_CHECKING:
    from rhizome.graph.edges import Entry

SOON = timedelta(minutes=10)
"""Who asks again so soon is after the same thing."""

ALIAS_WORDS = 6
"""A longer question is a told story and nobody's name for anything."""

LOOKED = 5
"""An answer holds a note when it is among so many hits."""

MISSES = frozenset({"near_miss", "off_topic", "empty"})


@dataclass(slots=True)
class Suggestion:
    """A name for a note, and the questions that speak for it: (missed, found)."""

    alias: str
    note: str
    asked: list[tuple[Served, Served]] = field(default_factory=list)


def listed(parts: Parts, clearance: Tier) -> dict[str, Any]:
    """Every alias that the reader may see, with what it stands for and where that is said."""
    projections.refresh_edges(parts)
    rows = [{"alias": alias, "name": note.title, "layer": "note", "ref": f"{note.path}:1"}
            for note in parts.edges.notes(clearance) for alias in note.aliases]  # fmt: skip
    if not parts.log.damage():
        projections.refresh_ledgers(parts)
        rows += [{"alias": alias, "name": fact.subject, "layer": "fact", "ref": next(
                    (each.event for each in fact.evidence), fact.id)}
                 for fact in parts.ledger(clearance).facts(status=Status.ACTIVE) for alias in fact.aliases]  # fmt: skip
    told = {(row["alias"], row["name"], row["layer"]): row for row in reversed(rows)}
    return {"aliases": sorted(told.values(), key=lambda row: (row["alias"].casefold(), row["layer"], row["ref"]))}


def suggested(parts: Parts, clearance: Tier) -> dict[str, Any]:
    """Names that were asked for in vain and then found otherwise; those that find their note by now are left out."""
    projections.refresh_edges(parts)
    notes = {note.path: note for note in parts.edges.notes(clearance)}
    found = [each for each in mined(served.searches(parts), notes) if not _answered(parts, each, clearance)]
    ordered = sorted(found, key=lambda each: (-len(each.asked), each.note, each.alias))
    return {"suggestions": [_told(each, notes[each.note]) for each in ordered]}


def mined(searches: Sequence[Served], notes: Mapping[str, "Entry"]) -> list[Suggestion]:
    """What these searches suggest, in the order in which it was first asked."""
    found: dict[tuple[str, str], Suggestion] = {}
    for missed, answer in _pairs(searches):
        path = next((ref.rpartition(":")[0] for layer, ref in answer.refs[:LOOKED] if layer == "note"), "")
        if path in notes and (alias := _alias(missed.question, notes[path])):
            found.setdefault((alias, path), Suggestion(alias, path)).asked.append((missed, answer))
    return list(found.values())


def _pairs(searches: Sequence[Served]) -> Iterator[tuple[Served, Served]]:
    """Each search in vain with the next one of its caller that was answered, where that came soon."""
    waiting: dict[str, list[Served]] = {}
    for each in searches:
        if each.reason in MISSES:
            waiting.setdefault(each.caller, []).append(each)
        elif each.reason is None:
            yield from ((missed, each) for missed in waiting.pop(each.caller, ())
                        if _soon(missed, each) and terms(missed.question) != terms(each.question))  # fmt: skip


def _soon(missed: Served, found: Served) -> bool:
    before, after = moment(missed.at), moment(found.at)
    return before is not None and after is not None and after - before <= SOON


def _alias(question: str, note: "Entry") -> str:
    """The words of a question that say something and do not name the note already; "" where they make no name."""
    known = set(terms("\n".join((note.title, *note.aliases))))
    said = dict.fromkeys(word.surface for word in words(question) if not word.stop and word.term not in known)
    return " ".join(said) if len(said) <= ALIAS_WORDS else ""


def _answered(parts: Parts, suggestion: Suggestion, clearance: Tier) -> bool:
    """Whether the question finds the note by now."""
    answer = asking.ask(parts, suggestion.asked[-1][0].question, k=LOOKED, layer="all", scope=None, session=None,
                        as_of=None, vectors=True, clearance=clearance)  # fmt: skip
    return isinstance(answer, Found) and any(hit.ref.startswith(f"{suggestion.note}:") for hit in answer.hits)


def _told(suggestion: Suggestion, note: "Entry") -> dict[str, Any]:
    from rhizome.consolidate.render import scalar

    named = ", ".join(map(scalar, (*note.aliases, suggestion.alias)))
    return {
        "alias": suggestion.alias, "note": suggestion.note, "title": note.title, "times": len(suggestion.asked),
        "line": f"aliases: [{named}]",
        "asked": [{"missed": _receipt(missed), "found": _receipt(found)} for missed, found in suggestion.asked],
    }  # fmt: skip


def _receipt(search: Served) -> dict[str, Any]:
    return {"question": search.question, "at": search.at, "caller": search.caller, "event": search.event or None}
