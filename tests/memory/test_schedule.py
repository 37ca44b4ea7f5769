"""A schedule of the operating system: files that stand where they should, once, and go away again."""

import plistlib
import shlex
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from rhizome.errors import Refused
from rhizome.memory.memory import Memory
from tests.memory.living import Living

RHIZOME = ("/opt/my tools/py%3", "-m", "rhizome")


def on(memory: Living, platform: str, **around: Any) -> Memory:
    return Memory(replace(memory.around, platform=platform, command=RHIZOME, **around))


def files(folder: Path) -> dict[str, str]:
    """What stands outside the home."""
    found = (path for name in (".config", "Library") for path in sorted((folder / name).rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in found}


def test_a_user_timer_of_systemd_asks_every_night_and_catches_up(memory: Living) -> None:
    answer = on(memory, "linux").schedule_install()

    units = memory.folder / ".config" / "systemd" / "user"
    [timer] = units.glob("*.timer")
    [service] = units.glob("*.service")
    assert answer["installed"]
    assert "Persistent=true" in timer.read_text()
    assert timer.resolve() == (units / "timers.target.wants" / timer.name).resolve()
    home = f'"--home" "{memory.home}"'
    assert f'ExecStart=-"/opt/my tools/py%%3" "-m" "rhizome" {home} "import"\n' in service.read_text()
    assert f'ExecStart="/opt/my tools/py%%3" "-m" "rhizome" {home} "consolidate" "--if-due"\n' in service.read_text()


def test_an_agent_of_launchd_runs_the_same(memory: Living) -> None:
    on(memory, "darwin").schedule_install()

    [plist] = (memory.folder / "Library" / "LaunchAgents").glob("*.plist")
    said = plistlib.loads(plist.read_bytes())
    shell, flag, line = said["ProgramArguments"]
    assert ("/bin/sh", "-c") == (shell, flag)
    assert [*RHIZOME, "--home", str(memory.home), "consolidate", "--if-due"] == shlex.split(line.partition("exec ")[2])
    assert {"Hour": 3, "Minute": 30} == said["StartCalendarInterval"]


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_installing_twice_changes_nothing_and_removing_leaves_nothing(memory: Living, platform: str) -> None:
    here = on(memory, platform)
    before = files(memory.folder)
    first = here.schedule_install()
    after = files(memory.folder)

    assert (True, []) == (bool(first["changed"]), here.schedule_install()["changed"])
    assert after == files(memory.folder)
    assert sorted(first["changed"]) == sorted(here.schedule_remove()["changed"])
    assert (before, False) == (files(memory.folder), here.schedule_status()["installed"])


def test_a_file_that_says_something_else_is_told_and_put_right(memory: Living) -> None:
    here = on(memory, "linux")
    here.schedule_install()
    [timer] = (memory.folder / ".config" / "systemd" / "user").glob("*.timer")
    timer.write_text("[Timer]\nOnCalendar=hourly\n")

    assert "other" == here.schedule_status()["files"][str(timer)]
    assert [str(timer)] == here.schedule_install()["changed"]
    assert here.schedule_status()["installed"]


def test_the_place_of_settings_may_be_elsewhere(memory: Living) -> None:
    on(memory, "linux", environment={"XDG_CONFIG_HOME": str(memory.folder / "settings")}).schedule_install()

    assert 1 == len(list((memory.folder / "settings" / "systemd" / "user").glob("*.timer")))


def test_another_system_is_told_which_line_to_run(memory: Living) -> None:
    with pytest.raises(Refused) as refused:
        on(memory, "win32").schedule_install()

    assert "consolidate --if-due" in refused.value.hint
