"""How well it answers."""

from pathlib import Path

from rhizome.memory.memory import Memory
from rhizome.tools.tool import REQUIRED, Parameter, Tool

TOOLS = (
    Tool(
        "eval bench",
        "Ask a set of questions with known answers, in a memory made for it, and say what the answers are worth.",
        Memory.eval_bench,
        (
            Parameter("folder", Path, "A folder with documents.jsonl, queries.jsonl, and perhaps vault/.", REQUIRED),
            Parameter("out", Path, "Write what was answered to this file, a line for each question.", flag="--out"),
            Parameter("no_vectors", bool, "Ask with words only.", False, "--no-vectors"),
            Parameter("parents", bool, "Look for what a document belongs to: the session of a turn.", False,
                      "--parents"),
            Parameter("settings", str, "A `[search]` setting for this run, or a policy number of the search as "
                      "module.NAME (key=value; may be repeated).", flag="--set", many=True),
        ),
    ),
)
