"""Cline: what a message says, and which of what was shown repeats it.

A person's words come wrapped: `<task>`, `<feedback>`, `<answer>`, `<user_message>`; `<environment_details>` is the
harness's. Results of tools are texts behind a line `[tool for ...] Result:`, or blocks. Older models call tools by XML
in their text; what completes a task or asks a question is the model's own words.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from rhizome.log.importers import chat
from rhizome.log.importers.port import Entry, Piece
from rhizome.log.importers.records import Value, instant, member, strings
from rhizome.log.importers.telling import ToldTranscript
from rhizome.log.importers.texts import called
from rhizome.model import Message, Origin, Part

_TYPED = re.compile(r"<(task|feedback|answer|user_message)>\s*(.*?)\s*</\1>", re.DOTALL)
_ALONE = re.compile(r"\s*(?:[^<\n]{1,200}\n)?<(feedback|answer|user_message)>\s*(.*?)\s*</\1>\s*", re.DOTALL)
"""How a person's words stand in a result: with nothing beside them but a line that announces them."""
_ASKED = {
    "write_to_file", "replace_in_file", "apply_diff", "insert_content", "search_and_replace", "new_task", "condense",
    "ask_followup_question", "attempt_completion", "plan_mode_respond", "switch_mode", "update_todo_list",
}  # fmt: skip
"""Tools that return no text of a stranger's by itself; what the others return can imitate a person, and what a person
answers them is shown to them, too."""
_AROUND = re.compile(r"\s*<environment_details>.*?(?:</environment_details>|\Z)", re.DOTALL)
_RESULT = re.compile(r"\s*\[(\w+)(?: for [^\n]*)?\] Result:[ \t]*\n?")
_NOTICE = re.compile(r"\s*(?:\[ERROR\]|\[TASK RESUMPTION\]|# (?:task_progress|TODO LIST)|<explicit_instructions)")
_CALLS = (
    "read_file|write_to_file|replace_in_file|apply_diff|insert_content|search_and_replace|execute_command|list_files"
    "|search_files|list_code_definition_names|browser_action|use_mcp_tool|access_mcp_resource|ask_followup_question"
    "|attempt_completion|new_task|plan_mode_respond|load_mcp_documentation|switch_mode|fetch_instructions"
    "|codebase_search|update_todo_list|web_fetch|condense"
)
_PARTS = re.compile(
    rf"<thinking>\s*(?P<thought>.*?)\s*</thinking>|<(?P<call>{_CALLS})>(?P<given>.*?)</(?P=call)>", re.DOTALL)
_ARGUMENT = re.compile(r"<(\w+)>\s*(.*?)\s*</\1>", re.DOTALL)
_WORDS = {"attempt_completion": "result", "ask_followup_question": "question", "plan_mode_respond": "response"}
_META = frozenset({"meta"})


def pieces(value: Value) -> Sequence[Piece] | None:
    if value.get("type") in {"say", "ask"}:
        return _shown(value)
    if value.get("role") == "user":
        return list(_of_user(value))
    if value.get("role") == "assistant":
        return [each for piece in chat.message(value) for each in _of_model(piece)]
    return None


# ---------------------------------------------------------------- what went to the model


def _of_user(value: Value) -> Iterator[Piece]:
    """The blocks of a message in the role of a user; behind a result's heading, text is the result's, and where the
    heading stands alone the next block is, whatever it begins with."""
    if member(value, "metadata").get("kind") == "compaction":
        yield Piece(Part.COMPACTED, Origin.HARNESS, "\n".join(p.text for p in chat.message(value)),
                    flags=frozenset({"summary"}))
        return
    tool, awaited = None, False
    for piece in chat.message(value):
        text = piece.text
        heading = _RESULT.match(text) if piece.part is Part.SAID and not awaited else None
        if heading:
            tool, text = heading.group(1), text[heading.end() :]
        awaited = heading is not None and not text.strip()
        yield from _cut(piece._replace(text=text), tool)


def _cut(piece: Piece, tool: str | None) -> Iterator[Piece]:
    """A text as what a person typed, what the harness put around it, and what a tool returned."""
    text = piece.text
    for around in _AROUND.finditer(text):
        yield Piece(Part.SAID, Origin.HARNESS, around.group().strip(), flags=_META)
    text = _AROUND.sub("", text)
    if tool is None and piece.part is Part.SAID:
        typed = [match.group(2) for match in _TYPED.finditer(text)]
    else:
        alone = _ALONE.fullmatch(text) if tool in _ASKED else None
        typed = [alone.group(2)] if alone else []
    yield from (Piece(Part.SAID, Origin.HUMAN, each) for each in typed)
    rest = text.strip() if not typed else ""
    if not rest:
        return
    if piece.part is not Part.SAID:
        yield piece._replace(text=text)
    elif tool is not None:
        yield Piece(Part.RETURNED, Origin.TOOL, text, tool)
    elif _NOTICE.match(text):
        yield Piece(Part.SAID, Origin.HARNESS, text, flags=_META)
    else:
        yield Piece(Part.SAID, Origin.HUMAN, text)


def _of_model(piece: Piece) -> Iterator[Piece]:
    if piece.part is Part.CALLED:
        yield piece
        if words := strings(dict(piece.arguments), _WORDS.get(piece.tool or "", "")):
            yield Piece(Part.SAID, Origin.MODEL, words)
        return
    if piece.part is not Part.SAID:
        yield piece
        return
    done = 0
    for match in _PARTS.finditer(piece.text):
        yield from _said(piece.text[done : match.start()])
        done = match.end()
        if match.group("call") is None:
            yield Piece(Part.THOUGHT, Origin.MODEL, match.group("thought"))
            continue
        tool, arguments = match.group("call"), dict(_ARGUMENT.findall(match.group("given")))
        yield Piece(Part.CALLED, Origin.MODEL, called(tool, arguments), tool, arguments=arguments)
        yield from _said(arguments.get(_WORDS.get(tool, ""), ""))
    yield from _said(piece.text[done:])


def _said(text: str) -> Iterator[Piece]:
    if text.strip():
        yield Piece(Part.SAID, Origin.MODEL, text.strip())


# ---------------------------------------------------------------- what was shown


def _shown(value: Value, *, first: bool = False) -> list[Piece]:
    what, text = value.get("say", value.get("ask")), strings(value, "text") or ""
    unfinished = frozenset({"aborted"}) if value.get("partial") is True else frozenset()
    if what in {"user_feedback", "task"} or (first and what == "text"):
        return [Piece(Part.SAID, Origin.HUMAN, text, flags=unfinished)]
    if what in {"text", "completion_result", "followup", "plan_mode_respond"} and text:
        return [Piece(Part.SAID, Origin.MODEL, text, flags=unfinished)]
    if what == "reasoning":
        return [Piece(Part.THOUGHT, Origin.MODEL, text, flags=unfinished)]
    if what == "command_output" and value.get("type") == "say":
        return [Piece(Part.RETURNED, Origin.TOOL, text, "execute_command", flags=unfinished)]
    return [Piece(Part.NOTED, Origin.HARNESS, "")]


class _Task:
    """What of a task was shown and stands in its conversation too: a mirror, which knows when it was said."""

    def __init__(self) -> None:
        self.at: dict[str, str | None] = {}
        self._said: set[str] = set()
        self._shown: dict[str, list[Piece]] = {}
        self._began: Value | None = None

    def take(self, entry: Entry) -> None:
        value = entry.value or {}
        if value.get("type") not in {"say", "ask"}:
            self._said.update(piece.text.strip() for piece in pieces(value) or () if piece.origin != Origin.HARNESS)
            return
        self._began = self._began or value
        self._shown[entry.event] = said = list(self.pieces(value) or ())
        for piece in said if value.get("partial") is not True else ():
            self.at.setdefault(piece.text.strip(), entry.at)

    def flags(self, event: str) -> frozenset[str]:
        said = [piece for piece in self._shown.get(event, ()) if piece.text]
        return frozenset({"mirror"}) if said and all(p.text.strip() in self._said for p in said) else frozenset()

    def pieces(self, value: Value) -> Sequence[Piece] | None:
        return _shown(value, first=True) if value == self._began else pieces(value)


class TaskTranscript(ToldTranscript):
    """A message without a time of its own was said when what it says was shown."""

    def __init__(self) -> None:
        self._task = _Task()
        super().__init__(self._task.pieces, self._task)

    def read(self, entry: Entry) -> Iterator[Message]:
        shown_at = None
        if entry.at is None and entry.value is not None:
            texts = [piece.text.strip() for piece in pieces(entry.value) or () if piece.text]
            shown_at = next((at for text in texts if (at := self._task.at.get(text)) and instant(at)), None)
        for message in super().read(entry):
            yield replace(message, at=shown_at) if shown_at else message
