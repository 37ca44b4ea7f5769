"""Exports that a person asks a chat service for: JSON files that hold one conversation, or a list of them."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from rhizome.log.importers.records import elements


def roots(_environment: Mapping[str, str], _user_home: Path) -> list[Path]:
    """An export lies where it was downloaded to."""
    return []


def claimed(path: Path, start: bytes, member: str) -> bool:
    """Whether a file is an export whose conversations have `member`, by its name and first bytes."""
    return path.suffix == ".json" and start.lstrip()[:1] in {b"[", b"{"} and f'"{member}"'.encode() in start


def conversations(path: Path) -> Iterator[bytes]:
    """The bytes of each conversation, in the file's order."""
    data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    yield from elements(data) if data.lstrip().startswith(b"[") else [data]
