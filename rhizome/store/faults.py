"""What libgit2 and the disk say when something goes wrong, in our words."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from rhizome.errors import Conflict, Damaged, Locked, NotDurable, Refused, RhizomeError

FAMILIES: tuple[tuple[tuple[str, ...], type[RhizomeError], str], ...] = (
    (("no space left", "disk quota", "input/output error"), NotDurable, "Free space or check the disk, then retry."),
    (("not owned by current user",), Refused, "Add the folder to git's safe.directory, or own it."),
    (("unknown object format", "mandatory extension", "unsupported extension", "unsupported index"), Refused,
     "rhizome reads SHA-1 repositories with a plain index: try `git update-index --no-split-index`."),
    (("not the first parent", "old reference value does not match"), Conflict,
     "Somebody committed meanwhile; read again and retry."),
    (("locked", ".lock"), Locked, "Another git is at work; wait for it, then retry."),
    (("corrupt", "invalid", "inflate", "zlib", "mismatch", "not found", "bad ", "truncated"), Damaged,
     "Run `git fsck` in the notes folder."),
)
"""Words in a message, the error of ours they mean, and what to do. The first family that fits counts."""

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
FORBIDDEN = (errno.EROFS, errno.EACCES, errno.EPERM)


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Raises our error for what pygit2 or the system raised while doing `what`; libgit2 uses both types."""
    try:
        yield
    except raised() as error:
        kind, hint = meaning(error)
        raise kind(f"{what}: {getattr(error, 'strerror', None) or error}", hint) from error


def raised() -> tuple[type[Exception], ...]:
    """What libgit2 and the system raise. Asked only when something was: most answers never load libgit2."""
    import pygit2

    return pygit2.GitError, OSError, pygit2.InvalidSpecError


def meaning(error: Exception) -> tuple[type[RhizomeError], str]:
    """Our error for one of pygit2's or the system's, and its hint."""
    if isinstance(error, OSError) and error.errno in FORBIDDEN:
        return RhizomeError, "Nothing was changed; run it where this may be written."
    said = str(error).casefold()
    if isinstance(error, OSError) and error.errno in FULL:
        said = "no space left"
    return next(
        ((kind, hint) for words, kind, hint in FAMILIES if any(word in said for word in words)), (RhizomeError, "")
    )
