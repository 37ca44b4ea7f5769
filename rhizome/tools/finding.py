"""Finding and reading."""


from rhizome.memory.memory import Memory
from rhizome.tools.tool import AS_OF, CLEARANCE, REQUIRED, SCOPE, Answer, Parameter, Tool


def no_evidence(answer: Answer) -> int:
    if answer["status"] == "found":
        return 0
    return 4 if answer["reason"] == "damaged" else 3


def findings(answer: Answer) -> int:
    return 4 if answer["findings"] else 0


TOOLS = (
    Tool(
        "search",
        "Find notes, facts and past turns, each with a receipt, or hear that there is not enough evidence.",
        Memory.search,
        (
            Parameter("query", str, "What to look for, in any words.", REQUIRED, wire=True),
            Parameter("k", int, "How many hits at most.", 5, "-k", wire=True, least=1),
            Parameter("layer", str, "Where to look.", "all", "--in", ("all", "notes", "history", "facts"), wire=True),
            SCOPE,
            Parameter("session", str, "Only this session (an id of the harness or ours).", flag="--session"),
            AS_OF,
            Parameter("no_vectors", bool, "Words only, no embedding model.", False, "--no-vectors"),
            Parameter("explain", bool, "Show the numbers behind the order and the refusal.", False, "--explain"),
            CLEARANCE,
        ),
        wire="memory_search",
        exit_code=no_evidence,
    ),
    Tool(
        "read",
        "Print a note, or the exact text of one event.",
        Memory.read,
        (
            Parameter("ref", str, "`path:line` of a note, or an event id (8 digits are enough).", REQUIRED, wire=True),
            Parameter("at", str, "The note as it stood at this commit or date.", flag="--at"),
            Parameter("raw", bool, "An event's whole line instead of the text it says.", False, "--raw"),
            CLEARANCE,
        ),
        wire="memory_read",
    ),
    Tool(
        "graph",
        "Show what a note links to and what links to it, with the reasons.",
        Memory.graph,
        (
            Parameter("note", str, "Path, `path:line`, title or alias of a note.", REQUIRED, wire=True),
            Parameter("hops", int, "How many links away to look.", 1, "--hops", wire=True, least=1),
            CLEARANCE,
        ),
        wire="memory_graph",
    ),
    Tool("list", "List notes.", Memory.list_, (CLEARANCE,)),
    Tool(
        "check",
        "List links that lead nowhere or not where they seem to, and what in a note hides itself.",
        Memory.check,
        (Parameter("path", str, "Only this note, or the notes of this folder."), CLEARANCE),
        exit_code=findings,
    ),
)
