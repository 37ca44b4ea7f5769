"""What to write and what to drop so that the files are what the log says; and, for the proof, what differs. Pure."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NoteWrite:
    """One note to commit; `subject` is the commit's first line."""

    path: str
    data: bytes
    subject: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Notes to write and paths to remove, both sorted by path. An empty plan is the proof."""

    write: tuple[NoteWrite, ...] = ()
    drop: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.write or self.drop)


def diff(want: Mapping[str, bytes], have: Mapping[str, bytes]) -> Plan:
    """What turns `have` into `want`; both are path -> bytes of derived notes only."""
    write = tuple(NoteWrite(path, data, f"{'update' if path in have else 'write'} {path}")
                  for path, data in sorted(want.items()) if have.get(path) != data)
    return Plan(write, tuple(sorted(have.keys() - want.keys())))


def differences(want: Mapping[str, bytes], have: Mapping[str, bytes]) -> dict[str, str]:
    """Every path whose bytes are not what the log says, sorted -> a unified diff from the wanted to what is there."""
    return {path: _unified(path, want.get(path, b""), have.get(path, b""))
            for path in sorted(want.keys() | have.keys()) if want.get(path) != have.get(path)}


def _unified(path: str, want: bytes, have: bytes) -> str:
    """A unified diff. Bytes that are no UTF-8 and line endings that differ are shown escaped."""
    left, right = (data.decode("utf-8", "backslashreplace").replace("\r", "\\r").split("\n") for data in (want, have))
    return "\n".join(difflib.unified_diff(left, right, f"{path} (log)", f"{path} (file)", lineterm="", n=2))
