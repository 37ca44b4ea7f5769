"""The command line: a plain call takes the short way, any other the one that knows all options, helps and refuses."""

import gc
import io
import os
import sys
from collections.abc import Sequence
from functools import partial


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit code; nothing but an answer ever reaches stdout."""
    gc.disable()  # what is loaded at the start stays; looking through it for garbage takes a tenth of an answer's time
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's library would keep a second thread spinning
    from rhizome import lane
    from rhizome.ending import crashed, ended

    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    as_json = "--json" in words[: words.index("--") if "--" in words else len(words)]
    sys.excepthook = partial(crashed, as_json)
    if plain := lane.plain(words):
        code = ended(plain.run, as_json=as_json)
        if arguments is None:
            leave(code)
    else:
        from rhizome import commands

        gc.enable()
        code = ended(partial(commands.run, words, as_json=as_json), as_json=as_json)
    sys.exit(code)


def leave(code: int) -> None:
    """End this process at once: whoever only read has nothing to put away."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
