"""A small home in memory: claims, nights and a person with an editor, over the real ledger and nothing else."""

from collections.abc import Iterable
from typing import Any

from rhizome.consolidate.derive import DERIVE_VERSION, Derived, derive
from rhizome.consolidate.readings import Save, readings
from rhizome.ledger.keys import statement_id
from rhizome.model import Event


class Desk:
    """Appends events, lets nights pass, and saves notes as a person's editor would."""

    def __init__(self, **configured: str) -> None:
        self.log: list[Event] = []
        self.derived = Derived()
        home = {"person": "ines", "zone": "UTC", "derive_folder": "", "branch": "main"}
        self.put("home.configured", home | configured)

    def put(self, kind: str, body: dict[str, Any], **more: Any) -> Event:
        seq = len(self.log) + 1
        at = self.now()
        event = Event(kind=kind, id=f"{seq:08x}{'0' * 24}", rev="0" * 32, seq=seq, home="0000000a", recorded_at=at,
                      body=body, **({"tier": "green"} | more))
        self.log.append(event)
        self.derived.apply(event)
        return event

    def now(self) -> str:
        """When the next event is recorded: a minute after the last one."""
        minutes = len(self.log)
        return f"2026-10-{14 + minutes // 1440:02d}T{minutes // 60 % 24:02d}:{minutes % 60:02d}:00.000000Z"

    def hears(self, key: str, value: str, statement: str = "", *, scope: str = "tidepool", tier: str = "green",
              by: float = 0.8, **more: Any) -> Event:
        """Somebody said that `key` is `value`."""
        body = {"type": "decision", "scope": scope, "fact_key": key, "value": value, "confidence": by, "tier": tier,
                "statement": statement or f"The {key.partition('|')[2]} is {value}.",
                "observed_at": self.now(), "capped": False,
                "evidence": [{"event": f"{len(self.log):08x}{'e' * 24}", "quote": f"it is {value} now"}],
                "aliases": [], "links": []} | more
        return self.put("fact.asserted", body, tier=tier, origin="human" if by == 1.0 else "model")

    def forgets(self, key: str, *, scope: str = "tidepool", tier: str = "green") -> Event:
        return self.put("fact.retracted", {"scope": scope, "fact_key": key, "confidence": 1.0,
                                           "observed_at": self.now()}, tier=tier)

    def night(self, days: dict[str, Any] | None = None, *, version: int = DERIVE_VERSION) -> None:
        self.put("consolidated", {"run": f"r{len(self.log)}", "previous": None, "derive": version, "turns": [],
                                  "days": days or {}})

    def saves(self, *notes: tuple[str, str | bytes], removed: str = "") -> list[dict[str, Any]]:
        """A person saved these notes, and removed one in the same sweep; the bodies of the events that say so."""
        found = [Save(path, text.encode() if isinstance(text, str) else text, "b" * 40) for path, text in notes]
        bodies = readings(found, self.derived, [removed] if removed else [])
        for body in bodies:
            self.put("note.saved", body, actor="human", origin="human",
                     tier="amber" if body["path"].startswith("private/") else "green")
        if removed:
            self.removes(removed)
        return bodies

    def edits(self, path: str, old: str, new: str) -> dict[str, Any]:
        """A person replaced `old` by `new` in a note as it stands and saved it."""
        text = self.text(path)
        assert old in text
        return self.saves((path, text.replace(old, new, 1)))[0]

    def removes(self, path: str) -> None:
        self.put("note.removed", {"path": path, "derived": path in self.derived.files}, actor="human")

    def text(self, path: str) -> str:
        return self.derived.files[path].decode()

    def lines(self, path: str) -> list[str]:
        return self.text(path).split("\n")

    def paths(self) -> list[str]:
        return sorted(self.derived.files)

    def subjects(self) -> list[str]:
        """Paths without the notes of days."""
        return [path for path in self.paths() if not path.startswith("private/days/")]

    def rebuilt(self, events: Iterable[Event] | None = None) -> dict[str, bytes]:
        return derive(self.log if events is None else events).files


def ref(key: str, scope: str = "tidepool") -> str:
    return f"[^{statement_id(scope, key)}]"
