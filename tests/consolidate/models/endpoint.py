"""A model's endpoint on a loopback port that answers as its script says, one step a request; the last step repeats."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Step = Callable[["Handler", dict[str, Any]], None]


@dataclass
class Endpoint:
    """What was asked so far (bodies and headers), and what is answered next."""

    script: list[Step] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""
    over: threading.Event = field(default_factory=threading.Event)

    def says(self, *steps: Step) -> None:
        self.script[:] = steps

    @property
    def prompts(self) -> list[str]:
        return [body["messages"][-1]["content"] for body in self.asked]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    endpoint: Endpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        here = self.endpoint
        here.asked.append(body)
        here.headers.append({name.lower(): value for name, value in self.headers.items()})
        step = here.script.pop(0) if len(here.script) > 1 else here.script[0]
        self.close_connection = True
        try:
            step(self, body)
        except (BrokenPipeError, ConnectionResetError):
            return

    def send(self, status: int, content: bytes, kind: str = "application/json", **more: str) -> None:
        self.send_response(status)
        for name, value in ({"content-type": kind, "content-length": str(len(content))} | more).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        return


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        return


@contextmanager
def serving() -> Iterator[Endpoint]:
    here = Endpoint()
    server = Server(("127.0.0.1", 0), type("Handler", (Handler,), {"endpoint": here}))
    here.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield here
    finally:
        here.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


# ---------------------------------------------------------------- what may be answered


def chat(text: str, *, finish: str = "stop", **message: Any) -> Step:
    """A chat completion that says `text`, which cost 100 and 20 tokens."""
    body = {"model": "small", "choices": [{"message": {"content": text} | message, "finish_reason": finish}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20}}  # fmt: skip
    return lambda handler, _: handler.send(200, json.dumps(body).encode())


def drafting(*drafts: dict[str, Any] | Callable[[str], dict[str, Any]]) -> Step:
    """A chat completion with drafts; a draft may be made from the question."""

    def step(handler: Handler, asked: dict[str, Any]) -> None:
        text = asked["messages"][-1]["content"]
        made = [draft(text) if callable(draft) else draft for draft in drafts]
        chat(json.dumps({"drafts": made}, ensure_ascii=False))(handler, asked)

    return step


def about(words: str, *, within: str = "", **draft: Any) -> Callable[[str], dict[str, Any]]:
    """A draft that quotes the first event of the question that has `within` (else `words`), whatever it is called."""

    def made(question: str) -> dict[str, Any]:
        event = re.findall(r"event ([0-9a-f]{12,32}), said by", question[: question.index(within or words)])[-1]
        return {"type": "fact", "subject": "tidepool", "attribute": "thing", "statement": words, "event": event,
                "quote": words} | draft  # fmt: skip

    return made


def status(code: int, content: bytes = b'{"error": {"message": "not now"}}', **headers: str) -> Step:
    return lambda handler, _: handler.send(code, content, **headers)


def page(content: bytes, kind: str = "text/html") -> Step:
    return lambda handler, _: handler.send(200, content, kind)


def dripping(handler: Handler, _: dict[str, Any]) -> None:
    """One byte at a time, for ever: no read ever waits long."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "1000000")
    handler.end_headers()
    _drip(handler)


def dripping_headers(handler: Handler, _: dict[str, Any]) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
    _drip(handler)


def _drip(handler: Handler) -> None:
    while not handler.endpoint.over.wait(0.03):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def half_closed(handler: Handler, _: dict[str, Any]) -> None:
    """Promises more than it sends."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')


def huge(handler: Handler, _: dict[str, Any]) -> None:
    handler.send(200, b"[" * 10_000_000)
