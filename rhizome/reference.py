"""`python -m rhizome.reference` prints docs/reference.md: every verb, from the table that the doors are made of."""

import sys

from rhizome.mcp_server import wire_name
from rhizome.tools.table import HOMELESS, ON_WIRE, TOOLS
from rhizome.tools.tool import REQUIRED, Parameter, Tool

HEAD = """# Reference

Made from `rhizome/tools/` by `python -m rhizome.reference`; do not edit.

Every command takes `--home DIR` and `--json`, before or after it. With `--json` there is one JSON object on stdout and
nothing else, also on failure: `{"schema_version": 1, "error": {"code", "message", "hint"}}`. Talk goes to stderr.

HOME is found by `--home`, then `RHIZOME_HOME`, then the nearest `rhizome.toml` above the working folder, then
`~/rhizome`.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | failed; an unknown note or event, too |
| 2 | the call itself is wrong |
| 3 | insufficient evidence, or no such fact |
| 4 | a difference was found, or the log is damaged |
| 5 | another process holds the lock |

## Commands
"""

SERVE = """### `rhizome mcp [--clearance green|amber]`

Serve the memory to an agent over stdio, until stdin closes.
"""

WIRE = """## MCP tools

`rhizome mcp [--clearance green|amber]` serves these over stdio. An answer is the object that the command prints with
`--json`, plus `next` (where to go on reading, or null), in under 8 KB. Not knowing is a success, not an error.
"""


def page() -> str:
    """The whole reference."""
    commands = [command(tool) for tool in (*HOMELESS, *TOOLS)]
    return "\n".join([HEAD, *commands, SERVE, WIRE, *map(on_wire, ON_WIRE)])


def command(tool: Tool) -> str:
    words = " ".join([f"rhizome {tool.name}", *map(shape, tool.parameters)])
    lines = [f"### `{words}`", "", tool.summary, ""]
    return "\n".join([*lines, *map(described, tool.parameters), *([""] if tool.parameters else [])])


def shape(parameter: Parameter) -> str:
    """A parameter as a usage line has it."""
    name = parameter.name.upper().replace("_", "-")
    if parameter.many and parameter.flag is None:
        return f"[{name.removesuffix('S')} ...]"
    if parameter.flag is None:
        return name if parameter.required else f"[{name}]"
    if parameter.many:
        return f"[{parameter.flag} {name.removesuffix('S')}] ..."
    value = "" if parameter.kind is bool else " " + ("|".join(parameter.choices) or name)
    return f"[{parameter.flag}{value}]"


def described(parameter: Parameter) -> str:
    name = parameter.flag or parameter.name.upper()
    default = "" if parameter.default in (None, False, REQUIRED) else f" Default: `{parameter.default}`."
    return f"- `{name}`: {parameter.help}{default}"


def on_wire(tool: Tool) -> str:
    names = ", ".join(
        f"`{wire_name(parameter)}`" + ("" if parameter.required else "?") for parameter in tool.on_wire()
    )  # fmt: skip
    names += ", `cursor`?" if tool.wire == "memory_read" else ""
    return f"- `{tool.wire}` ({names}): {tool.summary}"


if __name__ == "__main__":
    sys.stdout.write(page() + "\n")
