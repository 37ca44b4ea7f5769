"""Laws of identity for sources that are read whole: files that are written anew, and databases, made at random, that
grow, are cut, edited, copied and read with and without cursors."""

import json
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhizome.log.door import Door
from rhizome.log.importing import Counts, import_paths
from rhizome.log.memory_log import MemoryLog

KEY = b"k" * 32
FEWER = settings(max_examples=settings().max_examples // 5)


class Said(NamedTuple):
    """One message: its own id where the harness gives one, and its words."""

    own: int
    text: str


def cline(folder: Path, said: Sequence[Said]) -> Path:
    path = folder / "saoudrizwan.claude-dev" / "tasks" / "7" / "api_conversation_history.json"
    return written(path, [{"role": "user", "content": each.text} for each in said])


def gemini(folder: Path, said: Sequence[Said]) -> Path:
    messages = [{"id": str(each.own), "timestamp": "2026-06-01T08:00:00Z", "type": "user", "content": each.text}
                for each in said]
    about = {"sessionId": "s", "projectHash": "p", "startTime": "2026-06-01T08:00:00Z", "lastUpdated": str(len(said))}
    return written(folder / "session-1.json", {**about, "messages": messages})


def vscode(folder: Path, said: Sequence[Said]) -> Path:
    requests = [{"requestId": str(each.own), "message": {"text": each.text}, "response": []} for each in said]
    return written(folder / "chatSessions" / "s.json",
                   {"sessionId": "s", "lastMessageDate": len(said), "requests": requests})


def claude_ai(folder: Path, said: Sequence[Said]) -> Path:
    messages = [{"uuid": str(each.own), "sender": "human", "text": each.text} for each in said]
    return written(folder / "conversations.json", [{"uuid": "s", "name": "Talk", "chat_messages": messages}])


def opencode(folder: Path, said: Sequence[Said]) -> Path:
    with database(folder / "opencode.db") as db:
        db.execute("create table session (id, directory, time_updated)")
        db.execute("create table message (id, session_id, data, time_updated)")
        db.execute("create table part (id, message_id, session_id, data, time_updated)")
        db.execute("insert into session values ('ses_1', '/nowhere/tidepool', ?)", (len(said),))
        for each in said:
            db.execute("insert into message values (?, 'ses_1', ?, 0)", (f"msg_{each.own}", '{"role": "user"}'))
            part = json.dumps({"type": "text", "text": each.text})
            db.execute("insert into part values (?, ?, 'ses_1', ?, ?)",
                       (f"prt_{each.own}", f"msg_{each.own}", part, sum(each.text.encode())))
    return folder / "opencode.db"


def goose(folder: Path, said: Sequence[Said]) -> Path:
    with database(folder / "sessions.db") as db:
        db.execute("create table sessions (id, description, working_dir, updated_at, total_tokens)")
        db.execute("create table messages (id integer primary key, session_id, role, content_json, created_timestamp)")
        db.execute("insert into sessions values ('s', 'Talk', '/nowhere/tidepool', ?, ?)", (str(said), len(said)))
        db.executemany("insert into messages values (null, 's', 'user', ?, 1780300800)",
                       [(json.dumps([{"type": "text", "text": each.text}]),) for each in said])
    return folder / "sessions.db"


def cursor(folder: Path, said: Sequence[Said]) -> Path:
    rows = {"composerData:s": {"composerId": "s", "name": "Talk", "lastUpdatedAt": len(said),
                               "fullConversationHeadersOnly": [{"bubbleId": str(each.own)} for each in said]}}
    rows |= {f"bubbleId:s:{each.own}": {"bubbleId": str(each.own), "type": 1, "text": each.text} for each in said}
    with database(folder / "Cursor" / "state.vscdb") as db:
        db.execute("create table cursorDiskKV (key text primary key, value blob)")
        db.executemany("insert into cursorDiskKV values (?, ?)", [(key, json.dumps(row)) for key, row in rows.items()])
    return folder / "Cursor" / "state.vscdb"


def written(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")
    return path


@contextmanager
def database(path: Path) -> Iterator[sqlite3.Connection]:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.execute("pragma synchronous = off")
        with db:
            yield db


Write = Callable[[Path, Sequence[Said]], Path]
WITHOUT_IDS: list[Write] = [cline, goose]
WITH_IDS: list[Write] = [gemini, vscode, claude_ai, opencode, cursor]
each_kind = pytest.mark.parametrize("write", WITHOUT_IDS + WITH_IDS, ids=lambda write: write.__name__)


class Desk:
    """A source that is written again and again, and the log that it is imported into."""

    def __init__(self, folder: Path, write: Write) -> None:
        self.folder, self.write, self.log = folder, write, MemoryLog()

    def take(self, said: Sequence[Said], *, place: str = "here", forget: bool = False) -> Counts:
        if forget:
            for file in (self.folder / "index").glob("*"):
                file.unlink()
        path = self.write(self.folder / place, said)
        report = import_paths(self.log, [path], index=self.folder / "index", key=KEY, door=Door(KEY))
        assert report.problems == ()
        return report.total

    @property
    def names(self) -> set[tuple[str, str]]:
        return {(event.id, event.rev) for event in self.log.read(kinds=["session.record"])}

    @property
    def contents(self) -> Counter[str]:
        return Counter(event.rev for event in self.log.read(kinds=["session.record"]))


@contextmanager
def desk(write: Write) -> Iterator[Desk]:
    with tempfile.TemporaryDirectory() as folder:
        yield Desk(Path(folder), write)


def once(write: Write, said: Sequence[Said]) -> Desk:
    """What one import of it comes to."""
    with desk(write) as alone:
        alone.take(said)
    return alone


words = st.sampled_from(["ok", "continue", "yes", "deploy from main", "e\u0301 \U0001f680"])


@st.composite
def talks(draw: st.DrawFn, smallest: int = 1) -> list[Said]:
    return [Said(n, text) for n, text in enumerate(draw(st.lists(words, min_size=smallest, max_size=20)), 10)]


@each_kind
@given(said=talks(), data=st.data())
@FEWER
def test_what_grows_in_any_steps_is_what_it_is_at_once(write: Write, said: list[Said], data: st.DataObject) -> None:
    steps = sorted(data.draw(st.lists(st.integers(1, len(said)), max_size=5)))
    with desk(write) as grown:
        for step in [*steps, len(said)]:
            grown.take(said[:step], forget=data.draw(st.booleans()))

    assert grown.names == once(write, said).names


@each_kind
@given(said=talks(), place=st.sampled_from(["here", "elsewhere", "deep/er"]), forget=st.booleans())
@FEWER
def test_a_copy_brings_nothing_wherever_it_lies(write: Write, said: list[Said], place: str, forget: bool) -> None:
    with desk(write) as twice:
        twice.take(said)
        head = twice.log.head
        counts = twice.take(said, place=place, forget=forget)

    assert (counts.new, counts.revised) == (0, 0)
    assert twice.log.head == head or place != "here"


@each_kind
@given(said=talks(smallest=2), later=talks(), data=st.data())
@FEWER
def test_nothing_is_lost_where_the_head_is_dropped_and_it_goes_on_and_importing_it_comes_to_rest(
        write: Write, said: list[Said], later: list[Said], data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(said) - 1))
    rest = said[cut:]
    grown = [*rest, *(Said(each.own + 100, each.text) for each in later)]
    with desk(write) as rewritten:
        rewritten.take(said)
        assert rewritten.take(rest, forget=data.draw(st.booleans())).new == 0
        rewritten.take(grown, forget=data.draw(st.booleans()))

        again = [rewritten.take(grown, forget=data.draw(st.booleans())).new for _ in range(4)]

    assert 0 in again[: 1 if write in WITH_IDS else 4]
    assert not [state for state in (said, rest, grown) if once(write, state).contents - rewritten.contents]


@pytest.mark.parametrize("write", WITHOUT_IDS, ids=lambda write: write.__name__)
def test_what_was_put_in_between_is_new_once(write: Write) -> None:
    with desk(write) as rewritten:
        rewritten.take([Said(1, "first"), Said(2, "last")])
        between = [Said(1, "first"), Said(3, "put in"), Said(2, "last")]

        assert [1, 0, 0] == [rewritten.take(between).new for _ in range(3)]


def test_an_old_word_after_the_head_was_dropped_is_a_new_message() -> None:
    with desk(cline) as rewritten:
        rewritten.take([Said(1, "ok"), Said(2, "go on"), Said(3, "last")])
        later = [Said(3, "last"), Said(4, "ok")]

        assert [1, 0] == [rewritten.take(later).new for _ in range(2)]


@pytest.mark.parametrize("write", WITH_IDS, ids=lambda write: write.__name__)
@given(said=talks(), data=st.data())
@FEWER
def test_other_words_under_a_known_id_are_a_revision_and_no_message(
        write: Write, said: list[Said], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(said) - 1))
    edited = [*said[:at], Said(said[at].own, "entirely other words"), *said[at + 1 :]]
    with desk(write) as changed:
        changed.take(said)
        counts = changed.take(edited)

    assert (counts.new, counts.revised) == (0, 1)
    assert changed.names == once(write, said).names | once(write, edited).names


@each_kind
@given(said=talks(), data=st.data())
@FEWER
def test_a_file_that_is_caught_half_written_takes_nothing_away(
        write: Write, said: list[Said], data: st.DataObject) -> None:
    with desk(write) as torn:
        path = torn.write(torn.folder / "here", said)
        whole = path.read_bytes()
        path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
        import_paths(torn.log, [path.parent], index=torn.folder / "index", key=KEY, door=Door(KEY))
        torn.take(said)

    assert torn.names >= once(write, said).names
    assert torn.names <= once(write, said).names or path.suffix in {".db", ".vscdb"}, "a torn page may hold anything"
