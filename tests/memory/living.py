"""A memory as somebody lives with it: sessions are heard, nights pass, notes are written; the clock moves when told."""

import json
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from rhizome.memory.memory import Memory
from rhizome.memory.surroundings import Surroundings

START = datetime(2026, 9, 7, 9, tzinfo=UTC)
EXAMPLES = Path(__file__).parents[2] / "examples" / "sessions"


@dataclass
class Living:
    """One person's memory below `folder`: home in `home/`, an agent's session files in `sessions/`."""

    folder: Path
    vault: Path | None = None
    zone: str = "UTC"
    now: datetime = START
    dice: Random = field(default_factory=lambda: Random(7))
    said: int = 0

    def __post_init__(self) -> None:
        self.around = Surroundings(
            home=self.folder / "home", clock=lambda: self.now, dice=self.dice.randbytes, environment={},
            folder=Path("/home/ines/src/tidepool"), user_home=self.folder, login="ines", zone=self.zone, typed=True,
        )  # fmt: skip
        self.memory = Memory(self.around)

    def begins(self) -> "Living":
        Memory.init(self.around, notes=self.vault, person="ines")
        return self

    def again(self) -> "Living":
        """Another process over the same home."""
        self.memory.parts.close()
        self.memory = Memory(self.around)
        return self

    def elsewhere(self, folder: Path, **around: Any) -> "Living":
        """Somebody who looks at a copy of the home from other surroundings."""
        other = replace_living(self, folder)
        other.around = replace(other.around, **around)
        other.memory = Memory(other.around)
        return other

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def notes(self) -> Path:
        return self.vault or self.home / "notes"

    # ------------------------------------------------------------ agents

    def says(self, text: str, *, session: str = "s1", project: str = "tidepool", reply: str = "Done.") -> Path:
        """A person tells an agent something; the session's file grows by two records. Nothing is imported."""
        told = ("user", text), ("assistant", [{"type": "text", "text": reply}])
        return self.records(*told, session=session, project=project)

    def records(self, *told: tuple[str, Any], session: str = "s1", project: str = "tidepool") -> Path:
        """A session's file grows by these records: who, and the content of their message."""
        path = self.folder / "sessions" / "projects" / project / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            for who, content in told:
                self.said += 1
                self.now += timedelta(seconds=20)
                message: dict[str, Any] = {"role": who, "content": content}
                record = {
                    "type": who, "uuid": f"{session}-{self.said}", "parentUuid": None, "isSidechain": False,
                    "sessionId": session, "cwd": f"/home/ines/src/{project}", "userType": "external",
                    "version": "2.1.240", "timestamp": self.now.isoformat().replace("+00:00", "Z"), "message": message,
                }  # fmt: skip
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
        return path

    def hears(self, text: str, **where: str) -> dict[str, Any]:
        """What `says` does, imported."""
        self.says(text, **where)
        return self.imports()

    def imports(self) -> dict[str, Any]:
        return self.memory.import_(paths=[self.folder / "sessions"])

    def imports_nothing(self) -> None:
        """A writing verb that brings nothing new: what people saved is taken in."""
        (self.folder / "sessions").mkdir(exist_ok=True)
        self.imports()

    def sleeps(self, hours: float = 24) -> dict[str, Any]:
        """A night passes, and is consolidated."""
        self.now += timedelta(hours=hours)
        return self.memory.consolidate()

    # ------------------------------------------------------------ people

    def writes(self, ref: str, text: str | bytes, *, root: Path | None = None) -> Path:
        """A person saves a file in their editor: a note, or any file below `root`."""
        path = root / ref if root else self.path(ref)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.now += timedelta(seconds=5)
        return path

    def edits(self, ref: str, old: str, new: str) -> None:
        before = self.text(ref)
        assert before.count(old) == 1, before
        self.writes(ref, before.replace(old, new))

    def path(self, ref: str) -> Path:
        inner = ref.removeprefix("private/")
        return self.notes / ref if inner == ref else self.home / "private" / inner

    def text(self, ref: str) -> str:
        return self.path(ref).read_bytes().decode()

    def git(self, *words: str, private: bool = False) -> str:
        where = self.home / "private" if private else self.notes
        who = ["-c", "user.name=Ines", "-c", "user.email=ines@example.org", "-c", "commit.gpgsign=false"]
        done = subprocess.run(["git", *who, *words], cwd=where, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    # ------------------------------------------------------------ what is known

    def value(self, key: str, **how: Any) -> str | None:
        """The value that holds, or None."""
        found = self.memory.fact(key=key, **how)["fact"]
        return str(found["value"]) if found else None

    def history(self, key: str, **how: Any) -> list[tuple[str, str]]:
        found = self.memory.fact(key=key, history=True, **how)["history"]
        return [(each["value"], each["status"]) for each in found]

    def found(self, query: str, **how: Any) -> list[str]:
        """The refs of the hits."""
        return [hit["ref"] for hit in self.memory.search(query=query, no_vectors=True, **how)["hits"]]

    def derived(self) -> dict[str, bytes]:
        """Every derived note that stands on the disk."""
        listed = self.memory.list_()["notes"]
        return {note["path"]: self.path(note["path"]).read_bytes() for note in listed if note["derived"]}

    def proven(self) -> list[dict[str, Any]]:
        """What a proof finds different; nothing, as it should be."""
        found: list[dict[str, Any]] = self.memory.rebuild(verify=True)["differences"]
        return found

    def calls(self, *, private: bool = False) -> list[str]:
        """The `Truth-Call` of every commit, newest first; empty for a foreign one."""
        form = "--format=%(trailers:key=Truth-Call,valueonly,separator=)"
        return self.git("log", form, private=private).split("\n")[:-1]

    def saves_of(self, ref: str) -> int:
        saved = self.memory.parts.log.history(("note.saved",))
        return sum(1 for event in saved if event.fields["path"] == ref)

    def events(self, *kinds: str) -> int:
        return sum(1 for _ in self.memory.parts.log.history(kinds or None))


def replace_living(living: Living, folder: Path) -> Living:
    return Living(folder, vault=None, zone=living.zone, now=living.now, said=living.said)
