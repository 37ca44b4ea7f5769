"""The home: making it, filling it, looking after it."""

from pathlib import Path

from rhizome.memory.memory import Memory
from rhizome.tools.tool import REQUIRED, Answer, Parameter, Tool


def ailing(answer: Answer) -> int:
    return 4 if answer["findings"] else 0


HOMELESS = (
    Tool(
        "init",
        "Make a home for a memory, or adopt a vault.",
        Memory.init,
        (
            Parameter("folder", Path, "Where the home goes (default: --home, RHIZOME_HOME, ~/rhizome)."),
            Parameter(
                "notes",
                Path,
                "Adopt this vault or repository where it stands; none of its bytes change.",
                flag="--notes",
            ),
            Parameter("person", str, "Whose memory this is (default: the login name).", flag="--person"),
        ),
        writes=True,
    ),
)
"""Verbs that need no home yet; they are given the surroundings and the folder that the home goes into."""

TOOLS = (
    Tool("status", "Say how the memory is: home, log, counts, what waits.", Memory.status),
    Tool("doctor", "List what needs attention, and what to do about it.", Memory.doctor, exit_code=ailing),
    Tool(
        "home export-key",
        "Print the person's key of identities, for another machine or a backup. It is a secret.",
        Memory.export_key,
        (Parameter("file", Path, "Write it to this new file instead, readable by you only."),),
    ),
    Tool(
        "home import-key",
        "Take the key of another machine of yours, before anything is imported here.",
        Memory.import_key,
        (Parameter("file", Path, "The file that `home export-key` wrote; `-` reads standard input.", REQUIRED),),
        writes=True,
    ),
)
