"""The parts of one open memory, each opened, and its code read in, when it is first needed."""

from collections.abc import Sequence
from datetime import UTC, datetime, time
from functools import cache, cached_property
from typing import TYPE_CHECKING

from rhizome.errors import Damaged, Refused
from rhizome.log import segments
from rhizome.memory.home import Home, open_home, texts
from rhizome.memory.index_files import IndexFiles
from rhizome.memory.surroundings import Surroundings
from rhizome.model import Event, Tier, moment
from rhizome.store.tree import Stat

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from rhizome.graph.edges import EdgeIndex
    from rhizome.graph.note import Note
    from rhizome.ledger.fold import Fold
    from rhizome.ledger.projection import LedgerIndex
    from rhizome.log.door import Door
    from rhizome.log.file_log import FileLog
    from rhizome.memory.indexed import Indexed
    from rhizome.memory.known_notes import KnownNotes
    from rhizome.memory.lately import Looked
    from rhizome.memory.vault import Vault
    from rhizome.search.embedder import StaticEmbedder
    from rhizome.search.engine import SearchEngine
    from rhizome.search.settings import Settings

NO_STAT = Stat(0, -1, 0, 0)
"""The stat of no file."""


class Parts:
    """Opens log, notes, index and ledger of one home; holds no state of its own beside them."""

    def __init__(self, surroundings: Surroundings) -> None:
        self.around = surroundings
        self._ledgers: dict[Tier, LedgerIndex] = {}
        self.looked: Looked | None = None

    @cached_property
    def home(self) -> Home:
        return open_home(self.around.home, self.around.spare)

    @cached_property
    def files(self) -> IndexFiles:
        return IndexFiles(self.home.index)

    @cached_property
    def log(self) -> "FileLog":
        from rhizome.log.file_log import FileLog

        index = self.files.begun("catalog.db").parent
        return FileLog(self.home.log, self.home.id, index=index, clock=self.around.clock, dice=self.around.dice)

    @cached_property
    def vault(self) -> "Vault":
        from rhizome.memory.vault import Vault

        return Vault(self.home, self.around.clock, lambda: self.configured["branch"])

    @cached_property
    def edges(self) -> "EdgeIndex":
        from rhizome.graph.edges import EdgeIndex

        return EdgeIndex(self.files.begun("notes.db").parent)

    @cached_property
    def known(self) -> "KnownNotes":
        from rhizome.memory.known_notes import KnownNotes

        return KnownNotes(self.files.begun("known.db"))

    @cached_property
    def indexed(self) -> "Indexed":
        from rhizome.memory.indexed import Indexed

        return Indexed(self.files.begun("indexed.db"))

    def notes_known(self) -> "KnownNotes":
        """What the log knows of notes, up to date; as it was known before while the log cannot be believed."""
        if not self.log.damage():
            self.known.catch_up(self.log, self.heads())
        return self.known

    def stats(self) -> dict[str, Stat]:
        """The stat of each note when its links were read; one that no file has where the note was too young for one."""
        whole = len(NO_STAT)
        return {ref: Stat._make(stat) if len(stat) == whole else NO_STAT for ref, stat in self.edges.known().items()}

    def note_tier(self, note: "Note") -> Tier:
        """Who may see a note: its place decides, and its front matter may raise it."""
        from rhizome.graph.edges import tier_of

        return Tier.AMBER if self.vault.place(note.path).private else Tier(tier_of(note.path, note.tier))

    @staticmethod
    def tiers(clearance: Tier) -> tuple[Tier, ...]:
        """The tiers that a reader may see."""
        return (Tier.GREEN,) if clearance is Tier.GREEN else tuple(Tier)

    @staticmethod
    def instant_of(mtime_ns: int) -> datetime:
        return datetime.fromtimestamp(mtime_ns / 1e9, UTC)

    @cached_property
    def engine(self) -> "SearchEngine":
        from rhizome.search.engine import SearchEngine

        folder = self.home.index / "search"
        embedder().keep(folder / "model.bin")
        return SearchEngine(folder, self.search.own_model() or embedder())

    @cached_property
    def search(self) -> "Settings":
        from rhizome.search.settings import settings

        return settings(self.home.settings)

    def ledger(self, clearance: Tier) -> "LedgerIndex":
        from rhizome.ledger.projection import LedgerIndex

        if clearance not in self._ledgers:
            folder = self.files.begun(f"ledger-{clearance}.db").parent
            self._ledgers[clearance] = LedgerIndex(folder, clearance)
        return self._ledgers[clearance]

    @cached_property
    def door(self) -> "Door":
        from rhizome.log.door import Door  # its hundred patterns are compiled where something enters

        return Door(self.home.key, texts(self.home, "redaction", "allow"))

    def fold(self) -> "Fold":
        """The ledger as the log tells it now."""
        from rhizome.ledger.claims import LEDGER_KINDS
        from rhizome.ledger.fold import fold

        return fold(self.log.history(LEDGER_KINDS))

    def homes(self) -> list[str]:
        """The homes that have a log here, this machine's among them."""
        return segments.homes(self.home.log)

    def heads(self) -> dict[str, int]:
        """How far each home's log reaches."""
        found = ((name, segments.read_head(self.home.log / name)) for name in self.homes())
        return {name: head.seq for name, head in found if head is not None}

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
    def zone(self) -> "ZoneInfo":
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

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
        from rhizome.log.lineage import Lineage
        from rhizome.log.project import project_root

        return Lineage.of(self.log).scope(self.door.clean(project_root(str(self.around.folder))).text)

    # ------------------------------------------------------------ files that may be deleted whenever anybody likes

    def renew(self) -> None:
        """Let go of projections whose files were deleted or replaced since they were opened, and of old settings."""
        for name in ("configured", "zone"):
            self.__dict__.pop(name, None)
        if self.files.replaced():
            self.close()

    def close(self) -> None:
        """Close every projection; each is opened again when it is needed."""
        for name in ("log", "known", "edges", "indexed", "engine"):
            part = self.__dict__.pop(name, None)
            if part is not None:
                part.close()
        for ledger in self._ledgers.values():
            ledger.close()
        self._ledgers.clear()
        self.__dict__.pop("files", None)
        self.looked = None

    def forget_index(self) -> None:
        """Close and delete every projection; the next look builds it again."""
        import shutil

        self.close()
        shutil.rmtree(self.home.index, ignore_errors=True)

    def disk_time(self) -> datetime | None:
        """What the disk takes for now, as it stamps the files people save; None where the index cannot be written."""
        stamped = self.files.stamped()
        return None if stamped is None else self.instant_of(stamped)

    # ------------------------------------------------------------ appending

    def sound(self) -> None:
        """Raises Damaged while any range of the log cannot be believed."""
        damage = self.log.damage()
        if damage:
            first = damage[0]
            raise Damaged(
                f"log/{first.segment}: damaged at byte {first.offset} ({first.why})",
                "`rhizome log verify` lists it; restore the segment from a copy, or give it up: `rhizome log repair`.",
            )

    def append(self, events: Sequence[Event]) -> tuple[str, int, str]:
        """Append and say where the log stands now, as `Truth-Head` has it."""
        self.log.append(events)
        return self.where()

    def where(self) -> tuple[str, int, str]:
        head = self.log.head
        return self.home.id, head.seq, head.h


@cache
def embedder() -> "StaticEmbedder":
    """The default model, opened once in a process, when something is to be embedded; the home that asked first keeps
    its mapped form."""
    from rhizome.search.embedder import StaticEmbedder

    return StaticEmbedder()
