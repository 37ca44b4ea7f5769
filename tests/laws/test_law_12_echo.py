"""Law 12: what came out of memory does not go in again."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rhizome.consolidate.gather import gather
from rhizome.model import Message, Part, Turn

WORDS = ["deploy", "release", "branch", "port", "tidepool", "uses", "never", "always", "main", "uv", "tests", "zone"]
sentences = st.lists(st.sampled_from(WORDS), min_size=8, max_size=30)


def turn(name: str, *messages: Message) -> Turn:
    prompt = Message(event=name, part=Part.SAID, origin="human", text="go on")
    return Turn(id=name, session="s1", scope="tidepool", messages=(prompt, *messages), closed=True)


def returned(text: str) -> Message:
    return Message(event="r", part=Part.RETURNED, origin="memory", text=text)


def said(text: str, origin: str = "model") -> Message:
    return Message(event="m", part=Part.SAID, origin=origin, text=text)


@given(st.data())
def test_no_stretch_of_what_memory_returned_is_gathered(data: Any) -> None:
    words = data.draw(sentences)
    start = data.draw(st.integers(0, len(words) - 8))
    stretch = " ".join(words[start:data.draw(st.integers(start + 8, len(words)))])
    dressed = data.draw(st.sampled_from([stretch, stretch.upper(), f"- {stretch}.", stretch.replace(" ", "  \n")]))
    origin, later = data.draw(st.sampled_from(["model", "human", "tool"])), data.draw(st.booleans())
    first, second = turn("t1", returned(" ".join(words))), turn("t2", said(dressed, origin))

    batch = gather([first, second] if later else [turn("t1", returned(" ".join(words)), said(dressed, origin))])
    assert not [message for each in batch.turns for message in each.messages if message.event in {"m", "r"}]


@given(sentences)
def test_words_of_ones_own_are_gathered(words: list[str]) -> None:
    own = " ".join(f"{word}{number}" for number, word in enumerate(words))

    batch = gather([turn("t1", returned(" ".join(words)), said(own))])
    assert own in [message.text for each in batch.turns for message in each.messages]
