"""Laws of identity, on sources made at random: rows that repeat, with and without ids, torn, copied and rewritten."""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhizome import config
from rhizome.log.door import Door
from rhizome.log.importing import Counts, import_paths
from rhizome.log.memory_log import MemoryLog

KEY = b"k" * 32
FEWER = settings(max_examples=settings().max_examples // 2)
SAMPLES = Path(__file__).parents[3] / "examples" / "sessions"
SAMPLE_FILES = sorted((SAMPLES / "claude-code").rglob("*.jsonl")) + sorted((SAMPLES / "codex").rglob("*.jsonl"))
GHOST = "sk-proj-" + "abcd1234" * 4

Row = dict[str, Any]


class Desk:
    """A folder to put files in, and a log to import them into."""

    def __init__(self, folder: Path, allow: Sequence[str] = ()) -> None:
        self.folder, self.log, self.door = folder, MemoryLog(), Door(KEY, allow)

    def take(self, name: str, content: bytes) -> Counts:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return import_paths(self.log, [path], index=self.folder / "index", key=KEY, door=self.door).total

    def forget_cursors(self) -> None:
        for file in (self.folder / "index").glob("*"):
            file.unlink()

    @property
    def names(self) -> set[tuple[str, str]]:
        return {(event.id, event.rev) for event in self.log.read(kinds=["session.record"])}

    @property
    def contents(self) -> Counter[str]:
        """How often each content was imported."""
        return Counter(event.rev for event in self.log.read(kinds=["session.record"]))


@contextmanager
def desk(allow: Sequence[str] = ()) -> Iterator[Desk]:
    with tempfile.TemporaryDirectory() as folder:
        yield Desk(Path(folder), allow)


def whole(content: bytes, name: str = "s.jsonl") -> Desk:
    """What one import of the whole file comes to."""
    with desk() as once:
        once.take(name, content)
    return once


def lines(rows: Sequence[Row]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


texts = st.sampled_from(["ok", "continue", "yes", f"the key is {GHOST}", "deploy from main", "e\u0301 \U0001f680"])


@st.composite
def rows(draw: st.DrawFn, session: str | None = "chat-1", smallest: int = 1, ids: bool | None = None) -> list[Row]:
    """Rows of Claude Code; without ids, only their content and order tell them apart."""
    ids = draw(st.booleans()) if ids is None else ids
    made: list[Row] = []
    for n, text in enumerate(draw(st.lists(texts, min_size=smallest, max_size=40))):
        row: Row = {"type": "summary", "summary": text, "leafUuid": "leaf"}
        if ids and draw(st.booleans()):
            row = {"type": "user", "uuid": f"{session}-{n}", "message": {"role": "user", "content": text}}
        made.append(row | ({"sessionId": session} if session else {}))
    return made


@given(st.sampled_from(SAMPLE_FILES), st.data())
def test_a_file_that_grows_in_any_steps_is_the_file_at_once(path: Path, data: st.DataObject) -> None:
    content = path.read_bytes()
    first = content.index(b"\n") + 1
    steps = sorted(data.draw(st.lists(st.integers(first, len(content)), min_size=1, max_size=8)))
    with desk() as grown:
        for step in [*steps, len(content)]:
            counts = grown.take("s.jsonl", content[:step])

    assert grown.names == whole(content).names
    assert counts.pending == (not content.endswith(b"\n"))


@given(rows(), st.data())
def test_rows_that_grow_in_any_steps_are_the_rows_at_once(made: list[Row], data: st.DataObject) -> None:
    content = lines(made)
    steps = sorted(data.draw(st.lists(st.integers(1, len(content)), max_size=8)))
    with desk() as grown:
        for step in [*steps, len(content)]:
            grown.take("chat-1.jsonl", content[:step])

    assert grown.names == whole(content, "chat-1.jsonl").names
    assert grown.contents.total() == len(made)


@given(rows(), st.booleans(), st.sampled_from(["s.jsonl", "copy/s.jsonl", "other.jsonl"]))
@FEWER
def test_a_file_that_names_its_session_is_known_wherever_it_lies(made: list[Row], keep: bool, name: str) -> None:
    with desk() as twice:
        twice.take("s.jsonl", lines(made))
        head = twice.log.head
        if not keep:
            twice.forget_cursors()
        counts = twice.take(name, lines(made))

    assert (counts.new, counts.revised, counts.seen) == (0, 0, len(made))
    assert twice.log.head == head


@given(rows(), st.randoms())
@FEWER
def test_another_spelling_of_the_same_rows_is_the_same(made: list[Row], random: Any) -> None:
    shuffled = [dict(random.sample(list(row.items()), len(row))) for row in made]
    spelled = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\r\n" for row in shuffled)
    with desk() as twice:
        twice.take("s.jsonl", lines(made))

        assert twice.take("s2.jsonl", spelled.encode()).new == 0


@given(rows())
@FEWER
def test_other_rules_at_the_door_change_no_identity(made: list[Row]) -> None:
    with desk(allow=[GHOST]) as twice:
        twice.take("s.jsonl", lines(made))
        twice.door = Door(KEY)
        twice.forget_cursors()
        counts = twice.take("s.jsonl", lines(made))

    assert (counts.new, counts.revised) == (0, 0)


@given(rows(session=None, smallest=config.ADOPT_RECORDS, ids=False), rows(session=None, ids=False))
@FEWER
def test_a_renamed_file_that_names_nothing_is_recognised(made: list[Row], later: list[Row]) -> None:
    with desk() as moved:
        moved.take("a.jsonl", lines(made))
        renamed = moved.take("b.jsonl", lines(made))
        grown = moved.take("b.jsonl", lines(made + later))
        again = moved.take("b.jsonl", lines(made + later))

        sessions = {event.session for event in moved.log.read(kinds=["session.record"])}

    assert sessions == {"claude-code:a"}
    assert (renamed.new, grown.new, again.new) == (0, len(later), 0)
    assert moved.contents.total() == len(made + later)


@given(rows(session=None, smallest=config.ADOPT_RECORDS, ids=False))
@FEWER
def test_a_rename_is_told_once(made: list[Row]) -> None:
    with desk() as moved:
        moved.take("a.jsonl", lines(made))
        moved.take("b.jsonl", lines(made))
        head = moved.log.head
        moved.forget_cursors()
        moved.take("b.jsonl", lines(made))

    assert len(list(moved.log.read(kinds=["source.moved"]))) == 1
    assert moved.log.head == head


@given(rows(session=None, ids=False), rows(session=None, ids=False), st.data())
@FEWER
def test_a_file_that_only_begins_alike_loses_nothing(made: list[Row], own: list[Row], data: st.DataObject) -> None:
    start = made[: data.draw(st.integers(0, len(made)))]
    with desk() as two:
        two.take("a.jsonl", lines(made))
        two.take("b.jsonl", lines(start + own))

    assert not whole(lines(start + own)).contents - two.contents


@given(rows(ids=True), rows(session="chat-2", ids=True), st.data(), st.booleans())
@FEWER
def test_a_fork_adds_what_is_its_own(parent: list[Row], own: list[Row], data: st.DataObject, fork_first: bool) -> None:
    replayed = [row for row in parent if "uuid" in row][: data.draw(st.integers(0, 40))]
    fork = [{**row, "sessionId": "chat-2"} for row in replayed] + own
    files = [("parent.jsonl", lines(parent)), ("fork.jsonl", lines(fork))]
    with desk() as both:
        counts = [both.take(*file) for file in (files[::-1] if fork_first else files)]

    assert sum(each.new for each in counts) == len(parent) + len(own)
    assert sum(each.seen for each in counts) == len(replayed)


@given(rows(smallest=2, ids=False), st.data(), st.booleans())
@FEWER
def test_a_file_whose_head_was_dropped_brings_nothing_twice(made: list[Row], data: st.DataObject, keep: bool) -> None:
    cut = data.draw(st.integers(1, len(made) - 1))
    with desk() as rewritten:
        rewritten.take("s.jsonl", lines(made))
        if not keep:
            rewritten.forget_cursors()

        assert rewritten.take("s.jsonl", lines(made[cut:])).new == 0


@given(rows(smallest=2, ids=False), rows(ids=False), rows(ids=False), st.data())
@FEWER
def test_no_record_of_a_rewritten_file_is_lost(made: list[Row], then: list[Row], last: list[Row],
                                               data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(made) - 1))
    versions = [lines(made), lines(made[cut:] + then), lines(made[cut:] + then + last)]
    with desk() as rewritten:
        for version in versions:
            rewritten.take("s.jsonl", version)
        new = rewritten.take("s.jsonl", versions[-1]).new

    assert new == 0
    assert not [version for version in versions if whole(version).contents - rewritten.contents]


@given(st.lists(st.integers(), min_size=2, max_size=40, unique=True), st.data())
@FEWER
def test_a_record_put_between_others_is_the_only_new_one(numbers: list[int], data: st.DataObject) -> None:
    made = [{"type": "mode", "mode": str(n), "sessionId": "chat-1"} for n in numbers]
    put = {"type": "mode", "mode": "put in", "sessionId": "chat-1"}
    at = data.draw(st.integers(0, len(made)))
    with desk() as rewritten:
        rewritten.take("s.jsonl", lines(made))

        assert rewritten.take("s.jsonl", lines([*made[:at], put, *made[at:]])).new == 1


@given(st.lists(st.integers(), min_size=2, max_size=40, unique=True), st.booleans())
@FEWER
def test_an_equal_record_after_the_head_was_dropped_is_a_new_one(numbers: list[int], ids: bool) -> None:
    said = {"type": "mode", "mode": "ok", "sessionId": "chat-1"}
    kept: list[Row] = [{**said, "mode": str(n)} | ({"uuid": str(n)} if ids else {}) for n in numbers]
    with desk() as rewritten:
        rewritten.take("s.jsonl", lines([said, *kept]))

        assert rewritten.take("s.jsonl", lines([*kept, said])).new == 1


@given(st.permutations(SAMPLE_FILES))
@FEWER
def test_the_order_of_files_changes_no_event(files: list[Path]) -> None:
    with desk() as shuffled, desk() as sorted_:
        import_paths(shuffled.log, files, index=shuffled.folder / "i", key=KEY, door=Door(KEY))
        import_paths(sorted_.log, SAMPLE_FILES, index=sorted_.folder / "i", key=KEY, door=Door(KEY))

    assert shuffled.names == sorted_.names


@pytest.mark.parametrize(("line", "name"), [
    ({"type": "user", "uuid": "u-1", "sessionId": "s", "message": {"role": "user", "content": "caf\u00e9"}},
     "608b84cacdfc2ebd2a9659d4929f3a86/5a982a7edcae3932abe444e55699c058"),
    ({"type": "mode", "mode": "normal", "sessionId": "s", "n": [0.10, 1e5, None, True, 12345678901234567890]},
     "ccdc10787abdf6cf6baf2f97c0218bcf/ef07a281e933950a2e1b849a361425a4"),
])
def test_identities_are_pinned(line: Row, name: str) -> None:
    (told,) = whole(lines([line])).names

    assert "/".join(told) == name
