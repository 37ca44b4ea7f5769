"""Markdown's code fences: what stands inside one is nobody's heading, prompt or quotation."""

import re

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def inside(line: str, opened: str | None) -> str | None:
    """The fence that is open after `line`, None for none, when `opened` was open before it."""
    match = _FENCE.match(line)
    if match is None:
        return opened
    run, rest = match.group(1), match.group(2)
    if opened is None:
        return None if run[0] == "`" and "`" in rest else run
    closes = run[0] == opened[0] and len(run) >= len(opened) and not rest.strip()
    return None if closes else opened
