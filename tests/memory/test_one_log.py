"""The log as a person lives with it: two machines, sealed months, bytes that are lost, a newer program's lines."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs
from msgspec.structs import replace

from rhizome.errors import Damaged, Refused, TooNew
from rhizome.log import chain, segments
from rhizome.log.envelope import payload
from rhizome.memory.memory import Memory
from rhizome.model import Event
from tests.memory.living import Living

PORT = "The dev server runs on port {}."


@pytest.fixture
def desk(tmp_path: Path) -> Living:
    return Living(tmp_path / "desk").begins()


@pytest.fixture
def laptop(desk: Living, tmp_path: Path) -> Living:
    """Another machine of the same person, with the same key and a home of its own."""
    made = Living(tmp_path / "laptop", said=1_000)
    made.dice.seed(8)
    made.begins()
    desk.memory.export_key(file=tmp_path / "key")
    made.memory.import_key(file=tmp_path / "key")
    return made


def carried(source: Living, to: Living) -> None:
    """What any file copier does: the log of one machine, as it is now, beside that of the other."""
    name = source.memory.parts.home.id
    shutil.rmtree(to.home / "log" / name, ignore_errors=True)
    shutil.copytree(source.home / "log" / name, to.home / "log" / name)
    to.now = max(to.now, source.now)


# ---- two homes


def test_two_homes_of_one_person_fold_as_one(desk: Living, laptop: Living) -> None:
    desk.hears(PORT.format(8080))
    desk.sleeps()
    laptop.now = desk.now
    laptop.hears(PORT.format(8081), session="s2")

    carried(desk, laptop)
    laptop.sleeps()

    assert laptop.history("tidepool|dev_port")[-1] == ("8081", "active")
    assert ("8080", "superseded") in laptop.history("tidepool|dev_port")
    assert laptop.found("which port does the dev server use")
    assert laptop.proven() == []
    carried(laptop, desk)
    desk.imports()
    assert desk.history("tidepool|dev_port") == laptop.history("tidepool|dev_port")


def test_a_session_that_two_machines_imported_is_one_session(desk: Living, laptop: Living) -> None:
    desk.hears(PORT.format(8080))
    shutil.copytree(desk.folder / "sessions", laptop.folder / "sessions")
    carried(desk, laptop)

    counts = laptop.imports()

    assert (counts["new"], counts["seen"]) == (0, 2)
    assert laptop.memory.log_stats()["sessions"] == 1
    assert laptop.memory.log_stats()["kinds"]["session.record"] == 2


def test_what_two_machines_recorded_comes_in_the_order_of_time(desk: Living, laptop: Living) -> None:
    desk.hears("The first thing is the tide gauge.")
    laptop.now = desk.now
    laptop.hears("The second thing is the queue.", session="s2")
    desk.now = laptop.now
    desk.hears("The third thing is the map.", session="s3")

    carried(desk, laptop)

    said = [row["text"] for row in laptop.memory.show_log(kind="session", origin="human")["events"]]
    assert [text.split()[1] for text in said] == ["first", "second", "third"]
    assert [row["event"] for row in laptop.memory.tail_log(n=2, kind="session", origin="human")["events"]] == [
        row["event"] for row in laptop.memory.show_log(kind="session", origin="human")["events"][-2:]]


def test_a_key_is_not_taken_once_events_are_named_by_another(desk: Living, tmp_path: Path) -> None:
    desk.hears(PORT.format(8080))
    (tmp_path / "key").write_text("ab" * 32)

    with pytest.raises(Refused, match="named by its own key"):
        desk.memory.import_key(file=tmp_path / "key")
    assert desk.imports()["new"] == 0


# ---- sealing


def test_a_night_seals_the_months_that_are_over_and_nothing_else_changes(desk: Living) -> None:
    desk.hears(PORT.format(8080))
    desk.sleeps()
    desk.sleeps(24 * 40)
    desk.hears(PORT.format(8081), session="s2")
    assert desk.sleeps()["identical"]

    own = desk.home / "log" / desk.memory.parts.home.id
    assert [segments.sealed(own / name) for name in segments.names(own)] == [True, False]
    assert desk.value("tidepool|dev_port") == "8081"
    assert desk.again().proven() == []
    shutil.rmtree(desk.home / "index")
    assert desk.again().proven() == []
    assert desk.memory.verify_log(full=True)["ok"]


# ---- what is lost


def spoil(desk: Living, text: bytes) -> Path:
    """Change a record's payload, as a disk would."""
    own = desk.home / "log" / desk.memory.parts.home.id
    path = own / segments.names(own)[0]
    content = path.read_bytes()
    assert text in content
    path.write_bytes(content.replace(text, text.swapcase(), 1))
    return path


@pytest.fixture
def spoilt(desk: Living) -> Living:
    """A memory whose log says something else about the map than was recorded."""
    desk.hears(PORT.format(8080))
    desk.hears("The map is drawn in blue.", session="s2")
    desk.sleeps()
    spoil(desk, b"The map is drawn")
    return desk.again()


def test_facts_answer_again_once_a_person_has_given_up_what_is_lost(spoilt: Living) -> None:
    with pytest.raises(Damaged, match="damaged at byte"):
        spoilt.value("tidepool|dev_port")
    asked = list[str]()

    def confirm(question: str) -> bool:
        asked.append(question)
        return True

    spoilt.around = replace(spoilt.around, confirm=confirm)
    spoilt.memory = Memory(spoilt.around)
    done = spoilt.memory.repair_log()

    assert "give up what they said?" in asked[0]
    assert done["ok"]
    assert len(done["given_up"]) == 1
    assert spoilt.value("tidepool|dev_port") == "8080"
    assert spoilt.memory.verify_log(full=True)["ok"]
    assert spoilt.hears(PORT.format(8081), session="s3")["new"] == 3  # its session file still has what was lost
    assert spoilt.sleeps()["identical"]
    assert spoilt.value("tidepool|dev_port") == "8081"


@pytest.mark.parametrize("confirm", [None, lambda _question: False])
def test_nothing_is_given_up_unless_a_person_says_so(
        spoilt: Living, confirm: Callable[[str], bool] | None) -> None:
    before = {path: path.read_bytes() for path in (spoilt.home / "log").rglob("*") if path.is_file()}
    spoilt.around = replace(spoilt.around, confirm=confirm)
    spoilt.memory = Memory(spoilt.around)

    with pytest.raises(Refused, match="nothing was changed"):
        spoilt.memory.repair_log()
    assert before == {path: path.read_bytes() for path in (spoilt.home / "log").rglob("*") if path.is_file()}


# ---- a newer program


def test_a_log_that_a_newer_rhizome_wrote_is_read_and_never_written(desk: Living) -> None:
    desk.hears(PORT.format(8080))
    desk.sleeps()
    home, parts = desk.home, desk.memory.parts
    own = home / "log" / parts.home.id
    path, head = own / segments.names(own)[-1], parts.log.head
    text = payload(Event(kind="dream.recorded", body={"of": "tides"}), desk.now.isoformat())
    line = chain.sealed(bytes.fromhex(head.h), 2, head.seq + 1, b"\7" * 16, bytes(16), bytes(16), text)
    with path.open("ab") as file:
        file.write(chain.render(line))
    (own / "HEAD").write_bytes(segments.render_head(structs.replace(head, seq=line.seq, h=line.h.hex())))
    desk.again()

    assert desk.value("tidepool|dev_port") == "8080"
    assert desk.found("which port does the dev server use")
    assert desk.memory.status()["log"]["seq"] == line.seq
    assert desk.memory.verify_log(full=True)["ok"]
    assert desk.proven() == []
    assert json.loads(json.dumps(desk.memory.tail_log(n=1)))["events"][0]["kind"] == "dream.recorded"
    before, tip = path.read_bytes(), desk.git("rev-parse", "HEAD")
    desk.says(PORT.format(8081), session="s2")
    desk.writes("tides.md", "# Tides\n\nTwice a day.\n")
    for verb in (desk.imports, desk.sleeps, lambda: desk.memory.remember(key="deploy|day", statement="On Mondays.")):
        with pytest.raises(TooNew, match="written by a newer rhizome"):
            verb()
    assert (path.read_bytes(), desk.git("rev-parse", "HEAD")) == (before, tip)
