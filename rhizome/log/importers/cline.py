"""Cline and what grew out of it, Roo Code and Kilo Code: where tasks lie and what names a message.

The sources are open; written from files of 3.x. A task is a folder `<extension>/tasks/<ms>/` with
`api_conversation_history.json` (what went to the model) and `ui_messages.json` (what was shown, with times); both are
one session, the second mostly a mirror. Files are rewritten at each step and may be found torn, or emptied to `[]`.
Messages have no ids, and their `ts` may change: they are named by task, content and occurrence. The newer
`data/sessions/<id>/<id>.messages.json` has ids (its outer shape, a list or an object with `messages`, is a guess). The
folder of a task stands in `state/taskHistory.json`, Roo's in `history_item.json`; `conversationHistoryDeletedRange`
there hides messages from the model only and drops nothing here.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from rhizome.log.importers import cline_meaning as meaning
from rhizome.log.importers.editors import user_folders
from rhizome.log.importers.native import NativeNaming
from rhizome.log.importers.port import Chapter, Heading, Importer, Naming, Side
from rhizome.log.importers.records import Record, Value, elements, exact, instant, members, strings, without

EXTENSIONS = {
    "cline": "saoudrizwan.claude-dev", "roo-code": "rooveterinaryinc.roo-cline", "kilo-code": "kilocode.kilo-code"}
_API, _SHOWN, _NEWER = "api_conversation_history.json", "ui_messages.json", ".messages.json"
_BESIDE = {"task_metadata.json", "context_history.json"}
_READ_ALONG = {"taskHistory.json", "history_item.json"}


def roots(harness: str, environment: Mapping[str, str], user_home: Path) -> list[Path]:
    folders = [each / "globalStorage" / EXTENSIONS[harness] for each in user_folders(environment, user_home)]
    return [*folders, user_home / ".cline" / "data" / "sessions"] if harness == "cline" else folders


def root_of(path: Path) -> Path | None:
    return next((folder for folder in path.parents if folder.name in EXTENSIONS.values()), None)


def _whose(path: Path) -> str:
    """The harness that a task belongs to; outside an extension's folder, Cline."""
    folder = root_of(path)
    return next((name for name, extension in EXTENSIONS.items() if folder and folder.name == extension), "cline")


def claims(harness: str, path: Path) -> bool:
    ours = path.name in {_API, _SHOWN} or (path.name.endswith(_NEWER) and path.parents[1].name == "sessions")
    return ours and _whose(path) == harness


def belongs(harness: str, path: Path) -> bool:
    return path.name in _READ_ALONG and root_of(path) is not None and _whose(path) == harness


def side(harness: str, path: Path) -> Side | None:
    ours = path.name in _BESIDE and path.with_name(_API).exists() and _whose(path) == harness
    return Side(path.parent.name, path.name, None) if ours else None


def chapters(path: Path) -> Iterator[Chapter]:
    data = path.read_bytes()
    listed = members(data).get("messages", b"[]") if data.lstrip().startswith(b"{") else data
    records = [Record(0, raw, exact(raw)) for raw in elements(listed)]
    task = path.name.removesuffix(_NEWER) if path.name.endswith(_NEWER) else path.parent.name
    container = f"{task}/ui" if path.name == _SHOWN else task
    yield Chapter(Heading(container, task, cwd=_folder(path, task)), records.copy)


def _folder(path: Path, task: str) -> str | None:
    """The folder a task was held in, as the list of tasks, or the task's own item, has it."""
    for file in (path.with_name("history_item.json"), path.parents[2] / "state" / "taskHistory.json"):
        with suppress(OSError, ValueError):
            told_of = json.loads(file.read_text(encoding="utf-8"))
            for item in told_of if isinstance(told_of, list) else [told_of]:
                if isinstance(item, dict) and str(item.get("id")) == task:
                    return strings(item, "cwdOnTaskInitialization", "workspace")
    return None


def told(container: str, value: Value) -> tuple[tuple[str, ...] | None, str | None]:
    own = strings(value, "id") if "role" in value else None
    return ((container, own) if own else None), instant(value.get("ts"))


def importer(harness: str) -> Importer:
    def naming(key: bytes, container: str, _state: str | None) -> Naming:
        return NativeNaming(key, harness, container, lambda value: told(container, value),
                            content=lambda value: without(value, frozenset({"ts"})))

    return Importer(
        name=harness, parser=1, roots=lambda environment, home: roots(harness, environment, home), root_of=root_of,
        sniffs=lambda _: False, naming=naming, heading=lambda stem, _: Heading(stem, stem, inside=False),
        pieces=meaning.pieces, transcript=meaning.TaskTranscript, claims=lambda path, _: claims(harness, path),
        chapters=chapters, belongs=lambda path: belongs(harness, path), side=lambda path: side(harness, path))


IMPORTERS = tuple(importer(harness) for harness in EXTENSIONS)
