"""One question posted to an endpoint, with patience that ends: retries, a deadline, a cap on the answer."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2
import msgspec

from rhizome.config import ANSWER_BYTES
from rhizome.consolidate.models.port import NoReply

BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that another try may change."""

OURS = frozenset({400, 413, 422})
"""Statuses that are about this one question."""

ERROR_BYTES = 64 * 1024
ERROR_CHARS = 200


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an endpoint is waited for, in seconds: to connect, in silence, and for one try from first to last byte.

    `backoff` doubles from try to try; a `Retry-After` counts instead, up to `most`: who asks for more is left alone.
    """

    connect: float = 10.0
    silence: float = 120.0
    whole: float = 300.0
    tries: int = 4
    backoff: float = 1.0
    most: float = 60.0


PATIENT = Patience()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where questions are posted. Headers may hold a key: they are shown nowhere."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    wait: Callable[[float], None]
    patience: Patience = PATIENT


@dataclass(frozen=True, slots=True)
class _Failed:
    why: str
    retry: bool = False
    after: float | None = None
    last: bool = True


def post(endpoint: Endpoint, payload: Mapping[str, Any]) -> str | NoReply:
    """The body of the answer, or why there is none, after at most `tries` tries. Follows no redirect and no proxy."""
    body, patience = msgspec.json.encode(payload), endpoint.patience
    failed = _Failed("was not asked")
    for nth in range(patience.tries):
        answer = _once(endpoint, body)
        if isinstance(answer, str):
            return answer
        failed = answer
        pause = patience.backoff * 2**nth if failed.after is None else failed.after
        if not failed.retry or nth + 1 == patience.tries:
            break
        if pause > patience.most:
            return NoReply(f"{endpoint.url}: {failed.why}, and asks to be left alone for {pause:.0f} s")
        endpoint.wait(pause)
    tried = f" ({patience.tries} tries)" if failed.retry else ""
    return NoReply(f"{endpoint.url}: {failed.why}{tried}", failed.last)


def _once(endpoint: Endpoint, body: bytes) -> str | _Failed:
    patience = endpoint.patience
    timeout = httpx2.Timeout(patience.silence, connect=patience.connect)
    headers = {"content-type": "application/json", "accept": "application/json", "accept-encoding": "identity",
               "user-agent": "rhizome"} | dict(endpoint.headers)  # fmt: skip
    late = threading.Event()
    try:
        with httpx2.Client(timeout=timeout, trust_env=False, follow_redirects=False) as client:
            timer = threading.Timer(patience.whole, _hang_up, (late, client))
            timer.daemon = True
            timer.start()
            try:
                with client.stream("POST", endpoint.url, content=body, headers=headers) as response:
                    return _read(response, late, patience.whole)
            finally:
                timer.cancel()
    except (httpx2.HTTPError, httpx2.StreamError, OSError, RuntimeError) as wrong:
        if late.is_set():
            return _Failed(f"no whole answer in {patience.whole:.0f} s")
        if isinstance(wrong, RuntimeError) and not isinstance(wrong, httpx2.StreamError):
            raise
        return _Failed(f"{type(wrong).__name__}: {wrong}"[:ERROR_CHARS], retry=True)


def _hang_up(late: threading.Event, client: httpx2.Client) -> None:
    """Ends a try whose bytes come one by one for ever, wherever it is."""
    late.set()
    client.close()


def _read(response: httpx2.Response, late: threading.Event, whole: float) -> str | _Failed:
    """A response's body as text, or what is wrong with the response."""
    most = ANSWER_BYTES if response.status_code == 200 else ERROR_BYTES
    if response.headers.get("content-encoding", "identity") != "identity":
        return _Failed("the answer is compressed, which was not asked for", last=False)
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        if len(body) > most and response.status_code == 200:
            return _Failed(f"the answer is larger than {most // 1024} KiB", last=False)
        if len(body) > most:
            break
        if late.is_set():
            return _Failed(f"no whole answer in {whole:.0f} s")
    text = body.decode("utf-8", "replace")
    if response.status_code != 200:
        return _refused(response, text)
    kind = response.headers.get("content-type", "")
    if "json" not in kind:
        return _Failed(f"answered {kind.partition(';')[0] or 'bytes of no type'} and no JSON", last=False)
    return text


def _refused(response: httpx2.Response, text: str) -> _Failed:
    status = response.status_code
    hints = {401: "the key is missing or wrong", 403: "the key may not do this", 404: "no such model or address"}
    told = " ".join((_message(text) or hints.get(status, response.reason_phrase)).split())[:ERROR_CHARS]
    retry = status in BUSY
    return _Failed(f"HTTP {status}: {told}", retry, _after(response) if retry else None, last=status not in OURS)


def _message(text: str) -> str:
    """What an endpoint says was wrong, where it says so in the usual place."""
    try:
        said = msgspec.json.decode(text.encode(), type=_Said)
    except (msgspec.MsgspecError, RecursionError):
        return ""
    return said.error.message if isinstance(said.error, _Error) else said.error or ""


class _Error(msgspec.Struct):
    message: str = ""


class _Said(msgspec.Struct):
    error: _Error | str | None = None


def _after(response: httpx2.Response) -> float | None:
    """The seconds a `Retry-After` asks for; a date counts from the response's own `Date`."""
    asked = response.headers.get("retry-after", "").strip()
    if asked.isdigit():
        return float(asked[:9])
    try:
        then, now = parsedate_to_datetime(asked), parsedate_to_datetime(response.headers.get("date", ""))
        return max(0.0, (then - now).total_seconds())
    except (ValueError, TypeError):
        return None
