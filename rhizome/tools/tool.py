"""What a verb is to every door: its names, its parameters, and what answers it."""

from collections.abc import Callable
from typing import Any

import msgspec

REQUIRED = object()

Answer = dict[str, Any]


class Parameter(msgspec.Struct, frozen=True):
    """One argument of a verb. Without `flag` it is positional; `many` takes any number; `wire` offers it to agents;
    a number is `least` or more."""

    name: str
    kind: type
    help: str
    default: Any = None
    flag: str | None = None
    choices: tuple[str, ...] = ()
    many: bool = False
    wire: bool = False
    least: int | None = None

    @property
    def required(self) -> bool:
        return self.default is REQUIRED


class Tool(msgspec.Struct, frozen=True):
    """One verb: its name on the command line, its name on the wire (None: people only), and what answers it."""

    name: str
    summary: str
    run: Callable[..., Answer]
    parameters: tuple[Parameter, ...] = ()
    wire: str | None = None
    writes: bool = False
    exit_code: Callable[[Answer], int] = lambda _answer: 0

    def on_wire(self) -> tuple[Parameter, ...]:
        return tuple(parameter for parameter in self.parameters if parameter.wire)


SCOPE = Parameter("scope", str, "Only this project (or user:<person>).", flag="--scope", wire=True)
AS_OF = Parameter(
    "as_of", str, "As things stood at the end of this day (YYYY-MM-DD) or at this instant.", flag="--as-of", wire=True
)
CLEARANCE = Parameter(
    "clearance", str, "Highest tier this reader may see.", "amber", "--clearance", choices=("green", "amber")
)
YES = Parameter("yes", bool, "A person decided this; needed where no terminal says so.", False, "--yes")
