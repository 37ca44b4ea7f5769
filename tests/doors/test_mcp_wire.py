"""The bytes on the wire: both generations of the protocol are answered, and stdout carries nothing else."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.doors.conftest import environment

NEWER = "2026-07-28"
ABOUT = {
    "io.modelcontextprotocol/protocolVersion": NEWER,
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Wire:
    """A server's stdin and stdout, line by line."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rhizome", "mcp"], cwd=folder, env=environment(folder), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, id_: int, method: str, **params: Any) -> dict[str, Any]:
        """The answer to a request; every line until then has to be of the protocol."""
        self.send(json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params}))
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message: dict[str, Any] = json.loads(line)
            assert "2.0" == message["jsonrpc"]
            if message.get("id") == id_:
                return message
        pytest.fail("the server closed its stdout")

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=20)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def wire(folder: Path) -> Iterator[Wire]:
    found = Wire(folder)
    yield found
    found.close()


def test_a_client_of_the_older_protocol_shakes_hands_and_calls(wire: Wire) -> None:
    hello = wire.ask(
        1, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "test", "version": "1"}
    )
    wire.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
    called = wire.ask(2, "tools/call", name="memory_fact", arguments={"key": "tidepool|dev_port"})

    assert "2025-11-25" == hello["result"]["protocolVersion"]
    assert "8087" == called["result"]["structuredContent"]["fact"]["value"]


def test_a_client_of_the_newer_protocol_discovers_and_calls_at_once(wire: Wire) -> None:
    discovered = wire.ask(1, "server/discover", _meta=ABOUT)
    called = wire.ask(2, "tools/call", name="memory_fact", arguments={"key": "tidepool|dev_port"}, _meta=ABOUT)

    assert NEWER in discovered["result"]["supportedVersions"]
    assert discovered["result"]["instructions"].startswith("Search this memory before you ask")
    assert "8087" == called["result"]["structuredContent"]["fact"]["value"]


def test_a_line_that_is_no_message_ends_nothing(wire: Wire) -> None:
    for garbage in ("garbage", "{", "[]", '{"jsonrpc": "2.0"}', "\x00\x1b]52;c;aGk=\x07", "5"):
        wire.send(garbage)

    assert wire.ask(9, "server/discover", _meta=ABOUT)["result"]


def test_the_server_ends_when_its_stdin_does(wire: Wire) -> None:
    wire.ask(1, "server/discover", _meta=ABOUT)
    wire.close()

    assert 0 == wire.process.returncode
