"""Lines of a harness as JSON objects, and the one spelling of an object that identities are made of."""

import json
import re
from typing import Any

import msgspec

Value = dict[str, Any]

_EXACT = msgspec.json.Decoder(float_hook=lambda digits: f"\0{digits}")
_PLAIN = msgspec.json.Decoder()
_SURROGATE = re.compile("[\ud800-\udfff]")


def exact(raw: bytes) -> Value | None:
    """The object in `raw` with its fractions as they are spelled; None for what is no JSON object.

    What the fast codec refuses and harnesses write all the same (lone surrogates, NaN, bytes that are not UTF-8) gets
    a second try, with U+FFFD for what no text can hold.
    """
    return _object(_EXACT, raw)


def plain(text: str) -> Value | None:
    """The object in a stored line, as it is read for its meaning."""
    return _object(_PLAIN, text.encode("utf-8", "surrogatepass"))


def canonical(value: Value) -> bytes:
    """One spelling per object: keys sorted, no spaces. Identities depend on these bytes; tests pin them."""
    return msgspec.json.encode(value, order="sorted")


def without(value: Value, volatile: frozenset[str]) -> Value:
    """`value` without the members that change from copy to copy."""
    if volatile.isdisjoint(value):
        return value
    kept = value.copy()
    for name in volatile:
        kept.pop(name, None)
    return kept


def legible(text: str) -> str:
    """`text` with U+FFFD for lone surrogates, which no file can hold."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def strings(value: Value, *keys: str) -> str | None:
    """The first of `keys` whose member is a text that is not empty."""
    for key in keys:
        if isinstance(found := value.get(key), str) and found:
            return found
    return None


def member(value: Value, key: str) -> Value:
    """The object under `key`; empty where there is none."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _object(decoder: "msgspec.json.Decoder[Any]", raw: bytes) -> Value | None:
    try:
        value = decoder.decode(raw)
    except (ValueError, RecursionError):
        value = _slow(raw)
    return value if isinstance(value, dict) else None


def _slow(raw: bytes) -> object:
    if not raw.lstrip().startswith(b"{"):
        return None
    try:
        return _mended(json.loads(raw.decode("utf-8", "replace")))
    except (ValueError, RecursionError):
        return None


def _mended(value: Any) -> Any:
    """`value` with every text legible."""
    if isinstance(value, str):
        return legible(value)
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {legible(key): _mended(item) for key, item in value.items()}
    return value
