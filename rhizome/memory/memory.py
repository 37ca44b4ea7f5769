"""One open memory and its verbs. Each verb answers with the object that every door shows.

What only some verbs need is imported by them: a cold search pays for no distiller and no importer.
"""

from collections.abc import Sequence
from pathlib import Path

from rhizome.memory import asking, served
from rhizome.memory.eval_verbs import EvalVerbs
from rhizome.memory.log_verbs import LogVerbs
from rhizome.memory.review_verbs import ReviewVerbs
from rhizome.memory.surroundings import Surroundings
from rhizome.memory.verbs import Answer, healed, plain
from rhizome.model import Status, Tier


class Memory(ReviewVerbs, EvalVerbs, LogVerbs):
    """The verbs over one home. Reading ones wait for no lock and write no note; others first take in saves."""

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
        """Append sessions: of the files and folders named, or of every harness on this machine; `only` these,
        where given. A dry run says what would come."""
        from rhizome.memory import taking_in

        return taking_in.sessions(self.parts, paths or (), only=only, dry=dry_run)

    # ------------------------------------------------------------ asking

    @healed
    def search(
        self, *, query: str, k: int = 5, layer: str = "all", scope: str | None = None, session: str | None = None,
        as_of: str | None = None, no_vectors: bool = False, explain: bool = False, clearance: str = "amber",
    ) -> Answer:  # fmt: skip
        where: Answer = {"layer": layer, "scope": scope, "session": session, "as_of": as_of}
        reader = Tier(clearance)
        found = asking.search(
            self.parts, query, k=max(1, k), vectors=not no_vectors, explain=explain, clearance=reader, **where
        )
        if found["reason"] == "empty":
            from rhizome.memory.nothing import nothing

            found["detail"] = nothing(self.parts, clearance=reader, **where)
        served.note(self.parts, query, found)
        return found

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
        ended = {"ended": plain(told[-1])} if told and not found and told[-1].status is Status.EXPIRED else {}
        return {"key": name, "fact": plain(found), "history": plain(told) if history else []} | ended

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
        anew = distilling.again(parts, since, given=again) if again or since else None
        who = distilling.distillers(parts, now, anew=anew, dry=dry_run)
        if dry_run:
            return preview(deciding.decide(parts, now, who, anew))
        if if_due and not due.due(parts, now):
            return {**plain(night.Report()), "note": "no day that is over waits for a consolidation"}
        with run_alone(parts.home):
            upkeep.anchored(parts)
            report, differences = night.run(parts, now, who, anew)
        return {**plain(report), "identical": not differences, "differences": plain(differences)}

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
    def aliases_list(self, *, clearance: str = "amber") -> Answer:
        from rhizome.memory import aliases

        return aliases.listed(self.parts, Tier(clearance))

    @healed
    def aliases_suggest(self) -> Answer:
        """Names for notes; a person takes one in by editing the note. What was asked is theirs alone."""
        from rhizome.memory import aliases

        return aliases.suggested(self.parts, Tier.AMBER)

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
