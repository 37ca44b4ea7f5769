"""The parts of one open memory, each opened when it is first needed."""

import re
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, time
from functools import cached_property
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from rhizome.errors import Damaged, NotFound, Refused
from rhizome.graph.edges import EdgeIndex, tier_of
from rhizome.graph.note import Note
from rhizome.ledger.fold import Fold, fold
from rhizome.ledger.projection import LedgerIndex
from rhizome.log.appending import project_root
from rhizome.log.door import Door
from rhizome.log.file_log import FileLog
from rhizome.log.lineage import Lineage
from rhizome.log.segments import read_head
from rhizome.memory.home import Home, open_home
from rhizome.memory.indexed import Indexed
from rhizome.memory.known_notes import KnownNotes
from rhizome.memory.surroundings import Surroundings
from rhizome.memory.vault import Vault
from rhizome.model import Event, Tier, moment
from rhizome.search.embedder import StaticEmbedder
from rhizome.search.engine import SearchEngine
from rhizome.store.worktree import Stat

LEDGER_KINDS = (
    "fact.asserted", "fact.confirmed", "fact.retracted", "fact.expired", "key.merged", "note.saved", "source.seen",
)  # fmt: skip
"""What the fold of facts listens to."""


class Parts:
    """Opens log, notes, index and ledger of one home; holds no state of its own beside them."""

    def __init__(self, surroundings: Surroundings) -> None:
        self.around = surroundings

    @cached_property
    def home(self) -> Home:
        return open_home(self.around.home)

    @cached_property
    def log(self) -> FileLog:
        self.home.index.mkdir(mode=0o700, exist_ok=True)
        return FileLog(
            self.home.log, self.home.id, index=self.home.index, clock=self.around.clock, dice=self.around.dice
        )

    @cached_property
    def vault(self) -> Vault:
        return Vault(self.home, self.around.clock)

    @cached_property
    def edges(self) -> EdgeIndex:
        self.home.index.mkdir(mode=0o700, exist_ok=True)
        return EdgeIndex(self.home.index)

    @cached_property
    def known(self) -> KnownNotes:
        self.home.index.mkdir(mode=0o700, exist_ok=True)
        return KnownNotes(self.home.index)

    @cached_property
    def indexed(self) -> Indexed:
        self.home.index.mkdir(mode=0o700, exist_ok=True)
        return Indexed(self.home.index)

    def stats(self) -> dict[str, Stat]:
        """The stat of each note when its links were read."""
        whole = len(Stat._fields)
        return {ref: Stat._make(stat) for ref, stat in self.edges.known().items() if len(stat) == whole}

    def note_tier(self, note: Note) -> Tier:
        """Who may see a note: its place decides, and its front matter may raise it."""
        return Tier.AMBER if self.vault.place(note.path).private else Tier(tier_of(note.path, note.tier))

    @staticmethod
    def instant_of(mtime_ns: int) -> datetime:
        return datetime.fromtimestamp(mtime_ns / 1e9, UTC)

    @cached_property
    def engine(self) -> SearchEngine:
        return SearchEngine(self.home.index / "search", StaticEmbedder())

    def ledger(self, clearance: Tier) -> LedgerIndex:
        return LedgerIndex(self.home.index, clearance)

    @cached_property
    def door(self) -> Door:
        allow = self.home.settings.get("redaction", {}).get("allow", [])
        return Door(self.home.key, tuple(map(str, allow)))

    def fold(self) -> Fold:
        """The ledger as the log tells it now."""
        return fold(self.log.history(LEDGER_KINDS))

    def heads(self) -> dict[str, int]:
        """How far each home's log reaches."""
        found = {}
        for folder in sorted(path for path in self.home.log.iterdir() if path.is_dir()):
            head = read_head(folder)
            if head is not None:
                found[folder.name] = head.seq
        return found

    # ------------------------------------------------------------ what the log says about this home

    @cached_property
    def configured(self) -> dict[str, str]:
        """Person, zone, derive folder and branch, as the last `home.configured` says."""
        last: dict[str, str] = {}
        for event in self.log.read(kinds=("home.configured",)):
            last |= {name: str(value) for name, value in event.fields.items()}
        return {"person": self.around.login, "zone": "UTC", "derive_folder": "", "branch": "main"} | last

    @property
    def person_scope(self) -> str:
        return f"user:{self.configured['person']}"

    @cached_property
    def zone(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.configured["zone"])
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo("UTC")

    def instant(self, text: str | None) -> datetime | None:
        """What a person's date or time means: a day is its end in the home's zone. Refused for what is neither."""
        if text is None:
            return None
        at = moment(text)
        if at is not None and len(text) <= len("YYYY-MM-DD"):
            at = moment(datetime.combine(at.date(), time.max, tzinfo=self.zone).isoformat())
        if at is None:
            raise Refused(f"{text}: not a date", "Write YYYY-MM-DD, or a time like 2026-09-08T14:00+02:00.")
        return at

    def scope(self, name: str) -> str:
        """The scope that a person names: `user` is their own."""
        return self.person_scope if name == "user" else name

    def project(self) -> str:
        """The scope of the project that the caller stands in: its repository, else its folder."""
        return Lineage.of(self.log).scope(project_root(str(self.around.folder)))

    @property
    def red(self) -> tuple[re.Pattern[str], ...]:
        """Patterns of what must never be kept. Raises Refused for one that is no pattern."""
        patterns = self.home.settings.get("red", {}).get("patterns", [])
        try:
            return tuple(re.compile(str(pattern)) for pattern in patterns)
        except re.error as wrong:
            raise Refused(f"rhizome.toml: [red] patterns: {wrong}", "Mend the pattern.") from wrong

    def commit_at(self, ref: str, at: str | None) -> str | None:
        """The commit that `--at` means: one by its id, or the newest that is not after a date."""
        if at is None or moment(at) is None:
            return at
        instant = self.instant(at)
        commit = self.vault.store(self.vault.place(ref)).at(instant) if instant else None
        if commit is None:
            raise NotFound(f"{ref}: no commit is as old as {at}", "Name a later date.")
        return commit

    def forget_index(self) -> None:
        """Close and delete every projection; the next look builds it again."""
        for name in ("log", "known", "edges", "indexed", "engine"):
            part = self.__dict__.pop(name, None)
            if part is not None:
                part.close()
        shutil.rmtree(self.home.index, ignore_errors=True)

    def sound(self) -> None:
        """Raises Damaged while any range of the log cannot be believed."""
        damage = self.log.damage()
        if damage:
            first = damage[0]
            raise Damaged(
                f"log/{first.segment}: damaged at byte {first.offset} ({first.why})",
                "`rhizome log verify` lists what is damaged; restore the segment from a copy.",
            )

    def append(self, events: Sequence[Event]) -> tuple[str, int, str]:
        """Append and say where the log stands now, as `Truth-Head` has it."""
        self.log.append(events)
        return self.where()

    def where(self) -> tuple[str, int, str]:
        head = self.log.head
        return self.home.id, head.seq, head.h
