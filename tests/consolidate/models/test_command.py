"""A program that is asked: what it is given, what is made of what it prints, and that it always ends."""

import json
import sys
import time
from pathlib import Path

import pytest

from rhizome.consolidate.models.command import Command
from rhizome.consolidate.models.port import NoReply
from tests.consolidate.models.thinking import Thinking

ANSWER = '{"drafts": []}'


def program(folder: Path, body: str) -> str:
    """A script that may be run."""
    path = folder / "agent"
    path.write_text(f"#!{sys.executable}\nimport os, sys, time\n{body}\n")
    path.chmod(0o755)
    return str(path)


def command(folder: Path, body: str, seconds: float = 20.0) -> Command:
    words = (program(folder, body), "-p")
    return Command(words, {"PATH": "/usr/bin:/bin", "NAME": "ines"}, folder / "apart", seconds=seconds)


def test_it_reads_the_question_and_prints_the_answer(tmp_path: Path) -> None:
    asked = command(tmp_path, "print(sys.stdin.read()[::-1], end='')")

    assert asked.ask("what", "now") == "\nwon\n\ntahw"


def test_it_runs_in_a_folder_of_its_own_and_is_told_that_it_is_asked(tmp_path: Path) -> None:
    body = "print(os.getcwd(), os.environ['RHIZOME_DEPTH'], os.environ['NAME'], *sys.argv[1:])"
    raw = command(tmp_path, body).ask("", "")

    assert raw == f"{tmp_path / 'apart'} 1 ines -p\n"


def test_it_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    mark = tmp_path / "late"
    child = f"time.sleep(1.5); open({str(mark)!r}, 'w')"
    body = f"if os.fork() == 0:\n    {child}\nelse:\n    time.sleep(60)"
    began = time.monotonic()

    told = command(tmp_path, body, seconds=0.5).ask("", "")

    assert isinstance(told, NoReply)
    assert "did not end" in told.why
    assert time.monotonic() - began < 10
    time.sleep(1.5)
    assert not mark.exists()


def test_it_is_ended_when_it_never_stops_printing(tmp_path: Path) -> None:
    told = command(tmp_path, "while True: print('x' * 100_000)").ask("", "")

    assert isinstance(told, NoReply)
    assert "more than 2048 KiB" in told.why


@pytest.mark.parametrize(("body", "why"), [
    ("sys.exit('Invalid API key. Please log in.')", "exit code 1: Invalid API key. Please log in."),
    ("print('usage limit reached'); sys.exit(3)", "exit code 3: usage limit reached"),
    ("sys.exit(2)", "exit code 2: it said nothing"),
])  # fmt: skip
def test_its_last_words_are_told(tmp_path: Path, body: str, why: str) -> None:
    told = command(tmp_path, body).ask("", "")

    assert isinstance(told, NoReply)
    assert told.why.endswith(why)


def test_a_program_that_is_not_there_is_a_line_and_no_exception(tmp_path: Path) -> None:
    told = Command(("/no/such/agent",), {}, tmp_path).ask("", "")

    assert told == NoReply("/no/such/agent: No such file or directory")


CLAUDE = {"type": "result", "subtype": "success", "is_error": False, "result": ANSWER, "session_id": "x",
          "usage": {"input_tokens": 90, "output_tokens": 9, "cache_read_input_tokens": 4}}  # fmt: skip
CODEX = (
    {"type": "thread.started", "thread_id": "x"},
    {"type": "item.completed", "item": {"id": "1", "type": "reasoning", "text": "Hm."}},
    {"type": "item.completed", "item": {"id": "2", "type": "agent_message", "text": ANSWER}},
    {"type": "turn.completed", "usage": {"input_tokens": 90, "cached_input_tokens": 1, "output_tokens": 9}},
)


@pytest.mark.parametrize("raw", [
    json.dumps(CLAUDE),
    json.dumps(CLAUDE | {"result": "Here you are.", "structured_output": {"drafts": []}}, separators=(",", ":")),
    "\n".join(map(json.dumps, CODEX)),
])  # fmt: skip
def test_what_agent_programs_wrap_around_an_answer_is_taken_off(tmp_path: Path, raw: str) -> None:
    reply = Command(("x",), {}, tmp_path).read(raw)

    assert json.loads(reply.text) == {"drafts": []}
    assert (reply.wrong, reply.sent, reply.got) == ("", 90, 9)


@pytest.mark.parametrize("raw", [ANSWER, "plain words", "", '{"drafts": [\n]}'])
def test_what_is_not_wrapped_is_the_answer(tmp_path: Path, raw: str) -> None:
    assert Command(("x",), {}, tmp_path).read(raw).text == raw


def test_an_error_that_a_program_reports_is_no_answer(tmp_path: Path) -> None:
    assert Command(("x",), {}, tmp_path).read(json.dumps(CLAUDE | {"is_error": True})).wrong


def test_a_night_may_ask_a_program(tmp_path: Path) -> None:
    body = (
        "import json, re\nasked = sys.stdin.read()\n"
        "event = re.findall('event ([0-9a-f]+), said by the person', asked)[0]\n"
        "quote = 'storm jib lives in locker four'\n"
        "draft = dict(type='fact', subject='storm jib', attribute='place', value='locker four', event=event,\n"
        "             quote=quote, statement=f'The {quote}.')\n"
        "print(json.dumps({'drafts': [draft]}))"
    )
    home = Thinking(tmp_path).begins().asks(f'backend = "command"\ncommand = ["{program(tmp_path, body)}"]')
    home.hears("We told the crew that the storm jib lives in locker four.")

    told = home.sleeps()

    assert home.value("storm jib|place") == "locker four"
    assert (told["pending"], told["identical"]) == (0, True)
    assert told["tokens"] > 500


def test_a_session_that_a_program_kept_of_its_question_teaches_nothing(tmp_path: Path) -> None:
    home = Thinking(tmp_path).begins()
    home.hears("Take notes for rhizome.\nFrom now on the dev server port is 8087.")
    home.sleeps()

    assert home.statements() == []
