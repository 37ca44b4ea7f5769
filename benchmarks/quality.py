"""How well it finds, beside plain BM25: each set below `BENCH=DIR`, else the notes that lie here, and a made-up life.

Writes `benchmarks/RESULTS.md`. A set is a folder that `rhizome eval bench` takes.
"""

import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.plain import Plain
from benchmarks.row import Row
from benchmarks.synthetic.measured import CHATTER, NEVER, Measured, measured
from rhizome.evaluate.corpus import Text
from rhizome.evaluate.metrics import ALL, Figures, Refusals, figures
from rhizome.evaluate.questions import Answered, Question, read
from rhizome.memory.benching import DOCUMENTS, QUERIES, VAULT, opened, vault
from rhizome.memory.surroundings import Surroundings

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
SHOWN = ("hit@1", "hit@5", "recall@5", "MRR@10", "nDCG@10")
SLACK = 0.02
"""So much below plain BM25 is noise on the smallest set."""

FACTS, EACH = 10_000, 60


@dataclass(frozen=True, slots=True)
class Result:
    """One file of questions of one set: what rankings are worth, of plain BM25, of words only and of everything, and
    what everything refused. Where documents are graded the figure held is nDCG, as one found is not enough."""

    name: str
    metric: str
    plain: Figures
    words: Figures
    full: Figures
    refusals: Refusals


def rows() -> list[Row]:
    around = surroundings()
    results = [result for folder in sets() for result in measure(around, folder)]
    life = measured(around, FACTS, each=EACH)
    RESULTS.write_text(page(results, life), encoding="utf-8")
    return [
        *(Row(f"quality: {each.name}, {each.metric}", value(each.full, each.metric), "", value(each.plain, each.metric)
              - SLACK, "higher", "plain BM25", value(each.plain, each.metric)) for each in results if each.full.table),
        *(Row(f"quality: {what}, {FACTS:,} facts", life.never[what], "times", 0, "lower", "questions asked",
              life.asked.total()) for what in NEVER),
    ]  # fmt: skip


def sets() -> list[Path]:
    """The folders that hold a set."""
    given = os.environ.get("BENCH")
    found = sorted(file.parent for file in Path(given).glob(f"*/{DOCUMENTS}")) if given else []
    return found or [HERE / "notes"]


def measure(around: Surroundings, folder: Path) -> Iterator[Result]:
    texts = read(folder / DOCUMENTS, Text)
    plain = Plain(texts)
    with opened(around, texts, vault(folder / VAULT), "") as held:
        for file in sorted(folder.glob(f"{QUERIES}*.jsonl")):
            questions = read(file, Question)
            full = [held.answered(each, vectors=True) for each in questions]
            words = [held.answered(each, vectors=False) for each in questions]
            bare = [plain.answered(each) for each in questions]
            name = folder.name + file.stem.removeprefix(QUERIES).replace("_", ", ", 1)
            metric = "nDCG@10" if any(each.grades for each in questions) else "recall@5"
            yield Result(name, metric, plain=figures(questions, bare), words=figures(questions, ranked(words)),
                         full=figures(questions, ranked(full)), refusals=figures(questions, full).refusals)


def ranked(answers: Sequence[Answered]) -> list[Answered]:
    """The answers as if none had been a refusal: what is held against plain BM25 is the ranking."""
    return [Answered(each.id, each.ranked, False, each.score) for each in answers]


def value(found: Figures, metric: str) -> float:
    return found.table[ALL][metric] if ALL in found.table else 0.0


def page(results: Sequence[Result], life: Measured) -> str:
    """The results as a page."""
    lines = ["# Results", "", f"Made by `make bench`, {when()}", "",
             "Figures of rankings: what is refused is ranked, too, and counts as it is ranked. `recall@5` is the share",
             "of the relevant documents among the first five, `hit@5` whether any is. Means are over questions.", ""]
    for each in results:
        lines += [f"## {each.name}", "", *table(each), *told(each.refusals), *behind(each), ""]
    return "\n".join([*lines, *lived_through(life)]) + "\n"


def table(each: Result) -> list[str]:
    """Three rankings, one below the other; nothing for questions that have no answers."""
    if not each.full.table:
        return []
    runs = {"plain BM25": each.plain, "words only": each.words, "words and vectors": each.full}
    lines = ["| | n | " + " | ".join(SHOWN) + " |", "|---|---|" + "---|" * len(SHOWN)]
    for name, found in runs.items():
        row = found.table[ALL]
        lines.append(f"| {name} | {row['n']:.0f} | " + " | ".join(f"{row[figure]:.3f}" for figure in SHOWN) + " |")
    return lines


def told(found: Refusals) -> list[str]:
    refused = ((found.recall, f"{found.unanswerable} without an answer"), (found.false, "answerable ones"))
    shares = [f"{share:.0%} of the {what}" for share, what in refused if share is not None]
    chance = f"; AUROC {found.auroc:.2f}" if found.auroc is not None else ""
    return ["", f"Refused: {' and '.join(shares)}{chance}."]


def behind(each: Result) -> list[str]:
    """The categories that are worse than plain BM25 by more than two questions and two in a hundred."""
    lines = []
    for name, row in each.full.table.items():
        less = each.plain.table[name][each.metric] - row[each.metric]
        if less > SLACK and less * row["n"] > 2:
            lines.append(f"Below plain BM25: {name}, {each.metric} by {less:.3f} of {row['n']:.0f} questions.")
    return ["", *lines] if lines else []


def lived_through(life: Measured) -> list[str]:
    """What a made-up life says."""
    lines = [f"## a made-up life of {life.facts:,} facts", "",
             f"{CHATTER:.0%} of the lines are chatter. Asked: {life.asked.total()} questions.", "",
             "| what may never happen | times |", "|---|---|", *(f"| {what} | {life.never[what]} |" for what in NEVER),
             "", "| question | answered right | of |", "|---|---|---|"]
    return lines + [f"| {kind} | {life.right[kind]} | {number} |" for kind, number in sorted(life.asked.items())]


def when() -> str:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True)
    return f"{datetime.now(UTC):%Y-%m-%d}, after commit {commit.stdout.strip() or 'unknown'}; do not edit."


def surroundings() -> Surroundings:
    nowhere = Path("nowhere")
    return Surroundings(home=nowhere, clock=lambda: datetime.now(UTC), dice=os.urandom, environment={}, folder=nowhere,
                        user_home=nowhere, login="ines", typed=True)
