"""How an append on disk behaves: segments, HEAD, locks, other processes, other versions, clocks."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from rhizome.errors import Locked, Refused, TooNew
from rhizome.log import chain, segments
from rhizome.log.file_log import FileLog
from rhizome.log.files import Files
from rhizome.log.verify import verify
from rhizome.model import Event, Head

HOME = "0a0b0c0d"
Opened = Callable[..., FileLog]


def event(text: str) -> Event:
    return Event(kind="session.record", id=text.encode().hex().ljust(32, "0")[:32], body=text)


def texts(log: FileLog) -> list[object]:
    return [each.body for each in log.read()]


def test_another_process_sees_what_was_appended(opened: Opened) -> None:
    opened().append([event("a"), event("b")])

    assert texts(opened()) == ["a", "b"]


def test_two_open_logs_see_each_other_append(opened: Opened) -> None:
    one, other = opened(), opened()
    for n in range(3):
        one.append([event(f"one {n}")])
        other.append([event(f"other {n}")])

    assert texts(one) == texts(other) == [f"{who} {n}" for n in range(3) for who in ("one", "other")]


def test_head_names_the_last_line_and_its_chain_value(opened: Opened, tmp_path: Path) -> None:
    log = opened()
    log.append([event("a"), event("b")])

    assert (tmp_path / "log" / HOME / "HEAD").read_text("ascii") == f"2 {log.head.h}\n"
    last = next(reversed(list(segments.lines(tmp_path / "log" / HOME / "2026/03/000000000001.jsonl"))))[1]
    assert (line := chain.parse(last[:-1])) and line.h.hex() == log.head.h


def test_a_new_month_begins_a_new_segment(opened: Opened, clock: Callable[..., None], tmp_path: Path) -> None:
    log = opened()
    log.append([event("a"), event("b")])
    clock.move(days=1)  # type: ignore[attr-defined]
    log.append([event("c")])

    assert segments.names(tmp_path / "log" / HOME) == ["2026/03/000000000001.jsonl", "2026/04/000000000003.jsonl"]
    assert texts(log) == texts(opened()) == ["a", "b", "c"]
    assert verify(tmp_path / "log", HOME) == []


def test_a_large_segment_is_followed_by_a_new_one() -> None:
    assert segments.full("2026/03/000000000001.jsonl", 64 * 1024 * 1024, "2026-03-31T12:00:00.000000Z")
    assert not segments.full("2026/03/000000000001.jsonl", 64 * 1024 * 1024 - 1, "2026-03-31T12:00:00.000000Z")


def test_everything_is_for_its_owner_only(opened: Opened, tmp_path: Path) -> None:
    opened().append([event("a")])

    modes = {path.relative_to(tmp_path).as_posix(): path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
    assert {mode for path, mode in modes.items() if (tmp_path / path).is_dir()} == {0o700}
    assert {mode for path, mode in modes.items() if (tmp_path / path).is_file()} == {0o600}


def test_the_same_events_again_write_nothing(opened: Opened, tmp_path: Path) -> None:
    opened().append([event("a")])
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in (tmp_path / "log").rglob("*.jsonl")}

    opened().append([event("a"), event("a")])

    assert before == {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in before}


def test_reading_where_nothing_is_makes_no_folder(opened: Opened, tmp_path: Path) -> None:
    log = opened()

    assert (log.head.seq, list(log.read()), log.damage()) == (0, [], ())
    assert not (tmp_path / "log").exists()


def test_a_home_has_a_proper_name(opened: Opened) -> None:
    with pytest.raises(Refused, match=r"\.\./x"):
        opened("../x")


def test_a_held_lock_is_waited_for_and_then_named(opened: Opened, tmp_path: Path) -> None:
    log = opened(lock_seconds=0.05)
    log.append([event("a")])
    with (tmp_path / "log" / HOME / "lock").open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)

        with pytest.raises(Locked, match=f"process {os.getpid()} has been appending") as raised:
            log.append([event("b")])
        assert raised.value.exit_code == 5

    assert log.append([event("b")]) == 2


def test_a_lock_whose_holder_was_killed_is_free(opened: Opened, tmp_path: Path) -> None:
    opened().append([event("a")])
    code = "import fcntl,sys; f=open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_EX); print(flush=True); sys.stdin.read()"
    holder = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "log" / HOME / "lock")],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout is not None and holder.stdin is not None
    holder.stdout.readline()
    holder.kill()
    holder.wait()
    holder.stdout.close()
    holder.stdin.close()

    assert opened(lock_seconds=0.05).append([event("b")]) == 2


def test_threads_that_share_a_log_lose_nothing(opened: Opened, tmp_path: Path) -> None:
    log = opened(lock_seconds=30.0)
    threads = [Thread(target=lambda who: [log.append([event(f"{who} {n}")]) for n in range(10)], args=(who,))
               for who in "abc"]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert sorted(map(str, texts(log))) == [f"{who} {n}" for who in "abc" for n in range(10)]
    assert verify(tmp_path / "log", HOME) == []


def test_a_reader_that_is_faster_than_the_writers_catalog_counts_nothing_twice(opened: Opened) -> None:
    reader = opened()

    class Slow(Files):
        def fsync_folder(self, path: Path) -> None:  # HEAD's is the last call of an append
            super().fsync_folder(path)
            list(reader.session("s"))

    log = opened(files=Slow())
    for each in "abc":
        log.append([Event(kind="session.record", id=event(each).id, body=each, session="s")])

    assert [each.body for each in log.session("s")] == [each.body for each in reader.session("s")] == list("abc")
    assert reader.damage() == log.damage() == ()


def newer(path: Path, head: Head) -> Head:
    """Put a line of a later version behind the head, as a newer program would."""
    line = chain.sealed(bytes.fromhex(head.h), 2, head.seq + 1, b"n" * 16, bytes(16), bytes(16),
                        b'{"kind":"made.later","wholly":{"new":[1]},"body":["of","another","shape"]}')
    segment = path / segments.names(path)[-1]
    segment.write_bytes(segment.read_bytes() + chain.render(line).replace(b',"salt"', b',"sig":"x","salt"'))
    (path / "HEAD").write_bytes(segments.render_head(Head(line.seq, line.h.hex())))
    return Head(line.seq, line.h.hex())


def test_a_log_that_a_newer_program_wrote_to_is_read_and_not_appended_to(opened: Opened, tmp_path: Path) -> None:
    log = opened()
    log.append([event("a")])
    newer(tmp_path / "log" / HOME, log.head)

    assert [each.kind for each in log.read()] == ["session.record", "unreadable"]
    assert log.damage() == ()
    with pytest.raises(TooNew, match="newer rhizome"):
        log.append([event("b")])
    assert log.append([event("a")]) == 2


def test_unknown_members_of_a_payload_stay_in_the_log(opened: Opened, tmp_path: Path) -> None:
    log = opened()
    log.append([event("a")])
    line = chain.sealed(bytes.fromhex(log.head.h), 1, 2, b"n" * 16, bytes(16), bytes(16),
                        b'{"kind":"made.up","mood":"fine","body":{"x":1}}')
    segment = tmp_path / "log" / HOME / "2026/03/000000000001.jsonl"
    segment.write_bytes(segment.read_bytes() + chain.render(line))
    (tmp_path / "log" / HOME / "HEAD").write_bytes(segments.render_head(Head(2, line.h.hex())))

    assert [each.kind for each in log.read(since=1)] == ["made.up"]
    assert log.append([event("b")]) == 3
    assert b'"mood":"fine"' in segment.read_bytes()
    assert verify(tmp_path / "log", HOME) == []
