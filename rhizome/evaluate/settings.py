"""Settings for one run: `key=value` is what `[search]` of a home's `rhizome.toml` may hold, `module.NAME=number` is a
policy number of the search held at another value."""

import importlib
import json
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rhizome.errors import Refused

ROOM = "rhizome.search"
OF_A_HOME = ("model", "fusion")
"""What `[search]` of a home may hold."""


def parsed(given: str) -> tuple[str, Any]:
    """The name and the value of `key=value`; what TOML does not know is text. Raises Refused for anything else."""
    name, sign, text = given.partition("=")
    if not sign or not name.strip():
        raise Refused(f"--set {given}: not key=value", "Write `--set name=value`.")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    if "." not in name and name.strip() not in OF_A_HOME:
        raise Refused(f"--set {given}: no setting of this name", f"There are {', '.join(OF_A_HOME)}, and module.NAME.")
    return name.strip(), value


def table(settings: Sequence[tuple[str, Any]]) -> str:
    """The `[search]` table that settings without a module come to; empty where there is none."""
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in settings if "." not in name]
    return "\n".join(["", "[search]", *lines, ""]) if lines else ""


@contextmanager
def applied(settings: Sequence[tuple[str, Any]]) -> Iterator[None]:
    """Policy numbers at other values while it lasts. Raises Refused for one that is no number of the search room."""
    held = []
    try:
        for name, value in settings:
            if "." in name:
                module, _, constant = name.rpartition(".")
                room = _room(name, module)
                before = getattr(room, constant, None)
                if not constant.isupper() or type(before) not in (int, float) or type(value) not in (int, float):
                    raise Refused(f"--set {name}: {room.__name__} has no number of this name",
                                  "Write `--set module.NAME=number`, a constant of rhizome/search/<module>.py.")
                held.append((room, constant, before))
                setattr(room, constant, value)
        yield
    finally:
        for room, constant, before in reversed(held):
            setattr(room, constant, before)


def _room(name: str, module: str) -> Any:
    try:
        return importlib.import_module(f"{ROOM}.{module}")
    except ModuleNotFoundError:
        raise Refused(f"--set {name}: no such module in the search room", "Name a file of rhizome/search.") from None
