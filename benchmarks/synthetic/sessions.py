"""The sessions in which the facts are said, as files of chats, and the claims as events for the log."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from random import Random

from benchmarks.synthetic.facts import SCOPES, Claim, Known
from benchmarks.synthetic.words import dice, sentence
from rhizome.model import Event

SUBJECTS = 10
"""So many subjects of one project are spoken of in a session."""


def sessions(facts: Iterable[Known], *, seed: int = 7, chatter: float = 0.6) -> dict[str, list[str]]:
    """Session files by path, in the order of time; `chatter` is the share of lines that say nothing of any fact.

    A line that says something has the `mark` of its claim.
    """
    files: dict[str, list[tuple[datetime, list[dict[str, object]]]]] = {}
    for fact in facts:
        block = fact.number // (5 * SCOPES * SUBJECTS)
        for nth, claim in enumerate(fact.claims):
            if claim.said:
                lines = list(_around(claim, mark(fact, nth), dice(seed, "chatter", fact.number, nth), chatter))
                files.setdefault(f"{fact.scope}/{fact.scope}-{block:05d}.jsonl", []).append((claim.at, lines))
    return {name: [json.dumps(line, ensure_ascii=False) for _, lines in sorted(said, key=lambda each: each[0])
                   for line in lines] for name, said in files.items()}


def mark(fact: Known, nth: int) -> str:
    return f"{fact.number}/{nth}"


def _around(claim: Claim, name: str, throws: Random, chatter: float) -> Iterator[dict[str, object]]:
    at = claim.at.isoformat()
    yield {"role": "user", "content": claim.said, "timestamp": at, "mark": name}
    while throws.random() < chatter:
        role = throws.choices(("user", "assistant", "tool"), (3, 5, 2))[0]
        yield {"role": role, "content": sentence(throws, throws.randrange(200), "latin"), "timestamp": at}


def claims(facts: Iterable[Known], said: Mapping[str, str]) -> list[Event]:
    """Every claim as the event that a consolidation would write, those told late last; `said` names the event of each
    mark."""
    made = [(claim.late, claim.at, fact.number, nth, _event(fact, nth, claim, said))
            for fact in facts for nth, claim in enumerate(fact.claims)]
    return [event for *_, event in sorted(made, key=lambda each: each[:4])]


def _event(fact: Known, nth: int, claim: Claim, said: Mapping[str, str]) -> Event:
    body: dict[str, object] = {"scope": fact.scope, "fact_key": fact.key, "observed_at": claim.at.isoformat(),
                               "confidence": 1.0}
    if claim.act == "assert":
        event = said[mark(fact, nth)]
        body |= {"type": "fact", "value": claim.value, "statement": claim.said, "detail": "", "tier": fact.tier,
                 "capped": False, "aliases": [fact.alias], "links": [],
                 "evidence": [{"event": event, "quote": claim.said, "start": 0, "end": len(claim.said)}]}
    if claim.act == "expire":
        before = fact.claims[nth - 1]
        body |= {"fact": name(fact, nth - 1), "confirmed": before.at.isoformat()}
    kind = {"assert": "fact.asserted", "retract": "fact.retracted", "expire": "fact.expired"}[claim.act]
    return Event(kind=kind, id=name(fact, nth), actor="human", origin="human", scope=fact.scope, tier=fact.tier,
                 happened_at=claim.at.isoformat(), body=body)


def name(fact: Known, nth: int) -> str:
    return hashlib.sha256(f"claim/{mark(fact, nth)}".encode()).hexdigest()[:32]
