"""One open memory and its verbs. Each verb answers with the object that every door shows.

What only some verbs need is imported by them: a cold search pays for no distiller and no importer.
"""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, cast

import msgspec

from rhizome.errors import Damaged, Locked
from rhizome.memory import asking, projections
from rhizome.memory.database import is_broken, is_busy
from rhizome.memory.parts import Parts
from rhizome.memory.surroundings import Surroundings
from rhizome.model import Found, Status, Tier

if TYPE_CHECKING:
    from rhizome.memory.night import Decided

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
    def import_(self, *, paths: Sequence[Path] | None = None) -> Answer:
        from rhizome.log.importing import detected, import_paths
        from rhizome.memory import saves

        parts = self.parts
        taken = saves.take_saves(parts)
        around = parts.around
        where = [Path(path) for path in paths or ()] or detected(around.environment, around.user_home)
        progress = around.progress
        report = import_paths(
            parts.log, where, index=parts.home.index, key=parts.home.key, door=parts.door,
            on_file=(lambda path, done, total: progress(str(path), done, total)) if progress else None,
            now=around.clock(),
        )  # fmt: skip
        projections.refresh(parts)
        total: Answer = plain(report.total)
        return total | {
            "skipped": report.skipped,
            "sources": {name: plain(counts) for name, counts in sorted(report.sources.items())},
            "problems": [f"{path}: {why}" for path, why in report.problems] + [taken.put_off] * bool(taken.put_off),
        }

    # ------------------------------------------------------------ asking

    @healed
    def search(
        self, *, query: str, k: int = 5, layer: str = "all", scope: str | None = None, session: str | None = None,
        as_of: str | None = None, no_vectors: bool = False, explain: bool = False, clearance: str = "amber",
    ) -> Answer:  # fmt: skip
        found = asking.ask(
            self.parts, query, k=max(1, k), layer=layer, scope=scope, session=session, as_of=as_of,
            vectors=not no_vectors, clearance=Tier(clearance),
        )  # fmt: skip
        if isinstance(found, Found):
            answer = {"status": "found", "reason": None, "detail": None, "nearest": [], "hits": plain(found.hits)}
            answer["degraded"] = found.degraded
        else:
            answer = {"status": "insufficient_evidence", "reason": found.reason, "detail": found.detail, "hits": []}
            answer["nearest"] = plain(found.nearest)
        for hit in () if explain else (*answer["hits"], *answer["nearest"]):
            hit.pop("parts")
        return answer

    @healed
    def read(self, *, ref: str, at: str | None = None, raw: bool = False, clearance: str = "amber") -> Answer:
        """A note's text, or what an event says. `path:line` names the note."""
        from rhizome.memory import reading

        return reading.read(self.parts, ref, at=at, raw=raw, clearance=Tier(clearance))

    @healed
    def graph(self, *, note: str, hops: int = 1, clearance: str = "amber") -> Answer:
        from rhizome.graph.neighbourhood import Graph

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
        from rhizome.consolidate.gather import consumed
        from rhizome.consolidate.proposals import Proposal, propose
        from rhizome.memory import saves

        parts = self.parts
        parts.around.unasked()
        parts.sound()
        saves.take_saves(parts)
        where = parts.scope(scope) if scope else parts.project()
        earlier = list(parts.log.history(("memory.proposed",)))
        outcome = propose(
            Proposal(
                key=parts.door.clean(key if "|" in key else f"{where}|{key}").text,
                statement=parts.door.clean(statement).text, scope=where,
                value=parts.door.clean(value or "").text, type=type, tier=tier, typed=parts.around.typed,
                actor=parts.around.actor if parts.around.typed else "agent", session=parts.around.session,
            ),
            fold=parts.fold(), key=parts.home.key, earlier=earlier,
            settled=consumed(parts.log.history(("consolidated",))), red=parts.red,
        )  # fmt: skip
        if outcome.event is not None:
            parts.append([outcome.event])
        other = outcome.other.statement if outcome.other else None
        return {
            "event": outcome.event.id if outcome.event else outcome.known,
            "outcome": outcome.outcome,
            "other": other,
        }

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
        from rhizome.memory import distilling, night

        parts, now = self.parts, self.parts.around.clock()
        parts.sound()
        anew = distilling.again(parts, since) if again or since else None
        who = distilling.distillers(parts, now, anew=anew, dry=dry_run)
        if dry_run:
            return preview(night.decide(parts, now, who, anew))
        if if_due and not night.due(parts, now):
            return asdict(night.Report()) | {"note": "no day that is over waits for a consolidation"}
        with parts.run_alone():
            parts.anchored()
            report, differences = night.run(parts, now, who, anew)
        return asdict(report) | {"identical": not differences, "differences": plain(differences)}

    @healed
    def rebuild(self, *, verify: bool = False) -> Answer:
        """Restore what is missing and build the index anew, or only compare. What differs is never overwritten."""
        from rhizome.memory import rebuilding

        parts = self.parts
        parts.sound()
        if verify:
            differences, restored = rebuilding.compared(parts), list[str]()
        else:
            with parts.run_alone():
                differences, restored = rebuilding.rebuilt(parts)
        return {"identical": not differences, "differences": plain(differences), "restored": restored}

    # ------------------------------------------------------------ by itself

    @healed
    def take_in(self) -> Answer:
        """Take in and commit what people saved; what `rhizome up` does when the notes have been quiet."""
        from rhizome.memory import saves

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
        parts = self.parts
        projections.refresh_edges(parts)
        derived = {note.ref for note in parts.notes_known().derived()}
        notes = [
            {"path": entry.path, "title": entry.title, "aliases": list(entry.aliases), "tier": entry.tier,
             "derived": entry.path in derived}
            for entry in parts.edges.notes(Tier(clearance))
        ]  # fmt: skip
        return {"notes": notes}

    @healed
    def status(self) -> Answer:
        from rhizome.memory import saves

        parts = self.parts
        head, damage = parts.log.head, parts.log.damage()
        projections.refresh_edges(parts)
        projections.refresh_ledgers(parts)
        parts.notes_known()
        taken, news, removed, _ = saves.look(parts)
        notes = list(parts.edges.notes(Tier.AMBER))
        facts = list(parts.ledger(Tier.AMBER).facts(status=Status.ACTIVE))
        reached = parts.engine.reached(projections.BOTH)
        return {
            "home": str(parts.home.root), "notes": str(parts.home.notes), "person": parts.configured["person"],
            "log": {"home": parts.home.id, "seq": head.seq, "h": head.h, "damaged": len(damage)},
            "counts": {"events": sum(parts.heads().values()), "notes": len(notes), "facts": len(facts)},
            "index": {"seq": reached, "behind": None if reached is None else head.seq - reached},
            "uncommitted": [*(seen.ref for seen in news), *removed],
            "held": [f"{ref}: {why}" for ref, why in taken.held.items()], "outages": taken.outages,
            "skipped": [f"{ref}: {why}" for ref, why in taken.skipped.items()],
            "busy": [f"{prefix or 'notes/'}: {why}" for prefix, why in parts.vault.busy().items()],
        }  # fmt: skip

    @healed
    def doctor(self) -> Answer:
        from rhizome.memory import doctor

        return doctor.examined(self.parts)

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


def preview(decided: "Decided") -> Answer:
    """What a run would do, without its commits."""
    counts = decided.reconciled.counts
    return {
        "run": decided.batch.run if decided.consolidated else None, "turns": len(decided.batch.taken),
        "asserted": counts["asserted"], "superseded": counts["superseded"], "confirmed": counts["confirmed"],
        "proposed": counts["proposed"], "expired": len(decided.expired), "commits": 0, "pending": decided.open,
        "tokens": decided.asked.tokens, "questions": plain(decided.asked.planned),
        "problems": [f"{each.draft.statement}: {each.why}" for each in decided.reconciled.outcomes if each.why],
        "drafts": [plain(draft) for draft in decided.drafts],
    }  # fmt: skip
