"""How a call of the command line ends: an answer or an error is printed, and there is an exit code."""

import json
import os
import sqlite3
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

from rhizome.errors import RhizomeError
from rhizome.tools.table import SCHEMA_VERSION, hint
from rhizome.tools.tool import Tool


def show(tool: Tool, answer: dict[str, Any], *, as_json: bool) -> int:
    """Print an answer; the exit code that goes with it."""
    try:
        if as_json:
            tell_json(answer)
        else:
            from rhizome.render import answers

            answers.show(tool.name, answer)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return tool.exit_code(answer)


def ended(run: Callable[[], int], *, as_json: bool) -> int:
    """The exit code of a call. What goes wrong in it is told as an error."""
    try:
        return run()
    except RhizomeError as wrong:
        return failed(wrong.code, wrong.message, hint(wrong), wrong.exit_code, as_json=as_json)
    except KeyboardInterrupt:
        return interrupted(as_json=as_json)
    except sqlite3.DatabaseError as wrong:
        then = "Delete the index folder of the home; the next command builds it again from the log."
        return failed("index", f"index: {wrong}", then, 1, as_json=as_json)
    except OSError as wrong:
        what = f"{wrong.filename or 'the operating system'}: {wrong.strerror or wrong}"
        return failed("io", what, mending(wrong), 1, as_json=as_json)


def tell_json(answer: dict[str, Any]) -> None:
    """One object on stdout. What is no Unicode text in a note becomes an escape that JSON knows."""
    print(json.dumps(answer, ensure_ascii=False).encode("utf-8", "backslashreplace").decode("utf-8"))


def interrupted(*, as_json: bool) -> int:
    then = "Nothing acknowledged is lost; run it again."
    return failed("interrupted", "interrupted", then, 1, as_json=as_json)


def mending(wrong: OSError) -> str:
    """What a person can do about what the operating system said."""
    if isinstance(wrong, (FileExistsError, NotADirectoryError)):
        return "Something that is no folder stands where a folder should be. Move it away and run it again."
    if isinstance(wrong, PermissionError):
        return "Give yourself the right to read and write it, and run it again."
    return "Nothing acknowledged is lost; mend it and run it again."


def failed(code: str, message: str, then: str, exit_code: int, *, as_json: bool) -> int:
    if as_json:
        tell_json({"schema_version": SCHEMA_VERSION, "error": {"code": code, "message": message, "hint": then}})
    else:
        from rhizome.render.text import line

        print(f"rhizome: {line(message)}" + (f"\n  {line(then)}" if then else ""), file=sys.stderr)
    return exit_code


def crashed(as_json: bool, kind: type[BaseException], wrong: BaseException, trace: TracebackType | None) -> None:
    """The last word on a fault of ours: the trace for whoever mends it, and the one object that was asked for."""
    sys.__excepthook__(kind, wrong, trace)
    then = "Nothing acknowledged is lost. This is a fault of rhizome: please report the lines above."
    failed("crashed", f"{kind.__name__}: {wrong}", then, 1, as_json=as_json)
