"""The bytes of a plain index of git's: gitformat-index(5), version 2, without conflicts and flags."""

import hashlib
import os
import struct
from collections.abc import Iterator

from rhizome.store.trees import Entry

HEAD = struct.Struct(">4sLL")
FIXED = struct.Struct(">10L20sH")
"""ctime s and ns, mtime s and ns, dev, ino, mode, uid, gid, size; id; flags, of which 12 bits are the name's length."""

MTIME, SIZE, ID, FLAGS, NAME = slice(8, 12), slice(36, 40), slice(40, 60), slice(60, 62), 62
LONGEST = 0xFFF
WORD = 0xFFFFFFFF
CHECKSUM = 20

CACHES = (b"TREE", b"EOIE", b"IEOT")
"""Extensions that may be left out: they save time to whoever reads, and git writes them again."""


def body(data: bytes) -> bytearray | None:
    """The entries of an index file; None where it is not plain, or not whole."""
    end = len(data) - CHECKSUM
    if end < HEAD.size or HEAD.unpack_from(data)[:2] != (b"DIRC", 2):
        return None
    if hashlib.sha1(data[:end], usedforsecurity=False).digest() != data[end:]:
        return None
    at = HEAD.size
    for _ in range(HEAD.unpack_from(data)[2]):
        close = data.find(b"\0", at + NAME, end)
        if close < 0 or int.from_bytes(data[at + FLAGS.start : at + FLAGS.stop]) != min(close - at - NAME, LONGEST):
            return None
        at += length(data[at + NAME : close])
    entries = bytearray(data[HEAD.size : at])
    while at < end and data[at : at + 4] in CACHES:
        at += 8 + int.from_bytes(data[at + 4 : at + 8])
    return entries if at == end else None


def starts(entries: bytes | bytearray) -> Iterator[tuple[bytes, int]]:
    """The name of each entry, and where it starts."""
    at = 0
    while at < len(entries):
        name = bytes(entries[at + NAME : entries.find(b"\0", at + NAME)])
        yield name, at
        at += length(name)


def length(name: bytes) -> int:
    """How long an entry is: padded with one to eight NULs to a multiple of eight."""
    return (NAME + len(name) + 8) // 8 * 8


def packed(name: bytes, entry: Entry, seen: os.stat_result | None) -> bytes:
    """An entry's bytes. `seen` is the stat of the file that holds it, None where none does."""
    oid, mode = entry
    known = (0,) * 6 if seen is None else (
        *divmod(seen.st_ctime_ns, 10**9), *divmod(seen.st_mtime_ns, 10**9), seen.st_dev, seen.st_ino,
    )  # fmt: skip
    owner = (0, 0, 0) if seen is None else (seen.st_uid, seen.st_gid, seen.st_size)
    numbers = (number & WORD for number in (*known, mode, *owner))
    fixed = FIXED.pack(*numbers, bytes.fromhex(oid), min(len(name), LONGEST))
    return (fixed + name).ljust(length(name), b"\0")
