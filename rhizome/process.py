"""What this process knows of the world: where it stands, who started it, and which home it means."""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from rhizome.memory import marker
from rhizome.memory.early_look import Early
from rhizome.memory.surroundings import Surroundings
from rhizome.render import terminal

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


def surroundings(home: Path, early: Early | None = None) -> Surroundings:
    """The world around this process, read once, with what was begun early."""
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    by_agent = any(os.environ.get(name) for name in AGENTS)
    return Surroundings(
        home=home.absolute(),
        clock=lambda: datetime.now(UTC),
        dice=os.urandom,
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
        spare=Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rhizome",
        early=early,
    )


def chosen_home(option: Path | None) -> Path:
    """The home that a call means; `option` is what `--home` says."""
    return Path(marker.find(os.fspath(option) if option else None, os.environ, str(Path.cwd()), str(Path.home())))


def login() -> str:
    named = next(filter(None, map(os.environ.get, ("LOGNAME", "USER"))), None)
    if named:
        return named
    import getpass

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
