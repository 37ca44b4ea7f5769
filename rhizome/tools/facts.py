"""Facts, and where words come from."""


from rhizome.memory.memory import Memory
from rhizome.model import FACT_TYPES
from rhizome.tools.tool import AS_OF, CLEARANCE, REQUIRED, SCOPE, Answer, Parameter, Tool


def no_fact(answer: Answer) -> int:
    return 0 if answer["fact"] else 3


def not_taken(answer: Answer) -> int:
    """What was asked to keep is not kept: the request was wrong, however that is told."""
    return 2 if answer["outcome"] in ("refused", "over_quota") else 0


TOOLS = (
    Tool(
        "fact",
        "Say what holds for a key, since when, and on whose words.",
        Memory.fact,
        (
            Parameter(
                "key",
                str,
                "`subject|attribute`; without a bar, an attribute of the project itself.",
                REQUIRED,
                wire=True,
            ),
            SCOPE,
            AS_OF,
            Parameter("known", str, "As it was known at the end of this day.", flag="--known"),
            Parameter("history", bool, "Every value it ever had.", False, "--history", wire=True),
            CLEARANCE,
        ),
        wire="memory_fact",
        exit_code=no_fact,
    ),
    Tool(
        "facts",
        "List facts.",
        Memory.facts,
        (
            SCOPE,
            Parameter(
                "status",
                str,
                "Only facts with this status.",
                flag="--status",
                choices=("active", "superseded", "expired", "retracted", "proposed"),
            ),
            AS_OF,
            CLEARANCE,
        ),
    ),
    Tool(
        "remember",
        "Propose a fact; the next consolidation takes it in.",
        Memory.remember,
        (
            Parameter("key", str, "`subject|attribute` the statement is about.", REQUIRED, wire=True),
            Parameter("statement", str, "One idea in one short sentence.", REQUIRED, wire=True),
            Parameter("value", str, "The shortest words that answer the key.", flag="--value"),
            Parameter("type", str, "What kind of memory it is.", "fact", "--type", FACT_TYPES, wire=True),
            SCOPE,
            Parameter(
                "tier",
                str,
                "Who may see it (default: decided at consolidation).",
                flag="--tier",
                choices=("green", "amber", "red"),
            ),
        ),
        wire="memory_remember",
        writes=True,
        exit_code=not_taken,
    ),
    Tool(
        "why",
        "Say where words come from: line, commit, call, fact, event, and the turns around it.",
        Memory.why,
        (Parameter("ref", str, "`path:line` of a note, a note, or an event id.", REQUIRED), CLEARANCE),
    ),
    Tool(
        "blame",
        "Show which commit, call, fact and event set each line of a note.",
        Memory.blame,
        (Parameter("note", str, "Path, title or alias of a note.", REQUIRED), CLEARANCE),
    ),
)
