"""The command line as its users see it. `tests/transcripts/*.txt` are sessions:

    # a remark
    $ a shell command, run in an empty folder with HOME and RHIZOME_HOME inside it
        (indented by four spaces: the next line of that command)
    >a line it prints (stdout and stderr); `...` stands for anything in a line, a line of only `...` for any lines
    ?3            its exit code, where it is not 0
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "transcripts"
EXAMPLES = Path(__file__).parents[2] / "examples"
SESSIONS = sorted(FOLDER.glob("*.txt"))


@dataclass
class Step:
    line: int
    command: str
    expected: list[str] = field(default_factory=list)
    code: int = 0


def steps(text: str) -> list[Step]:
    found: list[Step] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("$ "):
            found.append(Step(number, line[2:]))
        elif line.startswith("    "):
            found[-1].command += "\n" + line[4:]
        elif line.startswith(">"):
            found[-1].expected.append(line[1:])
        elif line.startswith("?"):
            found[-1].code = int(line[1:])
        elif line and not line.startswith("#"):
            pytest.fail(f"line {number}: neither command, output, exit code nor remark: {line}")
    return found


def pattern(expected: list[str]) -> re.Pattern[str]:
    lines = [
        r"(?:.*\n)*?" if line == "..." else ".*?".join(map(re.escape, line.split("..."))) + r"\n" for line in expected
    ]
    return re.compile("".join(lines) + r"\Z")


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_the_session_reads_as_it_was_written(session: Path, tmp_path: Path) -> None:
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "RHIZOME_HOME": str(tmp_path / "memory"),
        "EXAMPLES": str(EXAMPLES),
        "TZ": "UTC",
        "USER": "ines",
        "LANG": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    for step in steps(session.read_text(encoding="utf-8")):
        done = subprocess.run(
            ["bash", "-c", step.command], cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
        )  # fmt: skip
        where = f"{session.name}:{step.line}: $ {step.command}\n"

        assert step.code == done.returncode, where + done.stdout
        assert pattern(step.expected).match(done.stdout), where + done.stdout
