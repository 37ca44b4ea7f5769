"""Where a home is and what its `rhizome.toml` says: asked before anything else, so it imports next to nothing."""

import os
from collections.abc import Mapping
from typing import Any

MARKER = "rhizome.toml"


def find(option: str | None, environment: Mapping[str, str], folder: str, user_home: str) -> str:
    """The home a command means: `--home`, then RHIZOME_HOME, then the nearest `rhizome.toml` above, then ~/rhizome."""
    if option is not None:
        return option
    if environment.get("RHIZOME_HOME"):
        return environment["RHIZOME_HOME"]
    above = folder
    while not os.path.isfile(os.path.join(above, MARKER)):
        if above == (above := os.path.dirname(above)):
            return os.path.join(user_home, "rhizome")
    return above


def settings(text: str) -> dict[str, Any]:
    """What a `rhizome.toml` sets. Raises TOMLDecodeError."""
    if (found := _plain(text)) is not None:
        return found
    import tomllib  # five milliseconds, for what rhizome itself never writes

    return tomllib.loads(text)


def _plain(text: str) -> dict[str, Any] | None:
    """The same, where there are only tables of plain strings; None for anything else, and for what is no TOML."""
    found: dict[str, Any] = {}
    table = found
    for line in (each.strip(" ") for each in text.split("\n")):
        key, equals, value = (part.strip(" ") for part in line.partition("="))
        if not line.isprintable():
            return None
        if not line:
            continue
        if line[0] == "[" and line[-1] == "]" and _bare(line[1:-1]) and line[1:-1] not in found:
            found[line[1:-1]] = table = {}
        elif equals and _bare(key) and key not in table and len(value) > 1 and value[0] + value[-1] == '""':
            table[key] = value[1:-1]
            if "\\" in value or '"' in table[key]:
                return None
        else:
            return None
    return found


def _bare(key: str) -> bool:
    return key.isascii() and key.replace("-", "").replace("_", "").isalnum()
