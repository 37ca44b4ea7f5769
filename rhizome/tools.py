"""Every verb, defined once. The command line, the MCP schema and the reference page are made from this table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rhizome.errors import RhizomeError
from rhizome.memory.memory import Memory
from rhizome.memory.surroundings import Surroundings
from rhizome.model import FACT_TYPES

SCHEMA_VERSION = 1
REQUIRED = object()

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a verb. Without `flag` it is positional; `many` takes any number; `wire` offers it to agents."""

    name: str
    kind: type
    help: str
    default: Any = None
    flag: str | None = None
    choices: tuple[str, ...] = ()
    many: bool = False
    wire: bool = False

    @property
    def required(self) -> bool:
        return self.default is REQUIRED


@dataclass(frozen=True, slots=True)
class Tool:
    """One verb: its name on the command line, its name on the wire (None: people only), and what answers it."""

    name: str
    summary: str
    run: Callable[..., Answer]
    parameters: tuple[Parameter, ...] = ()
    wire: str | None = None
    writes: bool = False
    exit_code: Callable[[Answer], int] = field(default=lambda _answer: 0)

    def on_wire(self) -> tuple[Parameter, ...]:
        return tuple(parameter for parameter in self.parameters if parameter.wire)


def no_evidence(answer: Answer) -> int:
    if answer["status"] == "found":
        return 0
    return 4 if answer["reason"] == "damaged" else 3


def no_fact(answer: Answer) -> int:
    return 0 if answer["fact"] else 3


def differs(answer: Answer) -> int:
    return 0 if answer["identical"] else 4


def damaged(answer: Answer) -> int:
    return 0 if answer["ok"] else 4


def ailing(answer: Answer) -> int:
    return 4 if answer["findings"] else 0


def unread(answer: Answer) -> int:
    return 1 if answer["problems"] else 0


def unproven(answer: Answer) -> int:
    return 0 if answer.get("identical", True) else 4


SCOPE = Parameter("scope", str, "Only this project (or user:<person>).", flag="--scope", wire=True)
AS_OF = Parameter(
    "as_of", str, "As things stood at the end of this day (YYYY-MM-DD) or at this instant.", flag="--as-of", wire=True
)
CLEARANCE = Parameter(
    "clearance", str, "Highest tier this reader may see.", "amber", "--clearance", choices=("green", "amber")
)

ITEM = Parameter("id", str, "The item, as `review` names it (8 digits are enough).", REQUIRED)
YES = Parameter("yes", bool, "A person decided this; needed where no terminal says so.", False, "--yes")



def which_events(n: int | None) -> tuple[Parameter, ...]:
    """The options that choose events of the log, at most `n` of them."""
    return (
        Parameter("session", str, "Only this session (an id of the harness or ours).", flag="--session"),
        Parameter("kind", str, "Only this kind; its first word will do: `fact`, `source`.", flag="--kind"),
        Parameter("origin", str, "Only what this one produced: human, model, tool, harness, memory.", flag="--origin"),
        Parameter("since", str, "Only from this day (YYYY-MM-DD) or instant on.", flag="--since"),
        Parameter("scope", str, "Only this project (or user:<person>).", flag="--scope"),
        *((Parameter("n", int, "How many at most; 0 for all.", n, "-n"),) if n is not None else ()),
        Parameter("form", str, "Lines to read, or each event whole as JSON.", "text", "--format", ("text", "jsonl")),
        CLEARANCE,
    )


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
    Tool(
        "import",
        "Append agents' sessions to the log: every harness on this machine, or the files and folders named.",
        Memory.import_,
        (Parameter("paths", Path, "Session files, or folders to look through.", many=True),),
        writes=True,
        exit_code=unread,
    ),
    Tool(
        "search",
        "Find notes, facts and past turns, each with a receipt, or hear that there is not enough evidence.",
        Memory.search,
        (
            Parameter("query", str, "What to look for, in any words.", REQUIRED, wire=True),
            Parameter("k", int, "How many hits at most.", 5, "-k", wire=True),
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
            Parameter("hops", int, "How many links away to look.", 1, "--hops", wire=True),
            CLEARANCE,
        ),
        wire="memory_graph",
    ),
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
    ),
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
        "review merge",
        "Make two keys one.",
        Memory.review_merge,
        (ITEM, Parameter("into", str, "Which of the two keys stays (default: the older).", flag="--into"), YES),
        writes=True,
    ),
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
        exit_code=unproven,
    ),
    Tool(
        "schedule install",
        "Let the operating system ask every night (systemd user timer, launchd); a missed night is caught up.",
        Memory.schedule_install,
    ),
    Tool("schedule status", "Say whether the operating system asks every night.", Memory.schedule_status),
    Tool("schedule remove", "Take the schedule away again.", Memory.schedule_remove),
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
        exit_code=differs,
    ),
    Tool("list", "List notes.", Memory.list_, (CLEARANCE,)),
    Tool("status", "Say how the memory is: home, log, counts, what waits.", Memory.status),
    Tool("doctor", "List what needs attention, and what to do about it.", Memory.doctor, exit_code=ailing),
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

ON_WIRE = tuple(tool for tool in TOOLS if tool.wire)


def call(tool: Tool, memory: Memory | Surroundings, arguments: Mapping[str, Any]) -> Answer:
    """The answer of one verb as the object that every door shows."""
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
