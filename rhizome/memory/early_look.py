"""A look at the notes that is begun first of all: by a child, on another core, while the code of the answer is read in.

At ten thousand notes each takes as long as the other. The child tells no more than the look in short; whoever then
finds that something changed looks himself.
"""

import marshal
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from rhizome.memory.marker import MARKER, settings
from rhizome.store.tree import Sight, look, sight

if TYPE_CHECKING:
    from pathlib import Path


class Early(NamedTuple):
    """A look that is under way: who looks, and where it is told."""

    child: int
    pipe: int

    def seen(self, roots: Mapping[str, "Path"]) -> dict[str, Sight] | None:
        """What was seen of these folders, by the same names; None where others were looked at, or the child failed.

        Waits for it. To be asked once.
        """
        with os.fdopen(self.pipe, "rb") as pipe, suppress(ChildProcessError):
            told = pipe.read()
            os.waitpid(self.child, 0)
        try:
            found = {tuple(place): Sight(*short) for place, short in marshal.loads(told)}  # noqa: S302 - our own child
            places = {name: _place(os.fspath(root)) for name, root in roots.items()}
        except (EOFError, OSError):
            return None
        return {name: found[place] for name, place in places.items()} if found.keys() == {*places.values()} else None


def begin(root: str) -> Early | None:
    """Begin to look at the notes of the home in `root`; None where nobody can be sent.

    Only for a process that has one thread yet, and has written nothing. Whatever is wrong with the home is found again
    by whoever answers.
    """
    if not hasattr(os, "fork"):
        return None
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        return None
    if child:
        os.close(writing)
        return Early(child, reading)
    try:
        os.closerange(0, writing)  # whoever reads our output must not wait for a child
        os.write(writing, marshal.dumps(_looked(root)))
    finally:
        os._exit(0)


def _looked(root: str) -> list[tuple[tuple[int, int], tuple[bytes, int, bool]]]:
    with open(os.path.join(root, MARKER), encoding="utf-8", opener=_at_once) as marker:
        path = settings(marker.read()).get("notes", {}).get("path", "notes")
    folders = [os.path.join(root, path)]
    if os.path.exists(os.path.join(root, "private", ".git")):
        folders.append(os.path.join(root, "private"))
    return [(_place(folder), (*sight(look(folder)),)) for folder in folders]


def _at_once(path: str, flags: int) -> int:
    """Opened without waiting: nobody would end a child that waits for a pipe to be written to."""
    return os.open(path, flags | os.O_NONBLOCK)


def _place(folder: str) -> tuple[int, int]:
    """Which folder it is, by whatever name."""
    found = os.stat(folder)
    return found.st_dev, found.st_ino
