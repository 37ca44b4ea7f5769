"""A set of documents and questions, answered by a memory of its own: the files go in as a person's would.

The memory lies in a temporary folder and has fixed dice, so that one rhizome gives the same answers each time.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from rhizome.errors import NotFound
from rhizome.evaluate import corpus as corpora
from rhizome.evaluate import settings as setting
from rhizome.evaluate.corpus import Corpus, Text
from rhizome.evaluate.metrics import figures
from rhizome.evaluate.questions import Answered, Question, read, write
from rhizome.memory import projections, saves, taking_in, throwaway
from rhizome.memory.making import make
from rhizome.memory.marker import MARKER
from rhizome.memory.parts import Parts
from rhizome.memory.surroundings import Surroundings
from rhizome.model import Found, Tier
from rhizome.search.port import Query
from rhizome.store.git_store import GitStore

RANKED = 50
"""So many documents of an answer are told at most."""

DOCUMENTS, QUERIES, VAULT = "documents.jsonl", "queries", "vault"


@dataclass(frozen=True, slots=True)
class Bench:
    """A memory that holds a set, and which document of the set stands where in it."""

    parts: Parts
    scopes: Mapping[str, str]
    documents: Mapping[str, str]

    def answered(self, question: Question, *, vectors: bool) -> Answered:
        """What the memory answers: documents of the set in the order of the ranking, which a refusal has, too."""
        scope = None if question.scope is None else self.scopes.get(question.scope, "nowhere")
        query = Query(text=question.text, k=1, scope=scope, vectors=vectors, fusion=self.parts.search.fusion)
        found = self.parts.engine.measured(query, tuple(Tier))
        ranked = dict.fromkeys(self.documents[name] for name in map(place, found.order) if name in self.documents)
        return Answered(question.id, tuple(ranked)[:RANKED], not isinstance(found.answer, Found),
                        round(found.confidence, 6))


def place(name: str) -> str:
    """Where a search document stands: the path of its note, or the id of its event."""
    kind, _, rest = name.partition(":")
    return rest.rpartition("#")[0] if kind == "note" else rest.partition(":")[0]


def bench(
    around: Surroundings, folder: Path, *, out: Path | None, vectors: bool, settings: Sequence[str], parents: bool
) -> dict[str, Any]:
    """Take in what `folder` holds, ask every question, and say what the answers are worth.

    With `out` they are written to it, those to `queries_<name>.jsonl` beside it with `_<name>` in its name; with
    `parents` what a document belongs to is looked for in its place.
    """
    asked = {file: read(file, Question) for file in sorted(folder.glob(f"{QUERIES}*.jsonl"))}
    if not asked:
        raise NotFound(f"{folder}: no {QUERIES}.jsonl in it", f"Name a folder with {DOCUMENTS} and {QUERIES}.jsonl.")
    texts, notes = documents(folder)
    chosen, began = [setting.parsed(each) for each in settings], around.clock()
    if out:
        out.parent.mkdir(parents=True, exist_ok=True)  # rather now than after minutes of asking
    parent = {text.id: str(text.meta.get("parent") or text.id) for text in texts} if parents else {}
    with setting.applied(chosen), opened(around, texts, notes, setting.table(chosen)) as held:
        told: dict[str, Any] = {"documents": len(held.documents), "seconds": since(around, began), "vectors": vectors,
                                "parents": parents, "settings": dict(chosen), "sets": []}
        for file, questions in asked.items():
            began = around.clock()
            answers = [held.answered(question, vectors=vectors) for question in questions]
            seconds, run = since(around, began), out and beside(out, file)
            if run:
                write(run, answers)
            worth = figures(questions, answers, lambda name: parent.get(name, name))
            told["sets"].append({"queries": file.name, "run": run and str(run), "questions": len(questions),
                                 "seconds": seconds} | asdict(worth))
    return told


@contextmanager
def opened(around: Surroundings, texts: Sequence[Text], notes: Mapping[str, bytes], table: str) -> Iterator[Bench]:
    """A memory of its own that holds these documents, with `table` in its settings; gone afterwards."""
    files = corpora.corpus(texts, notes)
    with throwaway.folder() as place:
        parts = filled(replace(around, home=place / "home", dice=throwaway.dice()), files, place, table)
        try:
            yield Bench(parts, files.scopes, places(parts, files))
        finally:
            parts.close()


def filled(around: Surroundings, files: Corpus, folder: Path, table: str) -> Parts:
    """A home around a vault of these notes, with these sessions in its log, and everything searchable."""
    vault = GitStore.create(folder / VAULT, clock=around.clock)
    if files.notes:
        vault.commit(dict(files.notes), call="init/bench", subject="the notes of the set")
    for name, lines in files.sessions.items():
        file = folder / "sessions" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    make(around, notes=folder / VAULT, person=None)
    with (around.home / MARKER).open("a", encoding="utf-8") as marker:
        marker.write(table)
    parts = Parts(around)
    saves.take_saves(parts)
    if files.sessions:
        taking_in.sessions(parts, [folder / "sessions"])
    projections.refresh(parts)
    return parts


def places(parts: Parts, files: Corpus) -> dict[str, str]:
    """The id of the document that stands at a note's path or in an event."""
    found = dict(files.of_note)
    for event in parts.log.read(kinds=("session.record",)):
        nth = corpora.number(event.body) if isinstance(event.body, str) else None
        if nth is not None:
            found[event.id] = files.ids[nth]
    return found


def documents(folder: Path) -> tuple[list[Text], dict[str, bytes]]:
    """The documents of a set and the notes of its vault by path; one of the two may be missing."""
    notes = vault(folder / VAULT)
    return ([] if notes and not (folder / DOCUMENTS).exists() else read(folder / DOCUMENTS, Text)), notes


def vault(folder: Path) -> dict[str, bytes]:
    """The notes of a vault by path."""
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*.md"))}


def beside(out: Path, queries: Path) -> Path:
    return out.with_name(f"{out.stem}{queries.stem.removeprefix(QUERIES)}{out.suffix}")


def since(around: Surroundings, began: datetime) -> float:
    """Seconds by the clock on the wall."""
    return round((around.clock() - began).total_seconds(), 3)
