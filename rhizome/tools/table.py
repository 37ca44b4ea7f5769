"""Every verb in one table. The command line, the MCP schema and the reference page are made from it."""

from collections.abc import Mapping
from typing import Any

from rhizome.errors import Refused, RhizomeError
from rhizome.memory.memory import Memory
from rhizome.memory.surroundings import Surroundings
from rhizome.tools import aliases, evaluate, facts, finding, home, log, nights, review, sessions
from rhizome.tools.tool import Answer, Tool

SCHEMA_VERSION = 1

HOMELESS = home.HOMELESS
TOOLS = (
    *sessions.TOOLS, *finding.TOOLS, *aliases.TOOLS, *facts.TOOLS, *review.TOOLS, *nights.TOOLS, *home.TOOLS,
    *log.TOOLS, *evaluate.TOOLS,
)  # fmt: skip
GROUPS = {
    "aliases": "Look at other names of notes and subjects, and at names that somebody looked for.",
    "schedule": "Let the operating system ask every night, or see whether it does.",
    "home": "Carry the key of identities to another machine, or take it from one.",
    "log": "Look at what the log holds, prove it, and give up what is damaged.",
    "eval": "Say how well it answers: your own questions, or a set with known answers.",
}
"""What the verbs of a group are for, where no verb stands for it."""

ON_WIRE = tuple(tool for tool in TOOLS if tool.wire)


def call(tool: Tool, memory: Memory | Surroundings, arguments: Mapping[str, Any]) -> Answer:
    """The answer of one verb as the object that every door shows. Raises Refused for a number that is too small."""
    for each in tool.parameters:
        number = arguments.get(each.name)
        if each.least is not None and isinstance(number, int) and number < each.least:
            raise Refused(f"{tool.name}: {each.flag} {number} is too few", f"Say {each.least} or more.")
    given = {name: text(value) if isinstance(value, str) else value for name, value in arguments.items()}
    return {"schema_version": SCHEMA_VERSION} | tool.run(memory, **given)


def text(given: str) -> str:
    """What was given, as text that can be stored and searched: bytes that are no UTF-8 become U+FFFD."""
    return given.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def hint(wrong: RhizomeError) -> str:
    """What to do next, as a sentence; there always is one."""
    told = wrong.hint or ("`rhizome search` and `rhizome list` show what there is" if wrong.code == "not_found" else "")
    told = told or "`rhizome status` says how the memory is"
    return told[0].upper() + told[1:] + ("" if told[-1] in ".!?" else ".")


def open_memory(surroundings: Surroundings) -> Memory:
    return Memory(surroundings)
