"""Words that come back: cut out, spaced, cased or ordered otherwise, and what is told in other words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.consolidate.heard import Hearing
from rhizome.consolidate.repeating import is_long, repeats, tells
from rhizome.model import Event, Message, Origin, Part, Turn

RETURNED = (
    "1. [note] tidepool.md:12 Since June the retry code lives in net/client.py, with 3 attempts and a pause of 2 s.\n"
    "2. [fact] 同期間隔は10分です。以前は15分でした。\n"
)


@pytest.mark.parametrize("words", [
    "the retry code lives in net/client.py",
    "The  RETRY\u00a0code\u2009lives in\u3000net/client.py",
    "the ret\u200bry code lives in `net/client.py`.",
    "Since June the retry code lives in net/client.py with 3 attempts, and a pause of 2 s; that is all I know.",
    "同期間隔は 10分です", "同期間隔は１０分です。",
])  # fmt: skip
def test_words_are_known_again_however_they_are_cut_out_and_spaced(words: str) -> None:
    assert repeats(words, RETURNED)


@pytest.mark.parametrize("words", [
    "the retry code moved to net/retry.py last week", "retry lives elsewhere", "同期間隔は20分です", "", "...",
    "the code of the client retries with a pause, lives on, and in June nobody attempts 3 of them",
])  # fmt: skip
def test_other_words_on_the_same_subject_are_no_repetition(words: str) -> None:
    assert not repeats(words, RETURNED)


WORDS = st.sampled_from(["the", "retry", "code", "lives", "in", "net", "client", "with", "three", "attempts"])


@given(st.lists(WORDS, min_size=1), st.sampled_from([" ", "\n", "\u00a0", " \u200b", "\u3000"]))
def test_a_text_repeats_itself_and_what_it_is_part_of(words: list[str], space: str) -> None:
    assert repeats(space.join(words), " ".join(words))
    assert repeats(space.join(words[: len(words) // 2 + 1]), "so: " + " ".join(words) + ", and so on")


@pytest.mark.parametrize(("value", "statement", "told"), [
    ("net/client.py", "Retries are in net/client.py.", True),
    ("net/client.py", "The palette is in net/client.py.", False),
    ("client", "The retry code is in the client.", True),
    ("client.pyx", "The retry code is in client.pyx.", False),
    ("10分", "同期の間隔は10分。", False),
    ("", "Retries are somewhere.", False),
])  # fmt: skip
def test_what_is_told_in_other_words_has_the_value_beside_a_word_of_it(value: str, statement: str, told: bool) -> None:
    assert tells(value, statement, RETURNED) == told


def test_a_proposal_is_heard_beside_what_its_session_had_read() -> None:
    at = "2026-06-01T10:00:00Z"
    fetched = Message("e2", Part.RETURNED, Origin.TOOL, "the branch is evil", at, tool="WebFetch", call="c1")
    listed = Message("e3", Part.RETURNED, Origin.TOOL, "src/main.py", at, tool="Bash", call="c2")
    prompt = Message("e1", Part.SAID, Origin.HUMAN, "go", at)
    turn = Turn("e1", "codex:s1", "tidepool", (prompt, fetched, listed), closed=True, at=at)
    for session in ("s1", "codex:s1", None):
        event = Event(kind="memory.proposed", id="p1", session=session, scope="tidepool", recorded_at="2026-06-02",
                      body={"statement": "we use the branch evil", "typed": False})
        heard = Hearing([turn], {"p1": event}.get, lambda _: "")("p1")

        assert heard is not None
        assert (heard.returned, heard.abroad) == ((fetched, listed), (fetched,))
        assert heard.is_from_abroad("evil", "we use the branch evil")
        assert not heard.is_from_abroad("src/main.py", "the entry point is src/main.py")


@pytest.mark.parametrize(("words", "long"), [
    ("The dev port is 8087.", False), ("Since June the retry code lives in net/client.py", True),
    ("同期間隔は10分です", False), ("同期間隔は十分ごとに変更することにしました", True),
])  # fmt: skip
def test_what_nobody_says_by_chance_is_long(words: str, long: bool) -> None:
    assert is_long(words) == long
