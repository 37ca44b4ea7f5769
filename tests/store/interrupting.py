"""Lets a person save at each step of a commit in turn and reports every save that did not stand; a program: folder.

An audit hook sees every file call Python makes; before the chosen ones it saves the note as an editor does.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from rhizome.errors import Conflict
from rhizome.store.git_store import GitStore

FEWEST = 12


class Editor:
    """Saves numbered texts at chosen steps of whatever runs while it watches."""

    def __init__(self, note: Path, save: Callable[[Path, bytes], None]) -> None:
        self.note, self.save = note, save
        self.steps: set[int] = set()
        self.seen, self.watching, self.saves = 0, False, 0

    def __call__(self, event: str, _: object) -> None:
        if not self.watching or not event.startswith(("open", "os.")):
            return
        self.seen += 1
        if self.seen in self.steps:
            self.watching = False
            self.saves += 1
            self.save(self.note, self.text)
            self.watching = True

    @property
    def text(self) -> bytes:
        return b"save %d" % self.saves


def by_rename(note: Path, text: bytes) -> None:
    note.with_name(".a.md.swp").write_bytes(text)
    note.with_name(".a.md.swp").replace(note)


def in_place(note: Path, text: bytes) -> None:
    note.write_bytes(text)


def main(folder: Path) -> None:
    for save in (by_rename, in_place):
        store = GitStore.create(folder / save.__name__, clock=lambda: datetime(2026, 9, 8, tzinfo=UTC))
        editor = Editor(store.root / "a.md", save)
        sys.addaudithook(editor)
        step = 1
        while sum(run(store, editor, {step, step + again}) for again in (0, 1)):
            step += 1
        assert step > FEWEST, "too few saves fell into a commit"


def run(store: GitStore, editor: Editor, steps: set[int]) -> bool:
    """One commit of ours with a person saving at these steps; whether it had so many."""
    found = editor.note.read_bytes() if editor.note.exists() else b""
    store.commit({"a.md": found}, call="human/x", subject="take in")
    before, editor.steps, editor.seen, editor.watching = editor.saves, steps, 0, True
    try:
        with suppress(Conflict):
            store.commit({"a.md": b"ours %r %d" % (sorted(steps), before)}, call="agent/x", subject="ours")
    finally:
        editor.watching = False
    saved = editor.saves > before
    if saved and editor.note.read_bytes() != editor.text:
        print(f"{editor.save.__name__} at {sorted(steps)}: {editor.text!r} is gone: {editor.note.read_bytes()!r}")
    return saved


if __name__ == "__main__":
    main(Path(sys.argv[1]))
