"""Keyed names of records: one person's key makes the same record the same event on every machine of theirs."""

import os
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING

from rhizome.errors import Damaged, NotFound, Refused

if TYPE_CHECKING:
    from hashlib import blake2b

KEY_BYTES = 32
ID_BYTES = 16
_length = Struct(">Q").pack


def identify(key: bytes, *parts: bytes) -> str:
    """The id of what `parts` name, as 32 hex digits: keyed BLAKE2b over the parts, each after its length.

    The length is eight bytes big-endian, so that ("ab", "c") and ("a", "bc") never meet. Costs about a microsecond
    for a kilobyte.
    """
    return _begun(key, parts).hexdigest()


def identifier(key: bytes, *first: bytes) -> Callable[[bytes], str]:
    """`identify` for all whose parts begin with `first` and have one more: those are hashed once."""
    begun = _begun(key, first)

    def name(last: bytes) -> str:
        whole = begun.copy()
        whole.update(_length(len(last)))
        whole.update(last)
        return whole.hexdigest()

    return name


def _begun(key: bytes, parts: Iterable[bytes]) -> "blake2b":
    from hashlib import blake2b  # three milliseconds that a search does not need

    name = blake2b(key=key, digest_size=ID_BYTES)
    for part in parts:
        name.update(_length(len(part)))
        name.update(part)
    return name


def make_key(path: Path, dice: Callable[[int], bytes]) -> bytes:
    """Write a new key to `path` (hex, readable by its owner only) and return it. Refused where one stands already."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    key = dice(KEY_BYTES)
    write_key(path, key)
    return key


def write_key(path: Path, key: bytes) -> None:
    """Write `key` to a new file that only its owner reads. Refused where a file stands already."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        hint = "keep it: every event of this person is named by it"
        raise Refused(f"{path}: a key stands here already", hint) from None
    try:
        os.write(file, f"{key.hex()}\n".encode())
        os.fsync(file)
    finally:
        os.close(file)


def replace_key(path: Path, key: bytes) -> Path:
    """Put `key` in the place of the one in `path`, and return where that is kept."""
    kept = next(each for n in count(1) if not (each := path.with_name(f"{path.name}.before-{n}")).exists())
    write_key(kept, read_key(path))
    aside = path.with_name(f"{path.name}.new")
    aside.unlink(missing_ok=True)
    write_key(aside, key)
    aside.replace(path)
    return kept


def read_key(path: Path) -> bytes:
    """The key in `path`. NotFound where there is none, Damaged where it is not 32 bytes in hex."""
    try:
        text = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        hint = "restore it from a backup or another machine: without it a new import duplicates everything"
        raise NotFound(f"{path}: the key of identities is missing", hint) from None
    except UnicodeDecodeError:
        text = ""
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise Damaged(f"{path}: not a key ({KEY_BYTES} bytes in hex)", "restore it from a backup or another machine")
    return key
