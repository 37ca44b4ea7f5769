"""Posting to an endpoint that misbehaves: what is tried again, how long is waited, and when it is enough."""

import pytest

from rhizome.consolidate.models import posting
from rhizome.consolidate.models.port import NoReply
from rhizome.consolidate.models.posting import Patience, post
from tests.consolidate.models.endpoint import (
    Endpoint,
    Step,
    chat,
    dripping,
    dripping_headers,
    half_closed,
    huge,
    page,
    status,
)

SHORT = Patience(connect=2.0, silence=2.0, whole=0.4)


class Asker:
    """Posts and remembers how long it was told to wait, without waiting."""

    def __init__(self, url: str, patience: Patience = SHORT) -> None:
        self.waited: list[float] = []
        self.endpoint = posting.Endpoint(url, {"authorization": "Bearer hush"}, self.waited.append, patience)

    def ask(self) -> str | NoReply:
        return post(self.endpoint, {"question": "what?"})


def refusal(answer: str | NoReply) -> NoReply:
    assert isinstance(answer, NoReply)
    return answer


def test_an_answer_comes_back_as_it_was_sent(endpoint: Endpoint) -> None:
    endpoint.says(page(b'{"text": "\xc3\xa9"}', "application/json; charset=utf-8"))

    assert Asker(endpoint.url).ask() == '{"text": "é"}'
    assert endpoint.headers[0]["authorization"] == "Bearer hush"


def test_a_busy_endpoint_is_asked_again_after_longer_and_longer_waits(endpoint: Endpoint) -> None:
    endpoint.says(status(500), status(529), status(503), chat("yes"))
    asker = Asker(endpoint.url)

    assert isinstance(asker.ask(), str)
    assert asker.waited == [1.0, 2.0, 4.0]


def test_retry_after_counts_instead(endpoint: Endpoint) -> None:
    endpoint.says(status(429, retry_after="7"), chat("yes"))
    asker = Asker(endpoint.url)

    assert isinstance(asker.ask(), str)
    assert asker.waited == [7.0]


def test_retry_after_may_be_a_date_beside_the_endpoints_own(endpoint: Endpoint) -> None:
    dates = {"retry_after": "Wed, 02 Dec 2026 10:00:09 GMT", "date": "Wed, 02 Dec 2026 10:00:00 GMT"}
    endpoint.says(lambda handler, _: _dated(handler, dates), chat("yes"))
    asker = Asker(endpoint.url)

    assert isinstance(asker.ask(), str)
    assert asker.waited == [9.0]


def _dated(handler, headers) -> None:  # type: ignore[no-untyped-def]
    handler.send_response_only(429)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("content-length", "0")
    handler.end_headers()


def test_who_wants_to_be_left_alone_for_an_hour_is_left_alone(endpoint: Endpoint) -> None:
    endpoint.says(status(429, retry_after="3600"))
    asker = Asker(endpoint.url)

    assert "left alone for 3600 s" in refusal(asker.ask()).why
    assert (asker.waited, len(endpoint.asked)) == ([], 1)


def test_four_tries_are_enough(endpoint: Endpoint) -> None:
    endpoint.says(status(500))

    told = refusal(Asker(endpoint.url).ask())

    assert "HTTP 500: not now (4 tries)" in told.why
    assert (told.last, len(endpoint.asked)) == (True, 4)


@pytest.mark.parametrize(("code", "last"), [(400, False), (401, True), (403, True), (404, True), (413, False)])
def test_what_waiting_does_not_mend_is_not_asked_again(endpoint: Endpoint, code: int, last: bool) -> None:
    endpoint.says(status(code))

    assert refusal(Asker(endpoint.url).ask()).last is last
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize("step", [dripping, dripping_headers])
def test_bytes_that_come_one_by_one_for_ever_end_at_the_deadline(endpoint: Endpoint, step: Step) -> None:
    endpoint.says(step)

    assert "no whole answer in 0 s" in refusal(Asker(endpoint.url).ask()).why
    assert len(endpoint.asked) == 1


def test_a_body_that_breaks_off_is_asked_for_again(endpoint: Endpoint) -> None:
    endpoint.says(half_closed, chat("yes"))

    assert isinstance(Asker(endpoint.url, Patience(whole=5.0)).ask(), str)


def test_ten_megabytes_are_no_answer(endpoint: Endpoint) -> None:
    endpoint.says(huge)

    told = refusal(Asker(endpoint.url, Patience(whole=20.0)).ask())

    assert told.why.endswith("the answer is larger than 2048 KiB")
    assert (told.last, len(endpoint.asked)) == (False, 1)


@pytest.mark.parametrize("kind", ["text/html", "application/octet-stream"])
def test_a_page_is_no_answer(endpoint: Endpoint, kind: str) -> None:
    endpoint.says(page(b"<h1>Please log in</h1>", kind))

    assert f"answered {kind} and no JSON" in refusal(Asker(endpoint.url).ask()).why


def test_a_redirect_is_not_followed(endpoint: Endpoint) -> None:
    endpoint.says(status(307, location="http://127.0.0.1:1/"))

    assert "HTTP 307" in refusal(Asker(endpoint.url).ask()).why


def test_nobody_there_is_a_line_and_no_exception() -> None:
    asker = Asker("http://127.0.0.1:9/v1")

    assert "ConnectError" in refusal(asker.ask()).why
    assert asker.waited == [1.0, 2.0, 4.0]


def test_a_key_is_never_shown(endpoint: Endpoint) -> None:
    endpoint.says(status(401, b""))
    asker = Asker(endpoint.url)

    assert "hush" not in f"{asker.ask()} {asker.endpoint}"
