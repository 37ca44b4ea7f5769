"""What a door knows of the world around a call, handed down as values and functions."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

import msgspec

from rhizome.config import DEPTH
from rhizome.errors import Refused

if TYPE_CHECKING:
    from rhizome.memory.early_look import Early


class Surroundings(msgspec.Struct, frozen=True):
    """`home` is the folder the memory lives in; `folder` is where the caller stands; `typed` says that a person at a
    terminal typed the call, `by_agent` that it comes out of an agent's shell, `session` is the agent's session it
    comes from, where that is known; `look_seconds` is how long a process that answers many may rely on its last look
    at the notes; `progress(path, done, total)` is told of each file that an import has read;
    `wait` lets so many seconds pass; `command` is what starts rhizome on this `platform`; `confirm(question)` asks
    whoever sits there, and is None where nobody does; `spare` is a folder for the index of a home that may only be
    read; `early` is a look at the notes that the door began before."""

    home: Path
    clock: Callable[[], datetime]
    dice: Callable[[int], bytes]
    environment: Mapping[str, str]
    folder: Path
    user_home: Path
    login: str
    zone: str = "UTC"
    typed: bool = False
    by_agent: bool = False
    platform: str = "linux"
    command: tuple[str, ...] = ("rhizome",)
    actor: str = "human"
    session: str | None = None
    look_seconds: float = 0.0
    progress: Callable[[str, int, int], None] | None = None
    wait: Callable[[float], None] = sleep
    confirm: Callable[[str], bool] | None = None
    spare: Path | None = None
    early: "Early | None" = None

    def unasked(self) -> None:
        """Raises Refused inside a program that a consolidation asks: it may neither start one nor propose anything."""
        if self.environment.get(DEPTH):
            raise Refused(f"{DEPTH} is set: a consolidation asked for this",
                          "Who is asked answers, and changes nothing; unset it if nobody asked.")  # fmt: skip
