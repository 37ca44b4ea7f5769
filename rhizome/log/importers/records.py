"""Lines of a harness as JSON objects, and the one spelling of an object that identities are made of."""

import json
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from rhizome.model import moment, timestamp

Value = dict[str, Any]


class Unreadable(ValueError):
    """A file that is no longer, or not yet, what its harness writes; the message says why."""


class Record(msgspec.Struct, frozen=True, gc=False):
    """One record of a file: where it stands, its bytes, the object in it (None where it is none), and when it was made
    where only its surroundings tell."""

    offset: int
    raw: bytes
    value: Value | None
    at: str | None = None


_EXACT = msgspec.json.Decoder(float_hook=lambda digits: f"\0{digits}")
_PLAIN = msgspec.json.Decoder()
_SORTED = msgspec.json.Encoder(order="sorted")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EARLIEST, _LATEST = 946_684_800, 4_102_444_800
_SPACE = re.compile(rb'("(?:[^"\\]|\\.)*")|[ \t\r\n]+')
_SURROGATE = re.compile("[\ud800-\udfff]")


def exact(raw: bytes) -> Value | None:
    """The object in `raw` with its fractions as they are spelled; None for what is no JSON object.

    What the fast codec refuses and harnesses write all the same (lone surrogates, NaN, bytes that are not UTF-8) gets
    a second try, with U+FFFD for what no text can hold.
    """
    try:
        value = _EXACT.decode(raw)  # and not by `_object`: each line of an import comes this way
    except (ValueError, RecursionError):
        value = _slow(raw)
    return value if isinstance(value, dict) else None


def plain(text: str) -> Value | None:
    """The object in a stored line, as it is read for its meaning."""
    return _object(_PLAIN, text.encode("utf-8", "surrogatepass"))


def canonical(value: Value) -> bytes:
    """One spelling per object: keys sorted, no spaces. Identities depend on these bytes; tests pin them."""
    return _SORTED.encode(value)


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


def instant(told: object) -> str | None:
    """The time that `told` names: ISO text as it is written, or UTC text for an epoch's seconds, milli-, micro- or
    nanoseconds between 2000 and 2100. None for anything else: a time is never invented."""
    if isinstance(told, str) and not told.startswith("\0"):
        return told if moment(told) else None
    if isinstance(told, bool) or not isinstance(told, int | float | str):
        return None
    try:
        seconds = Decimal(str(told).removeprefix("\0"))
    except InvalidOperation:
        return None
    if not seconds.is_finite():
        return None
    while seconds > _LATEST:
        seconds /= 1000
    if seconds < _EARLIEST:
        return None
    return timestamp(_EPOCH + timedelta(microseconds=int(seconds * 1_000_000)))


def elements(raw: bytes) -> list[bytes]:
    """The elements of a JSON array, each as its own bytes without meaningless white space. Raises Unreadable."""
    try:
        return [compact(bytes(each)) for each in msgspec.json.decode(raw, type=list[msgspec.Raw])]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return [_spelled(each) for each in _loaded(raw, list)]


def members(raw: bytes) -> dict[str, bytes]:
    """The members of a JSON object, each as its own bytes without meaningless white space. Raises Unreadable."""
    try:
        found = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
        return {name: compact(bytes(each)) for name, each in found.items()}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {legible(name): _spelled(each) for name, each in _loaded(raw, dict).items()}


def parted(raw: bytes, name: str) -> tuple[Record, list[Record]]:
    """A JSON object without its member `name`, and what that lists. Raises Unreadable."""
    parts = members(raw)
    listed = elements(parts.pop(name, b"[]"))
    rest = put_together(parts)
    return Record(0, rest, exact(rest)), [Record(0, each, exact(each)) for each in listed]


def put_together(parts: dict[str, bytes]) -> bytes:
    """An object of members that are JSON already."""
    return b"{" + b",".join(json.dumps(name).encode() + b":" + each for name, each in parts.items()) + b"}"


def _loaded(raw: bytes, kind: type) -> Any:
    try:
        found = json.loads(raw.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not whole JSON: {error}") from None
    if not isinstance(found, kind):
        raise Unreadable(f"a JSON {'array' if kind is list else 'object'} was expected")
    return found


def _spelled(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def compact(raw: bytes) -> bytes:
    """JSON without the white space that means nothing; everything else keeps its bytes."""
    return _SPACE.sub(rb"\1", raw)


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
