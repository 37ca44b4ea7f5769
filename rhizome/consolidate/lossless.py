"""Bytes as text and back without loss: what is no UTF-8 stands as private-use characters, one a byte.

A person's note may hold any bytes, but an event's body is text. U+F780 to U+F7FF stand for the bytes 0x80 to 0xFF; a
file that really contains those characters has them written as their three bytes, so that the way back is exact.
"""

import re

STAND_IN = 0xF700
_FIRST_BYTES = b"\xef\x9e", b"\xef\x9f"
_OWN = re.compile("[\uf780-\uf7ff]")
_BYTE = re.compile("[\udc80-\udcff]")


def decode(data: bytes) -> str:
    """`data` as text that holds no surrogates; `encode(decode(data)) == data` for all bytes."""
    text = data.decode("utf-8", "surrogateescape")
    if text.isascii():
        return text
    text = _OWN.sub(lambda own: "".join(chr(STAND_IN + byte) for byte in own[0].encode()), text)
    return _BYTE.sub(lambda byte: chr(ord(byte[0]) - 0xDC00 + STAND_IN), text)


def encode(text: str) -> bytes:
    """The bytes that `decode` read; a lone surrogate, which no file holds, becomes `?`."""
    data = text.encode("utf-8", "replace")
    if not any(first in data for first in _FIRST_BYTES):
        return data
    text = re.sub("[\ud800-\udfff]", "?", text)
    return _OWN.sub(lambda own: chr(ord(own[0]) - STAND_IN + 0xDC00), text).encode("utf-8", "surrogateescape")
