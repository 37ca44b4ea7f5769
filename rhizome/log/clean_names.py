"""What files, folders and sessions are called in the log: their names pass the door as texts do.

Somebody who pastes a token as the name of a folder has it in the path of every session there. What the log keeps is
the name without it. Records are named by the name as it is, so that another rule never gives one another id.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from rhizome.log.discover import Found
from rhizome.log.door import Door
from rhizome.log.importers.port import Heading
from rhizome.log.importers.records import legible
from rhizome.log.project import project_root

_MEMBERS = ("container", "session", "thread", "cwd", "parent", "project")


def called(found: Found, door: Door) -> Found:
    """A file by the name that the log keeps."""
    return replace(found, name=door.clean(found.name).text, root=Path(door.clean(legible(str(found.root))).text))


def headed(heading: Heading, door: Door) -> Heading:
    """A file's heading in the words that the log keeps; its project is looked for while its folder is still known."""
    told: dict[str, Any] = {name: text for name in _MEMBERS if (text := getattr(heading, name))}
    kept: dict[str, Any] = {name: door.clean(text).text for name, text in told.items()}
    if kept == told:
        return heading
    if heading.cwd and not heading.project:
        kept["project"] = door.clean(project_root(heading.cwd)).text
    return replace(heading, **kept, named=heading.naming)
