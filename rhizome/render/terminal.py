"""What only a person at a terminal gets: a question, and a bar that moves."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


def confirm() -> Callable[[str], bool] | None:
    """A way to ask whoever sits at the terminal; anything but yes is no. None where nobody reads the question."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None

    from rhizome.render.text import line

    def asked(question: str) -> bool:
        print(f"{line(question)} [y/N] ", end="", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    return asked


def asking() -> Callable[[str], str | None] | None:
    """A way to have a line typed; what it gives is None where the input ends. None where no person sits at it."""
    if sys.stderr is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    from rhizome.render.text import line

    def asked(question: str) -> str | None:
        print(line(question), end=" ", file=sys.stderr, flush=True)
        return sys.stdin.readline() or None

    return asked


def progress() -> Callable[[str, int, int], None] | None:
    """A bar on stderr that counts files, only where a person watches."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    from rhizome.render.text import line

    shown: list[Progress] = []

    def tell(path: str, done: int, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        if not shown:
            columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
            shown.append(Progress(*columns, console=Console(stderr=True), transient=True))
            shown[0].add_task("", total=total)
            shown[0].start()
        shown[0].update(shown[0].task_ids[0], completed=done, description=line(path)[-60:], refresh=True)
        if done == total:
            shown.pop().stop()

    return tell
