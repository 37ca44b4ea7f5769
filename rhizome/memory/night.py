"""One consolidation: gather → distill → reconcile → derive → plan → apply → index → prove, each step resumable.

The decisions of a run are one append: its facts and the `consolidated` event that renders them land together or not at
all. What a crash left uncommitted afterwards is committed by the next run, under the name of the run that decided it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from rhizome.config import LOOSE_OBJECTS
from rhizome.consolidate.distill import Distiller
from rhizome.consolidate.rules import Rules
from rhizome.errors import NotDurable, RhizomeError
from rhizome.memory import projections, proof, saves, served
from rhizome.memory.applying import apply
from rhizome.memory.deciding import decide
from rhizome.memory.distilling import Again, failed
from rhizome.memory.home import roots
from rhizome.memory.parts import Parts
from rhizome.model import Fact


@dataclass(slots=True)
class Report:
    """What one run did; `run` is None when there was nothing to do. `packed`: so many files of git's became a few.

    `edits` counts what people changed in derived notes, or decided, since the run before. `ended` names what expired,
    because nobody had confirmed it for long.
    After `--again` `agreed` counts facts that were said once more, `fell_out` names those that were not.
    """

    run: str | None = None
    turns: int = 0
    asserted: int = 0
    superseded: int = 0
    confirmed: int = 0
    proposed: int = 0
    expired: int = 0
    retracted: int = 0
    commits: int = 0
    packed: int = 0
    pending: int = 0
    tokens: int = 0
    problems: list[str] = field(default_factory=list)
    edits: int = 0
    ended: list[str] = field(default_factory=list)
    agreed: int | None = None
    fell_out: list[str] = field(default_factory=list)


def run(
    parts: Parts, now: datetime, distillers: Iterable[Distiller] = (Rules(),), anew: Again | None = None
) -> tuple[Report, list[proof.Difference]]:
    """Take saves in, decide, append, apply, index, prove. The caller holds the run's lock.

    What is different in the end the log does not explain; notes that wait for a person or a busy repository are
    problems of the report and no difference.
    """
    served.take_in(parts)
    taken = saves.take_saves(parts, patient=True)
    report = Report(problems=[f"{ref}: {why}" for ref, why in {**taken.held, **taken.skipped}.items()])
    decided = decide(parts, now, distillers, anew)
    report.tokens = decided.asked.tokens
    report.problems += decided.asked.problems
    if decided.consolidated is not None:
        parts.append(decided.events)
        counts = decided.counts
        report.run, report.turns = decided.batch.run, len(decided.batch.taken)
        report.asserted, report.superseded = counts["asserted"], counts["superseded"]
        report.confirmed, report.proposed = counts["confirmed"], counts["proposed"]
        report.expired, report.retracted = counts["expired"], counts["retracted"]
        report.ended, report.edits = told(decided.ended), decided.edits
    if decided.repeated is not None:
        report.agreed, report.fell_out = decided.repeated.agreed, told(decided.repeated.fell_out)
    if decided.asked.pending:
        parts.append([failed(parts, decided.batch.run, decided.asked.pending, decided.asked.problems)])
    applied = apply(parts)
    report.commits, report.pending = applied.commits, len(applied.waiting) + len(decided.asked.pending)
    report.problems += [f"{ref}: {why}" for ref, why in applied.waiting.items() if ref not in taken.held]
    indexed = projections.refresh(parts)
    report.problems += sealed(parts)
    report.packed = packed(parts, report.problems)
    different = proof.notes(parts, applied.derived, {*applied.waiting, *taken.held})
    if indexed:
        different += proof.indexes(parts)
    else:
        report.problems.append("index: another process is writing it; the notes are proven, it is not")
    return report, different


def told(facts: Iterable[Fact]) -> list[str]:
    """Facts as a person knows them."""
    return [f"{fact.fact_key} = {fact.value or fact.statement} ({fact.scope}, {fact.observed_at[:10]})"
            for fact in facts]  # fmt: skip


def sealed(parts: Parts) -> list[str]:
    """Seal the log's full segments; why one had to stay plain, which costs room and nothing else."""
    try:
        parts.log.seal()
    except NotDurable as wrong:
        return [wrong.message]
    return []


def packed(parts: Parts, problems: list[str]) -> int:
    """Have git pack a repository of notes with many loose objects; why one had to stay as it is joins `problems`."""
    from rhizome.store.packing import loose, pack  # a program is run on few nights

    saved = 0
    for root in roots(parts.home).values():
        try:
            if loose(root) > LOOSE_OBJECTS:
                saved += pack(root, parts.around.environment)
        except RhizomeError as wrong:
            problems.append(wrong.message)
    return saved
