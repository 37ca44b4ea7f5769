"""The log itself."""

from rhizome.memory.memory import Memory
from rhizome.tools.tool import CLEARANCE, REQUIRED, YES, Answer, Parameter, Tool


def damaged(answer: Answer) -> int:
    return 0 if answer["ok"] else 4


def which_events(n: int | None) -> tuple[Parameter, ...]:
    """The options that choose events of the log, at most `n` of them."""
    return (
        Parameter("session", str, "Only this session (an id of the harness or ours).", flag="--session"),
        Parameter("kind", str, "Only this kind; its first word will do: `fact`, `source`.", flag="--kind"),
        Parameter("origin", str, "Only what this one produced: human, model, tool, harness, memory.", flag="--origin"),
        Parameter("since", str, "Only from this day (YYYY-MM-DD) or instant on.", flag="--since"),
        Parameter("scope", str, "Only this project (or user:<person>).", flag="--scope"),
        *((Parameter("n", int, "How many at most; 0 for all.", n, "-n", least=0),) if n is not None else ()),
        Parameter("form", str, "Lines to read, or each event whole as JSON.", "text", "--format", ("text", "jsonl")),
        CLEARANCE,
    )


TOOLS = (
    Tool(
        "log verify",
        "Check every byte of the log against its chain; changes nothing.",
        Memory.verify_log,
        (
            Parameter("quick", bool, "Look only at what changed since it was last read.", False, "--quick"),
            Parameter("full", bool, "Compare every payload, and the heads that all commits name.", False, "--full"),
        ),
        exit_code=damaged,
    ),
    Tool(
        "log repair",
        "Give up what is damaged: its bytes are set aside, and an event says what is lost. Asks first.",
        Memory.repair_log,
        (YES,),
        writes=True,
        exit_code=damaged,
    ),
    Tool(
        "log show",
        "List events, oldest first, or show one whole.",
        Memory.show_log,
        (Parameter("event", str, "The id of one event (8 digits are enough)."), *which_events(50)),
    ),
    Tool("log tail", "List the newest events, oldest of them first.", Memory.tail_log, which_events(20)),
    Tool(
        "log grep",
        "List events that say something.",
        Memory.grep_log,
        (Parameter("pattern", str, "A regular expression, in any case of letters.", REQUIRED), *which_events(50)),
    ),
    Tool("log stats", "Say how much of what there is.", Memory.log_stats, which_events(None)),
)
