"""The command line: a plain call takes the short way, any other the one that knows all options, helps and refuses."""

import gc
import io
import os
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rhizome.memory.early_look import Early

STDOUT, STDERR = 1, 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit code; nothing but an answer ever reaches stdout."""
    gc.disable()  # what is loaded at the start stays; looking through it for garbage takes a tenth of an answer's time
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's library would keep a second thread spinning
    words = list(sys.argv[1:] if arguments is None else arguments)
    if None in (sys.stdin, sys.stdout, sys.stderr):
        lead_nowhere()
    early = begun(words) if arguments is None else None
    if spared := "typing_extensions" not in sys.modules:  # msgspec can do without, and is there ten milliseconds sooner
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]
    from rhizome import lane
    from rhizome.ending import crashed, ended

    if spared:
        del sys.modules["typing_extensions"]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    as_json = "--json" in words[: words.index("--") if "--" in words else len(words)]
    sys.excepthook = partial(crashed, as_json)
    if plain := lane.plain(words):
        code = ended(partial(plain.run, early), as_json=as_json)
        if arguments is None:
            leave(code)
    else:
        from rhizome import commands

        gc.enable()
        code = ended(partial(commands.run, words, as_json=as_json), as_json=as_json)
    sys.exit(code)


def lead_nowhere() -> None:
    """Give a process that was started without standard streams empty ones: the next file that it opens, a log perhaps,
    would else be where somebody's complaints go."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        pass
    os.close(opened)
    sys.stdout = sys.stdout or os.fdopen(STDOUT, "w")
    sys.stderr = sys.stderr or os.fdopen(STDERR, "w")


def begun(words: Sequence[str]) -> "Early | None":
    """A look at the notes for a call whose verb is a search; where it is not plain, nobody asks for what was seen."""
    verbs = (word for before, word in zip(("", *words), words, strict=False)
             if not word.startswith("-") and before != "--home")
    if next(verbs, "") != "search":
        return None
    from rhizome.memory import early_look, marker

    named = [word.removeprefix("--home=") for word in words if word.startswith("--home=")]
    if "--home" in words[:-1]:
        named = [words[words.index("--home") + 1]]
    try:
        folder, user = os.getcwd(), os.path.expanduser("~")  # noqa: PTH109, PTH111 - a path object costs 10 ms
        return early_look.begin(marker.find(named[0] if named else None, os.environ, folder, user))
    except OSError:
        return None


def leave(code: int) -> None:
    """End this process at once: whoever only read has nothing to put away."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
