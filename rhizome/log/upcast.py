"""The one place that knows how lines of other versions read. Version 1 is the only one there is so far."""

VERSION = 1
"""What this program writes in a line's `v`. A higher one is read as far as it can be and never appended to."""


def too_new(v: int) -> bool:
    """Whether a line of version `v` was written by a newer program than this one."""
    return v > VERSION
