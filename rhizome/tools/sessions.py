"""Sessions of agents, on their way in."""

from pathlib import Path

from rhizome.memory.memory import Memory
from rhizome.tools.tool import Answer, Parameter, Tool


def unread(answer: Answer) -> int:
    return 1 if answer["problems"] else 0


TOOLS = (
    Tool(
        "import",
        "Append agents' sessions to the log: every harness on this machine, or the files and folders named.",
        Memory.import_,
        (
            Parameter("paths", Path, "Session files, or folders to look through.", many=True),
            Parameter("watch", bool, "Go on with what comes, until interrupted.", False, "--watch"),
            Parameter("dry_run", bool, "Say what would come; append nothing.", False, "--dry-run"),
        ),
        writes=True,
        exit_code=unread,
    ),
)
