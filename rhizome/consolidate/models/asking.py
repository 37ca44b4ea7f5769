"""The distiller that asks a model: each answer is an event before anyone reads it, and no question is paid for twice.

An answer that is no answer gets one try at repair. What then still is not sound teaches nothing, and its turns stay
pending: the next run asks about each of them alone, after everything new, and gives up after some nights.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rhizome.config import DISTILL_BUDGET_TOKENS, VAIN_NIGHTS
from rhizome.consolidate.distill import Known
from rhizome.consolidate.models.port import Model, NoReply
from rhizome.consolidate.models.question import VERSION, Question, clipped, questions, shown, tokens
from rhizome.consolidate.models.verdict import Verdict, verdict
from rhizome.log.identity import identify
from rhizome.model import Draft, Event, Origin, Tier, Turn

KIND = "model.answered"
SHOWN_AGAIN = 4_000
"""So much of an unusable answer is shown to who gave it."""

FAULTS_TOLD = 5


@dataclass(frozen=True, slots=True)
class Planned:
    """A question that a dry run would ask: who, about how many turns, at about how many tokens, in which words."""

    backend: str
    model: str
    turns: int
    tokens: int
    text: str


@dataclass(slots=True)
class Outcome:
    """What came of asking: turns that stay `pending`, the ids of the `answers` that were used, `tokens` spent in this
    run, lines for the report, and the questions that were `planned` only (a dry run)."""

    pending: set[str] = field(default_factory=set)
    answers: list[str] = field(default_factory=list)
    tokens: int = 0
    problems: list[str] = field(default_factory=list)
    planned: list[Planned] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the log has of earlier answers, and how an answer gets into it: `record` appends, cleaned by `clean`.

    `spent` is what was asked today already. Answers of a generation below `generation` are not used again.
    """

    record: Callable[[Event], None]
    clean: Callable[[str], str]
    key: bytes
    answers: Sequence[Event] = ()
    spent: int = 0
    generation: int = 1


class AskingDistiller:
    """A `Distiller` over a `Model`. One `distill` a run; `outcome` tells about it. `dry` plans and asks nothing."""

    def __init__(self, model: Model, recorded: Recorded, dice: Callable[[int], bytes], *,
                 budget: int = DISTILL_BUDGET_TOKENS, dry: bool = False) -> None:
        self._model, self._recorded, self._budget, self._dry = model, recorded, budget, dry
        self._mark = f"|{dice(12).hex()}|"
        self._asked = Counter(str(event.fields.get("about")) for event in recorded.answers)
        self._spent = recorded.spent
        self._known = Known()
        self.outcome = Outcome()

    @property
    def name(self) -> str:
        return self._model.backend

    def distill(self, turns: Sequence[Turn], known: Known) -> list[Draft]:
        self._known = known
        of_model = [event for event in self._recorded.answers if self._ours(event)]
        nights = {(turn, event.recorded_at[:10]) for event in of_model if event.fields.get("repairs")
                  for turn in event.fields["left"]}  # fmt: skip
        vain = Counter(turn for turn, _ in nights)
        given_up = {turn.id for turn in turns if vain[turn.id] >= VAIN_NIGHTS}
        due = [turn for turn in turns if turn.id not in given_up]
        together = [event.fields["turns"] for event in of_model
                    if set(event.fields["left"]) < set(event.fields["turns"])]  # fmt: skip
        asked = list(questions(due, known, together=together, alone=set(vain)))
        found: list[Draft] = []
        for nth, question in enumerate(asked):
            answer = self._again(question, of_model) or self._new(question)
            if isinstance(answer, NoReply) and answer.last:
                waiting = [turn for other in asked[nth:] for turn in other.turns]
                self._left(waiting, answer.why)
                break
            if isinstance(answer, NoReply):
                self._left(question.turns, answer.why)
            elif answer is not None:
                found += answer.drafts
                self.outcome.pending |= answer.left
                self._told(answer)
        why = f"no usable answer in {VAIN_NIGHTS} nights; another model or `consolidate --again` may find one"
        self._left([turn for turn in turns if turn.id in given_up], why)
        return found

    # ------------------------------------------------------------ one question

    def _ours(self, event: Event) -> bool:
        body = event.fields
        same = (body.get("backend"), body.get("model"), body.get("prompt"))
        newer = int(body.get("generation", 1)) >= self._recorded.generation
        return same == (self._model.backend, self._model.model, VERSION) and newer

    def _again(self, question: Question, answers: Iterable[Event]) -> Verdict | None:
        """What a recorded answer to the same question says, if anything of it counts."""
        about = question.about(self._model.backend, self._model.model)
        read = [(event, verdict(self._model.read(str(event.fields["answer"])), question, self._known))
                for event in answers if event.fields.get("about") == about]  # fmt: skip
        useful = [each for each in read if len(each[1].left) < len(question.turns)]
        return self._used(min(useful, key=lambda each: each[1].worth)) if useful else None

    def _new(self, question: Question) -> Verdict | NoReply | None:
        """Asks, and once more where the answer has a fault. None in a dry run."""
        if self._dry:
            self.outcome.planned.append(self._planned(question))
            self.outcome.tokens += question.tokens
            return None
        if self._spent + question.tokens > self._budget:
            return NoReply(f"the budget of {self._budget} tokens a day is used up ({self._spent} were spent)")
        text = question.text(self._mark)
        first = self._answered(question, text)
        if isinstance(first, NoReply) or not first[1].faults:
            return first if isinstance(first, NoReply) else self._used(first)
        second = self._answered(question, text + self._repair(first), repairs=first[0])
        if isinstance(second, NoReply):
            return second if second.last and not first[1].drafts else self._used(first)
        return self._used(min(first, second, key=lambda each: each[1].worth))

    def _planned(self, question: Question) -> Planned:
        text = f"{question.system(self._mark)}\n\n{question.text(self._mark)}"
        return Planned(self.name, self._model.model, len(question.turns), question.tokens, text)

    def _answered(self, question: Question, text: str, *, repairs: Event | None = None
                  ) -> tuple[Event, Verdict] | NoReply:
        """One call of the model. The event is in the log before its verdict is returned."""
        system = question.system(self._mark)
        raw = self._model.ask(system, text)
        if isinstance(raw, NoReply):
            self._spend(tokens(system + text))
            return NoReply(self._recorded.clean(raw.why), raw.last)
        raw = self._recorded.clean(raw)
        reply = self._model.read(raw)
        sent = tokens(system + text) if reply.sent is None else reply.sent
        got = tokens(reply.text) if reply.got is None else reply.got
        self._spend(sent + got)
        found = verdict(reply, question, self._known)
        event = self._event(question, raw, found, {"sent": sent, "got": got}, repairs)
        self._recorded.record(event)
        return event, found

    def _event(self, question: Question, raw: str, found: Verdict, usage: dict[str, int],
               repairs: Event | None) -> Event:
        who = (self._model.backend, self._model.model)
        about = question.about(*who)
        nth = self._asked[about]
        self._asked[about] += 1
        name = identify(self._recorded.key, KIND.encode(), about.encode(), str(nth).encode(),
                        hashlib.sha256(raw.encode("utf-8", "replace")).digest())  # fmt: skip
        body = {
            "backend": self._model.backend, "model": self._model.model, "prompt": VERSION,
            "digest": question.digest(*who), "about": about, "generation": self._recorded.generation,
            "turns": [turn.id for turn in question.turns], "answer": raw, "usage": usage,
            "repairs": repairs.id if repairs else None, "left": sorted(found.left), "faults": list(found.faults),
        }  # fmt: skip
        return Event(kind=KIND, id=name, actor="consolidator", origin=Origin.MODEL, tier=Tier.AMBER, body=body)

    def _repair(self, first: tuple[Event, Verdict]) -> str:
        """What is added to the question when its answer was of no use."""
        reply = self._model.read(str(first[0].fields["answer"]))
        said = clipped(reply.text, SHOWN_AGAIN).replace(self._mark, " ")
        faults = "\n".join(f"- {fault}" for fault in first[1].faults[:FAULTS_TOLD]).replace(self._mark, " ")
        return (f"\n{self._mark} your answer so far\n{said}\n{self._mark} what is wrong with it\n{faults}\n"
                f"{self._mark} answer once more: the whole JSON object, nothing else, and only what you can quote")

    # ------------------------------------------------------------ keeping count

    def _used(self, answer: tuple[Event, Verdict]) -> Verdict:
        self.outcome.answers.append(answer[0].id)
        return answer[1]

    def _spend(self, number: int) -> None:
        self.outcome.tokens += number
        self._spent += number

    def _told(self, found: Verdict) -> None:
        waits = f"; {_turns(len(found.left))} wait" if found.left else ""
        self.outcome.problems += [f"{self.name}: {fault}{waits}" for fault in found.faults[:FAULTS_TOLD]]
        if len(found.faults) > FAULTS_TOLD:
            self.outcome.problems.append(f"{self.name}: {len(found.faults) - FAULTS_TOLD} more drafts with faults")

    def _left(self, turns: Iterable[Turn], why: str) -> None:
        names = {turn.id for turn in turns if any(map(shown, turn.messages))}
        if names:
            self.outcome.pending |= names
            self.outcome.problems.append(f"{self.name}: {why}; {_turns(len(names))} wait")


def spent(answers: Iterable[Event]) -> Iterator[int]:
    """The tokens of recorded answers."""
    for event in answers:
        usage = event.fields.get("usage") or {}
        yield int(usage.get("sent") or 0) + int(usage.get("got") or 0)


def _turns(number: int) -> str:
    return f"{number} turn{'' if number == 1 else 's'}"
