"""`make demo`: the main job on the example sessions, step by step in a temporary home. Exits 0 only if it all held."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[1] / "examples" / "sessions"

NOTE = """---
aliases: [ship it, go live]
---
# Deploying tidepool

We release from main, on Thursdays, after the feed tests.

- [tidepool](tidepool.md): the project that is deployed
"""

PLAIN = not sys.stdout.isatty() or "NO_COLOR" in os.environ
BOLD, DIM, RESET = ("", "", "") if PLAIN else ("\033[1m", "\033[2m", "\033[0m")


class Show:
    """Runs commands as a person would, in one home, and remembers what did not hold."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "memory"
        self.folder = folder
        self.environment = {**os.environ, "RHIZOME_HOME": str(self.home), "HOME": str(folder), "TZ": "UTC"}
        self.failed: list[str] = []

    def say(self, text: str) -> None:
        print(f"\n{BOLD}{text}{RESET}")

    def shell(self, *words: str) -> str:
        shown = " ".join(f'"{word}"' if " " in word or "|" in word else word for word in words)
        print(f"{DIM}$ {shown}{RESET}".replace(str(EXAMPLES), "examples/sessions").replace(str(self.folder), "~"))
        command = [sys.executable, "-m", "rhizome", *words[1:]] if words[0] == "rhizome" else list(words)
        done = subprocess.run(  # noqa: S603 - the words are our own
            command, env=self.environment, cwd=self.folder, capture_output=True, text=True, check=False
        )
        text = (done.stdout + done.stderr).replace(str(self.folder), "~")
        print("\n".join(f"  {line}" for line in text.rstrip().splitlines()))
        return text

    def json(self, *words: str) -> dict[str, Any]:
        command = [sys.executable, "-m", "rhizome", *words, "--json"]
        done = subprocess.run(  # noqa: S603 - the words are our own
            command, env=self.environment, cwd=self.folder, capture_output=True, text=True, check=False
        )
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def holds(self, what: str, *, true: bool) -> None:
        print(f"  {'✓' if true else '✗ FAILED:'} {what}")
        if not true:
            self.failed.append(what)


def sessions_in(show: Show) -> None:
    show.say("1. A home is made, and the sessions of two agents go into its log.")
    show.shell("rhizome", "init", "--person", "ines")
    show.shell("rhizome", "import", str(EXAMPLES / "claude-code"), str(EXAMPLES / "codex"))
    again = show.json("import", str(EXAMPLES / "claude-code"), str(EXAMPLES / "codex"))
    show.holds("importing the same sessions again appends nothing", true=again["new"] == again["revised"] == 0)


def notes_out(show: Show) -> None:
    show.say("2. A consolidation reads what was said and writes notes: one commit each, naming the call that made it.")
    show.shell("rhizome", "consolidate")
    show.shell("git", "-C", str(show.home / "notes"), "log", "--format=%s   %(trailers:key=Truth-Call,separator=%x20)")
    note = show.shell("rhizome", "read", "tidepool.md")
    show.holds("each statement has its receipt", true="[^tidepool-dev_port" in note and "said by a person on" in note)


def answers(show: Show) -> None:
    show.say("3. A question is answered with a receipt: who said it, when, in which event.")
    found = show.shell("rhizome", "search", "which port does the tidepool dev server use", "-k", "2")
    show.holds("the current value comes first", true="8087" in found.splitlines()[1] and "receipt:" in found)

    show.say("4. A person writes a note in any editor. It is found at once, also by a word it does not use: an alias.")
    (show.home / "notes" / "deploying.md").write_text(NOTE, encoding="utf-8")
    found = show.shell("rhizome", "search", "how do we ship it", "--in", "notes", "-k", "1")
    show.holds("found through the alias “ship it”", true=found.startswith("deploying.md:"))

    show.say("5. What was true before is kept as history, and is never served as current.")
    told = show.shell("rhizome", "fact", "tidepool|dev_port", "--history")
    current = show.json("fact", "tidepool|dev_port")["fact"]["value"]
    show.holds("8087 holds, 8080 is superseded", true=current == "8087" and "superseded" in told)

    show.say("6. When the memory does not know, it says so.")
    show.shell("rhizome", "search", "office wifi password")
    refused = show.json("search", "office wifi password")
    show.holds("no evidence, no answer", true=refused["status"] == "insufficient_evidence" and not refused["hits"])


def person_corrects(show: Show) -> None:
    show.say("7. A person corrects a derived note in their editor. The fact behind the line follows, in their name.")
    path = show.home / "notes" / "tidepool.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("8087 from now on", "8090 from now on").replace(
        "# tidepool\n", "# tidepool\n\nMy own line, which stays where I put it.\n"), encoding="utf-8")  # fmt: skip
    print("  (8087 becomes 8090 in tidepool.md, and a line of their own is added)")
    show.shell("rhizome", "consolidate")
    fact = show.json("fact", "tidepool|dev_port")["fact"]
    kept = "My own line, which stays where I put it." in path.read_text(encoding="utf-8")
    show.holds("8090 holds with a person's confidence", true=fact["value"] == "8090" and fact["confidence"] == 1.0)
    show.holds("every other line stayed", true=kept)


def agent_asks(show: Show) -> None:
    show.say("8. An agent asks over MCP, the protocol its tools speak.")
    answer = asyncio.run(over_mcp(show))
    hit = answer["hits"][0] if answer.get("hits") else {}
    print(f"{DIM}→ memory_search {{\"query\": \"what unit does the harbour feed use\", \"k\": 1}}{RESET}")
    print(f"  {json.dumps(hit, ensure_ascii=False)[:400]}")
    show.holds("the tool call found it, with a receipt", true="centimetres" in hit.get("snippet", ""))


async def over_mcp(show: Show) -> dict[str, Any]:
    from mcp import Client, StdioServerParameters

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "rhizome", "mcp"], env=show.environment, cwd=show.folder
    )
    async with Client(server) as client:
        result = await client.call_tool("memory_search", {"query": "what unit does the harbour feed use", "k": 1})
    return dict(result.structured_content or {})


def comes_back(show: Show) -> None:
    show.say("9. Everything derived is destroyed: the index, and every note the consolidator wrote.")
    before = derived(show)
    shutil.rmtree(show.home / "index")
    for path in before:
        path.unlink()
    print(f"  (index/ and {len(before)} derived notes deleted)")
    told = show.shell("rhizome", "rebuild")
    show.holds("it came back from the log, byte for byte", true=told.strip() == "identical" and derived(show) == before)
    show.shell("rhizome", "rebuild", "--verify")
    changed = show.shell("git", "-C", str(show.home / "notes"), "status", "--short")
    show.holds("git sees no change", true=not changed.strip())


def derived(show: Show) -> dict[Path, bytes]:
    """The derived notes on the disk."""
    refs = [note["path"] for note in show.json("list")["notes"] if note["derived"]]
    paths = [show.home / ref if ref.startswith("private/") else show.home / "notes" / ref for ref in refs]
    return {path: path.read_bytes() for path in paths if path.exists()}


STEPS: tuple[Callable[[Show], None], ...] = (sessions_in, notes_out, answers, person_corrects, agent_asks, comes_back)


def main() -> int:
    if not EXAMPLES.is_dir():
        print(f"{EXAMPLES}: the example sessions are part of the repository; run this from a checkout", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="rhizome-demo-") as folder:
        show = Show(Path(folder).resolve())
        for step in STEPS:
            step(show)
    if show.failed:
        print(f"\n{len(show.failed)} of the promises did not hold: " + "; ".join(show.failed))
        return 1
    print(f"\n{BOLD}identical{RESET}: all of it held. Your own memory starts with `rhizome init` and `rhizome import`.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
