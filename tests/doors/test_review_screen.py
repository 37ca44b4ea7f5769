"""`rhizome review` where a person sits at the terminal: what awaits them, one letter a decision."""

import os
import pty
import subprocess
import sys
from pathlib import Path

from tests.doors.conftest import environment, run


def at_terminal(folder: Path, *words: str, typed: str, agent: bool = False) -> str:
    """What a person reads who runs a command at a terminal and types these lines, each when they are asked."""
    master, slave = pty.openpty()
    world = environment(folder) | ({"AI_AGENT": "1"} if agent else {})
    command = [sys.executable, "-m", "rhizome", *words]
    with subprocess.Popen(command, cwd=folder, env=world, stdin=slave, stdout=slave, stderr=slave) as running:
        os.close(slave)
        os.write(master, typed.encode())
        read = b""
        try:
            while piece := os.read(master, 4096):
                read += piece
        except OSError:  # the other end is closed
            pass
        running.wait()
    os.close(master)
    return read.decode().replace("\r\n", "\n")


def test_a_decision_at_the_terminal_is_an_event_at_once(folder: Path) -> None:
    words = ("tidepool|dev_port", "The tidepool dev server runs on port 9000.", "--scope", "tidepool")
    run(folder, "remember", *words, "--value", "9000", check=True)
    run(folder, "consolidate", check=True)
    assert "a accept" not in at_terminal(folder, "review", typed="", agent=True)

    read = at_terminal(folder, "review", typed="z\na\n")

    assert "1 of 1" in read
    assert "a accept, r reject, e edit, s supersede, n next, q quit:" in read
    assert "1 decision; the next consolidation" in read
    assert "nothing awaits you\n" == run(folder, "review", check=True).stdout
