"""What a door knows of the world around a call, handed down as values and functions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from time import sleep


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`home` is the folder the memory lives in; `folder` is where the caller stands; `typed` says that a person at a
    terminal typed the call, `by_agent` that it comes out of an agent's shell, `session` is the agent's session it
    comes from, where that is known; `progress(path, done, total)` is told of each file that an import has read;
    `wait` lets so many seconds pass."""

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
    actor: str = "human"
    session: str | None = None
    progress: Callable[[str, int, int], None] | None = None
    wait: Callable[[float], None] = sleep
