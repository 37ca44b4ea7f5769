"""One open memory and its verbs. Each verb answers with the object that every door shows.

What only some verbs need is imported by them: a cold search pays for no distiller and no importer.
"""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, cast

import msgspec

from rhizome.errors import Damaged, Locked
from rhizome.memory import asking
from rhizome.memory.parts import Parts
from rhizome.memory.surroundings import Surroundings
from rhizome.model import Tier

Answer = dict[str, Any]
P = ParamSpec("P")


def plain(value: object) -> Any:
    """A value of ours as JSON has it."""
    return msgspec.to_builtins(value)


def healed(verb: Callable[P, Answer]) -> Callable[P, Answer]:
    """A verb that begins with files that are there, and runs again, once, when a projection turns out to be broken.

    All verbs may: what was acknowledged is in the log, and doing it again adds nothing.
    """

    @wraps(verb)
    def run(*arguments: P.args, **options: P.kwargs) -> Answer:
        parts = cast("Memory", arguments[0]).parts
        parts.renew()
        try:
            return verb(*arguments, **options)
        except (sqlite3.DatabaseError, Damaged) as wrong:
            from rhizome.memory.broken import is_broken, is_busy

            if isinstance(wrong, sqlite3.DatabaseError) and is_busy(wrong):
                raise Locked(f"{parts.home.index}: another process is writing", "Wait for it and try again.") from wrong
            if not is_broken(wrong):
                raise
        parts.forget_index()
        return verb(*arguments, **options)

    return run


class Memory:
    """The verbs over one home. Reading ones wait for no lock and write no note; others first take in saves."""

    def __init__(self, surroundings: Surroundings) -> None:
        self.parts = Parts(surroundings)

    # ------------------------------------------------------------ making

    @staticmethod
    def init(surroundings: Surroundings, *, notes: Path | None = None, person: str | None = None) -> Answer:
        """Make a home, with its notes or around a vault that stays as it is. An existing home is left alone."""
        from rhizome.memory.making import make

        return make(surroundings, notes=notes, person=person)

    # ------------------------------------------------------------ sessions in

    @healed
    def import_(
        self, *, paths: Sequence[Path] | None = None, only: Sequence[Path] | None = None, dry_run: bool = False
    ) -> Answer:
        """Append sessions: of the files and folders named, or of every harness on this machine; of folders `only`
        these files, where given. A dry run says what would come."""
        from rhizome.memory import taking_in

        return taking_in.sessions(self.parts, paths or (), only=only, dry=dry_run)

    # ------------------------------------------------------------ asking

    @healed
    def search(
        self, *, query: str, k: int = 5, layer: str = "all", scope: str | None = None, session: str | None = None,
        as_of: str | None = None, no_vectors: bool = False, explain: bool = False, clearance: str = "amber",
    ) -> Answer:  # fmt: skip
        return asking.search(
            self.parts, query, k=max(1, k), layer=layer, scope=scope, session=session, as_of=as_of,
            vectors=not no_vectors, explain=explain, clearance=Tier(clearance),
        )  # fmt: skip

    @healed
    def read(self, *, ref: str, at: str | None = None, raw: bool = False, clearance: str = "amber") -> Answer:
        """A note's text, or what an event says. `path:line` names the note."""
        from rhizome.memory import reading

        return reading.read(self.parts, ref, at=at, raw=raw, clearance=Tier(clearance))

    @healed
    def graph(self, *, note: str, hops: int = 1, clearance: str = "amber") -> Answer:
        from rhizome.graph.neighbourhood import Graph
        from rhizome.memory import projections

        projections.refresh_edges(self.parts)
        graph = Graph(self.parts.edges, Tier(clearance))
        path = graph.find(note)
        answer: Answer = plain(graph.neighbours(path))
        if hops > 1:
            answer["around"] = plain(graph.around(path, hops))
        return answer

    # ------------------------------------------------------------ facts

    @healed
    def fact(
        self, *, key: str, scope: str | None = None, as_of: str | None = None, known: str | None = None,
        history: bool = False, clearance: str = "amber",
    ) -> Answer:  # fmt: skip
        from rhizome.memory import facts

        self.parts.sound()
        reader = Tier(clearance)
        name, found, told = facts.fact(self.parts, key, scope=scope, as_of=as_of, known=known, clearance=reader)
        return {"key": name, "fact": plain(found), "history": plain(told) if history else []}

    @healed
    def facts(
        self, *, scope: str | None = None, status: str | None = None, as_of: str | None = None, clearance: str = "amber"
    ) -> Answer:
        from rhizome.memory import facts

        self.parts.sound()
        found = facts.facts(self.parts, scope=scope, status=status, as_of=as_of, clearance=Tier(clearance))
        return {"facts": plain(found)}

    @healed
    def remember(
        self, *, key: str, statement: str, value: str | None = None, type: str = "fact", scope: str | None = None,  # noqa: A002
        tier: str | None = None,
    ) -> Answer:  # fmt: skip
        """Append a proposal, unless it is known, refused, or one too many."""
        from rhizome.memory import remembering

        return remembering.proposed(
            self.parts, key, statement, value=value or "", type=type, scope=scope, tier=tier
        )

    # ------------------------------------------------------------ where words come from

    @healed
    def why(self, *, ref: str, clearance: str = "amber") -> Answer:
        """Line → commit → call → fact → event → the turns around it."""
        from rhizome.memory import provenance

        self.parts.sound()
        return provenance.why(self.parts, ref, clearance=Tier(clearance))

    @healed
    def blame(self, *, note: str, clearance: str = "amber") -> Answer:
        from rhizome.memory import provenance

        self.parts.sound()
        return provenance.blame(self.parts, note, clearance=Tier(clearance))

    # ------------------------------------------------------------ what awaits a person

    @healed
    def review(self) -> Answer:
        """What awaits a person; nothing of it happens by itself."""
        from rhizome.memory import reviewing

        self.parts.sound()
        return {"items": [reviewing.told(item) for item in reviewing.items(self.parts)]}

    @healed
    def review_accept(self, *, id: str, yes: bool = False) -> Answer:  # noqa: A002
        return self._decide(id, "accept", yes=yes)

    @healed
    def review_reject(self, *, id: str, yes: bool = False) -> Answer:  # noqa: A002
        return self._decide(id, "reject", yes=yes)

    @healed
    def review_edit(self, *, id: str, statement: str, value: str | None = None, yes: bool = False) -> Answer:  # noqa: A002
        return self._decide(id, "edit", yes=yes, statement=statement, value=value)

    @healed
    def review_supersede(
        self, *, id: str, statement: str | None = None, value: str | None = None, yes: bool = False  # noqa: A002
    ) -> Answer:
        return self._decide(id, "supersede", yes=yes, statement=statement or "", value=value)

    @healed
    def review_merge(self, *, id: str, into: str | None = None, yes: bool = False) -> Answer:  # noqa: A002
        return self._decide(id, "merge", yes=yes, into=into)

    def _decide(self, name: str, decision: str, **how: Any) -> Answer:
        from rhizome.memory import reviewing, saves

        self.parts.sound()
        saves.take_saves(self.parts)
        item, events = reviewing.decide(self.parts, name, decision, **how)
        return {"item": reviewing.told(item), "decision": decision, "events": [event.id for event in events]}

    # ------------------------------------------------------------ consolidating and proving

    @healed
    def consolidate(
        self, *, if_due: bool = False, dry_run: bool = False, again: bool = False, since: str | None = None
    ) -> Answer:
        """`again` reads turns since a day once more, and asks a model about them anew."""
        from rhizome.memory import deciding, distilling, due, night, upkeep
        from rhizome.memory.alone import run_alone
        from rhizome.memory.preview import preview

        parts, now = self.parts, self.parts.around.clock()
        parts.sound()
        anew = distilling.again(parts, since) if again or since else None
        who = distilling.distillers(parts, now, anew=anew, dry=dry_run)
        if dry_run:
            return preview(deciding.decide(parts, now, who, anew))
        if if_due and not due.due(parts, now):
            return asdict(night.Report()) | {"note": "no day that is over waits for a consolidation"}
        with run_alone(parts.home):
            upkeep.anchored(parts)
            report, differences = night.run(parts, now, who, anew)
        return asdict(report) | {"identical": not differences, "differences": plain(differences)}

    @healed
    def rebuild(self, *, verify: bool = False) -> Answer:
        """Restore what is missing and build the index anew, or only compare. What differs is never overwritten."""
        from rhizome.memory import rebuilding
        from rhizome.memory.alone import run_alone

        parts = self.parts
        parts.sound()
        if verify:
            differences, restored = rebuilding.compared(parts), list[str]()
        else:
            with run_alone(parts.home):
                differences, restored = rebuilding.rebuilt(parts)
        return {"identical": not differences, "differences": plain(differences), "restored": restored}

    # ------------------------------------------------------------ by itself

    @healed
    def take_in(self) -> Answer:
        """Take in and commit what people saved; what `rhizome up` does when the notes have been quiet."""
        from rhizome.memory import projections, saves

        taken = saves.take_saves(self.parts)
        if taken.events:
            projections.refresh(self.parts)
        return {"events": taken.events, "commits": taken.commits, "held": dict(taken.held), "put_off": taken.put_off}

    def schedule_install(self) -> Answer:
        from rhizome.memory import scheduling

        return scheduling.install(self.parts.around, self.parts.home)

    def schedule_status(self) -> Answer:
        from rhizome.memory import scheduling

        return scheduling.status(self.parts.around, self.parts.home)

    def schedule_remove(self) -> Answer:
        from rhizome.memory import scheduling

        return scheduling.remove(self.parts.around, self.parts.home)

    # ------------------------------------------------------------ looking

    @healed
    def list_(self, *, clearance: str = "amber") -> Answer:
        from rhizome.memory import looking

        return looking.notes(self.parts, Tier(clearance))

    @healed
    def check(self, *, path: str | None = None, clearance: str = "amber") -> Answer:
        from rhizome.memory import checking

        return checking.checked(self.parts, path, Tier(clearance))

    @healed
    def status(self) -> Answer:
        from rhizome.memory import looking

        return looking.status(self.parts)

    @healed
    def doctor(self) -> Answer:
        from rhizome.memory import doctor

        return doctor.examined(self.parts)

    # ------------------------------------------------------------ how well it answers

    def eval_bench(
        self, *, folder: Path, out: Path | None = None, no_vectors: bool = False, parents: bool = False,
        settings: Sequence[str] | None = None,
    ) -> Answer:  # fmt: skip
        """Measure a memory made for it; this one is not asked, and need not be there."""
        from rhizome.memory import benching

        return benching.bench(
            self.parts.around, folder, out=out, vectors=not no_vectors, settings=settings or (), parents=parents
        )

    @healed
    def eval_add(
        self, *, question: str, expect: Sequence[str] | None = None, expect_nothing: bool = False
    ) -> Answer:
        from rhizome.memory import evaluating

        return evaluating.add(self.parts, question, expect=expect or (), nothing=expect_nothing)

    @healed
    def eval_run(self) -> Answer:
        from rhizome.memory import evaluating

        return evaluating.run(self.parts)

    def eval_compare(self, *, a: Path, b: Path, queries: Path, figure: str | None = None) -> Answer:
        from rhizome.memory import evaluating

        return evaluating.compare(a, b, queries=queries, figure=figure)

    # ------------------------------------------------------------ the log itself

    @healed
    def verify_log(self, *, quick: bool = False, full: bool = False) -> Answer:
        """Read every line of every home's log, and compare it with the heads that notes' commits name."""
        from rhizome.memory import upkeep

        return upkeep.verified(self.parts, quick=quick, full=full)

    @healed
    def repair_log(self, *, yes: bool = False) -> Answer:
        from rhizome.memory import upkeep

        return upkeep.repaired(self.parts, yes=yes)

    @healed
    def show_log(self, *, event: str | None = None, n: int = 50, form: str = "text", **which: Any) -> Answer:
        from rhizome.memory import logbook

        return logbook.show(self.parts, logbook.Which(**which), n=n, form=form, event=event)

    @healed
    def tail_log(self, *, n: int = 20, form: str = "text", **which: Any) -> Answer:
        from rhizome.memory import logbook

        return logbook.tail(self.parts, logbook.Which(**which), n=n, form=form)

    @healed
    def grep_log(self, *, pattern: str, n: int = 50, form: str = "text", **which: Any) -> Answer:
        from rhizome.memory import logbook

        return logbook.grep(self.parts, logbook.Which(**which), pattern, n=n, form=form)

    @healed
    def log_stats(self, *, form: str = "text", **which: Any) -> Answer:
        from rhizome.memory import logbook

        return logbook.stats(self.parts, logbook.Which(**which)) | {"format": form}

    def export_key(self, *, file: Path | None = None) -> Answer:
        from rhizome.memory import upkeep

        return upkeep.key_exported(self.parts, file)

    @healed
    def import_key(self, *, file: Path) -> Answer:
        from rhizome.memory import upkeep

        return upkeep.key_imported(self.parts, file)

