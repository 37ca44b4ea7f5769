"""Any bytes are kept as text, because an event's body is text."""

from hypothesis import given
from hypothesis import strategies as st

from rhizome.consolidate.lossless import decode, encode


@given(st.binary() | st.text(alphabet=st.characters(min_codepoint=0xF700, max_codepoint=0xF7FF)).map(str.encode))
def test_bytes_come_back_whatever_they_are(data: bytes) -> None:
    assert data == encode(decode(data))


@given(st.binary())
def test_the_text_of_any_bytes_can_stand_in_an_event(data: bytes) -> None:
    assert decode(data) == decode(data).encode().decode()


def test_text_that_is_utf_8_is_left_as_it_is() -> None:
    assert "設定 é 🌊" == decode("設定 é 🌊".encode())
