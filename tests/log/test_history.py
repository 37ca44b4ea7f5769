"""Several homes in one log folder are one history."""

from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rhizome.log.file_log import FileLog
from rhizome.log.port import NO_REV
from rhizome.model import Event

HOME, OTHER = "0a0b0c0d", "beefbeef"
Opened = Callable[..., FileLog]


def event(text: str, kind: str = "note.saved", session: str | None = None) -> Event:
    return Event(kind=kind, id=text.encode().hex().ljust(32, "0")[:32], body=text, session=session)


def test_history_is_in_order_of_time_then_home_then_seq(opened: Opened, clock: Callable[..., None]) -> None:
    mine, theirs = opened(), opened(OTHER)
    theirs.append([event("1 theirs")])
    mine.append([event("1 mine"), event("2 mine")])
    clock.move(hours=1)  # type: ignore[attr-defined]
    theirs.append([event("3 theirs")])
    clock.move(hours=1)  # type: ignore[attr-defined]
    mine.append([event("4 mine")])

    assert [each.body for each in mine.history()] == ["1 mine", "2 mine", "1 theirs", "3 theirs", "4 mine"]
    assert list(mine.history()) == list(theirs.history()) == list(mine.history({"note.saved"}))
    assert [each.body for each in theirs.read()] == ["1 theirs", "3 theirs"]


def test_an_event_of_another_home_is_known_here_too(opened: Opened) -> None:
    opened(OTHER).append([event("theirs")])
    mine = opened()

    assert mine.append([event("theirs")]) == 0
    assert mine.knows(event("theirs").id) == {NO_REV}
    assert mine.get(event("theirs").id).home == OTHER
    assert [each.body for each in mine.span(OTHER, 1, 1)] == ["theirs"]


def test_an_event_that_two_homes_have_comes_once(opened: Opened, tmp_path: Path) -> None:
    opened(root=tmp_path / "a").append([event("both", session="s"), event("mine")])
    opened(OTHER, root=tmp_path / "b").append([event("both", session="s"), event("theirs")])
    (tmp_path / "b" / "log" / OTHER).rename(tmp_path / "a" / "log" / OTHER)

    log = opened(root=tmp_path / "a")

    assert [each.body for each in log.history()] == ["both", "mine", "theirs"]
    assert [each.body for each in log.session("s")] == ["both"]
    assert log.damage() == ()


def test_a_session_that_two_homes_tell_is_read_in_order_of_time(opened: Opened, clock: Callable[..., None]) -> None:
    mine, theirs = opened(), opened(OTHER)
    for n in range(4):
        (mine, theirs)[n % 2].append([event(f"{n}", session="s"), event(f"{n} aside", session="t")])
        clock.move(minutes=1)  # type: ignore[attr-defined]

    assert [each.body for each in mine.session("s")] == ["0", "1", "2", "3"]


STEPS = st.lists(st.tuples(st.sampled_from([HOME, OTHER]), st.integers(0, 2), st.integers(1, 3)), max_size=8)


@settings(max_examples=settings().max_examples // 5, suppress_health_check=list(HealthCheck))
@given(steps=STEPS)
def test_history_does_not_depend_on_who_reads_it(steps: list[tuple[str, int, int]], opened: Opened, tmp_path: Path,
                                                 clock: Callable[..., None]) -> None:
    root = tmp_path / str(len(list(tmp_path.iterdir())))
    logs = {home: opened(home, root=root) for home in (HOME, OTHER)}
    for n, (home, minutes, size) in enumerate(steps):
        clock.move(minutes=minutes)  # type: ignore[attr-defined]
        logs[home].append([event(f"{n} {part}") for part in range(size)])

    told = list(logs[HOME].history())

    assert told == list(logs[OTHER].history())
    assert told == sorted(told, key=lambda each: (each.recorded_at, each.home, each.seq))
    assert len(told) == sum(size for _, _, size in steps)
