"""The distilling step of a run: who drafts, what asking a model came to, and which turns wait for another run.

Whoever asks a model appends its answers while the run is still deciding: they are in the log before anything uses them,
and a run that was cut off finds them there.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time

from rhizome.consolidate.distill import Distiller, known, noted
from rhizome.consolidate.gather import Batch
from rhizome.consolidate.models.asking import KIND, AskingDistiller, Outcome, Recorded, spent
from rhizome.consolidate.rules import Rules
from rhizome.errors import Refused
from rhizome.ledger.fold import Fold
from rhizome.log.identity import identify
from rhizome.memory.parts import Parts
from rhizome.model import Draft, Event, Tier, Turn, moment

FAILED = "consolidation.failed"
"""Names the turns that a run left waiting, so that `--if-due` asks about them no more on that day."""


@dataclass(frozen=True, slots=True)
class Again:
    """Turns from `since` on are read once more, and a model is asked anew: its answers are of this `generation`."""

    since: datetime
    generation: int

    def covers(self, turn: Turn) -> bool:
        at = moment(turn.at)
        return turn.closed and at is not None and at >= self.since


def again(parts: Parts, since: str | None, *, given: bool = True) -> Again:
    """What `--again --since` asks for: a day begins when it begins in the home's zone. Refused for one without the
    other: a day alone would be taken for a filter, and `--again` alone would ask a model about everything."""
    if since is None:
        raise Refused("consolidate: --again needs a day to begin with", "Write --again --since YYYY-MM-DD.")
    if not given:
        raise Refused("consolidate: --since says from which day on to read again, and --again is missing",
                      f"Write --again --since {since}, or leave --since out: what is new is taken in anyway.")
    at = moment(since)
    if at is None:
        raise Refused(f"--since {since}: not a date", "Write --again --since YYYY-MM-DD.")
    if len(since) <= len("YYYY-MM-DD"):
        at = datetime.combine(at.date(), time.min, tzinfo=parts.zone)
    done = (int(event.fields.get("generation", 1)) for event in parts.log.history(("consolidated",)))
    return Again(at, 1 + max(done, default=1))


def distillers(parts: Parts, now: datetime, *, anew: Again | None = None, dry: bool = False) -> tuple[Distiller, ...]:
    """The rules, and after them the model that `rhizome.toml` names. `dry` asks nothing and appends nothing.

    Refused where the settings cannot mean anything, and inside a program that distills itself.
    """
    parts.around.unasked()
    if "distill" not in parts.home.settings:
        return (Rules(),)
    from rhizome.consolidate.models.settings import World, chosen, distill  # only who asks pays for a client

    wanted = distill(parts.home.settings)
    model = chosen(wanted, World(parts.around.environment, parts.home.index / "distill", parts.around.wait))
    if model is None:
        return (Rules(),)
    answers = list(parts.log.history((KIND,)))
    today = now.astimezone(parts.zone).date()
    recorded = Recorded(
        record=lambda event: _append(parts, event), clean=lambda text: parts.door.clean(text).text, key=parts.home.key,
        answers=answers, spent=sum(spent(event for event in answers if _day(event, parts) == today)),
        generation=anew.generation if anew else 1,
    )  # fmt: skip
    return Rules(), AskingDistiller(model, recorded, parts.around.dice, budget=wanted.budget_tokens, dry=dry)


def distilled(batch: Batch, fold: Fold, who: Iterable[Distiller]) -> tuple[list[Draft], Outcome]:
    """Everybody's drafts, each distiller knowing what those before it noted, and what asking came to."""
    facts, outcome = replace(known(fold.current(Tier.AMBER)), answers=batch.answers), Outcome()
    drafts: list[Draft] = []
    for distiller in who:
        drafts += distiller.distill(batch.turns, noted(facts, drafts))
        if isinstance(distiller, AskingDistiller):
            outcome = distiller.outcome
    return drafts, outcome


def failed(parts: Parts, run: str, pending: Collection[str], problems: Sequence[str]) -> Event:
    """The event of a run that left turns waiting. Each one is another, however often a run fails."""
    nth = sum(1 for _ in parts.log.history((FAILED,)))
    name = identify(parts.home.key, FAILED.encode(), run.encode(), str(nth).encode())
    body = {"run": run, "turns": sorted(pending), "problems": list(problems)}
    return Event(kind=FAILED, id=name, actor="consolidator", call=f"consolidate/{run}", body=body)


def tried_today(parts: Parts, now: datetime) -> frozenset[str]:
    """The turns that a run of this day left waiting."""
    today = now.astimezone(parts.zone).date()
    return frozenset(turn for event in parts.log.history((FAILED,)) if _day(event, parts) == today
                     for turn in event.fields.get("turns") or ())  # fmt: skip


def _append(parts: Parts, event: Event) -> None:
    parts.append([event])


def _day(event: Event, parts: Parts) -> date | None:
    at = moment(event.recorded_at)
    return at.astimezone(parts.zone).date() if at else None
