"""The command line with all it can do: a command for each verb of the table, its options, its help, its errors."""

import gc
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from msgspec.structs import replace

from rhizome.config import LOOK_SECONDS
from rhizome.ending import failed, interrupted, show, tell_json
from rhizome.memory.memory import Memory
from rhizome.process import chosen_home, surroundings
from rhizome.render import terminal
from rhizome.render.text import line
from rhizome.tools.table import GROUPS, HOMELESS, SCHEMA_VERSION, TOOLS, call, open_memory
from rhizome.tools.tool import Parameter, Tool

SERVES = "Serve the memory to an agent over stdio (Model Context Protocol)."
STAYS = "Stay in the foreground: commit saves soon, take in new sessions, run nights that are due."


def path(given: str | Path) -> Path:
    """A path as a person gives it. An empty one names nothing, and not the folder one is in."""
    if not str(given):
        raise typer.BadParameter("an empty path names no file and no folder")
    return Path(given)


HomeOption = Annotated[Path | None, typer.Option("--home", help="The memory to use.", metavar="DIR", parser=path)]
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
            if arguments.pop("watch", False):
                return followed(memory, arguments["paths"] or (), rehearse=arguments["dry_run"])
            answer = call(tool, memory, arguments)
        raise typer.Exit(show(tool, answer, as_json=Chosen.as_json))

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
    how: dict[str, Any] = {"help": parameter.help} | ({"parser": path} if kind is Path else {})
    if parameter.many and parameter.flag:
        annotation = Annotated[list[str] | None, typer.Option(parameter.flag, help=parameter.help)]
    elif parameter.many:
        annotation = Annotated[list[kind] | None, typer.Argument(**how)]
    elif parameter.flag is None:
        annotation = Annotated[kind if parameter.required else kind | None, typer.Argument(**how)]
    elif parameter.kind is bool:
        annotation = Annotated[bool, typer.Option(parameter.flag, help=parameter.help)]
    else:
        annotation = Annotated[
            kind if parameter.default is not None else kind | None, typer.Option(parameter.flag, **how)
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
            what = alone.summary if alone else GROUPS[group]
            groups[group] = typer.Typer(
                no_args_is_help=alone is None, rich_markup_mode=None, help=what, short_help=what
            )
            options_first = by_itself(alone) if alone else group_options
            groups[group].callback(invoke_without_command=alone is not None)(options_first)
            app.add_typer(groups[group], name=group)
    for tool in tools.values():
        group, _, name = tool.name.rpartition(" ")
        if name not in groups:
            (groups[group] if group else app).command(name, help=tool.summary, short_help=tool.summary)(command(tool))


def by_itself(tool: Tool) -> Callable[..., None]:
    """A verb that is also a group: it answers where no verb of the group is named."""

    def run(context: typer.Context, home: HomeOption = None, as_json: JsonOption = False) -> None:
        chosen(home, as_json=as_json)
        if context.invoked_subcommand is None and not (tool.name == "review" and reviewed()):
            command(tool)()

    return run


def reviewed() -> bool:
    """Let whoever sits at the terminal go through what awaits them; False where nobody does and a list has to do."""
    ask = None if Chosen.as_json else terminal.asking()
    memory = open_memory(surroundings(chosen_home(Chosen.home)))
    items = memory.review()["items"] if ask and memory.parts.around.typed else []
    if ask is None or not items:
        return False
    from rhizome.render.screen import screen

    verbs = {tool.name: tool for tool in TOOLS}
    screen(items, lambda name, how: call(verbs[f"review {name}"], memory, how), ask, print)
    return True


@app.command("mcp", help=SERVES, short_help=SERVES)
def serve(
    home: HomeOption = None,
    clearance: Annotated[Literal["green", "amber"], typer.Option(help="Highest tier the agent may see.")] = "amber",
) -> None:
    gc.disable()
    from rhizome.mcp_server import serve_stdio  # the SDK costs most of a second; no other verb pays it

    gc.freeze()  # what a server has loaded it keeps; garbage is looked for in what comes after
    gc.enable()

    def opened() -> Memory:
        return open_memory(replace(surroundings(chosen_home(home or Chosen.home)), look_seconds=LOOK_SECONDS))

    serve_stdio(opened, clearance=clearance)


@app.command("up", help=STAYS, short_help=STAYS)
def stay(home: HomeOption = None, as_json: JsonOption = False) -> None:
    from rhizome.up import run  # scheduler and watcher cost a fifth of a second; no other verb pays it

    done = run(open_memory(surroundings(chosen_home(home or Chosen.home))), tell)
    if as_json or Chosen.as_json:
        tell_json({"schema_version": SCHEMA_VERSION} | done)


def followed(memory: Memory, paths: Sequence[Path], *, rehearse: bool) -> None:
    """Import until it is interrupted."""
    from rhizome.up import follow

    if rehearse:
        raise typer.BadParameter("--watch and --dry-run say opposite things")
    done = follow(memory, paths, tell)
    if Chosen.as_json:
        tell_json({"schema_version": SCHEMA_VERSION} | done)


def tell(text: str) -> None:
    print(f"{datetime.now().astimezone():%H:%M:%S} {line(text)}", file=sys.stderr, flush=True)


build()


def run(words: Sequence[str], *, as_json: bool) -> int:
    """Run one command; its exit code."""
    Chosen.home, Chosen.as_json = None, False
    try:
        return int(app(args=list(words), prog_name="rhizome", standalone_mode=False) or 0)
    except typer.TyperException as wrong:
        return misused(wrong, as_json)
    except typer.Abort:
        return interrupted(as_json=as_json)


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
    return failed("usage", told.replace("Value error, ", ""), f"See `{asked} --help`.", 2, as_json=as_json)
