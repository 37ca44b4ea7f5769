"""What awaits a person."""

from rhizome.memory.memory import Memory
from rhizome.tools.tool import REQUIRED, YES, Parameter, Tool

ITEM = Parameter("id", str, "The item, as `review` names it (8 digits are enough).", REQUIRED)

TOOLS = (
    Tool("review", "List what awaits a person: proposals, conflicts, merges, deleted notes.", Memory.review),
    Tool(
        "review accept",
        "Do what an item suggests, as the person's own word.",
        Memory.review_accept,
        (ITEM, YES),
        writes=True,
    ),
    Tool(
        "review reject",
        "Settle an item without doing what it suggests.",
        Memory.review_reject,
        (ITEM, YES),
        writes=True,
    ),
    Tool(
        "review edit",
        "Say in your own words what holds instead of a proposal.",
        Memory.review_edit,
        (
            ITEM,
            Parameter("statement", str, "One idea in one short sentence.", REQUIRED),
            Parameter("value", str, "The shortest words that answer the key.", flag="--value"),
            YES,
        ),
        writes=True,
    ),
    Tool(
        "review supersede",
        "Replace what holds: by what was proposed, or by what you say.",
        Memory.review_supersede,
        (
            ITEM,
            Parameter("statement", str, "What holds instead, in one short sentence (default: the proposal)."),
            Parameter("value", str, "The shortest words that answer the key.", flag="--value"),
            YES,
        ),
        writes=True,
    ),
    Tool(
        "review merge",
        "Make two keys one.",
        Memory.review_merge,
        (ITEM, Parameter("into", str, "Which of the two keys stays (default: the older).", flag="--into"), YES),
        writes=True,
    ),
)
