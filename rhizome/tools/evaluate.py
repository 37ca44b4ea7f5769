"""How well it answers."""

from pathlib import Path

from rhizome.memory.memory import Memory
from rhizome.tools.tool import REQUIRED, Answer, Parameter, Tool


def imperfect(answer: Answer) -> int:
    return 4 if any(case["wrong"] for case in answer["matrix"]) else 0


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
    Tool(
        "eval add",
        "Keep a question with its answer in rhizome-questions.md, a note of yours that you may edit.",
        Memory.eval_add,
        (
            Parameter("question", str, "The question, as you would ask it.", REQUIRED),
            Parameter("expect", str, "A note or event that answers it (may be repeated).", flag="--expect", many=True),
            Parameter("expect_nothing", bool, "Nothing here should answer it.", False, "--expect-nothing"),
        ),
        writes=True,
    ),
    Tool(
        "eval run",
        "Ask your questions, compare with the last time, and try what may never fail in a home made for it.",
        Memory.eval_run,
        writes=True,
        exit_code=imperfect,
    ),
    Tool(
        "eval compare",
        "Say which of two runs of `eval bench` is better, and whether that could be chance.",
        Memory.eval_compare,
        (
            Parameter("a", Path, "The answers of one run.", REQUIRED),
            Parameter("b", Path, "Those of the other.", REQUIRED),
            Parameter("queries", Path, "The questions that both were asked.", REQUIRED),
            Parameter("figure", str, "Only this figure, as `recall@5`.", flag="--figure"),
        ),
    ),
)
