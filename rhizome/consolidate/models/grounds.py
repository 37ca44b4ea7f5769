"""Whether a draft says no more than what it quotes: the words, the numbers, the names, and every "not" of it.

Reconciling checks that a quote stands in its event and whose words it is. A model can quote rightly and state wrongly,
by mistake or because a text told it to; these checks are the answer to that. They would rather lose a memory.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from rhizome.consolidate.distill import USER, Known
from rhizome.consolidate.heard import trust
from rhizome.consolidate.models.answer import DraftForm
from rhizome.consolidate.models.question import Question, shown
from rhizome.consolidate.quotes import find
from rhizome.consolidate.rules.prose import Sentence, own_words, sentences
from rhizome.consolidate.rules.reading import Mood, Reading, read
from rhizome.consolidate.wording import UNSPACED, stands_in
from rhizome.ledger.values import comparable
from rhizome.model import Draft, FactLink, Message, Origin, Turn

STATED, TOLD, NAMED = 0.6, 0.5, 0.5
"""The share of words that must have been said: of a statement near its quote, of a detail and of a subject in the turn.
A paraphrase keeps more than half of its words; what a text smuggles in shares hardly any. Of 39 statements that people
wrote down beside what was said 35 pass; of 1,470 put beside the words of another fact 3, which were said near by."""

NEAR = 2
"""So many sentences around the quoted one may lend a statement its words ("It is 8087" about the dev server)."""

STEM = 5
"""Words are one word when they begin alike for so long: deploys, deployed."""

LIMITS = {"subject": 60, "attribute": 60, "value": 200, "scope": 120, "statement": 300, "detail": 1_000, "quote": 2_000}
MOST = 8
ALIAS_CHARS = 60

_WORD = re.compile(rf"{UNSPACED}+|(?:(?!{UNSPACED})\w)+")
_SIGN = rf"(?!{UNSPACED})[\w./:@~+-]"
_EXACT = re.compile(rf"(?:{_SIGN})*?(?:\d|[./:_@~](?!{UNSPACED})\w)(?:{_SIGN})*")
"""Numbers, paths, addresses and identifiers: never paraphrased."""

_NO = ("neg", "ban", "never", "neg_after", "gone")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a draft is not believed, and the turn it is about; None where even that cannot be told."""

    why: str
    turn: str | None = None


def judged(form: DraftForm, question: Question, known: Known) -> Draft | Fault:
    """The draft, if everything it says was said; else what was made up."""
    event = question.event(form.event)
    if event is None:
        return Fault(f"quotes the event {form.event[:40]!r}, which it was not shown")
    turn = next(turn for turn in question.turns if any(message.event == event for message in turn.messages))
    told = [message for message in turn.messages if message.event == event and shown(message)]
    spoken = next((message for message in told if find(form.quote, message.text)), None)
    if spoken is None:
        return Fault("the event does not contain the quote", turn.id)
    why = _oversized(form) or _misplaced(form, turn) or _unquoted(form, spoken) or _unsaid(form, spoken, turn, known)
    if why:
        return Fault(why, turn.id)
    return Draft(
        type=form.type, subject=form.subject, attribute=form.attribute, value=form.value,
        scope=form.scope or turn.scope, statement=form.statement, event=event, quote=form.quote,
        detail=form.detail, inferred=form.inferred,
        aliases=tuple(form.aliases), links=tuple(FactLink(link.target, link.label, link.why) for link in form.links),
    )  # fmt: skip


def _oversized(form: DraftForm) -> str:
    for name, most in LIMITS.items():
        if len(getattr(form, name)) > most:
            return f"its {name} is longer than {most} characters"
    if len(form.aliases) > MOST or len(form.links) > MOST or any(len(alias) > ALIAS_CHARS for alias in form.aliases):
        return f"it has more than {MOST} aliases or links, or an alias of more than {ALIAS_CHARS} characters"
    return ""


def _misplaced(form: DraftForm, turn: Turn) -> str:
    if form.scope not in ("", turn.scope, USER):
        return f"it speaks for {form.scope!r}, and was said in {turn.scope!r}"
    if any(not re.fullmatch(r"(?!.*\.\.)[^\s:/\\?#][^:\\?#]*", link.target) for link in form.links):
        return "a link of it leads out of the notes"
    return ""


def _unquoted(form: DraftForm, spoken: Message) -> str:
    """What is wrong with what is read out of the quote."""
    if form.scope == USER and spoken.origin != Origin.HUMAN:
        return "it speaks for the person, who did not say it"
    quote = find(form.quote, spoken.text)
    text = unicodedata.normalize("NFC", spoken.text)
    if form.value and not stands_in(form.value, text):
        return "its value does not stand in the event it quotes"
    around, quoted = _around(text, *(quote.start, quote.end) if quote else (0, 0))
    for exact in _EXACT.findall(form.statement):
        if comparable(exact) not in comparable(text):
            return f"its statement has {exact!r}, which was not said there"
    if _share(form.statement, around) < STATED:
        return "its statement says something else than the words it quotes"
    return _mood(quoted) or _turned(form, quoted) if spoken.origin != Origin.TOOL else ""


def _unsaid(form: DraftForm, spoken: Message, turn: Turn, known: Known) -> str:
    """What of the rest nobody said in this turn. Names may come from the person, the agent and what is known; more than
    names only from voices that weigh as much as the quoted one: no page lends a person its words."""
    keys = " ".join(fact.fact_key for scope in (turn.scope, USER) for fact in known.of(scope))
    talk = min(trust(spoken.origin), trust(Origin.MODEL))
    names = f"{_said(turn, talk)} {turn.scope} {keys} {USER} person"
    if _share(form.subject, names) < NAMED:
        return f"nobody spoke of its subject {form.subject[:40]!r}"
    if any(_share(alias, names) < NAMED for alias in form.aliases):
        return "nobody used one of its aliases"
    extra = [form.detail, *(part for link in form.links for part in (link.label, link.why))]
    if any(_share(text, _said(turn, trust(spoken.origin))) < TOLD for text in extra if text.strip()):
        return "its detail or the reason of a link says what nobody said"
    return ""


def _said(turn: Turn, weight: int) -> str:
    """What was said in a turn by voices of at least this weight."""
    return "\n".join(each.text for each in turn.messages if shown(each) and trust(each.origin) >= weight)


def _around(text: str, start: int, end: int) -> tuple[str, list[Reading]]:
    """The words near a quote, and the sentences it stands in."""
    every: list[Sentence] = list(sentences(own_words(text)))
    inside = [n for n, sentence in enumerate(every) if sentence.start < end and start < sentence.end]
    if not inside:
        return text[max(0, start - 300) : end + 300], []
    near = every[max(0, inside[0] - NEAR) : inside[-1] + NEAR + 1]
    return text[near[0].start : max(near[-1].end, end)], [read(every[n]) for n in inside]


def _mood(quoted: list[Reading]) -> str:
    """A question, a doubt or hearsay states nothing."""
    if quoted and all(reading.mood is not Mood.STATEMENT for reading in quoted):
        return f"what it quotes is a {quoted[0].mood} and no statement"
    return ""


def _turned(form: DraftForm, quoted: list[Reading]) -> str:
    """Whether a "not" was lost or added on the way from the quote to the statement."""
    stated = [read(sentence) for sentence in sentences(own_words(form.statement))]
    ours, theirs = _stands(form.value, stated), _stands(form.value, quoted)
    if form.value and theirs is False:
        return "its value is what the quote denies or replaces"
    if form.value and ours is False and theirs:
        return "its statement denies what the quote says"
    if not (ours and theirs) and quoted and stated and _denies(stated) != _denies(quoted):
        return "its statement and its quote differ by a `not`"
    return ""


def _stands(value: str, readings: list[Reading]) -> bool | None:
    """Whether the sentences stand by a value; None where they do not show it as one."""
    wanted = comparable(value)
    seen = [(reading, each) for reading in readings for each in reading.values if comparable(each.text) == wanted]
    return any(each in reading.standing for reading, each in seen) if wanted and seen else None


def _denies(readings: list[Reading]) -> bool:
    return any(reading.of(label) for reading in readings for label in _NO)


def _share(text: str, source: str) -> float:
    """How much of what `text` says stands in `source`, by its longer words; of unspaced scripts by pairs of letters."""
    wanted, said = list(_pieces(text)), set(_pieces(source))
    stems = {piece[:STEM] for piece in said if len(piece) >= STEM}
    long = [piece for piece in wanted if len(piece) > 3 or not piece.isalpha() or re.match(UNSPACED, piece)] or wanted
    if not long:
        return 1.0 if not text.strip() else 0.0
    return sum(piece in said or (len(piece) >= STEM and piece[:STEM] in stems) for piece in long) / len(long)


def _pieces(text: str) -> Iterator[str]:
    for run in _WORD.findall(comparable(text).replace("_", " ")):
        if re.match(UNSPACED, run) and len(run) > 1:
            yield from (run[at : at + 2] for at in range(len(run) - 1))
        else:
            yield run
