"""A person's own questions, asked of this memory: how many it answers, and what changed since they were asked last."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rhizome.errors import Refused
from rhizome.evaluate import golden
from rhizome.evaluate.compare import differences
from rhizome.evaluate.golden import Golden
from rhizome.evaluate.metrics import ALL, figures
from rhizome.evaluate.questions import Answered, Question, read
from rhizome.memory import asking, projections, reading, saves
from rhizome.memory.home import event_id
from rhizome.memory.parts import Parts
from rhizome.model import PRIVATE, Event, Found, Origin, Tier

K = 10
NOTES = (golden.NOTE, PRIVATE + golden.NOTE)
ASKED = "questions.asked"
SHOWN = ("P@1", "recall@5", "recall@10", "MRR@10")


def add(parts: Parts, text: str, *, expect: Sequence[str], nothing: bool) -> dict[str, Any]:
    """Put a question at the end of the person's note, and commit it as their own save.

    Raises Refused without exactly one kind of expectation, and from an agent's shell; NotFound for a ref of nothing.
    """
    if parts.around.by_agent:
        raise Refused("eval add: notes are a person's", "Run it in a terminal of your own, outside the agent.")
    if bool(expect) is nothing:
        raise Refused("eval add: say what should be found", "Give --expect REF, or --expect-nothing.")
    if not text.strip():
        raise Refused("eval add: the question is empty", "Ask something.")
    parts.sound()
    saves.take_saves(parts)
    expected = tuple(reading.read(parts, ref, at=None, raw=False, clearance=Tier.AMBER)["ref"] for ref in expect)
    note = NOTES[any(ref.startswith(PRIVATE) for ref in expected)]
    place = parts.vault.place(note)
    parts.vault.store(place)
    before = parts.vault.read(note).decode("utf-8", "surrogateescape") if parts.vault.stands(note) else None
    after = golden.added(before, Golden(text, expected)).encode("utf-8", "surrogateescape")
    beside = (place.root / place.path).with_name(f".{golden.NOTE}.new")
    beside.write_bytes(after)
    beside.replace(place.root / place.path)
    taken = saves.take_saves(parts, patient=True)
    projections.refresh(parts)
    return {"note": note, "question": " ".join(text.split()), "expected": list(expected), "held": dict(taken.held)}


def run(parts: Parts) -> dict[str, Any]:
    """Ask every question, record what came of it, and try the cases that may never fail."""
    from rhizome.memory.adversary import matrix

    parts.sound()
    saves.take_saves(parts)
    questions = asked_for(parts)
    before = next(iter(reversed(list(parts.log.history((ASKED,))))), None)
    answers = [answered(parts, question) for question in questions]
    worth = figures([labelled(question) for question in questions], answers)
    rows = [row(question, answer) for question, answer in zip(questions, answers, strict=True)]
    told = {"questions": rows,
            "figures": {name: worth.table[ALL][name] for name in SHOWN} if ALL in worth.table else {},
            "refusals": asdict(worth.refusals), "last": dict(before.fields) if before else None,
            "matrix": [asdict(case) for case in matrix(parts.around)]}
    if questions:
        body = {"figures": told["figures"], "places": {each["question"]: each["place"] for each in rows}}
        parts.append([Event(kind=ASKED, id=event_id(parts.home, ASKED, str(parts.log.head.seq)), actor="human",
                            origin=Origin.MEMORY, body=body)])
        projections.refresh(parts)
    return told


def asked_for(parts: Parts) -> list[Golden]:
    """The questions of both notes; of one that is asked twice the later answers count."""
    texts = [parts.vault.read(note).decode("utf-8", "replace") for note in NOTES if parts.vault.stands(note)]
    return list({question.text: question for text in texts for question in golden.parse(text)}.values())


def answered(parts: Parts, question: Golden) -> Answered:
    """What the memory answers its owner, each hit under the name by which it was expected."""
    found = asking.ask(parts, question.text, k=K, layer="all", scope=None, session=None, as_of=None, vectors=True,
                       clearance=Tier.AMBER)
    refs = [hit.ref for hit in (found.hits if isinstance(found, Found) else found.nearest)]
    return Answered(question.text, tuple(golden.ranked(refs, question.expected)), not isinstance(found, Found))


def labelled(question: Golden) -> Question:
    return Question(question.text, question.text, question.expected, unanswerable=not question.expected)


def row(question: Golden, answer: Answered) -> dict[str, Any]:
    """One question with the place of the first hit that answers it: 0 for a right refusal, None for neither."""
    places = [place for place, ref in enumerate(dict.fromkeys(answer.ranked), 1) if ref in question.expected]
    if not question.expected:
        place = 0 if answer.abstained else None
    else:
        place = None if answer.abstained else next(iter(places), None)
    return {"question": question.text, "expected": list(question.expected), "place": place, "refused": answer.abstained}


def compare(a: Path, b: Path, *, queries: Path, figure: str | None) -> dict[str, Any]:
    """Two files that `eval bench` wrote, over the same questions."""
    found = differences(read(queries, Question), read(a, Answered), read(b, Answered), *([(figure,)] if figure else []))
    return {"a": str(a), "b": str(b), "figures": [asdict(each) for each in found]}
