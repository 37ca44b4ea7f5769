"""A program that is asked: it reads the question on its standard input and prints the answer.

Anything will do that prints the JSON object, `claude -p` and `codex exec` included; what these wrap around it with
`--output-format json` and `--json` is unwrapped. The program runs in a folder of its own, with RHIZOME_DEPTH set, so
that a rhizome which it starts itself (through a hook, say) knows not to consolidate.
"""

import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import msgspec

from rhizome.config import ANSWER_BYTES, DEPTH
from rhizome.consolidate.models.port import NoReply, Reply, count

SECONDS = 600.0
ERROR_BYTES, ERROR_CHARS = 4_096, 200


class _Usage(msgspec.Struct):
    input_tokens: object = None
    output_tokens: object = None


class _Item(msgspec.Struct):
    type: str = ""
    text: str = ""


class _Wrapped(msgspec.Struct):
    """One line of `claude -p --output-format json` (a result) or of `codex exec --json` (an event)."""

    type: str
    is_error: bool = False
    result: str | None = None
    structured_output: msgspec.Raw = msgspec.Raw(b"")
    usage: _Usage | None = None
    item: _Item | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """Runs `words` for each question, with `environment`, in `folder` (made when it is missing)."""

    words: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False)
    folder: Path
    model: str = ""
    backend: str = "command"
    seconds: float = SECONDS

    def ask(self, system: str, text: str) -> str | NoReply:
        """What it printed. It is killed, with all it started, when it takes or prints too much."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = self.words[0]
        with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stderr:
            stdin.write(f"{system}\n\n{text}\n".encode("utf-8", "replace"))
            stdin.seek(0)
            try:
                program = subprocess.Popen(  # noqa: S603 - the person's own command, from their rhizome.toml
                    list(self.words), stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, cwd=self.folder,
                    env={**self.environment, DEPTH: "1"}, start_new_session=True,
                )  # fmt: skip
            except OSError as wrong:
                return NoReply(f"{name}: {wrong.strerror or wrong}")
            late = threading.Event()
            timer = threading.Timer(self.seconds, _end, (program, late))
            timer.daemon = True
            timer.start()
            try:
                printed = program.stdout.read(ANSWER_BYTES + 1) if program.stdout else b""
                if len(printed) > ANSWER_BYTES:
                    return NoReply(f"{name}: printed more than {ANSWER_BYTES // 1024} KiB", last=False)
                code = program.wait()
            finally:
                timer.cancel()
                _end(program)
                if program.stdout:
                    program.stdout.close()
            if late.is_set():
                return NoReply(f"{name}: did not end in {self.seconds:.0f} s")
            if code:
                return NoReply(f"{name}: exit code {code}: {_tail(stderr, printed)}")
        return printed.decode("utf-8", "replace")

    def read(self, raw: str) -> Reply:
        lines = [line for line in raw.split("\n") if line.strip()]
        wrapped = [_unwrapped(line) for line in lines]
        if not wrapped or any(each is None for each in wrapped):
            return Reply(raw)
        return _said([each for each in wrapped if each is not None])


def _said(wrapped: list[_Wrapped]) -> Reply:
    """The answer in what an agent program printed line by line, and what it says that it cost."""
    usage = next((each.usage for each in reversed(wrapped) if each.usage), None) or _Usage()
    sent, got = count(usage.input_tokens), count(usage.output_tokens)
    result = next((each for each in reversed(wrapped) if each.type == "result"), None)
    if result is not None:
        held = bytes(result.structured_output).decode()
        text = held if held.startswith("{") else result.result or ""
        return Reply(text, "the program reports an error" if result.is_error else "", "", sent, got)
    items = [each.item for each in wrapped if each.type == "item.completed" and each.item]
    text = next((item.text for item in reversed(items) if item.type == "agent_message"), "")
    return Reply(text, "" if text else "the answer is empty", "", sent, got)


def _unwrapped(line: str) -> _Wrapped | None:
    try:
        return msgspec.json.decode(line.encode("utf-8", "replace"), type=_Wrapped)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _end(program: "subprocess.Popen[bytes]", late: threading.Event | None = None) -> None:
    """Ends a program and everything in its group."""
    if late is not None:
        late.set()
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(program.pid, signal.SIGKILL)
    program.wait()


def _tail(stderr: IO[bytes], printed: bytes) -> str:
    """The last words of a program that failed."""
    stderr.seek(max(0, stderr.seek(0, os.SEEK_END) - ERROR_BYTES))
    words = " ".join((stderr.read().strip() or printed.strip()).decode("utf-8", "replace").split())
    return words[-ERROR_CHARS:] or "it said nothing"
