"""A memory that lived a synthetic life, asked what it may never get wrong: facts are held against the truth."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from benchmarks.synthetic.facts import Known, known
from benchmarks.synthetic.questions import Asked, questions
from benchmarks.synthetic.sessions import claims, mark, sessions
from rhizome.memory import projections
from rhizome.memory.memory import Memory
from rhizome.memory.surroundings import Surroundings
from rhizome.memory.throwaway import dice, folder

CHATTER = 0.2
NEVER = ("superseded served as current", "fact of the wrong scope", "uncleared hit")


@dataclass(slots=True)
class Measured:
    """How often each thing happened that may never happen, and how many questions of each kind were answered right, of
    how many."""

    facts: int
    never: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)


def measured(around: Surroundings, count: int, *, each: int, seed: int = 7) -> Measured:
    """Live `count` facts and ask `each` questions of every kind, spread evenly over them."""
    facts = [known(number, seed) for number in range(count)]
    with folder() as place:
        memory, said = lived(around, place, facts, seed)
        found = Measured(count)
        found.never[NEVER[0]] += disagreements(memory, facts)
        for asked in chosen(questions(facts), each):
            _ask(memory, asked, said, found)
        memory.parts.close()
        return found


def lived(around: Surroundings, place: Path, facts: Sequence[Known], seed: int) -> tuple[Memory, dict[str, Known]]:
    """A memory that heard every session and holds every claim; and which fact each event speaks of, by event id."""
    around = replace(around, home=place / "home", dice=dice(), folder=place, user_home=place, environment={})
    for path, lines in sessions(facts, seed=seed, chatter=CHATTER).items():
        file = place / "sessions" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    Memory.init(around, person="ines")
    memory = Memory(around)
    memory.import_(paths=[place / "sessions"])
    marks: dict[str, str] = {}
    for event in memory.parts.log.read(kinds=("session.record",)):
        marked = json.loads(event.body).get("mark") if isinstance(event.body, str) else None
        marks |= {marked: event.id} if marked else {}
    memory.parts.append(claims(facts, marks))
    projections.refresh(memory.parts)
    return memory, {marks[mark(fact, nth)]: fact for fact in facts for nth, claim in enumerate(fact.claims)
                    if claim.said}


def disagreements(memory: Memory, facts: Sequence[Known]) -> int:
    """How many keys have another current value than is true."""
    told = {(fact["scope"], fact["fact_key"]): fact["value"] for fact in memory.facts(status="active")["facts"]}
    true = {(fact.scope, fact.key.casefold()): fact.current for fact in facts if fact.current is not None}
    return sum(told.get(key) != true.get(key) for key in told.keys() | true.keys())


def chosen(asked: Iterable[Asked], each: int) -> list[Asked]:
    """At most `each` questions of every kind, from the whole length of the life."""
    kinds: dict[str, list[Asked]] = {}
    for question in asked:
        kinds.setdefault(question.kind, []).append(question)
    return [question for found in kinds.values() for question in islice(found, 0, None, max(1, len(found) // each))]


def _ask(memory: Memory, asked: Asked, said: dict[str, Known], found: Measured) -> None:
    answer = memory.search(query=asked.text, scope=asked.scope, clearance=asked.clearance, as_of=asked.as_of, k=5)
    found.asked[asked.kind] += 1
    found.right[asked.kind] += _right(asked, answer)
    for hit in answer["hits"]:
        fact = said.get(hit["ref"])
        if fact is not None:
            found.never[NEVER[0]] += asked.as_of is None and _stale(hit, fact)
            found.never[NEVER[1]] += fact.scope != asked.scope
    if asked.clearance == "green":
        text = json.dumps([answer["hits"], answer["nearest"], answer["detail"]])
        found.never[NEVER[2]] += any(value in text for value in asked.wrong)


def _right(asked: Asked, answer: dict[str, Any]) -> bool:
    """Whether the first hit says the value, or that it has replaced what the hit says; nothing where nothing should be
    answered."""
    if asked.right is None:
        return not any(value in hit["snippet"] for hit in answer["hits"] for value in asked.wrong) and (
            asked.kind == "forbidden" or not answer["hits"])
    first = answer["hits"][0] if answer["hits"] else None
    return first is not None and (asked.right in first["snippet"] or first["receipt"]["superseded_by"] == asked.right)


def _stale(hit: dict[str, Any], fact: Known) -> bool:
    """Whether a hit tells a value that was replaced as one that holds: as a fact, or as words that nobody took back."""
    old = any(value in hit["snippet"] for value in fact.replaced)
    new = fact.current is not None and fact.current in hit["snippet"]
    if hit["layer"] == "fact":
        return (old and not new) or fact.current is None
    return hit["layer"] == "history" and old and not new and fact.current is not None and (
        hit["receipt"]["status"] != "superseded")
