"""What was done on each day, as the run reads it from turns: sessions, files changed, commands that failed and passed.

The outcome goes into the `consolidated` event, so a rebuild never reads a session again.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import tzinfo
from typing import Any

from rhizome.model import Message, Origin, Part, Turn, moment

TITLE_CHARS = 100
LIST_CHARS = 200
"""How much of a command or path is kept for a day's note; the session holds all."""

CHANGES_PER_DAY = 200
"""A day's note names at most so many files of one session; a formatter run over a repository is not a diary."""

_WRITES = frozenset({
    "edit", "multiedit", "write", "notebookedit", "write_file", "replace", "write_to_file", "replace_in_file",
    "apply_patch", "apply_diff", "patch", "create_file", "edit_file", "str_replace", "insert_edit_into_file",
})
_PATHS = ("file_path", "filePath", "path", "notebook_path", "target_file", "filename")
_PATCH = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_COMMANDS = ("command", "cmd", "script")


def days(turns: Iterable[Turn], zone: tzinfo) -> dict[str, dict[str, Any]]:
    """date -> what happened on it, for the turns of one run. Turns without a time have no day.

    A day is `{"sessions": [{session, title, scope, harness, turns}], "changed": [{session, path}], "fixed":
    [{session, command}]}`, in the order of the turns.
    """
    found: dict[str, list[Turn]] = defaultdict(list)
    for turn in turns:
        at = moment(turn.at) or next((at for message in turn.messages if (at := moment(message.at))), None)
        if at is not None:
            found[at.astimezone(zone).date().isoformat()].append(turn)
    return {date: _day(found[date]) for date in sorted(found)}


def _day(turns: list[Turn]) -> dict[str, Any]:
    sessions: dict[str, list[Turn]] = defaultdict(list)
    for turn in turns:
        sessions[turn.session].append(turn)
    changed, fixed = [], []
    for session, of in sessions.items():
        messages = [message for turn in of for message in turn.messages]
        changed += [{"session": session, "path": path} for path in _once(_changed(messages))[:CHANGES_PER_DAY]]
        fixed += [{"session": session, "command": command} for command in _once(_fixed(messages))]
    return {"sessions": [_session(session, of) for session, of in sessions.items()], "changed": changed, "fixed": fixed}


def _session(session: str, turns: list[Turn]) -> dict[str, Any]:
    said = (" ".join(message.text.split()) for turn in turns for message in turn.messages
            if message.part is Part.SAID and message.origin == Origin.HUMAN and not message.flags)
    title = next(filter(None, said), "")
    return {"session": session, "title": _short(title, TITLE_CHARS), "scope": turns[0].scope,
            "harness": turns[0].harness, "turns": len(turns)}


def _changed(messages: list[Message]) -> Iterator[str]:
    """Files that a tool wrote, where the call is not known to have failed."""
    failed = {message.call for message in messages if message.part is Part.RETURNED and message.failed}
    for message in messages:
        if message.part is not Part.CALLED or (message.call and message.call in failed):
            continue
        arguments = message.arguments
        if (message.tool or "").rpartition("__")[2].casefold() in _WRITES:
            yield from (arguments[key] for key in _PATHS if isinstance(arguments.get(key), str))
        for value in arguments.values():
            if isinstance(value, str) and "*** Begin Patch" in value:
                yield from _PATCH.findall(value)


def _fixed(messages: list[Message]) -> Iterator[str]:
    """Commands that failed and, the same words again, passed later."""
    commands = {message.call: command for message in messages
                if message.part is Part.CALLED and (command := _command(message))}
    failed = set()
    for message in messages:
        command = commands.get(message.call, "") if message.call and message.part is Part.RETURNED else ""
        if not command:
            continue
        if message.failed:
            failed.add(command)
        elif command in failed:
            failed.remove(command)
            yield command


def _command(message: Message) -> str:
    """The shell command a tool call runs, white space folded; empty for other tools."""
    value = next((message.arguments[key] for key in _COMMANDS if message.arguments.get(key)), "")
    if isinstance(value, list | tuple):
        words = [str(word) for word in value]
        value = words[-1] if len(words) > 2 and words[1] in ("-c", "-lc") else " ".join(words)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _once(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(_short(" ".join(text.split()), LIST_CHARS) for text in texts if text.strip()))


def _short(text: str, chars: int) -> str:
    return text if len(text) <= chars else text[:chars - 1].rstrip() + "…"
