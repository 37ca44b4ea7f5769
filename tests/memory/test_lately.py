"""A look at what is newer than the index is made once, and again as soon as anything may have changed."""

import os
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from rhizome.memory.memory import Memory
from rhizome.model import Event, Origin, Tier
from tests.memory.living import Living

PORT = "# Ports\n\nThe metrics port is 9464.\n"


def aged(living: Living) -> None:
    """Every note is a minute old, and the disk's clock has moved on since: nothing is young any more."""
    for path in (*living.notes.rglob("*.md"), *(living.home / "private").rglob("*.md")):
        os.utime(path, ns=(time.time_ns() - 60 * 10**9,) * 2)
    time.sleep(0.06)


@pytest.fixture
def settled(memory: Living) -> Living:
    memory.hears("The build takes four minutes.")  # a day of sessions is amber: there are private notes
    memory.writes("ports.md", PORT)
    memory.sleeps()
    aged(memory)
    return memory


def kept(living: Living, clearance: str = "amber") -> Path:
    return living.home / "index" / f"newer-{clearance}"


def opened(living: Living) -> set[str]:
    """The projections that a memory has opened."""
    return {"edges", "known", "indexed", "log"} & vars(living.memory.parts).keys()


def test_a_second_look_at_the_same_state_opens_no_table(settled: Living) -> None:
    assert ["ports.md:1"] == settled.found("metrics port")
    assert opened(settled)

    again = settled.again()

    assert ["ports.md:1"] == again.found("metrics port")
    assert set() == opened(again)


@pytest.mark.parametrize("change", [
    lambda living: living.writes("ports.md", PORT.replace("9464", "9999")),
    lambda living: living.writes("deep/down/other.md", "The other port is 9999."),
    lambda living: living.writes("private/mine.md", "My port is 9999."),
    lambda living: living.path("ports.md").rename(living.path("renamed 9999.md")),
])  # fmt: skip
def test_a_save_is_seen_by_the_next_reader(settled: Living, change: Callable[[Living], object]) -> None:
    settled.found("metrics port")
    settled.again()

    change(settled)

    assert any("9999" in f"{hit['ref']} {hit['snippet']}" for hit in settled.memory.search(query="port")["hits"])


@pytest.fixture
def staying(settled: Living) -> Living:
    """A process that answers many questions, whose clock stands still unless it is told."""
    settled.memory = Memory(replace(settled.around, look_seconds=0.2))
    settled.found("metrics port")
    looked = settled.memory.parts.looked
    if looked is None or looked.watch is None:
        pytest.skip("this system, or this file system, cannot be watched")
    return settled


def test_a_process_that_stays_does_not_look_again_while_nothing_changes(staying: Living) -> None:
    looked = staying.memory.parts.looked
    staying.now += timedelta(seconds=50)

    assert ["ports.md:1"] == staying.found("metrics port")

    assert looked is staying.memory.parts.looked


def test_a_watch_is_not_believed_for_ever(staying: Living) -> None:
    looked = staying.memory.parts.looked
    staying.now += timedelta(seconds=61)

    assert ["ports.md:1"] == staying.found("metrics port")

    assert looked is not staying.memory.parts.looked


@pytest.mark.parametrize("change", [
    lambda living: living.writes("ports.md", PORT.replace("9464", "9999")),
    lambda living: living.writes("deep/down/other.md", "The other port is 9999."),
    lambda living: living.writes("private/mine.md", "My port is 9999."),
    lambda living: living.path("ports.md").rename(living.path("renamed 9999.md")),
])  # fmt: skip
def test_a_process_that_stays_sees_each_save_at_once(staying: Living, change: Callable[[Living], object]) -> None:
    change(staying)

    assert any("9999" in f"{hit['ref']} {hit['snippet']}" for hit in staying.memory.search(query="port")["hits"])


def test_of_two_saves_within_a_moment_the_second_is_seen(staying: Living) -> None:
    for port in range(9001, 9020):
        staying.writes("ports.md", PORT.replace("9464", str(port)))

        assert str(port) in staying.memory.search(query="metrics port")["hits"][0]["snippet"]


def test_an_index_that_goes_is_missed_by_a_process_that_stays(staying: Living) -> None:
    for manifest in staying.home.glob("index/search/*/manifest.json"):
        manifest.unlink()

    assert ["ports.md:1"] == staying.found("metrics port")


def test_what_is_newer_is_kept_with_the_rest(settled: Living) -> None:
    settled.writes("new.md", "# New\n\nThe admin panel listens on port 9100.\n")
    aged(settled)
    settled.found("admin panel")

    again = settled.again()

    assert ["new.md:1"] == again.found("admin panel")
    assert set() == opened(again)


def test_a_removed_note_is_not_found_by_the_next_reader(settled: Living) -> None:
    settled.found("metrics port")
    settled.again()

    settled.path("ports.md").unlink()

    assert [] == settled.found("metrics port")


def test_what_another_process_appends_is_seen(settled: Living) -> None:
    settled.found("metrics port")
    other = Living(settled.folder, now=settled.now)

    other.memory.remember(key="tidepool|color", statement="The color of the tide is teal.", value="teal")
    other.sleeps()
    other.memory.parts.close()

    assert any("teal" in hit["snippet"] for hit in settled.memory.search(query="color of the tide")["hits"])


def test_of_a_note_so_young_that_it_may_change_unseen_nothing_is_kept(settled: Living) -> None:
    path = settled.writes("ports.md", PORT)
    os.utime(path, ns=(time.time_ns() + 10 * 10**9,) * 2)

    settled.found("metrics port")

    assert not kept(settled).exists()


@pytest.mark.parametrize("harm", [lambda data: data[:-1], lambda data: data[:20], lambda _: b"", lambda data: data * 2])
def test_a_kept_look_that_is_not_whole_is_not_believed(settled: Living, harm: Callable[[bytes], bytes]) -> None:
    settled.found("metrics port")
    kept(settled).write_bytes(harm(kept(settled).read_bytes()))

    again = settled.again()

    assert ["ports.md:1"] == again.found("metrics port")
    assert "edges" in opened(again)


def test_a_damaged_index_is_built_anew_though_the_look_is_kept(settled: Living) -> None:
    settled.found("metrics port")
    manifest = settled.home / "index" / "search" / "green" / "manifest.json"
    when = manifest.stat()
    with manifest.open("r+b") as file:
        file.write(b"x")
    os.utime(manifest, ns=(when.st_atime_ns, when.st_mtime_ns))

    assert ["ports.md:1"] == settled.again().found("metrics port")


def test_what_is_kept_for_a_green_reader_tells_of_no_amber_note(settled: Living) -> None:
    settled.writes("private/wage.md", "# Wage\n\nThe salary is paid monthly.\n")
    settled.writes("raised.md", "---\ntier: amber\n---\n# Raised\n\nThe rent is due.\n")
    aged(settled)

    assert ["private/wage.md:1"] == settled.found("salary")
    assert [] == settled.found("salary", clearance="green")

    assert b"salary" in kept(settled).read_bytes()
    assert not {b"salary", b"wage", b"rent"} & set(kept(settled, "green").read_bytes().split())
    assert b"wage" not in kept(settled, "green").read_bytes()


def test_a_value_that_an_amber_one_replaced_is_hidden_before_the_index_knows(memory: Living) -> None:
    memory.hears("The dev server runs on port 8080.")
    memory.sleeps()
    green = next(fact for fact in memory.memory.facts(clearance="green")["facts"] if fact["value"] == "8080")
    body = {name: green[name] for name in ("type", "scope", "fact_key")} | {
        "value": "9090", "statement": "The dev server runs on port 9090.", "confidence": 1.0, "tier": "amber",
        "observed_at": "2026-09-09T09:00:00Z", "evidence": [],
    }  # fmt: skip
    memory.memory.parts.append([
        Event(kind="fact.asserted", id="ab" * 16, actor="human", origin=Origin.HUMAN, call="human/x", body=body,
              tier=Tier.AMBER)
    ])  # fmt: skip

    said = [hit["snippet"] for hit in memory.memory.search(query="dev server port", layer="facts", k=20)["hits"]]

    assert any("9090" in each for each in said)
    assert not any("8080" in each for each in said)
