"""Regular expressions that are compiled when they are first used: most answers use few of them."""

import re
from typing import Any, cast


class _Late:
    def __init__(self, text: str, flags: int) -> None:
        self._told = text, flags

    def __getattr__(self, name: str) -> Any:
        """Asked once a name: from then on it is an attribute, as quick as the pattern's own."""
        found = getattr(re.compile(*self._told), name)
        setattr(self, name, found)
        return found


def late(text: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern, for calls of its methods; to a function of `re` it is none."""
    return cast("re.Pattern[str]", _Late(text, flags))
