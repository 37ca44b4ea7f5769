"""Other names: all that there are, and those that somebody looked for in vain before they found the note."""

import json
import os
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rhizome.log.door import Door
from rhizome.memory.memory import Memory
from rhizome.memory.served import KIND, SPOOL_BYTES, plain, plain_name
from tests.memory.living import Living

NOTE = "---\naliases: [rollout]\n---\n# Deployment\n\nDeployment happens from the release branch, on Thursdays.\n"


def asks(memory: Living, question: str, seconds: float = 30) -> dict[str, Any]:
    memory.now += timedelta(seconds=seconds)
    return memory.memory.search(query=question, no_vectors=True)


def spool(memory: Living) -> Path:
    return memory.home / "spool" / "served.jsonl"


def suggestions(memory: Living) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = memory.memory.aliases_suggest()["suggestions"]
    return found


@pytest.fixture
def asked(memory: Living) -> Living:
    """A memory in which somebody looked for a note by another name, and then by its own."""
    memory.writes("deploy.md", NOTE)
    for n in range(4):
        memory.writes(f"other-{n}.md", f"# Tides {n}\n\nThe harbour gauge shows {n} metres at noon.\n")
    assert asks(memory, "how do we ship to production")["reason"]
    assert not asks(memory, "deployment release branch")["reason"]
    return memory


def test_every_alias_of_notes_and_facts_is_listed_with_what_it_stands_for(asked: Living) -> None:
    found = asked.memory.aliases_list()["aliases"]

    assert ("rollout", "Deployment", "note", "deploy.md:1") in {
        (each["alias"], each["name"], each["layer"], each["ref"]) for each in found}


def test_a_question_in_vain_before_a_note_was_found_suggests_its_words(asked: Living) -> None:
    found = suggestions(asked)

    assert [(each["alias"], each["note"], each["line"]) for each in found] == [
        ("ship production", "deploy.md", "aliases: [rollout, ship production]")]
    assert [each["missed"]["question"] for each in found[0]["asked"]] == ["how do we ship to production"]
    assert [each["found"]["question"] for each in found[0]["asked"]] == ["deployment release branch"]


def test_a_told_story_is_nobodys_name_for_a_note(asked: Living) -> None:
    asks(asked, "yesterday customers complained loudly because invoices never reached anybody abroad", 3_600)
    asks(asked, "deployment release branch")

    assert ["ship production"] == [each["alias"] for each in suggestions(asked)]


def test_a_suggestion_that_was_taken_in_is_made_no_more_and_the_question_finds_the_note(asked: Living) -> None:
    asked.edits("deploy.md", "aliases: [rollout]", suggestions(asked)[0]["line"])

    assert [] == suggestions(asked)
    assert asks(asked, "how do we ship to production")["hits"][0]["ref"].startswith("deploy.md:")


def test_a_note_that_answers_by_now_needs_no_alias(asked: Living) -> None:
    asked.edits("deploy.md", "on Thursdays.", "on Thursdays. So we ship to production.")

    assert [] == suggestions(asked)


@pytest.mark.parametrize("text", ["4111111111111111", "k3Jd9f", "a" * 21, "a@b.example", "x=y", "key: word", "and/or"])
def test_what_may_be_drawn_is_no_plain_word(text: str) -> None:
    assert plain("where is the release branch (of 2026)?")
    assert not plain(f"where is {text} of")


def test_after_a_night_the_questions_are_events_and_say_the_same(asked: Living) -> None:
    before = suggestions(asked)
    asked.sleeps()
    asked.sleeps()
    after = suggestions(asked)

    assert 2 == asked.events(KIND)
    assert not spool(asked).exists()
    assert [each["line"] for each in before] == [each["line"] for each in after]
    assert "how do we ship to production" == asked.memory.read(ref=after[0]["asked"][0]["missed"]["event"])["text"]


def test_a_night_that_is_cut_off_between_log_and_spool_adds_nothing_twice(asked: Living) -> None:
    held = spool(asked).read_bytes()
    asked.sleeps()
    spool(asked).with_suffix(".taken").write_bytes(held)
    asked.sleeps()

    assert 2 == asked.events(KIND)
    assert not spool(asked).with_suffix(".taken").exists()


@pytest.mark.parametrize("seconds", [3_600, 86_400])
def test_a_note_found_much_later_says_nothing_of_the_question_before(memory: Living, seconds: float) -> None:
    memory.writes("deploy.md", NOTE)
    asks(memory, "how do we ship to production")
    asks(memory, "deployment release branch", seconds)

    assert [] == suggestions(memory)


def test_another_caller_finds_nothing_for_somebody_else(memory: Living) -> None:
    memory.writes("deploy.md", NOTE)
    asks(memory, "how do we ship to production")
    other = Memory(replace(memory.around, folder=Path("/home/ines/src/lantern")))
    other.search(query="deployment release branch", no_vectors=True)
    other.parts.close()

    assert [] == suggestions(memory)


def test_ids_are_kept_and_no_text_of_what_was_served(asked: Living) -> None:
    kept = [json.loads(line) for line in spool(asked).read_text(encoding="utf-8").splitlines()]

    assert ["note", "deploy.md:4"] in kept[-1]["refs"]
    assert "Thursdays" not in spool(asked).read_text(encoding="utf-8")
    assert 0o600 == spool(asked).stat().st_mode & 0o777


def test_a_search_answers_where_its_question_cannot_be_kept(memory: Living) -> None:
    memory.writes("deploy.md", NOTE)
    (memory.home / "spool").write_text("a file in the way", encoding="utf-8")

    assert asks(memory, "deployment release branch")["hits"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_search_answers_where_nothing_may_be_written(memory: Living) -> None:
    memory.writes("deploy.md", NOTE)
    (memory.home / "spool").mkdir(mode=0o500)

    assert asks(memory, "deployment release branch")["hits"]


def test_a_full_spool_takes_no_more(asked: Living) -> None:
    with spool(asked).open("ab") as file:
        file.write(b"\n" * SPOOL_BYTES)
    size = spool(asked).stat().st_size
    asks(asked, "deployment release branch")

    assert size == spool(asked).stat().st_size


def test_a_home_may_keep_no_questions(memory: Living) -> None:
    with (memory.home / "rhizome.toml").open("a", encoding="utf-8") as file:
        file.write("\n[search]\nserved = false\n")
    memory.again()
    asks(memory, "how do we ship to production")

    assert not spool(memory).exists()


def test_a_secret_in_a_question_is_in_no_spool(memory: Living) -> None:
    secret = "ghp_" + "k3Jd9fQ2mX7vB1nL5sT8wR4yZ6aC0eH2uG9p"
    asks(memory, f"what is {secret} for")
    assert not spool(memory).exists()
    stays = Memory(replace(memory.around, look_seconds=0.2))
    stays.search(query=f"what is {secret} for", no_vectors=True)
    stays.parts.close()

    assert "[secret:" in spool(memory).read_text(encoding="utf-8")
    assert secret not in spool(memory).read_text(encoding="utf-8")


NAMES = ["password", "token", "secret", "api key", "bearer", "ghp", "sk-ant", "AKIA", "xoxb", "pass", "pwd", "cookie"]


@given(st.lists(st.one_of(st.sampled_from([*NAMES, "is", ":", "=", "'", '"', "-", "."]), st.text(max_size=24),
                          st.integers(0, 2**32).map(lambda seed: drawn(Random(seed)))), max_size=12).map(" ".join))
def test_the_door_finds_nothing_in_what_counts_as_plain_words(text: str) -> None:
    if plain(text):
        assert Door(bytes(32)).clean(text).text == text


def drawn(dice: Random) -> str:
    """What a machine might have drawn for a secret, in words of letters."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGH"
    return "-".join("".join(dice.choices(letters, k=dice.randint(1, 20))) for _ in range(3))


def test_a_green_reader_sees_no_alias_of_a_private_note(memory: Living) -> None:
    memory.writes("deploy.md", NOTE.replace("aliases:", "tier: amber\naliases:"))

    assert "rollout" in str(memory.memory.aliases_list())
    assert "rollout" not in str(memory.memory.aliases_list(clearance="green"))


def test_a_night_passes_where_the_spool_cannot_be_read(memory: Living) -> None:
    spool(memory).mkdir(parents=True)
    memory.hears("Change of plan: tidepool dev server is 8087 from now on.")

    assert memory.sleeps()["run"]


def test_a_line_of_the_spool_that_was_cut_off_is_left_out(asked: Living) -> None:
    with spool(asked).open("ab") as file:
        file.write(b'{"at":"2026')
    asked.sleeps()

    assert 2 == asked.events(KIND)


SECRET = "ghp_" + "k3Jd9fQ2mX7vB1nL5sT8wR4yZ6aC0eH2uG9p"


@pytest.mark.parametrize("looks", [0.0, 0.2])
def test_a_secret_in_the_name_of_the_folder_that_asks_is_in_no_spool(memory: Living, looks: float) -> None:
    memory.writes("deploy.md", NOTE)
    there = Memory(replace(memory.around, folder=Path("/home/ines") / SECRET, look_seconds=looks))
    there.search(query="deployment release branch", no_vectors=True)
    there.parts.close()

    assert looks == 0.0 or "[secret:" in spool(memory).read_text(encoding="utf-8")
    assert not spool(memory).exists() or SECRET not in spool(memory).read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", ["/src/lantern-2", "0f3a1b2c-9d8e-4f5a-8b7c-1a2b3c4d5e6f", "/tmp/b8"])
def test_a_common_folder_and_session_are_plain(folder: str) -> None:
    assert plain_name(folder)
    assert not plain_name(f"{folder}/{SECRET}")


@given(st.lists(st.one_of(st.sampled_from([*NAMES, "is", ":", "=", "/", "-", "."]), st.text(max_size=16),
                          st.integers(0, 2**32).map(lambda seed: drawn(Random(seed)))), max_size=12).map("/".join))
def test_the_door_finds_nothing_in_what_counts_as_a_plain_name(text: str) -> None:
    if plain_name(text):
        assert Door(bytes(32)).clean(text).text == text


ODD = [
    b'{"x":' + b"[" * 100_000, b'{"at":1}', b"\xff\xfe", b"[]", b"", b'{"at":"2026',
    b'{"at":"yesterday","question":"q","caller":"","reason":null,"refs":[]}',
    b'{"at":"2026-12-01T02:34:46Z","question":"\\ud800","caller":"","reason":null,"refs":[]}',
    b'{"at":"2026-12-01T02:34:46Z","question":"q","caller":"","reason":null,"refs":[["note",["x"]]]}',
]  # fmt: skip


@pytest.mark.parametrize("line", ODD, ids=lambda line: line[:16].decode("latin-1"))
def test_a_line_of_the_spool_that_tells_of_no_search_is_left_out(asked: Living, line: bytes) -> None:
    with spool(asked).open("ab") as file:
        file.write(line + b"\n")
    assert suggestions(asked)
    asked.sleeps()

    assert 2 == asked.events(KIND)


def test_a_spool_that_is_a_link_is_neither_written_nor_read(memory: Living) -> None:
    memory.writes("deploy.md", NOTE)
    outside = memory.folder / "outside"
    outside.write_text("mine")
    spool(memory).parent.mkdir()
    spool(memory).symlink_to(outside)
    asks(memory, "deployment release branch")
    memory.sleeps()

    assert "mine" == outside.read_text()
    assert not memory.events(KIND)


def test_nobody_waits_for_a_spool_that_is_a_pipe(memory: Living) -> None:
    memory.writes("deploy.md", NOTE)
    spool(memory).parent.mkdir()
    for name in ("served.jsonl", "served.taken"):
        os.mkfifo(spool(memory).parent / name)

    assert asks(memory, "deployment release branch")["hits"]
    assert [] == suggestions(memory)
    assert memory.memory.consolidate()
