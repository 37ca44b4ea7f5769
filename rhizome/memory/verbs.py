"""What every verb of a memory has: the parts it works on, and a second try when a projection turns out to be broken."""

import sqlite3
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, cast

import msgspec

from rhizome.errors import Damaged, Locked
from rhizome.memory.parts import Parts
from rhizome.memory.surroundings import Surroundings

Answer = dict[str, Any]
P = ParamSpec("P")


def plain(value: object) -> Any:
    """A value of ours as JSON has it."""
    return msgspec.to_builtins(value)


def healed(verb: Callable[P, Answer]) -> Callable[P, Answer]:
    """A verb that begins with files that are there, and runs again, once, when a projection turns out to be broken.

    All verbs may: what was acknowledged is in the log, and doing it again adds nothing.
    """

    @wraps(verb)
    def run(*arguments: P.args, **options: P.kwargs) -> Answer:
        parts = cast("Verbs", arguments[0]).parts
        parts.renew()
        try:
            return verb(*arguments, **options)
        except (sqlite3.DatabaseError, Damaged) as wrong:
            from rhizome.memory.broken import is_broken, is_busy

            if isinstance(wrong, sqlite3.DatabaseError) and is_busy(wrong):
                raise Locked(f"{parts.home.index}: another process is writing", "Wait for it and try again.") from wrong
            if not is_broken(wrong):
                raise
        parts.forget_index()
        return verb(*arguments, **options)

    return run


class Verbs:
    """Verbs over the parts of one home, opened when a verb needs them."""

    def __init__(self, surroundings: Surroundings) -> None:
        self.parts = Parts(surroundings)
