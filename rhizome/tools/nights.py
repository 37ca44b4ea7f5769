"""Consolidating, proving, and when."""

from rhizome.memory.memory import Memory
from rhizome.tools.tool import Answer, Parameter, Tool


def proven(answer: Answer) -> int:
    return 0 if answer.get("identical", True) else 4


TOOLS = (
    Tool(
        "consolidate",
        "Turn closed turns into facts and derived notes, one commit a note, and prove the rebuild.",
        Memory.consolidate,
        (
            Parameter("if_due", bool, "Only if a day that is over is not yet consolidated.", False, "--if-due"),
            Parameter(
                "dry_run", bool, "Say what would be taken in and asked, and change nothing.", False, "--dry-run"
            ),
            Parameter("again", bool, "Read turns since a day again; a model is asked anew.", False, "--again"),
            Parameter("since", str, "The day from which on --again reads (YYYY-MM-DD).", flag="--since"),
        ),
        writes=True,
        exit_code=proven,
    ),
    Tool(
        "rebuild",
        "Rebuild everything derived from the log, or prove that it already is what the log says.",
        Memory.rebuild,
        (
            Parameter(
                "verify",
                bool,
                "Change nothing; show any derived byte that the log does not explain.",
                False,
                "--verify",
            ),
        ),
        writes=True,
        exit_code=proven,
    ),
    Tool(
        "schedule install",
        "Let the operating system ask every night (systemd user timer, launchd); a missed night is caught up.",
        Memory.schedule_install,
    ),
    Tool("schedule status", "Say whether the operating system asks every night.", Memory.schedule_status),
    Tool("schedule remove", "Take the schedule away again.", Memory.schedule_remove),
)
