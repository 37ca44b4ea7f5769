"""What every keeper of a log promises, tried on both."""

import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rhizome.errors import Conflict, NotFound, Refused
from rhizome.log.memory_log import MemoryLog
from rhizome.log.port import NO_REV, EventLog
from rhizome.model import Event, Head, Source

ID = "ab" * 16
REV = "cd" * 16


def event(text: str, *, rev: str = "", kind: str = "session.record", **fields: object) -> Event:
    return Event(kind=kind, id=text.encode().hex().ljust(32, "0")[:32], rev=rev, body=text,
                 **fields)  # type: ignore[arg-type]


def texts(log: EventLog, since: int = 0) -> list[object]:
    return [each.body for each in log.read(since)]


def test_an_empty_log_has_no_events_and_stands_at_zero(log: EventLog) -> None:
    assert log.head == Head(0, "0" * 64)
    assert list(log.read()) == list(log.history()) == list(log.session("s")) == []
    assert log.damage() == ()


def test_events_come_back_in_the_order_they_were_appended_in(log: EventLog) -> None:
    log.append([event("a"), event("b")])
    log.append([event("c")])

    assert texts(log) == ["a", "b", "c"]
    assert [each.seq for each in log.read()] == [1, 2, 3]


def test_every_field_of_an_event_comes_back(log: EventLog) -> None:
    given_ = Event(kind="made.up", id=ID, rev=REV, happened_at="2026-01-01T10:00:00+09:00", actor="agent:x",
                   origin="peer:bo", scope="tidepool", session="s-1", call="import/1", tier="green",
                   source=Source("claude-code", "a/b.jsonl", 7, 9), body={"deep": [1, {"a": None}], "text": "süß\n"})
    log.append([given_])

    (read,) = log.read()

    assert (read.home, read.seq, read.recorded_at) == (log.home, 1, "2026-03-31T12:00:00.000000Z")
    assert read == Event(**{**{name: getattr(given_, name) for name in given_.__struct_fields__},
                            "home": log.home, "seq": 1, "recorded_at": read.recorded_at})


@pytest.mark.parametrize("body", ["\ud800 alone", "\x00\x1f\x7f\u2028\u0085", "", "𝄞" * 9, '{"a": "\\ud800"}', "\r\n"])
def test_any_text_comes_back_as_it_was(log: EventLog, body: str) -> None:
    log.append([Event(kind="session.record", id=ID, body=body)])

    assert log.get(ID).body == body


@pytest.mark.parametrize("body", [{"n": 10**40}, {"n": -(2**70)}, {"x": "\ud83d"}, {"\ud83d": 1.5}])
def test_a_body_that_the_fast_codec_refuses_comes_back_all_the_same(log: EventLog, body: dict[str, object]) -> None:
    log.append([Event(kind="note.saved", id=ID, body=body, tier="green", source=Source("x", "y"))])

    read = log.get(ID)

    assert (read.body, read.tier, read.source) == (body, "green", Source("x", "y"))


def test_what_is_not_utf_8_is_kept_beside(log: EventLog) -> None:
    log.append([Event(kind="session.record", id=ID, body64="//79")])

    assert log.get(ID).body64 == "//79"
    assert log.get(ID).body is None


def test_the_same_event_twice_is_one_event(log: EventLog) -> None:
    assert log.append([event("a"), event("a")]) == 1
    assert log.append([event("a")]) == 1
    assert texts(log) == ["a"]


def test_another_revision_is_another_line_of_the_same_event(log: EventLog) -> None:
    log.append([event("a"), event("a", rev=REV)])

    assert log.head.seq == 2
    assert log.knows(event("a").id) == {NO_REV, REV}


def test_what_is_known_is_answered_for_many_ids_at_once(log: EventLog) -> None:
    log.append([event("a"), event("b"), event("b", rev=REV)])

    assert log.known([event(each).id for each in "abc"]) == {event("a").id: {NO_REV}, event("b").id: {NO_REV, REV}}
    assert log.known([]) == {}
    assert log.known(["", "no id", "abc", event("a").id, "AB" * 16, event("a").id]) == {event("a").id: {NO_REV}}


def test_an_id_gives_its_longest_revision(log: EventLog) -> None:
    log.append([Event(kind="x", id=ID, rev=REV, body="long enough"), Event(kind="x", id=ID, body="short")])

    assert log.get(ID).body == "long enough"


def test_a_unique_prefix_of_an_id_is_enough(log: EventLog) -> None:
    log.append([Event(kind="x", id="12345678" + "0" * 24), Event(kind="x", id="12345678" + "1" * 24)])

    assert log.get("123456781").id == "12345678" + "1" * 24
    with pytest.raises(Refused, match="begin so"):
        log.get("12345678")


@pytest.mark.parametrize("name", ["", "1234567", "12345678-abcd", "ABCDEF0123", "x" * 32, "0" * 33])
def test_what_is_no_name_of_an_event_is_refused(log: EventLog, name: str) -> None:
    with pytest.raises(Refused, match=re.escape(f"event {name}: no name")):
        log.get(name)


def test_an_unknown_id_is_not_found(log: EventLog) -> None:
    with pytest.raises(NotFound, match=ID):
        log.get(ID)


@pytest.mark.parametrize("bad", [Event(kind="x"), Event(kind="x", id="AB" * 16), Event(kind="x", id=ID, rev="1"),
                                 Event(kind="x", id=ID + "\n")])
def test_a_batch_with_an_event_that_has_no_proper_id_is_refused_whole(log: EventLog, bad: Event) -> None:
    with pytest.raises(Refused, match="cannot be appended"):
        log.append([event("a"), bad])

    assert log.head.seq == 0


@pytest.mark.parametrize("body", [{"f": object()}, {"f": object(), "n": 10**40}])
def test_a_body_that_json_cannot_say_is_refused_whole(log: EventLog, body: dict[str, object]) -> None:
    with pytest.raises(Refused, match="not JSON"):
        log.append([event("a"), Event(kind="x", id=ID, body=body)])

    assert log.head.seq == 0


def test_reading_can_start_anywhere(log: EventLog) -> None:
    log.append([event(each) for each in "abcde"])

    assert [texts(log, since) for since in (0, 3, 5, 99, -1)] == [list("abcde"), list("de"), [], [], list("abcde")]


def test_reading_can_keep_to_some_kinds(log: EventLog) -> None:
    log.append([event("a"), event("b", kind="note.saved"), event("c", kind="made.up"), event("d", kind="note.saved")])

    assert [each.body for each in log.read(kinds={"note.saved"})] == ["b", "d"]
    assert [each.body for each in log.read(since=2, kinds={"note.saved", "made.up"})] == ["c", "d"]
    assert [each.body for each in log.read(kinds={"session.record", "made.up"})] == ["a", "c"]
    assert list(log.read(kinds=())) == list(log.read(kinds={"unheard.of"})) == []


@pytest.mark.parametrize("kinds", [None, {"note.saved"}, {"note.saved", "session.record"}])
def test_a_reader_may_append_and_does_not_meet_its_own_events(log: EventLog, kinds: set[str] | None) -> None:
    log.append([event("a", kind="note.saved"), event("b", kind="note.saved")])

    for each in log.read(kinds=kinds):
        log.append([event(f"{each.body} again", kind="note.saved")])

    assert texts(log) == ["a", "b", "a again", "b again"]


def test_a_span_is_read_with_both_its_ends(log: EventLog) -> None:
    log.append([event(each) for each in "abcde"])

    assert [each.body for each in log.span(log.home, 2, 4)] == ["b", "c", "d"]
    assert list(log.span("ffffffff", 1, 9)) == []


def test_a_session_is_read_alone(log: EventLog) -> None:
    log.append([event("a", session="one"), event("b", session="two"), event("c", session="one"), event("d")])

    assert [each.body for each in log.session("one")] == ["a", "c"]


def test_a_batch_for_another_head_changes_nothing(log: EventLog) -> None:
    log.append([event("a")], expected_seq=0)

    with pytest.raises(Conflict, match="at seq 1, not at 0"):
        log.append([event("b")], expected_seq=0)
    assert log.append([event("b")], expected_seq=1) == 2


def test_recorded_at_never_runs_backwards(log: EventLog, clock: Callable[..., object]) -> None:
    log.append([event("a")])
    clock.move(days=-2)  # type: ignore[attr-defined]
    log.append([event("b")])
    clock.move(days=3)  # type: ignore[attr-defined]
    log.append([event("c")])

    assert [each.recorded_at[:10] for each in log.read()] == ["2026-03-31", "2026-03-31", "2026-04-01"]


def test_the_head_moves_with_every_append(log: EventLog) -> None:
    heads = [log.head]
    for each in "abc":
        log.append([event(each)])
        heads.append(log.head)

    assert [head.seq for head in heads] == [0, 1, 2, 3]
    assert len({head.h for head in heads}) == 4


def test_an_empty_batch_appends_nothing(log: EventLog) -> None:
    assert log.append([]) == 0
    assert log.head.seq == 0


BATCHES = st.lists(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from(["", REV])), max_size=5), max_size=6)


@settings(max_examples=settings().max_examples // 5, suppress_health_check=list(HealthCheck))
@given(batches=BATCHES)
def test_both_keepers_say_the_same_after_any_appends(
        batches: list[list[tuple[str, str]]], opened: Callable[..., EventLog], tmp_path_factory: pytest.TempPathFactory,
        clock: Callable[..., object]) -> None:
    home = f"{abs(hash(str(batches))) % 2**32:08x}"
    on_disk = opened(home, root=tmp_path_factory.mktemp("log"))
    in_memory = MemoryLog(home, clock=clock)  # type: ignore[arg-type]
    for made in batches:
        for each in (on_disk, in_memory):
            each.append([event(name, rev=rev) for name, rev in made])

    assert list(on_disk.read()) == list(in_memory.read()) == list(on_disk.history())
    assert on_disk.known([event(each).id for each in "abcdef"]) == in_memory.known([event(e).id for e in "abcdef"])
    assert on_disk.damage() == ()
