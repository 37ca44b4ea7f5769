"""The command line: one command for each verb of `tools.TOOLS`. Parses and renders; decides nothing."""

import getpass
import inspect
import io
import json
import os
import secrets
import sqlite3
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Literal

import typer

from rhizome.config import LOOK_SECONDS
from rhizome.errors import RhizomeError
from rhizome.memory import home as homes
from rhizome.memory.memory import Memory
from rhizome.memory.surroundings import Surroundings
from rhizome.render import answers, terminal
from rhizome.render.text import line
from rhizome.tools.table import HOMELESS, SCHEMA_VERSION, TOOLS, call, hint, open_memory
from rhizome.tools.tool import Parameter, Tool

AGENTS = (
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_SANDBOX",
    "CODEX_HOME_SESSION",
    "GEMINI_CLI",
    "CURSOR_AGENT",
    "OPENCODE",
    "AI_AGENT",
    "AGENT",
)
"""Environment variables that agents' shells set: with any of them, nothing counts as typed by a person."""

HomeOption = Annotated[Path | None, typer.Option("--home", help="The memory to use.", metavar="DIR")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on stdout and nothing else.")]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="One memory for agents and people: an append-only log, notes in git, answers with receipts.",
)


class Chosen:
    """The two options that may stand before or after a command."""

    home: Path | None = None
    as_json: bool = False


def tell_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # a fiftieth of a second that no other call pays

        print(f"rhizome {version('rhizome')}")
        raise typer.Exit


VersionOption = Annotated[
    bool, typer.Option("--version", help="Say which version this is.", callback=tell_version, is_eager=True)
]


@app.callback()
def options(home: HomeOption = None, as_json: JsonOption = False, version: VersionOption = False) -> None:  # noqa: ARG001
    chosen(home, as_json=as_json)


def group_options(home: HomeOption = None, as_json: JsonOption = False) -> None:
    chosen(home, as_json=as_json)


def chosen(home: Path | None, *, as_json: bool) -> None:
    Chosen.home, Chosen.as_json = home or Chosen.home, as_json or Chosen.as_json


def surroundings(home: Path) -> Surroundings:
    """The world around this process, read once."""
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    by_agent = any(os.environ.get(name) for name in AGENTS)
    return Surroundings(
        home=home.absolute(),
        clock=lambda: datetime.now(UTC),
        dice=secrets.token_bytes,
        environment=dict(os.environ),
        folder=Path.cwd(),
        user_home=Path.home(),
        login=login(),
        zone=zone_name(),
        typed=at_terminal and not by_agent,
        by_agent=by_agent,
        platform=sys.platform,
        command=(sys.executable, "-m", "rhizome"),
        progress=terminal.progress(),
        confirm=terminal.confirm() if at_terminal and not by_agent else None,
    )


def login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "person"


def zone_name() -> str:
    """The IANA name of this machine's time zone; UTC where it cannot be told."""
    named = os.environ.get("TZ", "").lstrip(":")
    if "/" in named or named == "UTC":
        return named
    try:
        return Path("/etc/localtime").resolve(strict=True).as_posix().split("zoneinfo/")[1].removeprefix("posix/")
    except (OSError, IndexError):
        return "UTC"


def chosen_home(option: Path | None) -> Path:
    return homes.find(option or Chosen.home, os.environ, Path.cwd(), Path.home())


def show(tool: Tool, answer: dict[str, Any], as_json: bool) -> None:
    try:
        if as_json or Chosen.as_json:
            tell_json(answer)
        else:
            answers.show(tool.name, answer)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise typer.Exit(tool.exit_code(answer))


def tell_json(answer: dict[str, Any]) -> None:
    """One object on stdout. What is no Unicode text in a note becomes an escape that JSON knows."""
    print(json.dumps(answer, ensure_ascii=False).encode("utf-8", "backslashreplace").decode("utf-8"))


def command(tool: Tool) -> Callable[..., None]:
    """The function that typer turns into a command: its signature is the verb's parameters."""

    def run(home: Path | None = None, as_json: bool = False, **arguments: Any) -> None:
        Chosen.as_json = Chosen.as_json or as_json
        folder = home or Chosen.home
        if tool in HOMELESS:
            arguments["folder"] = arguments.get("folder") or folder
            target = arguments.pop("folder") or Path(os.environ.get("RHIZOME_HOME") or Path.home() / "rhizome")
            answer = call(tool, surroundings(target), arguments)
        else:
            memory = open_memory(surroundings(chosen_home(folder)))
            answer = call(tool, memory, arguments)
        show(tool, answer, as_json)

    shape = [argument(parameter) for parameter in tool.parameters]
    shape += [
        inspect.Parameter("home", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=HomeOption),
        inspect.Parameter("as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=JsonOption),
    ]
    run.__signature__ = inspect.Signature(shape)  # type: ignore[attr-defined]
    run.__doc__ = tool.summary
    return run


def argument(parameter: Parameter) -> inspect.Parameter:
    """One parameter of a verb as typer reads it."""
    kind: Any = Literal[parameter.choices] if parameter.choices else parameter.kind
    annotation: Any
    if parameter.many and parameter.flag:
        annotation = Annotated[list[str] | None, typer.Option(parameter.flag, help=parameter.help)]
    elif parameter.many:
        annotation = Annotated[list[Path] | None, typer.Argument(help=parameter.help)]
    elif parameter.flag is None:
        annotation = Annotated[kind if parameter.required else kind | None, typer.Argument(help=parameter.help)]
    elif parameter.kind is bool:
        annotation = Annotated[bool, typer.Option(parameter.flag, help=parameter.help)]
    else:
        annotation = Annotated[
            kind if parameter.default is not None else kind | None, typer.Option(parameter.flag, help=parameter.help)
        ]
    default = inspect.Parameter.empty if parameter.required else parameter.default
    return inspect.Parameter(parameter.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def build() -> None:
    """Hang every verb into the app; a name of two words is a command of a group."""
    groups: dict[str, typer.Typer] = {}
    tools = {tool.name: tool for tool in (*HOMELESS, *TOOLS)}
    for tool in tools.values():
        group, _, name = tool.name.rpartition(" ")
        if group and group not in groups:
            alone = tools.get(group)
            what = alone.summary if alone else f"Look at the {group}."
            groups[group] = typer.Typer(no_args_is_help=alone is None, rich_markup_mode=None, help=what)
            options_first = by_itself(alone) if alone else group_options
            groups[group].callback(invoke_without_command=alone is not None)(options_first)
            app.add_typer(groups[group], name=group)
    for tool in tools.values():
        group, _, name = tool.name.rpartition(" ")
        if name not in groups:
            (groups[group] if group else app).command(name, help=tool.summary)(command(tool))


def by_itself(tool: Tool) -> Callable[..., None]:
    """A verb that is also a group: it answers where no verb of the group is named."""

    def run(context: typer.Context, home: HomeOption = None, as_json: JsonOption = False) -> None:
        chosen(home, as_json=as_json)
        if context.invoked_subcommand is None:
            command(tool)()

    return run


@app.command("mcp", help="Serve the memory to an agent over stdio (Model Context Protocol).")
def serve(
    home: HomeOption = None,
    clearance: Annotated[Literal["green", "amber"], typer.Option(help="Highest tier the agent may see.")] = "amber",
) -> None:
    from rhizome.mcp_server import serve_stdio  # the SDK costs most of a second; no other verb pays it

    def opened() -> Memory:
        return open_memory(replace(surroundings(chosen_home(home)), look_seconds=LOOK_SECONDS))

    serve_stdio(opened, clearance=clearance)


@app.command("up", help="Stay in the foreground: commit saves soon, take in new sessions, run nights that are due.")
def stay(home: HomeOption = None, as_json: JsonOption = False) -> None:
    from rhizome.up import run  # scheduler and watcher cost a fifth of a second; no other verb pays it

    def tell(text: str) -> None:
        print(f"{datetime.now().astimezone():%H:%M:%S} {line(text)}", file=sys.stderr, flush=True)

    done = run(open_memory(surroundings(chosen_home(home))), tell)
    if as_json or Chosen.as_json:
        tell_json({"schema_version": SCHEMA_VERSION} | done)


build()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit code; nothing but an answer ever reaches stdout."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    Chosen.home, Chosen.as_json = None, False
    as_json = "--json" in words[: words.index("--") if "--" in words else len(words)]
    sys.excepthook = partial(crashed, as_json)
    try:
        code = app(args=words, prog_name="rhizome", standalone_mode=False)
    except typer.TyperException as wrong:
        code = misused(wrong, as_json)
    except RhizomeError as wrong:
        code = failed(wrong.code, wrong.message, hint(wrong), wrong.exit_code, as_json)
    except typer.Abort:
        code = failed("interrupted", "interrupted", "Nothing acknowledged is lost; run it again.", 1, as_json)
    except sqlite3.DatabaseError as wrong:
        then = "Delete the index folder of the home; the next command builds it again from the log."
        code = failed("index", f"index: {wrong}", then, 1, as_json)
    except OSError as wrong:
        what = f"{wrong.filename or 'the operating system'}: {wrong.strerror or wrong}"
        code = failed("io", what, mending(wrong), 1, as_json)
    sys.exit(code or 0)


def misused(wrong: typer.TyperException, as_json: bool) -> int:
    """A call that no command understands: what was wrong with it, and whose help says what is right."""
    told = " ".join((wrong.format_message() if hasattr(wrong, "format_message") else str(wrong)).split("\n\n")[:1])
    if told.startswith("Usage:"):  # a command without its words shows what it takes
        if not as_json:
            print(wrong.format_message(), file=sys.stderr)
            return 2
        told = "Missing command."
    context = getattr(wrong, "ctx", None)
    asked = context.command_path if context else "rhizome"
    return failed("usage", told.replace("Value error, ", ""), f"See `{asked} --help`.", 2, as_json)


def mending(wrong: OSError) -> str:
    """What a person can do about what the operating system said."""
    if isinstance(wrong, (FileExistsError, NotADirectoryError)):
        return "Something that is no folder stands where a folder should be. Move it away and run it again."
    if isinstance(wrong, PermissionError):
        return "Give yourself the right to read and write it, and run it again."
    return "Nothing acknowledged is lost; mend it and run it again."


def failed(code: str, message: str, then: str, exit_code: int, as_json: bool) -> int:
    if as_json:
        tell_json({"schema_version": SCHEMA_VERSION, "error": {"code": code, "message": message, "hint": then}})
    else:
        print(f"rhizome: {line(message)}" + (f"\n  {line(then)}" if then else ""), file=sys.stderr)
    return exit_code


def crashed(
    as_json: bool, kind: type[BaseException], wrong: BaseException, trace: TracebackType | None
) -> None:
    """The last word on a fault of ours: the trace for whoever mends it, and the one object that was asked for."""
    sys.__excepthook__(kind, wrong, trace)
    then = "Nothing acknowledged is lost. This is a fault of rhizome: please report the lines above."
    failed("crashed", f"{kind.__name__}: {wrong}", then, 1, as_json)


if __name__ == "__main__":
    main()
