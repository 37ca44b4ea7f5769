"""One open memory and its verbs. Each verb answers with the object that every door shows.

What only some verbs need is imported by them: a cold search pays for no distiller and no importer.
"""

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rhizome.errors import Conflict, Locked, NotFound, Refused
from rhizome.graph.edges import blob_id
from rhizome.graph.neighbourhood import Graph
from rhizome.ledger.keys import canonical
from rhizome.log.sessions import says
from rhizome.log.verify import verify
from rhizome.memory import asking, projections, proof, saves
from rhizome.memory.home import event_id, lay_out, open_home, template
from rhizome.memory.parts import Parts
from rhizome.memory.surroundings import Surroundings
from rhizome.model import Event, Fact, Found, Origin, Receipt, Status, Tier
from rhizome.store.git_store import GitStore

if TYPE_CHECKING:
    from rhizome.memory.night import Decided

Answer = dict[str, Any]


def plain(value: object) -> Any:
    """A value of ours as JSON has it."""
    return msgspec.to_builtins(value)


class Memory:
    """The verbs over one home. Reading verbs take no lock and write no note; writing ones first take in people's saves."""

    def __init__(self, surroundings: Surroundings) -> None:
        self.parts = Parts(surroundings)

    # ------------------------------------------------------------ making

    @staticmethod
    def init(surroundings: Surroundings, *, notes: Path | None = None, person: str | None = None) -> Answer:
        """Make a home, with its notes or around a vault that stays as it is. An existing home is left alone."""
        if (surroundings.home / "rhizome.toml").is_file():
            home = open_home(surroundings.home)
            return {"home": str(home.root), "notes": str(home.notes), "created": False}
        home = lay_out(surroundings.home, vault=notes, dice=surroundings.dice)
        parts = Parts(surroundings)
        adopted = notes is not None
        if not (home.notes / ".git").exists():
            GitStore.create(home.notes, clock=surroundings.clock)
        call = f"init/{home.id}"
        settings = {
            "person": person or surroundings.login, "zone": surroundings.zone,
            "derive_folder": "derived" if adopted else "", "branch": parts.vault.green.branch,
        }  # fmt: skip
        notes_now = {} if adopted else template()
        events = [
            Event(
                kind="home.configured",
                id=event_id(home, "home.configured", home.id),
                actor="human",
                call=call,
                body=settings,
            )
        ]
        events += [
            Event(
                kind="note.saved", id=event_id(home, "note.saved", ref, call), actor="init", origin=Origin.HUMAN,
                call=call, tier=Tier.GREEN, body={"path": ref, "blob": blob_id(data), "derived": False},
            )
            for ref, data in notes_now.items()
        ]  # fmt: skip
        where = parts.append(events)
        if notes_now:
            parts.vault.green.commit(notes_now, call=call, subject="a home for notes", head=where)
        return {"home": str(home.root), "notes": str(home.notes), "created": True}

    # ------------------------------------------------------------ sessions in

    def import_(self, *, paths: Sequence[Path] | None = None) -> Answer:
        from rhizome.log.importing import detected, import_paths

        parts = self.parts
        saves.take_saves(parts)
        around = parts.around
        where = [Path(path) for path in paths or ()] or detected(around.environment, around.user_home)
        progress = around.progress
        report = import_paths(
            parts.log, where, index=parts.home.index, key=parts.home.key, door=parts.door,
            on_file=(lambda path, done, total: progress(str(path), done, total)) if progress else None,
        )  # fmt: skip
        projections.refresh(parts)
        total: Answer = plain(report.total)
        return total | {
            "skipped": report.skipped,
            "sources": {name: plain(counts) for name, counts in sorted(report.sources.items())},
            "problems": [f"{path}: {why}" for path, why in report.problems],
        }

    # ------------------------------------------------------------ asking

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

    def read(self, *, ref: str, at: str | None = None, raw: bool = False, clearance: str = "amber") -> Answer:
        """A note's text, or what an event says. `path:line` names the note."""
        path, _, line = ref.rpartition(":")
        name = path if path and line.isdecimal() else ref
        if is_event(name):
            return self._read_event(name, raw=raw, clearance=Tier(clearance))
        return self._read_note(name, at, Tier(clearance))

    def _read_event(self, name: str, *, raw: bool, clearance: Tier) -> Answer:
        event = self.parts.log.get(name)
        if clearance is Tier.GREEN and event.tier != Tier.GREEN:
            raise NotFound(f"event {name}: not in this log")
        text = raw_line(event) if raw else says(event)
        receipt = Receipt(
            source=f"{event.source.harness}:{event.source.path}" if event.source else event.call, status="said",
            origin=event.origin, actor=event.actor, recorded_at=event.recorded_at,
        )  # fmt: skip
        return {"ref": event.id, "text": text, "receipt": plain(receipt)}

    def _read_note(self, ref: str, at: str | None, clearance: Tier) -> Answer:
        parts = self.parts
        projections.refresh_edges(parts)
        parts.known.catch_up(parts.log, parts.heads())
        if parts.edges.entry(ref, clearance) is None and not (at and parts.vault.tier(ref) <= clearance):
            ref = Graph(parts.edges, clearance).find(ref)
        data = parts.vault.read(ref, parts.commit_at(ref, at))
        known = parts.known.get(ref)
        derived = known is not None and known.derived
        receipt = Receipt(
            source=ref, status="current" if at is None else "said", origin=Origin.MEMORY if derived else Origin.HUMAN,
            actor="consolidator" if derived else "human",
            recorded_at=known.recorded_at if known and known.blob == blob_id(data) else None,
        )  # fmt: skip
        return {"ref": ref, "text": data.decode("utf-8", "surrogateescape"), "receipt": plain(receipt)}

    def graph(self, *, note: str, hops: int = 1, clearance: str = "amber") -> Answer:
        projections.refresh_edges(self.parts)
        graph = Graph(self.parts.edges, Tier(clearance))
        path = graph.find(note)
        answer: Answer = plain(graph.neighbours(path))
        if hops > 1:
            answer["around"] = plain(graph.around(path, hops))
        return answer

    # ------------------------------------------------------------ facts

    def fact(
        self, *, key: str, scope: str | None = None, as_of: str | None = None, known: str | None = None,
        history: bool = False, clearance: str = "amber",
    ) -> Answer:  # fmt: skip
        parts, reader = self.parts, Tier(clearance)
        parts.sound()
        projections.refresh_ledgers(parts)
        name = canonical(key if "|" in key else f"{parts.scope(scope) if scope else parts.project()}|{key}")
        ledger = parts.ledger(reader)
        where = (
            parts.scope(scope)
            if scope
            else self._scope_of(name, sorted({each.scope for each in ledger.facts(key=name)}))
        )
        found, told = None, list[Fact]()
        if where is not None and (as_of or known):
            fold, times = parts.fold(), {"valid": parts.instant(as_of), "known": parts.instant(known)}
            found, told = fold.get(where, name, reader, **times), fold.history(where, name, reader, **times)
        elif where is not None:
            found, told = ledger.get(where, name), ledger.history(where, name)
        return {"key": name, "fact": plain(found), "history": plain(told) if history else []}

    def _scope_of(self, key: str, scopes: Sequence[str]) -> str | None:
        """The scope that a key is meant in: the only one that has it, else the project the caller stands in."""
        here = self.parts.project()
        if len(scopes) < 2 or here in scopes:
            return here if here in scopes else next(iter(scopes), None)
        raise Refused(f"{key}: in several scopes: {', '.join(scopes)}", "Say which one with --scope.")

    def facts(
        self, *, scope: str | None = None, status: str | None = None, as_of: str | None = None, clearance: str = "amber"
    ) -> Answer:
        parts, reader = self.parts, Tier(clearance)
        parts.sound()
        projections.refresh_ledgers(parts)
        where, wanted = parts.scope(scope) if scope else None, Status(status) if status else None
        if as_of is None:
            return {"facts": plain(list(parts.ledger(reader).facts(scope=where, status=wanted)))}
        every = parts.fold().facts(reader, valid=parts.instant(as_of))
        kept = [fact for fact in every if where in (None, fact.scope) and wanted in (None, fact.status)]
        return {"facts": plain(kept)}

    def remember(
        self, *, key: str, statement: str, value: str | None = None, type: str = "fact", scope: str | None = None,  # noqa: A002
        tier: str | None = None,
    ) -> Answer:  # fmt: skip
        from rhizome.consolidate.gather import consumed
        from rhizome.consolidate.proposals import Proposal, propose

        parts = self.parts
        parts.sound()
        saves.take_saves(parts)
        where = parts.scope(scope) if scope else parts.project()
        earlier = list(parts.log.history(("memory.proposed",)))
        outcome = propose(
            Proposal(
                key=key if "|" in key else f"{where}|{key}", statement=parts.door.clean(statement).text, scope=where,
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

    # ------------------------------------------------------------ consolidating and proving

    def consolidate(self, *, if_due: bool = False, dry_run: bool = False) -> Answer:
        from rhizome.memory import night

        parts, now = self.parts, self.parts.around.clock()
        parts.sound()
        if dry_run:
            return preview(night.decide(parts, now))
        if if_due and not night.due(parts, now):
            return asdict(night.Report()) | {"note": "no day that is over waits for a consolidation"}
        with self._alone():
            taken = saves.take_saves(parts)
            report, derived = night.run(parts, now)
            projections.refresh(parts)
            differences = proof.notes(parts, derived) + proof.indexes(parts)
        report.problems += [f"{ref}: {why}" for ref, why in taken.held.items()]
        held = taken.held.keys()
        return asdict(report) | {
            "identical": not [each for each in differences if each.path not in held],
            "differences": plain(differences),
        }

    def rebuild(self, *, verify: bool = False) -> Answer:
        """Restore what is missing and build the index anew, or only compare. What differs is never overwritten."""
        from rhizome.memory import night

        parts = self.parts
        parts.sound()
        if verify:
            projections.refresh(parts)
            differences = proof.notes(parts, night.rendered(parts)) + proof.indexes(parts)
            return {"identical": not differences, "differences": plain(differences), "restored": []}
        with self._alone():
            parts.forget_index()
            derived = parts.known.replay(parts.log, parts.heads())
            restored = []
            for difference in proof.notes(parts, derived):
                if difference.what == "missing":
                    data = derived.files[difference.path]
                    known = parts.known.get(difference.path)
                    call = known.call if known else f"consolidate/{parts.home.id}"
                    try:
                        parts.vault.commit(
                            difference.path, data, call=call, subject=f"restore {difference.path}", head=parts.where()
                        )
                        restored.append(difference.path)
                    except Conflict:
                        continue
            projections.refresh(parts)
            differences = proof.notes(parts, derived) + proof.indexes(parts)
        return {"identical": not differences, "differences": plain(differences), "restored": restored}

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One consolidation or rebuild at a time; a second one says that the first is running."""
        path = self.parts.home.log / self.parts.home.id / "run.lock"
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise Locked(f"{self.parts.home.root}: a consolidation is already running", "Wait for it to end.") from None
        finally:
            os.close(file)

    # ------------------------------------------------------------ looking

    def list_(self, *, clearance: str = "amber") -> Answer:
        parts = self.parts
        projections.refresh_edges(parts)
        parts.known.catch_up(parts.log, parts.heads())
        derived = {note.ref for note in parts.known.derived()}
        notes = [
            {"path": entry.path, "title": entry.title, "aliases": list(entry.aliases), "tier": entry.tier,
             "derived": entry.path in derived}
            for entry in parts.edges.notes(Tier(clearance))
        ]  # fmt: skip
        return {"notes": notes}

    def status(self) -> Answer:
        parts = self.parts
        head, damage = parts.log.head, parts.log.damage()
        projections.refresh_edges(parts)
        projections.refresh_ledgers(parts)
        parts.known.catch_up(parts.log, parts.heads())
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
            "busy": [f"{prefix or 'notes/'}: {why}" for prefix, why in parts.vault.busy().items()],
        }  # fmt: skip

    def verify_log(self, *, full: bool = False) -> Answer:
        parts = self.parts
        damaged = [bad for name in parts.heads() for bad in verify(parts.home.log, name, full=full)]
        head = parts.log.head
        return {
            "ok": not damaged,
            "damaged": plain(damaged),
            "head": plain(head),
            "events": sum(parts.heads().values()),
        }


def is_event(name: str) -> bool:
    return 8 <= len(name) <= 32 and all(digit in "0123456789abcdef" for digit in name)


def raw_line(event: Event) -> str:
    """The record as the harness wrote it, or one of our own bodies as JSON."""
    if event.body64 is not None:
        return event.body64
    return event.body if isinstance(event.body, str) else msgspec.json.encode(event.body).decode()


def preview(decided: "Decided") -> Answer:
    """What a run would do, without its commits."""
    counts = decided.reconciled.counts
    return {
        "run": decided.batch.run if decided.consolidated else None, "turns": len(decided.batch.taken),
        "asserted": counts["asserted"], "superseded": counts["superseded"], "confirmed": counts["confirmed"],
        "proposed": counts["proposed"], "expired": len(decided.expired), "commits": 0, "pending": decided.open,
        "tokens": 0,
        "problems": [f"{each.draft.statement}: {each.why}" for each in decided.reconciled.outcomes if each.why],
        "drafts": [plain(draft) for draft in decided.drafts],
    }  # fmt: skip
