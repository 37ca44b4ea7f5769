"""What a night does: facts from what was said, notes from facts, and nothing twice."""

import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path

from msgspec.structs import replace
from pygit2 import Repository, Signature
from pygit2.enums import FileMode

from rhizome.config import LOOSE_OBJECTS
from rhizome.log.file_log import FileLog
from rhizome.log.files import Files
from rhizome.memory.memory import Memory
from rhizome.render.facts import fact as render
from tests.memory.living import Living

WHO = Signature("ines", "ines@example.org", 0, 0)
PORT = "The dev server runs on port {}."


class Counting(Files):
    """Counts the sync barriers of names: one is the last step of every append."""

    def __init__(self) -> None:
        self.barriers = Counter[Path]()

    def fsync_folder(self, path: Path) -> None:
        super().fsync_folder(path)
        self.barriers[path] += 1


TARGETS: list[str] = []
"""What files were renamed to in this process; a hook for that stays until the process ends."""


def heard(event: str, args: tuple[object, ...]) -> None:
    if event == "os.rename":
        TARGETS.append(str(args[1]))


def test_what_was_said_becomes_a_fact_and_a_note_with_a_receipt(memory: Living) -> None:
    memory.hears(PORT.format(8080))

    report = memory.sleeps()

    assert (1, 1, True) == (report["turns"], report["asserted"], report["identical"])
    [settled] = memory.memory.parts.log.history(("consolidated",))
    assert {"asserted": 1} == settled.fields["report"]
    assert "8080" == memory.value("tidepool|dev_port")
    assert "8080" in memory.text("tidepool.md")
    assert "[^tidepool-dev_port-" in memory.text("tidepool.md")


def test_a_superseded_value_never_comes_back_as_current(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    memory.hears(PORT.format(8087))
    memory.sleeps()

    assert [("8080", "superseded"), ("8087", "active")] == memory.history("tidepool|dev_port")
    assert "before: 8080" in memory.text("tidepool.md")
    assert "port 8080" not in memory.text("tidepool.md")


def test_a_second_run_does_nothing(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    head = memory.memory.parts.log.head

    report = memory.sleeps(hours=1)

    assert (None, 0, 0) == (report["run"], report["turns"], report["commits"])
    assert head == memory.memory.parts.log.head


def test_a_run_is_one_append_and_one_write_of_gits_index_however_many_notes_it_makes(memory: Living) -> None:
    for project in ("tidepool", "lantern", "quill"):
        memory.hears(PORT.format(8080), session=project, project=project)
    parts, files = memory.memory.parts, Counting()
    parts.log = FileLog(parts.home.log, parts.home.id, index=parts.home.index, clock=parts.around.clock,
                        dice=parts.around.dice, files=files)  # fmt: skip
    seq = parts.log.head.seq

    sys.addaudithook(heard)
    TARGETS.clear()

    report = memory.sleeps()

    targets = Counter(TARGETS)
    decided = list(parts.log.read(seq))
    assert ["fact.asserted"] * 3 + ["consolidated"] == [event.kind for event in decided]
    assert 1 == files.barriers[parts.home.log / parts.home.id]
    assert 4 == report["commits"]
    assert [1, 1] == [targets[str(root / ".git" / "index")] for root in (memory.notes, memory.home / "private")]


def test_a_repository_with_thousands_of_loose_objects_is_packed_and_the_report_says_so(memory: Living) -> None:
    repo = Repository(str(memory.notes))
    tree = repo.TreeBuilder()
    for number in range(LOOSE_OBJECTS + 1):
        tree.insert(f"{number}", repo.create_blob(b"%d" % number), FileMode.BLOB)
    repo.references.create("refs/heads/grown", repo.create_commit(None, WHO, WHO, "grown", tree.write(), []))
    memory.hears(PORT.format(8080))

    report = memory.sleeps()

    assert (True, []) == (report["packed"] > LOOSE_OBJECTS, report["problems"])
    assert (True, []) == (report["identical"], memory.proven())
    assert 0 == memory.sleeps()["packed"]


def test_a_turn_that_is_not_over_waits(memory: Living) -> None:
    memory.hears(PORT.format(8080))

    report = memory.sleeps(hours=1)

    assert (0, 1) == (report["turns"], memory.sleeps()["turns"])


def test_a_day_that_is_not_over_is_not_due(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.now += timedelta(hours=8)

    report = memory.memory.consolidate(if_due=True)

    assert report["run"] is None
    memory.now += timedelta(hours=8)
    assert 1 == memory.memory.consolidate(if_due=True)["turns"]


def test_nights_that_were_missed_are_caught_up_at_once(memory: Living) -> None:
    for port in (8080, 8081, 8082):
        memory.hears(PORT.format(port))
        memory.now += timedelta(days=1)

    report = memory.memory.consolidate(if_due=True)

    assert (3, "8082", True) == (report["turns"], memory.value("tidepool|dev_port"), report["identical"])
    days = [f"private/days/2026/2026-09-0{day}.md" for day in (7, 8, 9)]
    assert days == [ref for ref in sorted(memory.derived()) if "/days/" in ref]
    assert memory.memory.consolidate(if_due=True)["run"] is None


def test_a_dry_run_tells_what_a_run_would_do_and_writes_nothing(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.now += timedelta(hours=24)
    head = memory.memory.parts.log.head

    report = memory.memory.consolidate(dry_run=True)

    assert (1, head) == (report["asserted"], memory.memory.parts.log.head)
    assert not memory.path("tidepool.md").exists()


def test_each_note_is_one_commit_that_names_its_run(memory: Living) -> None:
    memory.hears(PORT.format(8080))

    run = memory.sleeps()["run"]

    assert f"consolidate/{run}/" in memory.calls()[0]
    assert f"consolidate/{run}/" in memory.calls(private=True)[0]


def test_the_day_is_the_one_of_the_home(tmp_path: Path) -> None:
    memory = Living(tmp_path, zone="Asia/Tokyo").begins()
    memory.now = memory.now.replace(hour=16)  # one in the morning of the next day, in Tokyo
    memory.hears(PORT.format(8080))
    memory.sleeps()

    assert memory.path("private/days/2026/2026-09-08.md").exists()


def test_what_is_remembered_is_a_fact_after_a_night(memory: Living) -> None:
    answer = memory.memory.remember(key="deploy|branch", statement="We ship from release.", value="release")
    memory.sleeps()

    assert ("new", "release") == (answer["outcome"], memory.value("deploy|branch"))


def test_as_of_is_the_end_of_that_day_in_the_zone_of_the_home(tmp_path: Path) -> None:
    memory = Living(tmp_path, zone="America/Sao_Paulo").begins()
    memory.now = memory.now.replace(day=8, hour=2)  # the evening of the 7th, in São Paulo
    memory.hears(PORT.format(8080))
    memory.sleeps()

    assert "8080" == memory.value("tidepool|dev_port", as_of="2026-09-07")
    assert memory.value("tidepool|dev_port", as_of="2026-09-06") is None


def test_a_key_without_a_bar_is_an_attribute_of_the_project(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()

    assert "8080" == memory.value("dev_port") == memory.value("dev_port", scope="tidepool")


def test_agents_without_a_session_have_a_quota_for_each_night_and_not_for_life(memory: Living) -> None:
    memory.around = replace(memory.around, typed=False)
    memory.memory.parts.close()
    memory.memory = Memory(memory.around)
    steps = [(f"deploy|step_{number}", f"Step {number} is due.") for number in range(21)]
    told = [memory.memory.remember(key=key, statement=statement)["outcome"] for key, statement in steps]
    assert ["new", "over_quota"] == told[-2:]
    memory.sleeps()

    answer = memory.memory.remember(key="deploy|branch", statement="We ship from release.")

    assert "new" == answer["outcome"]


def test_what_nobody_said_again_expires_and_is_told_and_what_was_decided_stays(memory: Living) -> None:
    memory.hears("Ada owns the docs. We decided to deploy from main.")
    memory.sleeps()
    [fact] = [each for each in memory.memory.facts(status="active")["facts"] if each["type"] == "fact"]
    [wish] = [each for each in memory.memory.facts(status="active")["facts"] if each["type"] == "decision"]

    memory.now += timedelta(days=400)
    told = memory.sleeps()

    assert [f"{fact['fact_key']} = {fact['value']} (tidepool, 2026-09-07)"] == told["ended"]
    assert [wish["id"]] == [each["id"] for each in memory.memory.facts(status="active")["facts"]]
    asked = memory.memory.fact(key=fact["fact_key"], scope=fact["scope"])
    assert (None, fact["value"], "expired") == (asked["fact"], asked["ended"]["value"], asked["ended"]["status"])
    assert "it expired, nobody said it again after 2026-09-07" in render(asked)[0]
    days = [path.read_text() for path in (memory.home / "private" / "days").rglob("*.md")]
    assert any("No longer holds" in text and "expired, nobody confirmed it for long" in text for text in days)
    assert [] == memory.proven()


def test_a_home_says_how_long_a_type_of_fact_stands(memory: Living) -> None:
    memory.hears("Ada owns the docs. Use sempre medidas métricas.")
    memory.sleeps()
    with (memory.home / "rhizome.toml").open("a", encoding="utf-8") as file:
        file.write("\n[ledger]\nexpire = { fact = 30, preference = 0 }\n")
    memory.again()

    memory.now += timedelta(days=31)
    memory.sleeps()
    memory.now += timedelta(days=9999)
    memory.sleeps()

    assert ["preference"] == [each["type"] for each in memory.memory.facts(status="active")["facts"]]
    assert [] == memory.proven()
