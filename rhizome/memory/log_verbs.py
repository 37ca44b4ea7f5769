"""The verbs about the log itself, and its key."""

from pathlib import Path
from typing import Any

from rhizome.memory.verbs import Answer, Verbs, healed


class LogVerbs(Verbs):
    """To look at the log, to prove it, to give up what is damaged, and to carry its key elsewhere."""

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

        found = logbook.stats(self.parts, logbook.Which(**which))
        return found | {"format": form} if form != "text" else found

    def export_key(self, *, file: Path | None = None) -> Answer:
        from rhizome.memory import upkeep

        return upkeep.key_exported(self.parts, file)

    @healed
    def import_key(self, *, file: Path) -> Answer:
        from rhizome.memory import upkeep

        return upkeep.key_imported(self.parts, file)
