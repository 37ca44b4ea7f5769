"""What of an answer counts: its form first, then each draft against what was said."""

from dataclasses import dataclass

from rhizome.consolidate.distill import Known
from rhizome.consolidate.models.answer import drafts
from rhizome.consolidate.models.grounds import Fault, judged
from rhizome.consolidate.models.port import Reply
from rhizome.consolidate.models.question import Question
from rhizome.model import Draft


@dataclass(frozen=True, slots=True)
class Verdict:
    """What of an answer counts. `left` are turns that it settles nothing about; `faults` say why, in order."""

    drafts: tuple[Draft, ...] = ()
    left: frozenset[str] = frozenset()
    faults: tuple[str, ...] = ()

    @property
    def worth(self) -> tuple[int, int]:
        """Orders verdicts, the best first: the fewest turns left open, then the most drafts."""
        return len(self.left), -len(self.drafts)


def verdict(reply: Reply, question: Question, known: Known) -> Verdict:
    """Reads an answer. No form, no drafts; a draft with a fault is left out, and its turn is not settled.

    A fault that names no turn leaves every turn open that no sound draft is about.
    """
    every = frozenset(turn.id for turn in question.turns)
    found = reply.wrong or drafts(reply.text, len(every))
    if isinstance(found, str):
        return Verdict(left=every, faults=(found,))
    each = [judged(form, question, known) for form in found]
    sound = tuple(draft for draft in each if isinstance(draft, Draft))
    faults = [(form, fault) for form, fault in zip(found, each, strict=True) if isinstance(fault, Fault)]
    left = {fault.turn for _, fault in faults if fault.turn}
    if any(fault.turn is None for _, fault in faults):
        about = {draft.event for draft in sound}
        left |= {turn.id for turn in question.turns if not about & {message.event for message in turn.messages}}
    return Verdict(sound, frozenset(left), tuple(f"{form.statement[:80]!r}: {fault.why}" for form, fault in faults))
