"""A schedule of the operating system: which files make it ask every night, written, looked at and removed.

Only files are written. Whoever asks it, the night looks into the log for what is due, so that asking often is harmless.
"""

import plistlib
import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rhizome.config import NIGHTLY
from rhizome.errors import Refused
from rhizome.memory.home import Home
from rhizome.memory.surroundings import Surroundings

Answer = dict[str, Any]

SERVICE = """[Unit]
Description=rhizome: take in sessions and consolidate {home}

[Service]
Type=oneshot
ExecStart=-{importing}
ExecStart={consolidating}
Nice=10
IOSchedulingClass=idle
NoNewPrivileges=yes
UMask=0077
"""

TIMER = """[Unit]
Description=rhizome: every night for {home}

[Timer]
OnCalendar=*-*-* {at}:00
Persistent=true
RandomizedDelaySec=600

[Install]
WantedBy=timers.target
"""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The files of one home's schedule (path -> text, or what a link leads to); commands that start and stop it now."""

    system: str
    files: Mapping[Path, str]
    links: Mapping[Path, str]
    start: str
    stop: str


def schedule(around: Surroundings, home: Home) -> Schedule:
    """What this system needs. Raises Refused for one whose scheduler we do not know."""
    rhizome = (*around.command, "--home", str(home.root))
    importing, consolidating = (*rhizome, "import"), (*rhizome, "consolidate", "--if-due")
    if around.platform == "darwin":
        return _launchd(around, home, importing, consolidating)
    if around.platform.startswith("linux"):
        return _systemd(around, home, importing, consolidating)
    line = f"{shlex.join(importing)}; {shlex.join(consolidating)}"
    raise Refused(f"schedule: no systemd or launchd on {around.platform}", f"Let your scheduler run: {line}")


def install(around: Surroundings, home: Home) -> Answer:
    """Write what is not there yet as it should be; a second time nothing changes."""
    wanted = schedule(around, home)
    changed = [path for path, text in wanted.files.items() if _text(path) != text]
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.new")
        beside.write_text(wanted.files[path], encoding="utf-8")
        beside.replace(path)
    for path, target in wanted.links.items():
        if _target(path) != target:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            path.symlink_to(target)
            changed.append(path)
    return status(around, home) | {"changed": list(map(str, changed))}


def status(around: Surroundings, home: Home) -> Answer:
    """Whether the files stand as they should, and how to start it without waiting for the next login."""
    wanted = schedule(around, home)
    states = {str(path): _state(_text(path), text) for path, text in wanted.files.items()}
    states |= {str(path): _state(_target(path), target) for path, target in wanted.links.items()}
    return {
        "system": wanted.system, "installed": set(states.values()) == {"current"}, "files": states, "at": NIGHTLY,
        "start": wanted.start, "stop": wanted.stop,
    }  # fmt: skip


def remove(around: Surroundings, home: Home) -> Answer:
    """Take away what `install` wrote."""
    wanted = schedule(around, home)
    there = [path for path in (*wanted.links, *wanted.files) if path.exists() or path.is_symlink()]
    for path in there:
        path.unlink()
    return status(around, home) | {"changed": list(map(str, there))}


def _text(path: Path) -> str | None:
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8")
    return None


def _target(link: Path) -> str | None:
    with suppress(OSError):
        return str(link.readlink())
    return None


def _state(there: str | None, wanted: str) -> str:
    return "missing" if there is None else "current" if there == wanted else "other"


# ---------------------------------------------------------------- what the files say


def _systemd(around: Surroundings, home: Home, importing: tuple[str, ...], consolidating: tuple[str, ...]) -> Schedule:
    """A user timer and its service; the link is what `systemctl --user enable` would make."""
    config = Path(around.environment.get("XDG_CONFIG_HOME") or around.user_home / ".config")
    folder, name = config / "systemd" / "user", f"rhizome-{home.id}"
    shown = _specifier(str(home.root))
    service = SERVICE.format(home=shown, importing=_exec(importing), consolidating=_exec(consolidating))
    return Schedule(
        "systemd",
        {folder / f"{name}.service": service, folder / f"{name}.timer": TIMER.format(home=shown, at=NIGHTLY)},
        {folder / "timers.target.wants" / f"{name}.timer": f"../{name}.timer"},
        f"systemctl --user daemon-reload && systemctl --user start {name}.timer",
        f"systemctl --user stop {name}.timer",
    )


def _exec(words: tuple[str, ...]) -> str:
    """A command line as systemd reads it: every word quoted, and nothing of it a specifier or a variable."""
    return " ".join(f'"{_quoted(word)}"' for word in words)


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return _specifier(escaped).replace("\t", "\\t")


def _specifier(text: str) -> str:
    return text.replace("%", "%%").replace("\n", "\\n")


def _launchd(around: Surroundings, home: Home, importing: tuple[str, ...], consolidating: tuple[str, ...]) -> Schedule:
    """An agent of the user's; launchd runs what a sleeping machine missed when it wakes."""
    name = f"org.rhizome.{home.id}"
    path = around.user_home / "Library" / "LaunchAgents" / f"{name}.plist"
    hour, minute = map(int, NIGHTLY.split(":"))
    line = f"{shlex.join(importing)}; exec {shlex.join(consolidating)}"
    made = plistlib.dumps({
        "Label": name, "ProgramArguments": ["/bin/sh", "-c", line],
        "StartCalendarInterval": {"Hour": hour, "Minute": minute}, "ProcessType": "Background", "Umask": 0o077,
        "LowPriorityIO": True,
    })  # fmt: skip
    return Schedule(
        "launchd", {path: made.decode()}, {},
        f"launchctl bootstrap gui/$(id -u) {shlex.quote(str(path))}", f"launchctl bootout gui/$(id -u)/{name}",
    )  # fmt: skip
