"""The short way for the verbs that agents call all day: a plainly valid call, without loading a command line library.

Parameters come from the same table. Whatever is not plainly valid (help, an unknown option, a wrong or missing value,
another verb) is left to `commands`, so that help and errors have one source.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rhizome.ending import show
from rhizome.process import chosen_home, surroundings
from rhizome.tools.table import TOOLS, call, open_memory
from rhizome.tools.tool import Parameter, Tool

if TYPE_CHECKING:
    from rhizome.memory.early_look import Early

VERBS = ("search", "read", "fact")
EVERYWHERE = (Parameter("home", Path, "", flag="--home"), Parameter("as_json", bool, "", False, "--json"))
"""Options that may stand before or after a verb."""


class Plain(NamedTuple):
    """A call as it was understood."""

    tool: Tool
    home: Path | None
    as_json: bool
    arguments: dict[str, Any]

    def run(self, early: "Early | None" = None) -> int:
        """Answer it; the exit code. What was begun `early` is waited for where it is needed."""
        memory = open_memory(surroundings(chosen_home(self.home), early))
        return show(self.tool, call(self.tool, memory, self.arguments), as_json=self.as_json)


def plain(words: Sequence[str]) -> Plain | None:
    """The call that these words are, or None where anything about them is not plain."""
    at = next((at for at, word in enumerate(words) if word in VERBS), None)
    if at is None:
        return None
    tool = next(tool for tool in TOOLS if tool.name == words[at])
    before, after = _read(words[:at], EVERYWHERE), _read(words[at + 1 :], (*tool.parameters, *EVERYWHERE))
    if before is None or after is None:
        return None
    given = before | after
    missing = [each for each in tool.parameters if each.required and each.name not in given]
    if missing:
        return None
    arguments = {each.name: given.get(each.name, each.default) for each in tool.parameters}
    return Plain(tool, given.get("home"), given.get("as_json", False), arguments)


def _read(words: Sequence[str], parameters: Sequence[Parameter]) -> dict[str, Any] | None:
    """What is given for these parameters by name; the last word counts, as it does for everybody."""
    flags = {each.flag: each for each in parameters if each.flag}
    places = [each for each in parameters if not each.flag]
    given: dict[str, Any] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, assigned, value = word.partition("=") if word.startswith("--") else (word, "", "")
        parameter = flags.get(name)
        if parameter is None and not word.startswith("-") and places:
            parameter, value = places.pop(0), word
        elif parameter is None:
            return None
        elif parameter.kind is bool:
            if assigned:
                return None
            given[parameter.name] = True
            continue
        elif not assigned:
            if not rest or rest[0].startswith("-"):
                return None
            value = rest.pop(0)
        if not _fits(value, parameter):
            return None
        given[parameter.name] = parameter.kind(value)
    return given


def _fits(value: str, parameter: Parameter) -> bool:
    if parameter.many or (parameter.choices and value not in parameter.choices):
        return False
    if parameter.kind is Path:
        return value != ""
    return parameter.kind is str or (value.isascii() and value.isdecimal() and len(value) < 10)
